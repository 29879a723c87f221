#include "app/lockscope_cli/explore_command.h"

#include "app/lockscope_cli/counterexample_scenario.h"
#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/report.h"
#include "app/lockscope_cli/text_output.h"
#include "core/base/exit_code.h"
#include "core/base/standard_streams.h"
#include "core/explore/counterexample.h"
#include "core/trace/plain_text.h"

#include <boost/json.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::app {

namespace {

namespace json = boost::json;
using explore::SearchEnd;

constexpr int kViolated = 1;
constexpr std::chrono::milliseconds kShortening = std::chrono::seconds(20);

std::string_view endWord(SearchEnd end)
{
    switch (end) {
    case SearchEnd::all:
        return "all";
    case SearchEnd::violation:
        return "violation";
    case SearchEnd::time:
        return "time";
    case SearchEnd::schedules:
        return "schedules";
    case SearchEnd::steps:
        return "steps";
    case SearchEnd::cancelled:
        return "interrupted";
    }
    return "";
}

std::string described(const explore::Workload& workload)
{
    const auto many = [](std::uint32_t count, const char* one, const char* more) {
        return fmt::format("{} {}", count, count == 1 ? one : more);
    };
    return fmt::format(
        "{}{}: {}, {} each, at most {}, {}", workload.recipe->name(),
        workload.recipe->followsHandoff() ? fmt::format(" (handoff {})", nameOf(workload.handoff)) : "",
        many(workload.clients, "client", "clients"), many(workload.rounds, "cycle", "cycles"),
        many(workload.faults, "fault", "faults"), many(workload.servers, "server", "servers"));
}

// Says "all" only when it was all.
std::string verdict(const ExploreArguments& arguments, const explore::SearchResult& result)
{
    const std::string amount =
        fmt::format("{} schedules, {} states, {} steps, {:.1f} s", trace::groupDigits(result.count.schedules),
                    trace::groupDigits(result.count.states), trace::groupDigits(result.count.steps),
                    std::chrono::duration<double>(result.took).count());
    const auto notAll = [&](const std::string& why) {
        return fmt::format(
            "The rules hold in the schedules that were taken, but not all were taken: {} ({}).\n", why,
            amount);
    };
    switch (result.end) {
    case SearchEnd::all:
        return fmt::format(
            "The rules hold in all schedules ({}).\n{}", amount,
            arguments.runnable && arguments.built.isHerd() ? explore::herdText().english() + "\n" : "");
    case SearchEnd::violation:
        return fmt::format("A rule is violated ({}).\n", amount);
    case SearchEnd::time:
        return notAll("the time was over");
    case SearchEnd::schedules:
        return notAll("the number of schedules was reached");
    case SearchEnd::steps:
        return notAll(fmt::format("some were longer than {} steps", arguments.search.mostSteps));
    case SearchEnd::cancelled:
        return notAll("a signal ended the search");
    }
    return "";
}

json::object reportOf(const ExploreArguments& arguments, const explore::SearchResult& result,
                      const std::optional<explore::Counterexample>& found)
{
    const explore::Workload& workload = arguments.workload;
    json::array kinds;
    for (const explore::StepKind kind : workload.kinds)
        kinds.push_back(json::string(nameOf(kind)));
    json::object report{{"recipe", workload.recipe->name()},
                        {"handoff", nameOf(workload.handoff)},
                        {"clients", workload.clients},
                        {"cycles", workload.rounds},
                        {"servers", workload.servers},
                        {"faults", workload.faults},
                        {"fault_kinds", std::move(kinds)},
                        {"mistake", arguments.mistake},
                        {"end", endWord(result.end)},
                        {"all", result.end == SearchEnd::all},
                        {"schedules", result.count.schedules},
                        {"states", result.count.states},
                        {"steps", result.count.steps},
                        {"seconds", std::chrono::duration<double>(result.took).count()},
                        {"violation", nullptr}};
    if (arguments.runnable) {
        json::object choices;
        for (const explore::ChoiceRow& row : explore::choiceRows())
            choices[row.key] = row.options[arguments.built[row.choice]].word;
        report["choices"] = std::move(choices);
    }
    if (!found)
        return report;
    json::array steps;
    for (const explore::Step& step : found->steps)
        steps.push_back(
            json::object{{"kind", nameOf(step.kind)}, {"subject", step.subject}, {"which", step.which}});
    json::array lines;
    for (std::string_view rest = found->log; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        lines.push_back(json::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    report["violation"] =
        json::object{{"rule", found->violation.invariant},
                     {"title", explore::ruleNamed(found->violation.invariant).title.english()},
                     {"what", found->violation.what.english()},
                     {"damage", found->damage.english()},
                     {"shortest", found->shortest},
                     {"steps", std::move(steps)},
                     {"log", std::move(lines)}};
    return report;
}

std::string told(const explore::Counterexample& found)
{
    const std::string rule = explore::ruleNamed(found.violation.invariant).title.english();
    return fmt::format(
        "{}{}{} {} steps; none of them can be left out.\nViolated: {} ({}). {}\n", found.log,
        found.damage.empty() ? "" : found.damage.english() + "\n",
        found.shortest ? "This is the shortest way to it:" : "A short way to it:", found.steps.size(), rule,
        found.violation.invariant, explore::ruleNamed(found.violation.invariant).meaning.english());
}

} // namespace

int runExplore(const ExploreArguments& arguments)
{
    if (const Result<void> possible = checkReport(arguments.reportFile); !possible)
        return fail(possible.error());
    const int signals = openEndSignals(); // before there are other threads
    std::atomic<bool> interrupted = false;
    explore::SearchOptions options = arguments.search;
    options.cancelled = [&] { return interrupted.load(); };
    options.onProgress = [&](const explore::SearchCount& count) {
        interrupted = interrupted || takeEndSignal(signals, 0);
        if (!arguments.quiet)
            writeToStandardError(fmt::format("{} schedules, {} states ...\n",
                                             trace::groupDigits(count.schedules),
                                             trace::groupDigits(count.states)));
    };
    if (!arguments.quiet)
        writeToStandardError(described(arguments.workload) + "\n");
    const explore::SearchResult result = explore::search(arguments.workload, options);
    std::optional<explore::Counterexample> found;
    if (result.violation)
        found = explore::shortened(arguments.workload, result, kShortening);
    close(signals);
    if (!arguments.quiet)
        writeToStandardError((found ? told(*found) : std::string()) + verdict(arguments, result));
    if (const Result<void> written =
            writeReport(arguments.reportFile, indented(reportOf(arguments, result, found)) + "\n");
        !written)
        return fail(written.error());
    if (found && !arguments.traceFile.empty()) {
        const Result<void> written = explore::writeTrace(arguments.traceFile, arguments.workload, *found);
        if (!written)
            return fail(written.error());
    }
    if (found && !arguments.scenarioFile.empty()) {
        const Result<std::string> scenario = scenarioOf(arguments, *found);
        if (!scenario)
            return fail(scenario.error());
        if (const Result<void> written =
                writeText("The scenario cannot be written to", arguments.scenarioFile, *scenario);
            !written)
            return fail(written.error());
    }
    return found ? kViolated : result.end == SearchEnd::cancelled ? kCutShort : 0;
}

} // namespace lockscope::app
