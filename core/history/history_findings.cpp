#include "core/history/history_findings.h"

#include "core/base/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace lockscope::history {

namespace {

constexpr std::array<const char*, kRules> kRuleNames = {
    "one_entitled", "order_kept", "no_orphan_node", "no_third_party_delete", "no_sequence_wrap",
    "one_naming",   "no_herd",    "no_lost_wakeup", "tokens_increase",       "belief_matches_server"};
constexpr std::array<const char*, kRules> kViolated = {
    "was entitled beside another one",
    "was entitled while an older one was there",
    "stayed until its holder's session expired",
    "was deleted by another session",
    "has a number that does not sort after those before it: they were used up",
    "has a name of another kind than those before it",
    "",
    "",
    "",
    ""};

} // namespace

const char* name(Rule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

std::string RuleFinding::text() const
{
    if (!canBeChecked)
        return "not checked: a transaction log does not tell";
    if (violated == 0 && unknown > 0)
        return fmt::format("unknown: {} checked, {} that a gap or the names of two libraries hide", checked,
                           unknown);
    if (violated == 0)
        return fmt::format("{} checked", checked);
    return fmt::format("{} of {}; at {} the node {} {}", violated, checked, hexText(last), node,
                       kViolated[static_cast<std::size_t>(rule)]);
}

HistoryFindings::HistoryFindings()
{
    for (std::size_t i = 0; i < kRules; ++i) {
        m_all[i].rule = static_cast<Rule>(i);
        m_all[i].canBeChecked = m_all[i].rule < Rule::noHerd;
    }
}

void HistoryFindings::resetCounts()
{
    for (RuleFinding& finding : m_all) {
        finding.checked = finding.violated = finding.unknown = 0;
        finding.last = Zxid::none();
        finding.node.clear();
    }
}

void HistoryFindings::addGap()
{
    for (RuleFinding& finding : m_all)
        finding.unknown += finding.canBeChecked ? 1 : 0;
}

void HistoryFindings::check(Rule rule, bool ok, const LockEvent& event)
{
    RuleFinding& finding = of(rule);
    ++finding.checked;
    if (ok)
        return;
    ++finding.violated;
    finding.last = event.zxid;
    finding.node = std::string(event.node.parent) + "/" + std::string(event.node.name);
}

void HistoryFindings::add(const LockEvent& event)
{
    Queue& queue = m_queues[event.lock];
    switch (event.kind) {
    case LockEvent::Kind::queued:
        return queued(queue, event);
    case LockEvent::Kind::entitled:
        return entitled(queue, event);
    case LockEvent::Kind::ended:
        return ended(queue, event);
    case LockEvent::Kind::dataSet:
    case LockEvent::Kind::folderDeleted:
        return;
    }
}

void HistoryFindings::queued(Queue& queue, const LockEvent& event)
{
    Node node{std::string(event.node.name), event.node.session, event.node.order, event.node.role,
              event.node.library};
    if (queue::isContender(node.role) || node.role == NodeRole::lease) {
        const bool isLastNumber = event.node.number == std::numeric_limits<std::int32_t>::max();
        const bool isNumbered = node.role != NodeRole::fixedName && !queue::isKazooLeaseName(event.node.name);
        if (isNumbered) {
            check(Rule::noSequenceWrap, event.node.number >= 0 && !(isLastNumber && queue.reachedLastNumber),
                  event);
            queue.reachedLastNumber = queue.reachedLastNumber || isLastNumber;
            const std::uint32_t family = 1U << queue::familyOf(node.library, node.role);
            check(Rule::oneNaming, queue.families == 0 || (queue.families & family) != 0, event);
            queue.families |= family;
        }
    }
    if (event.node.beforeLog) // it existed all the time: the nodes behind it were not first
        for (Node& other : queue.nodes)
            if (other.order > node.order &&
                !(other.role == NodeRole::reader && node.role == NodeRole::reader))
                other.entitled = false;
    queue.nodes.push_back(std::move(node));
}

void HistoryFindings::entitled(Queue& queue, const LockEvent& event)
{
    const auto own = std::find_if(queue.nodes.begin(), queue.nodes.end(),
                                  [&](const Node& node) { return node.name == event.node.name; });
    if (own == queue.nodes.end() || own->role == NodeRole::lease)
        return;
    own->entitled = true;
    const auto ofAnother = [&](const Node& other) {
        return queue::familyOf(other.library, other.role) != queue::familyOf(own->library, own->role);
    };
    const auto beside = [&](const Node& other) { // may be entitled together
        return &other == &*own || ofAnother(other) ||
               (own->role == NodeRole::reader && other.role == NodeRole::reader) ||
               (own->session.valid() && other.session == own->session);
    };
    if (std::any_of(queue.nodes.begin(), queue.nodes.end(),
                    [&](const Node& other) { return other.entitled && ofAnother(other); }))
        ++of(Rule::oneEntitled).unknown;
    check(Rule::oneEntitled,
          std::none_of(queue.nodes.begin(), queue.nodes.end(),
                       [&](const Node& other) { return other.entitled && !beside(other); }),
          event);
    if (own->role != NodeRole::fixedName)
        check(Rule::orderKept,
              std::none_of(queue.nodes.begin(), queue.nodes.end(),
                           [&](const Node& other) {
                               return other.order < own->order && !beside(other) &&
                                      queue::isContender(other.role);
                           }),
              event);
}

void HistoryFindings::ended(Queue& queue, const LockEvent& event)
{
    if (event.reason == EndReason::unknown) {
        for (const Rule rule : {Rule::noOrphanNode, Rule::noThirdPartyDelete})
            ++of(rule).unknown;
        std::erase_if(queue.nodes, [&](const Node& node) { return node.name == event.node.name; });
        return;
    }
    if (event.node.unsure)
        for (const Rule rule : {Rule::oneEntitled, Rule::orderKept, Rule::noOrphanNode})
            ++of(rule).unknown;
    if (event.node.entitled)
        check(Rule::noOrphanNode, event.reason != EndReason::sessionExpired, event);
    check(Rule::noThirdPartyDelete, event.reason != EndReason::deletedByOther, event);
    std::erase_if(queue.nodes, [&](const Node& node) { return node.name == event.node.name; });
}

} // namespace lockscope::history
