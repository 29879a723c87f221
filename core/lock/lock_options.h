// What a lock is made with. A value.
#pragma once

#include "core/lock/recipe_bugs.h"
#include "core/lock/retry.h"
#include "core/lock/step_gate.h"
#include "core/lock/lock_node_client.h"

#include <functional>
#include <string>
#include <utility>

namespace lockscope::lock {

// How the next holder of a mutex learns that it is its turn. curator: it lists the children again after every
// wake-up. announced: a holder writes into its node that it holds, so that the one behind it needs no list
// (acquire_op.cpp).
enum class HandoffPolicy : std::uint8_t { curator, announced };

struct LockOptions
{
    static LockOptions at(std::string path)
    {
        LockOptions options;
        options.path = std::move(path);
        return options;
    }

    std::string path;  // of the lock, e.g. "/locks/well"; missing parents are made
    NodeNaming naming; // a read/write lock has two of its own
    HandoffPolicy handoff = HandoffPolicy::curator; // of a mutex; the others always list
    RetryPolicy retry;                  // for starting over and for refusals; not for waiting in the queue
    std::string nodeData = "127.0.0.1"; // Curator writes the client's address into its node
    // A hold that lasts longer than this watches its own node, so that the holder learns at once when
    // somebody deletes it.
    Duration watchHoldAfter = std::chrono::milliseconds(5);
    StepGate* gate = nullptr; // must outlive the lock and its work
    TraceSink trace;
    // The prefix of its nodes instead of a new one for every attempt: an acquire that goes on in a new
    // session looks first for a node of the old one, and takes it only when it belongs to its own session.
    // For one lock in the next session at a time: a late clean-up deletes by this prefix. Of a read/write lock it
    // is the write side's. Empty: a new one for every attempt.
    std::string keptGuid;
    // Called on the scheduler's thread with what fails in the background: a node that may not be deleted
    // after its acquire has returned, or after its lock was destroyed. It stays until the session ends.
    std::function<void(const Error&)> onError{};
    RecipeBugs bugs; // none: the real recipe
};

} // namespace lockscope::lock
