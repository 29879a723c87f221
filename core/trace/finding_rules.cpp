#include "core/trace/finding_rules.h"

#include <array>

namespace lockscope::trace {

std::span<const FindingRule, kFindingKinds> findingRules()
{
    static const std::array<FindingRule, kFindingKinds> rules{{
        {message("one_holder"), message("One holder at a time"),
         message("There are never more holders at a time than the lock allows."),
         message("too many holders at once"),
         message("Nothing was checked: no client has acquired a lock yet."), message("1 grant"),
         message("%1 grants"), message("%1 checked: never two holders at a time.")},
        {message("order_kept"), message("Order kept"),
         message("Clients get the lock in the order of their nodes."), message("order not kept"),
         message("Nothing was checked: no client has acquired a lock yet."), message("1 grant"),
         message("%1 grants"), message("%1 checked: each went to the lowest live sequence number.")},
        {message("no_herd"), message("No herd"),
         message("A release wakes no more clients than can continue."), message("a herd"),
         message("Nothing was checked: no watch has fired because a node was deleted."), message("1 wake-up"),
         message("%1 wake-ups"), message("%1 checked: each deleted node woke at most one client.")},
        {message("no_orphan_node"), message("No orphan node"),
         message("No node stays behind without a client that knows of it."), message("an orphan node"),
         message("Nothing was checked: no client's node has been deleted yet."), message("1 node"),
         message("%1 nodes"), message("%1 followed to the end: none was left behind.")},
        {message("no_lost_wakeup"), message("No lost wake-up"),
         message("Each client that can continue is notified."), message("a lost wake-up"),
         message("Nothing was checked: no watched node has been deleted yet."), message("1 wake-up"),
         message("%1 wake-ups"), message("%1 checked: every waiter noticed that its watched node was gone.")},
        {message("tokens_increase"), message("Tokens increase"),
         message("The resource never accepts an older token after a newer one."),
         message("tokens that do not increase"),
         message("Nothing was checked: no client has acquired a lock yet."), message("1 token"),
         message("%1 tokens"), message("%1 checked, each greater than the one before.")},
        {message("belief_matches_server"), message("Belief matches the server"),
         message("A client that believes it holds the lock does hold it."),
         message("belief that does not match the server"),
         message("Nothing was checked: no client has acquired a lock yet."), message("1 hold"),
         message("%1 holds"), message("%1 checked: none outlasted its node on the server.")},
        {message("no_deadlock"), message("No deadlock"),
         message("No clients wait for each other in a cycle."), message("a deadlock"),
         message("Nothing was checked: no client has waited for a lock yet."), message("1 wait"),
         message("%1 waits"), message("%1 checked: no clients wait for each other in a circle.")},
        {message("no_stray_watch"), message("No stray watch"), message("No unneeded watch stays behind."),
         message("a stray watch"),
         message("Nothing was checked: only an exists watch can be left over, and none has been set yet."),
         message("1 exists watch"), message("%1 exists watches"),
         message("%1 checked: each can still fire.")},
    }};
    return rules;
}

const FindingRule& findingRule(FindingKind kind) { return findingRules()[static_cast<std::size_t>(kind)]; }

std::optional<FindingKind> findingNamed(std::string_view name)
{
    for (std::size_t i = 0; i < kFindingKinds; ++i)
        if (findingRules()[i].name() == name)
            return static_cast<FindingKind>(i);
    return std::nullopt;
}

} // namespace lockscope::trace
