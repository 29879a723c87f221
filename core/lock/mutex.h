// Curator's InterProcessMutex on one session: fair, reentrant per owner, compatible on the wire (names, order, data,
// container parents, watches). An owner is a logical thread of the client; other owners of the same Mutex queue up.
// Everything on the scheduler's thread. Work that must go on after the Mutex is gone (deleting a node) does.
#pragma once

#include "core/base/error.h"
#include "core/lock/flaws.h"
#include "core/lock/retry.h"
#include "core/lock/step_gate.h"
#include "core/lock/wire.h"
#include "core/zk/pending.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lock {

// How the next holder learns that it is its turn. curator: it lists the children again after every wake-up.
// announced: a holder writes into its node that it holds, so that the one behind it needs no list (see mutex_wait.cpp).
enum class HandoffPolicy { curator, announced };

struct MutexOptions
{
    std::string path;                 // of the lock, e.g. "/locks/well"; missing parents are made
    NodeNaming naming;
    HandoffPolicy handoff = HandoffPolicy::curator;
    RetryPolicy retry;                // for starting over and for refusals; not for waiting in the queue
    std::string nodeData = "127.0.0.1"; // Curator writes the client's address into its node
    StepGate* gate = nullptr;         // must outlive the mutex and its work
    TraceSink trace;
    // The prefix of its nodes instead of a new one for every attempt: an acquire that goes on in a new session looks first
    // for a node of the old one, and takes it only when it belongs to its own session. Empty: a new one for every attempt.
    std::string keptGuid;
    Flaws flaws;                      // none: the real recipe
};

// A wish to give up a waiting acquire; give it to one or more acquires. Copies are the same wish.
class Cancel
{
public:
    Cancel() : m_state(std::make_shared<State>()) {}
    void request() const;
    bool requested() const { return m_state->requested; }

private:
    friend class AcquireOp;
    struct State
    {
        bool requested = false;
        std::vector<std::function<void()>> waiters;
    };
    std::shared_ptr<State> m_state;
};

// A lock that is held. The token increases with every grant of the lock on this ensemble (czxid of the own node):
// give it to the protected resource, which refuses smaller ones.
struct Grant
{
    std::string node;
    Zxid token;
    std::uint16_t depth = 1;
};

struct MutexCore;

class Mutex
{
public:
    Mutex(zk::SessionPtr session, MutexOptions options);
    ~Mutex(); // gives up what is waiting and releases what is held, in the background

    // Without `limit` waits as long as it takes; zero is one try. Errors: timedOut, cancelled (neither leaves a node
    // behind), sessionLost, noAuth, internal (retries exhausted; the message says of what).
    zk::Awaitable<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt, Cancel cancel = {});
    // One level. The last one deletes the node and returns when that is certain. Errors: notOwner, naming the lock
    // and the owner; sessionLost when the hold was lost before; noAuth when the node may not be deleted.
    zk::Awaitable<Result<void>> release(OwnerId owner);

    std::uint16_t depth(OwnerId owner) const;            // 0 when it does not hold
    // Names of all nodes in the queue, in order.
    zk::Awaitable<Result<std::vector<std::string>>> participants();
    // Called when a held lock is lost: its session is over. The hold is gone by then.
    void onLost(std::function<void(OwnerId)> callback);
    const std::string& path() const;

private:
    std::shared_ptr<MutexCore> m_core;
};

} // namespace lockscope::lock
