// A transaction in the log of the leader: a change that every server applies in the same order. Plain values.
#pragma once

#include "core/base/ids.h"
#include "core/zk/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::zk::memory {

enum class Change {
    none, // a refused request: takes a zxid and changes nothing
    sessionOpened,
    sessionClosed, // deletes its ephemeral nodes
    created,
    removed,
    dataSet,
    sequenceNumbersSkipped, // as if `numbers` children had been created and deleted
};

struct Transaction
{
    Zxid zxid{};
    Change change = Change::none;
    SessionId session{}; // the requesting session; none for another client
    std::string path{};
    std::string data{};
    CreateMode mode = CreateMode::persistent;
    std::vector<std::string> gone{}; // sessionClosed: its ephemeral nodes
    std::int32_t numbers = 0;
};

constexpr bool isEphemeral(CreateMode mode)
{
    return mode == CreateMode::ephemeral || mode == CreateMode::ephemeralSequential;
}
constexpr bool isSequential(CreateMode mode)
{
    return mode == CreateMode::persistentSequential || mode == CreateMode::ephemeralSequential;
}

} // namespace lockscope::zk::memory
