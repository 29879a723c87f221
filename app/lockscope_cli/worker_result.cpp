#include "app/lockscope_cli/worker_result.h"

#include "core/sim/run/cut_short.h"
#include "core/sim/scenario/share.h"
#include "core/trace/recorder.h"

#include <boost/json.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace lockscope::app {

namespace json = boost::json;

namespace {

constexpr std::size_t kMostNotices = 20; // of one worker

// The counters of Statistics that add up.
struct Counter
{
    const char* name;
    std::uint64_t replay::Statistics::*value;
};
constexpr Counter kCounters[] = {{"acquired", &replay::Statistics::acquired},
                                 {"requests", &replay::Statistics::acquisitionRequests},
                                 {"reentered", &replay::Statistics::reentered},
                                 {"timed_out", &replay::Statistics::timedOut},
                                 {"failed", &replay::Statistics::failed},
                                 {"handoffs", &replay::Statistics::handoffs},
                                 {"releases", &replay::Statistics::releases},
                                 {"wake_ups", &replay::Statistics::wakeUps},
                                 {"watched_gone", &replay::Statistics::watchedGone},
                                 {"acquiring_clients", &replay::Statistics::acquiringClients},
                                 {"acquired_squares", &replay::Statistics::acquiredSquares}};
struct OpCounter
{
    const char* name;
    std::uint64_t replay::OpCounts::*value;
};
constexpr OpCounter kOpCounters[] = {{"create", &replay::OpCounts::create},
                                     {"delete", &replay::OpCounts::remove},
                                     {"get_children", &replay::OpCounts::getChildren},
                                     {"get_data", &replay::OpCounts::getData},
                                     {"set_data", &replay::OpCounts::setData},
                                     {"exists", &replay::OpCounts::exists},
                                     {"sync", &replay::OpCounts::sync}};

json::object histogramJson(const replay::Histogram& histogram)
{
    return {{"steps", json::value_from(histogram.steps())}, {"max_ns", histogram.max().count()}};
}

replay::Histogram histogramFrom(const json::value& value)
{
    auto steps = json::value_to<std::vector<std::uint32_t>>(value.at("steps"));
    steps.resize(std::min(steps.size(), replay::Histogram::kMostSteps));
    return replay::Histogram::of(std::move(steps), Duration(value.at("max_ns").to_number<std::int64_t>()));
}

json::object statisticsJson(const replay::Statistics& statistics)
{
    json::object all{{"handoff", histogramJson(statistics.handoff)},
                     {"wait", histogramJson(statistics.wait)},
                     {"longest_overtaking", statistics.longestOvertaking}};
    for (const Counter& counter : kCounters)
        all[counter.name] = statistics.*counter.value;
    for (const OpCounter& counter : kOpCounters)
        all[counter.name] = statistics.ops.*counter.value;
    return all;
}

void addStatistics(const json::value& part, replay::Statistics& to)
{
    to.handoff.join(histogramFrom(part.at("handoff")));
    to.wait.join(histogramFrom(part.at("wait")));
    to.longestOvertaking =
        std::max(to.longestOvertaking, part.at("longest_overtaking").to_number<std::uint64_t>());
    for (const Counter& counter : kCounters)
        to.*counter.value += part.at(counter.name).to_number<std::uint64_t>();
    for (const OpCounter& counter : kOpCounters)
        to.ops.*counter.value += part.at(counter.name).to_number<std::uint64_t>();
}

json::array partsOfFindings(const replay::RunState& state)
{
    json::array findings;
    for (const replay::Finding& finding : state.findings.all)
        findings.push_back(json::object{{"name", trace::findingRule(finding.kind).name()},
                                        {"sharing", static_cast<int>(finding.sharing)},
                                        {"checked", finding.checked},
                                        {"violated", finding.violated},
                                        {"woken", finding.maxWoken},
                                        {"violation", finding.lastViolation.english()}});
    return findings;
}

void addFindings(const json::array& part, replay::Findings& to)
{
    for (const json::value& one : part)
        for (replay::Finding& finding : to.all) {
            if (std::string_view(one.at("name").as_string()) != trace::findingRule(finding.kind).name())
                continue;
            finding.sharing = static_cast<replay::LockSharing>(
                std::clamp<std::int64_t>(one.at("sharing").as_int64(), 0, 3));
            finding.checked += one.at("checked").to_number<std::uint64_t>();
            finding.violated += one.at("violated").to_number<std::uint64_t>();
            finding.maxWoken = std::max(finding.maxWoken, one.at("woken").to_number<std::uint32_t>());
            if (one.at("violated").to_number<std::uint64_t>() > 0)
                finding.lastViolation = Message(std::string(one.at("violation").as_string()));
        }
}

json::array partsOfNotices(const replay::RunState& state)
{
    json::array notices;
    for (const replay::NoticeRow& notice : state.notices)
        if (notices.size() < kMostNotices && notice.severity != trace::Severity::info)
            notices.push_back(json::object{{"error", notice.severity == trace::Severity::error},
                                           {"text", notice.text.english()},
                                           {"code", notice.code}});
    return notices;
}

// What was handed in; none when it cannot be read.
std::optional<json::object> readPart(const WorkerPart& part)
{
    boost::system::error_code unread;
    json::value value = json::parse(part.result, unread);
    if (unread || !value.is_object())
        return std::nullopt;
    return std::move(value.get_object());
}

std::string namesOf(const sim::Scenario& scenario, std::size_t rank, std::size_t workers)
{
    constexpr std::size_t kNamed = 5;
    const std::vector<sim::Participant> all = sim::participants(scenario);
    const std::vector<std::uint32_t> ranks = sim::ranksOf(all, static_cast<std::uint32_t>(workers));
    std::string text;
    std::size_t count = 0;
    for (std::size_t place = 0; place < all.size(); ++place)
        if (ranks[place] == rank && ++count <= kNamed)
            text += (text.empty() ? "" : ", ") + all[place].name;
    return count > kNamed ? fmt::format("{} and {} more", text, count - kNamed) : text;
}

} // namespace

std::string workerResult(const RunOutcome& run)
{
    const replay::RunState& state = run.folded.state;
    return json::serialize(json::object{{"took_ns", run.folded.took.count()},
                                        {"cut_short", run.cutShort},
                                        {"server", json::object{{"version", state.server.version},
                                                                {"mode", state.server.mode},
                                                                {"address", state.server.address}}},
                                        {"statistics", statisticsJson(state.statistics)},
                                        {"findings", partsOfFindings(state)},
                                        {"notices", partsOfNotices(state)}});
}

std::string workerFailure(const Error& error)
{
    return json::serialize(json::object{{"failure", error.text()}});
}

RunOutcome joinedRun(const sim::Scenario& scenario, const std::vector<WorkerPart>& parts, const RunEnd& end)
{
    // The notices are events, like those of a run in one process.
    const auto store = std::make_shared<trace::TraceStore>(trace::Header{});
    trace::Recorder recorder(*store);
    replay::Statistics statistics;
    replay::Findings findings;
    Duration took{};
    std::string cutShort;
    bool hasServer = false;
    const auto tell = [&](trace::Severity severity, const std::string& text, std::string_view code) {
        recorder.record(trace::Notice{severity, Message(text), code});
    };
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const std::string who = fmt::format("worker {} ({})", rank + 1, parts[rank].who);
        for (const std::string& dead : parts[rank].replaced)
            tell(trace::Severity::warning,
                 fmt::format("Worker {} ({}) died, and {} began anew with: {}. What the dead one saw is "
                             "missing here.",
                             rank + 1, dead, parts[rank].who, namesOf(scenario, rank, parts.size())),
                 "worker_replaced");
        const std::optional<json::object> part = readPart(parts[rank]);
        const json::value* failure = part ? part->if_contains("failure") : nullptr;
        if (!part || failure) {
            cutShort = sim::cut_short::kWorkerLost;
            tell(trace::Severity::error,
                 failure ? fmt::format("{} failed: {}", who, std::string_view(failure->as_string()))
                         : fmt::format("{} died, and with it: {}. What it saw is missing here.", who,
                                       namesOf(scenario, rank, parts.size())),
                 sim::cut_short::kWorkerLost);
            continue;
        }
        if (const json::object& server = part->at("server").as_object(); !std::exchange(hasServer, true))
            recorder.record(trace::ServerState{trace::ServerPhase::ready,
                                               std::string_view(server.at("address").as_string()),
                                               std::string_view(server.at("version").as_string()),
                                               std::string_view(server.at("mode").as_string()),
                                               {}});
        addStatistics(part->at("statistics"), statistics);
        addFindings(part->at("findings").as_array(), findings);
        took = std::max(took, Duration(part->at("took_ns").to_number<std::int64_t>()));
        for (const json::value& notice : part->at("notices").as_array())
            tell(notice.at("error").as_bool() ? trace::Severity::error : trace::Severity::warning,
                 fmt::format("{}: {}", who, std::string_view(notice.at("text").as_string())),
                 std::string_view(notice.at("code").as_string()));
        if (const auto cut = std::string(part->at("cut_short").as_string());
            cutShort.empty() && cut != kNothingDone)
            cutShort = cut;
    }
    for (const std::string& line : end.missed)
        tell(trace::Severity::warning,
             fmt::format("\"{}\" was not executed: no worker had its target while it was due.", line),
             "script_missed");
    if (!end.stall.empty())
        tell(trace::Severity::error, end.stall, sim::cut_short::kStalled);
    if (parts.size() > 1)
        tell(trace::Severity::info,
             "Handoffs are not counted, because a worker sees those of its own clients alone. lockscope-cli "
             "merge "
             "finds them in the traces.",
             "handoffs_unknown");
    RunOutcome run{scenario, store, replay::wholeRun(*store, store->count())};
    if (parts.size() > 1) {
        using enum trace::FindingKind;
        for (const trace::FindingKind kind : {oneHolder, orderKept, noHerd, tokensIncrease, noDeadlock})
            leaveOpen(findings.of(kind));
        statistics.handoff = {};
        statistics.handoffs = 0;
    }
    run.folded.state.statistics = std::move(statistics);
    run.folded.state.findings = std::move(findings);
    run.folded.took = took;
    if (end.interrupted)
        cutShort = sim::cut_short::kInterrupted;
    else if (cutShort.empty() && run.folded.state.statistics.acquired == 0 && scenario.recipe != Recipe::none)
        cutShort = kNothingDone;
    run.cutShort = cutShort;
    return run;
}

void leaveOpen(replay::Finding& finding)
{
    if (!finding.ok())
        return;
    finding.checked = 0;
    finding.notChecked = replay::NotChecked::inParts;
}

json::array workersJson(const sim::Scenario& scenario, const std::vector<WorkerPart>& parts)
{
    const auto ranks = sim::ranksOf(sim::participants(scenario),
                                    static_cast<std::uint32_t>(std::max<std::size_t>(parts.size(), 1)));
    json::array workers;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const std::optional<json::object> part = readPart(parts[rank]);
        const bool ran = part && !part->contains("failure");
        workers.push_back(json::object{
            {"rank", rank},
            {"who", parts[rank].who},
            {"replaced", json::value_from(parts[rank].replaced)},
            {"clients", std::ranges::count(ranks, rank)},
            {"state", ran    ? "done"
                      : part ? "failed"
                             : "died"},
            {"acquired", ran ? part->at("statistics").at("acquired") : json::value(nullptr)},
            {"duration_s",
             ran ? json::value(part->at("took_ns").to_number<double>() / 1e9) : json::value(nullptr)},
            {"cut_short_by", ran && !part->at("cut_short").as_string().empty() ? part->at("cut_short")
                                                                               : json::value(nullptr)}});
    }
    return workers;
}

} // namespace lockscope::app
