// Curator's SharedCount: a number in a node (4 bytes, big-endian), followed by every client that has one of
// these. The value is kept up to date by a data watch, which is set again after every change, every reconnect
// and, with growing pauses, every refusal that may pass; while the node is missing the last value stands.
// Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/zk/pending.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace lockscope::lock {

// What its node holds: four bytes, the highest first.
std::string encodeCount(std::int32_t value);

// Curator's VersionedValue.
struct VersionedCount
{
    std::int32_t value = 0;
    std::int32_t version = -1; // of the node: grows with every write; -1 before it was read
};

class SharedCount
{
public:
    using ListenerId = lockscope::ListenerId;

    // `seed`: its value when the node does not exist yet.
    SharedCount(zk::SessionPtr session, std::string path, std::int32_t seed);
    ~SharedCount();
    SharedCount(const SharedCount&) = delete;
    SharedCount& operator=(const SharedCount&) = delete;

    // Makes the node when it is missing (its parents as containers), reads it and begins to follow it.
    // Errors: sessionLost, noAuth, badInput (the node holds something else), badUsage (the path), internal.
    zk::Task<Result<std::int32_t>> start();
    // What is known of it; the seed before start().
    std::int32_t value() const;
    VersionedCount versioned() const;
    // For all clients; of several that set it the last one wins. Two round trips. Writes once: when a reply
    // was lost and another client has written since, that value stays, and ours is taken as the one before.
    // Errors: noNode (it was not started, or was deleted), sessionLost (it may have been set), noAuth,
    // internal.
    zk::Task<Result<void>> set(std::int32_t value);
    // Curator's trySetCount: sets it when the node's version is still that of `previous`, from versioned();
    // true when it did. False: another client was quicker, and versioned() says more. One round trip. Errors:
    // badUsage (`previous` is from before start()), connectionLost (the reply was lost, and what is there now
    // does not say whether it is ours), and those of set().
    zk::Task<Result<bool>> trySet(VersionedCount previous, std::int32_t value);

    // Called with every new value, also one of our own set(). It may let go of the count; what it throws
    // leaves a function of its own on the scheduler's thread.
    ListenerId addListener(std::function<void(std::int32_t)> changed);
    void removeListener(ListenerId listener);
    const std::string& path() const;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
