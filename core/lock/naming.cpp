#include "core/lock/naming.h"

#include <charconv>

namespace lockscope::lock {

namespace {
constexpr std::size_t kDigits = 10;
}

std::string NodeNaming::protectionPrefix(std::string_view guid)
{
    std::string prefix;
    prefix.reserve(guid.size() + 4);
    return prefix.append("_c_").append(guid).append("-");
}

std::string NodeNaming::createName(std::string_view guid) const { return protectionPrefix(guid) + lockName; }

std::string_view NodeNaming::sortKey(std::string_view node) const
{
    // Nearly every name ends with the lock name and ten digits: look there first.
    const std::size_t tail = lockName.size() + kDigits;
    if (node.size() >= tail && node.substr(node.size() - tail, lockName.size()) == lockName &&
        node.find_first_not_of("0123456789", node.size() - kDigits) == std::string_view::npos)
        return node.substr(node.size() - kDigits);
    const std::size_t at = node.rfind(lockName);
    return at == std::string_view::npos ? node : node.substr(at + lockName.size());
}

std::optional<std::int32_t> sequenceOf(std::string_view node)
{
    if (node.size() < kDigits)
        return std::nullopt;
    std::size_t begin = node.size() - kDigits;
    if (node.find_first_not_of("0123456789", begin) != std::string_view::npos)
        return std::nullopt;
    // "-lock--2147483648": the minus belongs to the number when another one stands before it.
    if (begin >= 2 && node[begin - 1] == '-' && node[begin - 2] == '-')
        --begin;
    std::int32_t sequence = 0;
    const auto [end, error] = std::from_chars(node.data() + begin, node.data() + node.size(), sequence);
    if (error != std::errc{} || end != node.data() + node.size())
        return std::nullopt;
    return sequence;
}

} // namespace lockscope::lock
