#include "core/history/sequential_name.h"

#include "core/trace/node_name.h"

#include <algorithm>
#include <charconv>

namespace lockscope::history {

namespace {

constexpr std::size_t kDigits = 10;

NamingScheme namingOf(trace::LockLibrary library)
{
    switch (library) {
    case trace::LockLibrary::curator:
    case trace::LockLibrary::goZk: // Curator's names and order: clients of the two exclude each other
        return NamingScheme::curator;
    case trace::LockLibrary::kazoo:
        return NamingScheme::kazoo;
    case trace::LockLibrary::zooKeeper:
        return NamingScheme::zooKeeperC;
    case trace::LockLibrary::none:
        break;
    }
    return NamingScheme::other;
}

NodeRole roleOf(trace::NodeKind kind, std::string_view beforeNumber)
{
    switch (kind) {
    case trace::NodeKind::read:
        return NodeRole::reader;
    case trace::NodeKind::write:
        return NodeRole::writer;
    case trace::NodeKind::lease:
        return NodeRole::lease;
    default:
        return beforeNumber.ends_with("latch-") ? NodeRole::leader : NodeRole::exclusive;
    }
}

// Clients compare the numbers as text: negative (wrapped) numbers come first, a lower one after a higher one.
std::int64_t orderOf(std::int32_t number)
{
    constexpr std::int64_t kWrapped = -(std::int64_t{1} << 40);
    return number >= 0 ? number : kWrapped - std::int64_t{number};
}

} // namespace

std::optional<SequentialName> parseSequentialName(std::string_view name)
{
    if (name.size() < kDigits || isKazooLeaseName(name) ||
        !std::all_of(name.end() - kDigits, name.end(), isDigit))
        return std::nullopt;
    const trace::NodeName known = trace::parseNodeName(name);
    const bool isKnown = known.library != trace::LockLibrary::none;
    const std::string_view digits = name.substr(isKnown ? known.sortKeyOffset : name.size() - kDigits);
    SequentialName parsed;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), parsed.number).ec != std::errc{})
        return std::nullopt;
    parsed.naming = namingOf(known.library);
    parsed.role = roleOf(known.kind, name.substr(0, name.size() - digits.size()));
    parsed.order = orderOf(parsed.number);
    return parsed;
}

bool isKazooLeaseName(std::string_view name)
{
    const trace::NodeName known = trace::parseNodeName(name);
    return known.library == trace::LockLibrary::kazoo && known.kind == trace::NodeKind::lease;
}

} // namespace lockscope::history
