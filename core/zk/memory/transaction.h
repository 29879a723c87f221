// What the leader's log holds: changes in the order in which every server applies them. Plain values.
#pragma once

#include "core/base/ids.h"
#include "core/zk/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::zk::memory {

enum class Change {
    none, // a refused request: takes its place in the order and changes nothing
    sessionOpened,
    sessionClosed, // and every ephemeral node of it goes
    created,
    removed,
    dataSet,
    sequenceNumbersSkipped, // as if so many children had been made under the node and removed again
};

struct Transaction
{
    Zxid zxid;
    Change change = Change::none;
    SessionId session; // whose request it is; none for somebody else's
    std::string path;
    std::string data;
    CreateMode mode = CreateMode::persistent;
    std::vector<std::string> gone; // sessionClosed: its ephemeral nodes
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
