// Curator's SharedCount: a number in a node (4 bytes, big-endian), followed by every client that has one of
// these. The value is kept up to date by a data watch, which is set again after every change and every
// reconnect; while the node is missing the last value stands. Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/zk/pending.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace lockscope::lock {

// What its node holds: four bytes, the highest first.
std::string countBytes(std::int32_t value);

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
    // For everybody. Returns when the server has it. Errors: noNode (nobody has started it), sessionLost,
    // noAuth, internal.
    zk::Task<Result<void>> set(std::int32_t value);

    // Called with every new value, also one of our own set().
    ListenerId listen(std::function<void(std::int32_t)> changed);
    void unlisten(ListenerId listener);
    const std::string& path() const;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
