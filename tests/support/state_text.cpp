#include "tests/support/state_text.h"

#include "core/replay/state/node_queue.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockscope::tests {

using namespace replay;

namespace {

std::string shortNode(Text node)
{
    const std::int64_t sequence = node_queue::makeRow(node).sequence;
    return sequence < 0 ? std::string(node) : std::to_string(sequence);
}

std::string ownerName(const RunState& state, ClientId id)
{
    const ClientRow* row = state.client(id);
    return row ? std::string(row->name) : "?";
}

} // namespace

std::string_view name(ClientPhase phase)
{
    switch (phase) {
    case ClientPhase::connecting:
        return "connecting";
    case ClientPhase::idle:
        return "idle";
    case ClientPhase::thinking:
        return "thinking";
    case ClientPhase::joining:
        return "joining";
    case ClientPhase::waiting:
        return "waiting";
    case ClientPhase::holding:
        return "holding";
    case ClientPhase::releasing:
        return "releasing";
    case ClientPhase::lost:
        return "lost";
    case ClientPhase::finished:
        return "finished";
    case ClientPhase::removed:
        return "removed";
    }
    return "?";
}

std::string_view name(NodePhase phase)
{
    switch (phase) {
    case NodePhase::joining:
        return "joining";
    case NodePhase::waits:
        return "waits";
    case NodePhase::holds:
        return "holds";
    case NodePhase::releasing:
        return "releasing";
    case NodePhase::orphan:
        return "orphan";
    case NodePhase::foreign:
        return "foreign";
    }
    return "?";
}

std::string_view name(Step step)
{
    switch (step) {
    case Step::none:
        return "none";
    case Step::reenter:
        return "reenter";
    case Step::create:
        return "create";
    case Step::list:
        return "list";
    case Step::decide:
        return "decide";
    case Step::watch:
        return "watch";
    case Step::sleep:
        return "sleep";
    case Step::hold:
        return "hold";
    case Step::release:
        return "release";
    case Step::remove:
        return "remove";
    }
    return "?";
}

std::string queueText(const RunState& state, LockId lock)
{
    std::string text;
    const LockRow* row = state.lock(lock);
    if (!row)
        return text;
    const auto out = std::back_inserter(text);
    for (const NodeRow& node : row->queue) {
        fmt::format_to(out, "{} {} {}", shortNode(node.name), ownerName(state, node.owner), name(node.phase));
        if (node.depth > 1)
            fmt::format_to(out, " x{}", node.depth);
        if (node.phase == NodePhase::holds && node.token.valid())
            fmt::format_to(out, " token 0x{:x}", node.token.value);
        if (!node.watches.empty())
            fmt::format_to(out, " ->{}", shortNode(node.watches));
        if (node.ownerFrozen)
            text += " frozen";
        text += "\n";
    }
    return text;
}

std::string othersText(const ClientRow& row)
{
    std::vector<std::string> others;
    for (const LockUse& one : row.otherUses) {
        others.push_back(fmt::format(" +{} {}@{}", name(one.phase), shortNode(one.node), one.lock.value));
        if (one.depth > 1)
            others.back() += fmt::format(" x{}", one.depth);
        if (one.isStale)
            others.back() += " stale";
    }
    std::sort(others.begin(), others.end()); // they have no order of their own
    std::string text;
    for (const std::string& other : others)
        text += other;
    return text;
}

std::string clientsText(const RunState& state)
{
    std::string text;
    const auto out = std::back_inserter(text);
    for (const ClientRow& row : state.clients) {
        fmt::format_to(out, "{} {} {}", row.name, name(row.phase), name(row.step));
        if (!row.node.empty())
            fmt::format_to(out, " {}", shortNode(row.node));
        if (row.depth > 1)
            fmt::format_to(out, " x{}", row.depth);
        if (!row.watches.empty())
            fmt::format_to(out, " ->{}", shortNode(row.watches));
        if (row.watchesList)
            text += " ->list";
        if (row.frozen)
            text += " frozen";
        if (row.isStale)
            text += " stale";
        text += othersText(row) + "\n";
    }
    return text;
}

std::string findingsText(const RunState& state)
{
    std::string text;
    for (const Finding& finding : state.findings.all) {
        fmt::format_to(std::back_inserter(text), "{} {} {}: {}\n", trace::findingRule(finding.kind).name(),
                       finding.ok() ? std::string("ok") : "violated " + std::to_string(finding.violated),
                       finding.checked, finding.detail().english());
    }
    return text;
}

std::string stateText(const RunState& state)
{
    const Statistics& s = state.statistics;
    std::string text = queueText(state) + clientsText(state) + findingsText(state);
    fmt::format_to(
        std::back_inserter(text),
        "acquired {} reentered {} timedOut {} failed {} handoffs {} releases {} wakeUps {} watchedGone {}\n",
        s.acquired, s.reentered, s.timedOut, s.failed, s.handoffs, s.releases, s.wakeUps, s.watchedGone);
    fmt::format_to(std::back_inserter(text), "ops {} {} {} {} {} {} {}\n", s.ops.create, s.ops.remove,
                   s.ops.getChildren, s.ops.getData, s.ops.setData, s.ops.exists, s.ops.sync);
    fmt::format_to(std::back_inserter(text), "fairness {:.4f} overtaken {} requests {:.4f} circle {}\n",
                   s.fairness(), s.longestOvertaking, s.requestsPerAcquisition(), state.cycle.size());
    for (const double p : {50.0, 90.0, 99.0, 100.0})
        fmt::format_to(std::back_inserter(text), "p{} handoff {} ns wait {} ns\n", p,
                       s.handoff.percentile(p).count(), s.wait.percentile(p).count());
    return text;
}

} // namespace lockscope::tests
