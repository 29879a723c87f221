#include "core/lock/internal/decide.h"

#include "core/queue/exclusion.h"

#include <algorithm>

namespace lockscope::lock {

namespace {

// Counts the nodes that the node with this key, at this index of the list, waits for; picks the one to watch.
void rank(std::span<const char* const> children, std::string_view ownKey, std::size_t ownIndex,
          const NodeNaming& naming, Rule rule, Decision& decision)
{
    std::string_view watched;
    std::string_view watchedKey;
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (i == ownIndex)
            continue;
        const std::string_view name = children[i];
        const std::string_view key = naming.sortKey(name);
        const bool writers = rule == Rule::writersAhead;
        const bool before = key < ownKey || (key == ownKey && i < ownIndex && !writers);
        const auto sideOfName = [&] { return naming.isWriter(name) ? Side::exclusive : Side::shared; };
        if (!before || !queue::waitsFor(writers ? Side::shared : Side::exclusive, sideOfName))
            continue;
        ++decision.position;
        const bool better = writers ? key < watchedKey : key >= watchedKey;
        if (watched.empty() || better) {
            watched = name;
            watchedKey = key;
        }
    }
    if (decision.position > 0)
        decision.predecessor = std::string(watched);
}

} // namespace

Decision decideFirst(std::span<const char* const> children, std::string_view own, const NodeNaming& naming,
                     Rule rule)
{
    const auto isOwn = [own](const char* name) { return own == name; };
    const auto place = std::find_if(children.begin(), children.end(), isOwn);
    const auto key = [&](const char* name) { return naming.sortKey(name); };
    const auto first = std::ranges::min_element(children, {}, key); // of equal keys the earlier one
    Decision decision;
    decision.own = own;
    decision.count = static_cast<std::uint32_t>(children.size());
    rank(children, naming.sortKey(own), static_cast<std::size_t>(place - children.begin()), naming, rule,
         decision);
    if (decision.position > 0)
        decision.predecessor = *first;
    return decision;
}

Decision decide(std::span<const char* const> children, std::string_view own, const NodeNaming& naming,
                Rule rule)
{
    Decision decision;
    decision.count = static_cast<std::uint32_t>(children.size());
    for (std::size_t i = 0; i < children.size() && !decision.found; ++i)
        if (std::string_view(children[i]).starts_with(own)) {
            decision.found = true;
            decision.own = children[i];
            rank(children, naming.sortKey(children[i]), i, naming, rule, decision);
        }
    return decision;
}

} // namespace lockscope::lock
