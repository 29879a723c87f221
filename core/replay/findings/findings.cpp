#include "core/replay/findings/findings.h"

#include "core/trace/plain_text.h"

#include <algorithm>

namespace lockscope::replay {

namespace {

// How a rule is worded on locks that are shared otherwise; empty = as usual.
struct Wording
{
    FindingKind kind;
    LockSharing sharing;
    Message title, unchecked, kept;
};

Wording wordingOf(FindingKind kind, LockSharing sharing)
{
    static const std::array others{
        Wording{FindingKind::oneHolder,
                LockSharing::readers,
                message("Readers together, a writer alone"),
                {},
                message("%1 checked: no other holder beside a writer.")},
        Wording{FindingKind::oneHolder,
                LockSharing::leases,
                message("Lease limit respected"),
                {},
                message("%1 checked: never too many leases out.")},
        Wording{FindingKind::orderKept,
                LockSharing::readers,
                {},
                {},
                message("%1 checked: none was blocked by an earlier request.")},
        Wording{FindingKind::orderKept,
                LockSharing::unordered,
                {},
                message("Nothing was checked: this recipe has no order."),
                {}},
    };
    const trace::FindingRule& rule = trace::findingRule(kind);
    Wording usual{kind, sharing, rule.title, rule.unchecked, rule.kept};
    for (const Wording& one : others) {
        if (one.kind != kind || one.sharing != sharing)
            continue;
        for (Message Wording::*text : {&Wording::title, &Wording::unchecked, &Wording::kept})
            if (!(one.*text).empty())
                usual.*text = one.*text;
    }
    return usual;
}

Message withCount(const Message& sentence, Message count)
{
    return Message::sentence(sentence.view().source(), std::array{std::move(count)});
}

} // namespace

Message findingTitle(FindingKind kind, LockSharing sharing) { return wordingOf(kind, sharing).title; }

Message Finding::detail() const
{
    if (!ok())
        return lastViolation;
    if (checked == 0 && notChecked == NotChecked::watchesOnly)
        return message("Nothing was checked: this run only watches.");
    if (checked == 0 && notChecked == NotChecked::inParts)
        return message("Not checked across the workers, each of which sees its own clients alone: a trace "
                       "merged of theirs is judged as a whole.");
    const Wording words = wordingOf(kind, sharing);
    if (checked == 0)
        return words.unchecked;
    const trace::FindingRule& rule = trace::findingRule(kind);
    const Message count = checked == 1 ? rule.one : withCount(rule.many, trace::groupDigits(checked));
    if (kind == FindingKind::noHerd && maxWoken > 1)
        return message("%1 checked: each deleted node woke at most one client, readers excepted.", count);
    return withCount(words.kept, count);
}

Findings::Findings()
{
    for (std::size_t i = 0; i < kFindingKinds; ++i)
        all[i].kind = static_cast<FindingKind>(i);
}

} // namespace lockscope::replay
