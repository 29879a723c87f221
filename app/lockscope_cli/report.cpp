#include "app/lockscope_cli/report.h"

#include "core/trace/event_fields.h"

#include <boost/json.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace lockscope::app {

namespace json = boost::json;

namespace {

double microseconds(Duration value) { return static_cast<double>(value.count()) / 1000.0; }

json::object percentiles(const replay::Histogram& histogram)
{
    return {{"count", histogram.count()},
            {"p50", microseconds(histogram.percentile(50))},
            {"p90", microseconds(histogram.percentile(90))},
            {"p99", microseconds(histogram.percentile(99))},
            {"max", microseconds(histogram.max())}};
}

std::string_view verdictWord(const replay::Finding& finding)
{
    return !finding.ok() ? "violated" : finding.checked > 0 ? "holds" : "not checked";
}

std::string_view verdictInSummary(const sim::Scenario& scenario, const replay::Finding& finding)
{
    const bool asExpected = isAsExpected(scenario, finding);
    if (!finding.ok())
        return asExpected ? "as expected" : "VIOLATED";
    return !asExpected ? "UNEXPECTED" : finding.checked > 0 ? "ok" : "not checked";
}

json::array noticesJson(const replay::RunState& state)
{
    json::array notices;
    for (const replay::NoticeRow& notice : state.notices) {
        json::object entry{{"at_s", static_cast<double>(notice.at.count()) / 1e9},
                           {"severity", trace::nameOf(notice.severity)},
                           {"text", notice.text.english()}};
        if (const replay::ClientRow* client = state.client(notice.client))
            entry["client"] = client->name;
        for (const auto& [key, value] : {std::pair{"code", notice.code}, std::pair{"right", notice.right},
                                         std::pair{"path", notice.path}})
            if (!value.empty())
                entry[key] = value;
        notices.push_back(std::move(entry));
    }
    return notices;
}

json::array findingsJson(const sim::Scenario& scenario, const replay::RunState& state)
{
    json::array findings;
    for (const replay::Finding& finding : state.findings.all) {
        const std::string_view name = trace::findingRule(finding.kind).name();
        const bool checked = finding.checked > 0 || !finding.ok();
        json::object entry{{"name", name},
                           {"ok", checked ? json::value(finding.ok()) : json::value(nullptr)},
                           {"verdict", verdictWord(finding)},
                           {"checked", finding.checked},
                           {"violated", finding.violated},
                           {"detail", finding.detail().english()}};
        const sim::ExpectedOutcome verdict = sim::expected(scenario, name);
        if (verdict != sim::ExpectedOutcome::holds)
            entry["expected"] = verdict == sim::ExpectedOutcome::violated ? "violated" : "either";
        entry["as_expected"] = isAsExpected(scenario, finding);
        findings.push_back(std::move(entry));
    }
    return findings;
}

// What the holders left in the protected resource; empty if it has no content.
json::object resourceJson(const replay::RunState& state)
{
    json::object resource;
    for (const replay::LockRow& lock : state.locks)
        if (!lock.valueName.empty())
            resource = {{"name", lock.valueName}, {"last", lock.value}, {"faults", lock.valueFaults}};
    return resource;
}

// One line; numbers without exponents where a person would not write one.
std::string flat(const json::value& value)
{
    if (value.is_double())
        return fmt::format("{:.9g}", value.as_double());
    if (!value.is_object())
        return json::serialize(value);
    std::string text;
    for (const auto& [key, field] : value.as_object())
        text += (text.empty() ? "" : ", ") + json::serialize(json::value(key)) + ": " + flat(field);
    return "{" + text + "}";
}

} // namespace

std::string indented(const json::value& value, const std::string& indent)
{
    const std::string inner = indent + "  ";
    std::string text;
    const bool simple =
        value.is_object() && !value.as_object().empty() &&
        std::none_of(value.as_object().begin(), value.as_object().end(),
                     [](const auto& field) { return field.value().is_object() || field.value().is_array(); });
    if (value.is_object() && !(simple && !indent.empty())) {
        for (const auto& [key, field] : value.as_object())
            text += (text.empty() ? "" : ",\n") + inner + json::serialize(json::value(key)) + ": " +
                    indented(field, inner);
        return "{\n" + text + "\n" + indent + "}";
    }
    if (value.is_array() && !value.as_array().empty()) {
        for (const json::value& element : value.as_array())
            text += (text.empty() ? "" : ",\n") + inner + indented(element, inner);
        return "[\n" + text + "\n" + indent + "]";
    }
    return flat(value);
}

boost::json::object report(const RunOutcome& run)
{
    const sim::Scenario& scenario = run.scenario;
    const replay::RunState& state = run.folded.state;
    const replay::Statistics& statistics = state.statistics;
    const replay::OpCounts& ops = statistics.ops;
    const double seconds = static_cast<double>(run.folded.took.count()) / 1e9;
    const bool watched = replay::onlyWatches(state);
    return {{"scenario", scenario.name},
            {"title", scenario.title},
            {"recipe", watched ? nameOf(Recipe::watched) : nameOf(scenario.recipe)},
            {"handoff_policy", nameOf(scenario.handoff)},
            {"clients", sim::participants(scenario).size()},
            {"cycles", scenario.work.cycles},
            {"seed", scenario.seed},
            {"acquired", statistics.acquired},
            {"reentered", statistics.reentered},
            {"timed_out", statistics.timedOut},
            {"failed", statistics.failed},
            {"handoffs", statistics.handoffs},
            {"duration_s", seconds},
            {"acquired_per_s", seconds > 0 ? static_cast<double>(statistics.acquired) / seconds : 0.0},
            {"handoff_us", percentiles(statistics.handoff)},
            {"wait_us", percentiles(statistics.wait)},
            {"ops", json::object{{"create", ops.create},
                                 {"delete", ops.remove},
                                 {"get_children", ops.getChildren},
                                 {"get_data", ops.getData},
                                 {"set_data", ops.setData},
                                 {"exists", ops.exists},
                                 {"sync", ops.sync}}},
            {"wakeups_per_release", statistics.wakeUpsPerRelease()},
            {"requests_per_acquisition", statistics.requestsPerAcquisition()},
            {"fairness", statistics.fairness()},
            {"longest_overtaking", statistics.longestOvertaking},
            {"server", json::object{{"version", state.server.version},
                                    {"mode", state.server.mode},
                                    {"address", state.server.address}}},
            {"resource", resourceJson(state)},
            {"cut_short", !run.cutShort.empty()},
            {"cut_short_by", run.cutShort.empty() ? json::value(nullptr) : json::value(run.cutShort)},
            {"findings", findingsJson(scenario, state)},
            {"notices", noticesJson(state)}};
}

namespace {

// For a run that only watches: what is at each path at its end.
std::string watchedSummary(const RunOutcome& run)
{
    std::string text = fmt::format("{}: watched for {:.2f} s\n", run.scenario.name,
                                   static_cast<double>(run.folded.took.count()) / 1e9);
    for (const replay::LockRow& lock : run.folded.state.locks) {
        const auto holders =
            std::count_if(lock.queue.begin(), lock.queue.end(),
                          [](const replay::NodeRow& node) { return node.phase == replay::NodePhase::holds; });
        const auto kind = lock.place ? lock.place->kind : trace::PathKind::missing;
        text += "  " + std::string(lock.path) + ": " +
                (!lock.place                        ? "not read"
                 : kind == trace::PathKind::missing ? "does not exist"
                 : kind == trace::PathKind::folder
                     ? fmt::format("a folder, {} of {} children are locks", lock.place->locks,
                                   lock.place->children)
                     : fmt::format("{} children, {} hold", lock.queue.size(), holders)) +
                "\n";
    }
    if (!run.cutShort.empty())
        text += fmt::format("{}\n", cutShortText(run.cutShort));
    return text;
}

} // namespace

std::string summary(const RunOutcome& run)
{
    const sim::Scenario& scenario = run.scenario;
    const replay::RunState& state = run.folded.state;
    const replay::Statistics& statistics = state.statistics;
    if (replay::onlyWatches(state))
        return watchedSummary(run);
    std::string text = fmt::format("{}: {} clients, {} acquired in {:.2f} s", scenario.name,
                                   sim::participants(scenario).size(), statistics.acquired,
                                   static_cast<double>(run.folded.took.count()) / 1e9);
    if (statistics.handoff.count() > 0)
        text += fmt::format("; handoff p50 {:.3f} ms, p99 {:.3f} ms",
                            microseconds(statistics.handoff.percentile(50)) / 1000,
                            microseconds(statistics.handoff.percentile(99)) / 1000);
    text += fmt::format("; {:.2f} wake-ups per release\n", statistics.wakeUpsPerRelease());
    for (const replay::Finding& finding : state.findings.all) {
        const std::string_view verdict = verdictInSummary(scenario, finding);
        text += fmt::format("  {:<11} {:<22} {}{}\n", verdict, trace::findingRule(finding.kind).name(),
                            finding.detail().english(),
                            verdict == "UNEXPECTED" ? " The scenario expects it to be violated." : "");
    }
    if (!run.cutShort.empty())
        text += fmt::format("{}\n", cutShortText(run.cutShort));
    return text;
}

} // namespace lockscope::app
