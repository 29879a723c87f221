#include "app/lockscope_cli/judge_command.h"

#include "app/lockscope_cli/headless_run.h"
#include "app/lockscope_cli/report.h"
#include "app/lockscope_cli/text_output.h"
#include "core/base/standard_streams.h"
#include "core/engine/program_faults.h"
#include "core/exports/text_format.h"
#include "core/replay/findings/claims.h"
#include "core/sim/run/cut_short.h"
#include "core/trace/command_verb.h"

#include <boost/json.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace lockscope::app {

namespace {

namespace json = boost::json;
using replay::ClaimVerdict;

// What a run was, for all that is written about it.
struct Judged
{
    enum Code : int { sound = 0, violated = 1, cutShort = 4, notJudged = 5 };

    const JudgeArguments& arguments;
    const RunOutcome& run;
    replay::ClaimsJudged claims;
    std::map<std::string, std::uint64_t, std::less<>> tried; // faults by their names in traces

    std::string whyNot() const { return claims.whyNot.english(); }
    Code exitCode() const
    {
        if (run.cutShort == sim::cut_short::kInterrupted || run.cutShort == sim::cut_short::kTraceFailed)
            return Judged::cutShort;
        using enum replay::ClaimsJudged::Verdict;
        const auto verdict = claims.verdict();
        return verdict == violated ? Judged::violated : verdict == sound ? Judged::sound : Judged::notJudged;
    }
    std::string_view verdict() const
    {
        switch (exitCode()) {
        case Judged::sound:
            return "sound";
        case Judged::violated:
            return "violated";
        case Judged::cutShort:
            return "cut short";
        default:
            return "not judged";
        }
    }
    // What no rule says when it was never applied, or not to the end.
    bool holds(const ClaimVerdict& rule) const
    {
        return exitCode() <= violated && rule.checked > 0 && rule.violated == 0;
    }
    std::string command() const
    {
        std::string text;
        for (const std::string& word : arguments.run.programs->command)
            text += (text.empty() ? "" : " ") + word;
        return text;
    }
    // The faults that were to be tried, with what came of them.
    std::vector<std::pair<const engine::ProgramFault*, replay::ClaimsJudged::Planned>> planned() const
    {
        std::vector<std::pair<const engine::ProgramFault*, replay::ClaimsJudged::Planned>> all;
        for (const engine::ProgramFault& fault : engine::programFaults()) {
            const auto found = claims.plan.find(fault.name);
            if (arguments.run.programs->harsh || !fault.harsh)
                all.emplace_back(&fault, found == claims.plan.end() ? replay::ClaimsJudged::Planned()
                                                                    : found->second);
        }
        return all;
    }
    // "2 expiry, 1 pause"; those with 0 are left out.
    std::string countsText(std::uint64_t replay::ClaimsJudged::Planned::*count) const
    {
        std::string text;
        for (const auto& [fault, times] : planned())
            if (times.*count > 0)
                text += fmt::format("{}{} {}", text.empty() ? "" : ", ", times.*count, fault->name);
        return text;
    }
    // The faults that no rule came to.
    std::string notTriedText() const
    {
        std::string text;
        for (const auto& [fault, times] : planned())
            if (times.met + times.missed == 0)
                text += fmt::format("{}{}", text.empty() ? "" : ", ", fault->name);
        return text;
    }
    std::string clientName(ClientId client) const
    {
        const replay::ClientRow* row = run.folded.state.client(client);
        return row ? std::string(row->name) : std::string();
    }
};

Judged judged(const JudgeArguments& arguments, const RunOutcome& run)
{
    Judged all{arguments, run, replay::judgeClaims(*run.store), {}};
    for (std::size_t i = 0; i < run.store->count(); ++i) {
        const auto* command = std::get_if<trace::Command>(&run.store->at(i).what);
        if (!command)
            continue;
        const trace::CommandVerb verb = trace::commandVerb(command->verb);
        if (trace::isFault(trace::commandKind(verb)) || verb == trace::CommandVerb::removeClient ||
            verb == trace::CommandVerb::killServer)
            ++all.tried[std::string(command->verb)];
    }
    return all;
}

double inSeconds(Duration time) { return static_cast<double>(time.count()) / 1e9; }

std::string excusedText(const replay::ClaimsJudged& claims)
{
    return fmt::format(
        "{} {} that outlived its session in a paused process, which no program can prevent: only a "
        "resource that refuses old tokens is safe then",
        claims.excused, claims.excused == 1 ? "claim" : "claims");
}

json::object ruleJson(const Judged& all, const replay::ClaimRuleText& rule, const ClaimVerdict& verdict)
{
    json::object entry{{"name", rule.word},
                       {"title", rule.title.english()},
                       {"verdict", verdict.violated > 0 ? "violated"
                                   : all.holds(verdict) ? "holds"
                                                        : "not checked"},
                       {"checked", verdict.checked},
                       {"violated", verdict.violated}};
    if (verdict.violated == 0)
        return entry;
    entry["what"] = verdict.what.english();
    entry["advice"] = rule.advice.english();
    entry["event"] = verdict.event.value;
    entry["against"] = verdict.against.valid() ? json::value(verdict.against.value) : json::value(nullptr);
    entry["at_s"] = inSeconds(verdict.at);
    entry["client"] = all.clientName(verdict.client);
    return entry;
}

std::string jsonReport(const Judged& all)
{
    const sim::Scenario& scenario = all.run.scenario;
    json::array rules, command, plan;
    json::object tried;
    for (std::size_t i = 0; i < replay::kClaimRules; ++i)
        rules.push_back(ruleJson(all, replay::claimRules()[i], all.claims.rules[i]));
    for (const std::string& word : all.arguments.run.programs->command)
        command.push_back(json::value(word));
    for (const auto& [name, times] : all.tried)
        tried[name] = times;
    for (const auto& [fault, times] : all.planned())
        plan.push_back(json::object{{"name", fault->name},
                                    {"what", fault->does.english()},
                                    {"met", times.met},
                                    {"missed", times.missed}});
    const replay::RunState& state = all.run.folded.state;
    const json::object report{
        {"program", std::move(command)},
        {"verdict", all.verdict()},
        {"not_judged", all.whyNot().empty() ? json::value(nullptr) : json::value(all.whyNot())},
        {"copies", sim::participants(scenario).size()},
        {"faults", all.arguments.run.programs->harsh ? "harsh" : "gentle"},
        {"seed", scenario.seed},
        {"duration_s", inSeconds(all.run.folded.took)},
        {"acquired", all.claims.claims},
        {"tried", std::move(tried)},
        {"plan", std::move(plan)},
        {"rules", std::move(rules)},
        {"excused", all.claims.excused},
        {"server", json::object{{"version", state.server.version}, {"mode", state.server.mode}}},
        {"cut_short_by", all.run.cutShort.empty() ? json::value(nullptr) : json::value(all.run.cutShort)}};
    return indented(report) + "\n";
}

std::string xml(std::string_view text)
{
    constexpr std::size_t kMostBytes = 4'000; // a command and its arguments
    return exports::html(text, kMostBytes);   // all that it escapes is XML, too
}

// The rules as tests; a program that cannot be judged is one more, with an error.
std::string junitReport(const Judged& all)
{
    const std::string suite = xml(all.command()),
                      time = fmt::format("{:.3f}", inSeconds(all.run.folded.took));
    const bool error = all.exitCode() >= Judged::cutShort;
    std::string cases;
    std::size_t failures = 0;
    for (std::size_t i = 0; i < replay::kClaimRules; ++i) {
        const replay::ClaimRuleText& rule = replay::claimRules()[i];
        const ClaimVerdict& verdict = all.claims.rules[i];
        cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{}\"", suite, rule.word, time);
        if (verdict.violated == 0) {
            cases += all.holds(verdict) ? "/>\n" : "><skipped/></testcase>\n";
            continue;
        }
        ++failures;
        cases += fmt::format(
            ">\n    <failure message=\"{}\">{} Event {} of the trace, {:.3f} s.</failure>\n  </testcase>\n",
            xml(verdict.what.english()), xml(rule.advice.english()), verdict.event.value,
            inSeconds(verdict.at));
    }
    if (error)
        cases += fmt::format(
            "  <testcase classname=\"{}\" name=\"run\" time=\"{}\">\n    <error message=\"{}\"/>\n"
            "  </testcase>\n",
            suite, time,
            xml(all.whyNot().empty() ? std::string(cutShortText(all.run.cutShort)) : all.whyNot()));
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"lockscope-cli judge\" tests=\"{}\" "
        "failures=\"{}\" errors=\"{}\" time=\"{}\">\n{}</testsuite>\n",
        replay::kClaimRules + (error ? 1 : 0), failures, error ? 1 : 0, time, cases);
}

std::string summaryOf(const Judged& all)
{
    const sim::Scenario& scenario = all.run.scenario;
    std::string text =
        fmt::format("{}: {}\n", all.command(),
                    all.exitCode() == Judged::sound      ? "no rule is violated under what was tried"
                    : all.exitCode() == Judged::violated ? "the lock is not right"
                    : all.exitCode() == Judged::cutShort ? "the run was cut short"
                                                         : "it cannot be judged");
    const std::string met = all.countsText(&replay::ClaimsJudged::Planned::met),
                      missed = all.countsText(&replay::ClaimsJudged::Planned::missed),
                      notTried = all.notTriedText();
    text += fmt::format("  tried: {} copies, seed {}, {:.1f} s; {}; the lock was acquired {} times\n",
                        sim::participants(scenario).size(), scenario.seed, inSeconds(all.run.folded.took),
                        met.empty() ? "no fault" : met, all.claims.claims);
    if (!missed.empty())
        text += fmt::format("  not met: {}: no copy came to the moment\n", missed);
    if (!notTried.empty())
        text += fmt::format("  not tried: {}: a longer --duration has time for more\n", notTried);
    if (!all.whyNot().empty())
        text += fmt::format("  {}\n", all.whyNot());
    for (std::size_t i = 0; i < replay::kClaimRules; ++i) {
        const replay::ClaimRuleText& rule = replay::claimRules()[i];
        const ClaimVerdict& verdict = all.claims.rules[i];
        if (verdict.violated == 0) {
            text += fmt::format("  {:<11} {}\n", all.holds(verdict) ? "ok" : "not checked", rule.word);
            continue;
        }
        text +=
            fmt::format("  {:<11} {}: {} (event {}, {:.3f} s{})\n              What to do: {}\n", "VIOLATED",
                        rule.word, verdict.what.english(), verdict.event.value, inSeconds(verdict.at),
                        verdict.violated > 1 ? fmt::format(", the first of {}", verdict.violated) : "",
                        rule.advice.english());
    }
    if (all.claims.excused > 0)
        text += fmt::format("  {:<11} {}\n", "note", excusedText(all.claims));
    return text;
}

} // namespace

int runJudge(const JudgeArguments& arguments)
{
    for (const std::string& file : {arguments.reportFile, arguments.junitFile})
        if (const Result<void> possible = checkReport(file); !possible)
            return fail(possible.error());
    HeadlessRun headless(arguments.run);
    const Result<RunOutcome> run = headless.run();
    if (!run)
        return fail(run.error());
    const Judged all = judged(arguments, *run);
    for (const auto& [file, text] :
         {std::pair(arguments.reportFile, jsonReport(all)), std::pair(arguments.junitFile, junitReport(all))})
        if (const Result<void> written = writeReport(file, text); !written)
            return fail(written.error());
    if (!arguments.run.quiet)
        writeToStandardError(summaryOf(all));
    return all.exitCode();
}

} // namespace lockscope::app
