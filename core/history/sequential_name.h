// The place of a lock's node in its queue, from its name. Pure; any thread.
#pragma once

#include "core/queue/scheme.h"
#include "core/queue/words.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::history {

enum class NamingScheme : std::uint8_t { curator, kazoo, zooKeeperC, other };
using NodeRole = queue::Role;
using queue::isDigit;
using queue::isKazooLeaseName;
using queue::kKazooMutexSuffix;
using queue::nameOf;
using queue::parentOf;

struct SequentialName
{
    NamingScheme naming{};
    NodeRole role{};
    std::int32_t number = 0; // of a sequential node
    std::int64_t order = 0;  // among the nodes of its lock, by the clients' rule: the number compared as text
};

// Parses a name that ends in a sequence number: ten digits, preceded by a minus once the counter has wrapped.
std::optional<SequentialName> parseSequentialName(std::string_view name);

} // namespace lockscope::history
