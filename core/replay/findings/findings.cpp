#include "core/replay/findings/findings.h"

#include "core/trace/plain_text.h"

namespace lockscope::replay {

namespace {

constexpr std::array<std::string_view, kFindingKinds> kTitles{
    "One holder at a time",
    "Order kept",
    "No herd",
    "No orphan node",
    "No lost wake-up",
    "Tokens increase",
    "Belief matches the server",
    "No deadlock",
    "No stray watch",
};
static_assert(!kTitles.back().empty(), "each kind has its title");

Message nothingChecked(const Finding& finding)
{
    if (finding.watchOnly)
        return message("Nothing was checked: this run only watches.");
    switch (finding.kind) {
    case FindingKind::orderKept:
        if (finding.sharing == LockSharing::unordered)
            return message("Nothing was checked: this recipe has no order.");
        [[fallthrough]];
    case FindingKind::oneHolder:
    case FindingKind::tokensIncrease:
    case FindingKind::beliefMatchesServer:
        return message("Nothing was checked: no client has acquired a lock yet.");
    case FindingKind::noHerd:
        return message("Nothing was checked: no watch has fired because a node was deleted.");
    case FindingKind::noOrphanNode:
        return message("Nothing was checked: no client's node has been deleted yet.");
    case FindingKind::noLostWakeup:
        return message("Nothing was checked: no watched node has been deleted yet.");
    case FindingKind::noDeadlock:
        return message("Nothing was checked: no client has waited for a lock yet.");
    case FindingKind::noStrayWatch:
        return message(
            "Nothing was checked: only an exists watch can be left over, and none has been set yet.");
    }
    return {};
}

Message checksOf(const Finding& finding)
{
    const std::string count = trace::groupDigits(finding.checked);
    const bool one = finding.checked == 1;
    const auto grants = [&] { return one ? message("1 grant") : message("%1 grants", count); };
    switch (finding.kind) {
    case FindingKind::oneHolder:
        switch (finding.sharing) {
        case LockSharing::readers:
            return message("%1 checked: no other holder beside a writer.", grants());
        case LockSharing::leases:
            return message("%1 checked: never too many leases out.", grants());
        case LockSharing::exclusive:
        case LockSharing::unordered:
            return message("%1 checked: never two holders at a time.", grants());
        }
        break;
    case FindingKind::orderKept:
        return finding.sharing == LockSharing::readers
                   ? message("%1 checked: none was blocked by an earlier request.", grants())
                   : message("%1 checked: each went to the lowest live sequence number.", grants());
    case FindingKind::noHerd: {
        const Message wakeUps = one ? message("1 wake-up") : message("%1 wake-ups", count);
        return finding.maxWoken > 1
                   ? message("%1 checked: each deleted node woke at most one client, readers excepted.",
                             wakeUps)
                   : message("%1 checked: each deleted node woke at most one client.", wakeUps);
    }
    case FindingKind::noOrphanNode:
        return one ? message("1 node followed to its end: none was left behind.")
                   : message("%1 nodes followed to their end: none was left behind.", count);
    case FindingKind::noLostWakeup:
        return message("%1 checked: every waiter noticed that its watched node was gone.",
                       one ? message("1 wake-up") : message("%1 wake-ups", count));
    case FindingKind::tokensIncrease:
        return one ? message("1 token checked.")
                   : message("%1 tokens checked, each greater than the one before.", count);
    case FindingKind::beliefMatchesServer:
        return message("%1 checked: none outlasted its node on the server.",
                       one ? message("1 hold") : message("%1 holds", count));
    case FindingKind::noDeadlock:
        return message("%1 checked: no clients wait for each other in a circle.",
                       one ? message("1 wait") : message("%1 waits", count));
    case FindingKind::noStrayWatch:
        return message("%1 checked: each can still fire.",
                       one ? message("1 exists watch") : message("%1 exists watches", count));
    }
    return {};
}

} // namespace

std::string_view findingName(FindingKind kind)
{
    return trace::kFindingNames[static_cast<std::size_t>(kind)];
}

std::string_view findingTitle(FindingKind kind) { return kTitles[static_cast<std::size_t>(kind)]; }

Message Finding::detail() const
{
    return !ok() ? lastViolation : checked == 0 ? nothingChecked(*this) : checksOf(*this);
}

Findings::Findings()
{
    for (std::size_t i = 0; i < kFindingKinds; ++i)
        all[i].kind = static_cast<FindingKind>(i);
}

} // namespace lockscope::replay
