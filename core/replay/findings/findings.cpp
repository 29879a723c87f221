#include "core/replay/findings/findings.h"

namespace lockscope::replay {

std::string_view findingName(FindingKind kind)
{
    switch (kind) {
    case FindingKind::oneHolder:
        return "one_holder";
    case FindingKind::orderKept:
        return "order_kept";
    case FindingKind::noHerd:
        return "no_herd";
    case FindingKind::noOrphanNode:
        return "no_orphan_node";
    case FindingKind::noLostWakeup:
        return "no_lost_wakeup";
    case FindingKind::tokensIncrease:
        return "tokens_increase";
    case FindingKind::beliefMatchesServer:
        return "belief_matches_server";
    case FindingKind::noDeadlock:
        return "no_deadlock";
    case FindingKind::noStrayWatch:
        return "no_stray_watch";
    }
    return {};
}

std::string_view findingTitle(FindingKind kind)
{
    switch (kind) {
    case FindingKind::oneHolder:
        return "One holder at a time";
    case FindingKind::orderKept:
        return "Order kept";
    case FindingKind::noHerd:
        return "No herd";
    case FindingKind::noOrphanNode:
        return "No orphan node";
    case FindingKind::noLostWakeup:
        return "No lost wake-up";
    case FindingKind::tokensIncrease:
        return "Tokens increase";
    case FindingKind::beliefMatchesServer:
        return "Belief matches the server";
    case FindingKind::noDeadlock:
        return "No deadlock";
    case FindingKind::noStrayWatch:
        return "No stray watch";
    }
    return {};
}

namespace {

std::string_view nothingChecked(FindingKind kind)
{
    switch (kind) {
    case FindingKind::oneHolder:
    case FindingKind::orderKept:
    case FindingKind::tokensIncrease:
    case FindingKind::beliefMatchesServer:
        return "Nothing was checked: nobody has taken a lock yet.";
    case FindingKind::noHerd:
        return "Nothing was checked: no watch has fired because a node went.";
    case FindingKind::noOrphanNode:
        return "Nothing was checked: no client's node has come to its end yet.";
    case FindingKind::noLostWakeup:
        return "Nothing was checked: no node that somebody watched has gone yet.";
    case FindingKind::noDeadlock:
        return "Nothing was checked: nobody has waited for a lock yet.";
    case FindingKind::noStrayWatch:
        return "Nothing was checked: only a watch set with exists can be left over, and nobody has set one "
               "yet.";
    }
    return {};
}

} // namespace

Findings::Findings()
{
    for (std::size_t i = 0; i < kFindingKinds; ++i) {
        all[i].kind = static_cast<FindingKind>(i);
        all[i].detail = nothingChecked(all[i].kind);
    }
}

} // namespace lockscope::replay
