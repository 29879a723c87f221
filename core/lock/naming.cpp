#include "core/lock/naming.h"

#include "core/queue/number.h"

#include <algorithm>

namespace lockscope::lock {

NodeNaming NodeNaming::curatorRead() { return {"__READ__", {"__WRIT__"}, {"__WRIT__"}}; }

NodeNaming NodeNaming::curatorWrite() { return {"__WRIT__", {"__READ__"}, {"__WRIT__"}}; }

NodeNaming NodeNaming::withKazoo() { return {"lock-", {"__lock__"}, {}}; }

NodeNaming NodeNaming::readWithKazoo()
{
    return {"__READ__", {"__WRIT__", "__lock__", "__rlock__"}, {"__WRIT__", "__lock__"}};
}

NodeNaming NodeNaming::writeWithKazoo()
{
    return {"__WRIT__", {"__READ__", "__lock__", "__rlock__"}, {"__WRIT__", "__lock__"}};
}

std::string NodeNaming::protectionPrefix(std::string_view guid)
{
    std::string prefix;
    prefix.reserve(guid.size() + 4);
    prefix.append("_c_").append(guid).append("-");
    return prefix;
}

std::string NodeNaming::createName(std::string_view guid) const { return protectionPrefix(guid) + lockName; }

namespace {

// The part of `node` after `name`, when it ends with the name and ten digits, as nearly every node does.
std::optional<std::string_view> digitsAfter(std::string_view node, std::string_view name)
{
    const std::size_t tail = name.size() + queue::kDigits;
    if (node.size() >= tail && node.substr(node.size() - tail, name.size()) == name &&
        queue::endsInDigits(node))
        return node.substr(node.size() - queue::kDigits);
    return std::nullopt;
}

} // namespace

std::string_view NodeNaming::sortKey(std::string_view node) const
{
    if (const auto digits = digitsAfter(node, lockName))
        return *digits;
    for (const std::string& name : otherNames)
        if (const auto digits = digitsAfter(node, name))
            return *digits;
    // One name after the other, as Curator's read/write lock strips first __READ__, then __WRIT__.
    const auto strip = [](std::string_view text, std::string_view name) {
        const std::size_t at = text.rfind(name);
        return at == std::string_view::npos ? text : text.substr(at + name.size());
    };
    std::string_view key = strip(node, lockName);
    for (const std::string& name : otherNames)
        key = strip(key, name);
    return key;
}

bool NodeNaming::isWriter(std::string_view node) const
{
    return std::any_of(writeNames.begin(), writeNames.end(),
                       [node](const std::string& name) { return node.find(name) != std::string_view::npos; });
}

std::optional<std::int32_t> sequenceOf(std::string_view node)
{
    const std::optional<queue::Number> number = queue::numberOf(node);
    return number ? std::optional(number->value) : std::nullopt;
}

} // namespace lockscope::lock
