#include "core/lock/decide.h"

namespace lockscope::lock {

Decision decide(std::span<const char* const> children, std::string_view own, const NodeNaming& naming)
{
    Decision decision;
    decision.count = static_cast<std::uint32_t>(children.size());
    std::size_t ownIndex = children.size();
    for (std::size_t i = 0; i < children.size(); ++i)
        if (std::string_view(children[i]).starts_with(own)) {
            ownIndex = i;
            break;
        }
    if (ownIndex == children.size())
        return decision;
    decision.found = true;
    decision.own = children[ownIndex];
    const std::string_view ownKey = naming.sortKey(decision.own);
    std::string_view ahead;
    std::string_view aheadKey;
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (i == ownIndex)
            continue;
        const std::string_view name = children[i];
        const std::string_view key = naming.sortKey(name);
        const bool before = key < ownKey || (key == ownKey && i < ownIndex);
        if (!before)
            continue;
        ++decision.position;
        if (ahead.empty() || key >= aheadKey) {
            ahead = name;
            aheadKey = key;
        }
    }
    decision.ahead = std::string(ahead);
    return decision;
}

} // namespace lockscope::lock
