// Parses the name of a lock's node for a history. Beyond core/trace/node_name.h it covers sequential nodes of unknown
// recipes and gives the place in the queue as a number. Pure; any thread.
#pragma once

#include "core/base/lock_layout.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::history {

enum class NamingScheme : std::uint8_t { curator, kazoo, zooKeeperC, other };
enum class NodeRole : std::uint8_t { exclusive, writer, reader, lease, leader, fixedName };

struct SequentialName
{
    NamingScheme naming{};
    NodeRole role{};
    std::int32_t number = 0; // of a sequential node
    std::int64_t order = 0;  // among the nodes of its lock, by the clients' rule: the number compared as text
};

// Parses a name that ends in a sequence number: ten digits, preceded by a minus once the counter has wrapped.
std::optional<SequentialName> parseSequentialName(std::string_view name);
// kazoo's Semaphore: the lease <path>/<32 hexadecimal digits>, entered through the lock <path>-__lock__.
bool isKazooLeaseName(std::string_view name);
inline constexpr std::string_view kKazooMutexSuffix = "-__lock__";

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
// The parts before and after the last '/'; the parent of "/a" is "".
inline std::string_view parentOf(std::string_view path) { return path.substr(0, path.rfind('/')); }
inline std::string_view nameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

} // namespace lockscope::history
