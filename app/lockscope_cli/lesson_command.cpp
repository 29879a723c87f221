#include "app/lockscope_cli/lesson_command.h"

#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/lesson_sheet.h"
#include "app/lockscope_cli/report.h"
#include "app/lockscope_cli/text_output.h"
#include "core/base/exit_code.h"
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"
#include "core/engine/lesson_run.h"
#include "core/lesson/class_result.h"

#include <boost/json.hpp>
#include <fmt/core.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

namespace lockscope::app {

namespace {

using lesson::PlayedStep;

std::string outcomeOf(const PlayedStep& played)
{
    const lesson::Step& step = *played.step;
    const lesson::StepRecord& record = *played.record;
    if (record.failure)
        return fmt::format("  failed: {}\n", record.failure->text());
    if (!played.hasBegun)
        return "  the run ended before the step could begin: its \"until\" was not reached\n";
    if (record.goalAtStart)
        return fmt::format("  the goal held before anything was done: {}\n",
                           lesson::words(step.task->goal, *record.run));
    if (!played.ended)
        return step.task && record.run && !step.task->mend
                   ? fmt::format("  did not come to its end: the goal was not reached\n  {}\n",
                                 lesson::words(step.task->goal, *record.run))
                   : "  did not come to its end\n";
    if (step.task) {
        std::string text = fmt::format("  task: {}\n", step.task->text.english);
        if (played.reachedByItself)
            text += "  reached without any action\n";
        text += fmt::format("  reached: {}\n", step.task->mend ? wordsOf(step.task->mend->solution) + ": " +
                                                                     record.verdict.english()
                                                               : lesson::words(*record.run, *record.reached));
        for (const lesson::Text* remark : record.remarks)
            text += fmt::format("  remark: {}\n", remark->english);
        return text;
    }
    if (!step.question || !record.answer)
        return {};
    const lesson::Question& question = *step.question;
    const std::string run =
        record.answer->is ? lesson::words(question, *record.answer->is, false) : "none of these";
    std::string text = fmt::format("  asked: {}\n", question.text.english);
    if (record.bet)
        text += fmt::format("  bet:   {}\n", lesson::words(question, *record.bet, false));
    text += fmt::format("  run:   {}\n", run);
    if (const lesson::Text* betrays =
            record.bet ? lesson::betrayedBy(question, *record.bet, *record.answer) : nullptr)
        text += fmt::format("  idea:  {}\n", betrays->english);
    text += record.right(step) ? "  right" : record.bet ? "  wrong: the run says otherwise" : "  no bet";
    return text + fmt::format("; see {}\n", lesson::words(*record.run, record.answer->proof));
}

Error notEnded(const PlayedStep& played)
{
    if (played.record->goalAtStart)
        return {ErrorCode::badInput,
                "The goal of the step \"" + played.step->name + "\" holds from the start.",
                "Choose a goal that only an action of the learner reaches."};
    return {ErrorCode::timedOut, "The step \"" + played.step->name + "\" did not come to its end.", ""};
}

// ---- what a class has bet ----

namespace json = boost::json;

// Of each folder, its .toml files and those of the folders in it, by name.
std::vector<std::string> filesIn(const std::vector<std::string>& paths)
{
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!std::filesystem::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> inside;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 path, std::filesystem::directory_options::skip_permission_denied, error))
            if (entry.path().extension() == ".toml")
                inside.push_back(entry.path().string());
        std::ranges::sort(inside);
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

std::string classText(const std::vector<lesson::ClassResult>& results)
{
    std::string text = results.empty() ? "No learner has bet.\n" : "";
    for (const lesson::ClassResult& one : results) {
        text +=
            fmt::format("{}{}: {} learner{}\n", one.lesson, one.title.empty() ? "" : " (" + one.title + ")",
                        one.learners, one.learners == 1 ? "" : "s");
        for (const lesson::ClassStep& step : one.steps) {
            text += fmt::format("  {}: {}{}{} of {} right\n", step.name, step.question,
                                step.question.empty() ? "" : " ", step.right, step.learners);
            for (const lesson::ClassBet& bet : step.bets)
                text += fmt::format("  {:>6}  {}\n", bet.learners, bet.bet);
        }
    }
    return text;
}

json::object classReport(const std::vector<lesson::ClassResult>& results)
{
    json::array lessons;
    for (const lesson::ClassResult& one : results) {
        json::array steps;
        for (const lesson::ClassStep& step : one.steps) {
            json::array bets;
            for (const lesson::ClassBet& bet : step.bets)
                bets.push_back(json::object{{"bet", bet.bet}, {"learners", bet.learners}});
            steps.push_back(json::object{{"step", step.name},
                                         {"question", step.question},
                                         {"learners", step.learners},
                                         {"right", step.right},
                                         {"bets", std::move(bets)}});
        }
        lessons.push_back(json::object{{"lesson", one.lesson},
                                       {"title", one.title},
                                       {"learners", one.learners},
                                       {"steps", std::move(steps)}});
    }
    return json::object{{"lessons", std::move(lessons)}};
}

} // namespace

std::string lessonList()
{
    std::string text;
    for (const lesson::BuiltIn& builtIn : lesson::builtIns()) {
        const Result<lesson::Lesson> one = lesson::loadLesson(std::string(builtIn.name));
        text += fmt::format("{:<12} {}\n", builtIn.name, one ? one->title.english : one.error().text());
    }
    return text;
}

int printClassResults(const std::vector<std::string>& paths, const std::string& reportFile)
{
    if (const Result<void> possible = checkReport(reportFile); !possible)
        return fail(possible.error());
    std::vector<lesson::GivenBets> learners;
    for (const std::string& file : filesIn(paths)) {
        Result<lesson::GivenBets> given = lesson::loadGivenBets(file);
        if (!given)
            return fail(given.error());
        learners.push_back(std::move(*given));
    }
    const std::vector<lesson::ClassResult> results = lesson::classResults(learners);
    if (const Result<void> written = writeReport(reportFile, indented(classReport(results)) + "\n"); !written)
        return fail(written.error());
    if (reportFile == kStandardOutput)
        return 0;
    const Result<void> written =
        writeText("The result cannot be written to", kStandardOutput, classText(results));
    return written ? 0 : fail(written.error());
}

int runLesson(const LessonArguments& arguments)
{
    const int signals = openEndSignals();
    std::optional<Error> fault; // the first error, of a run that could not be made or of the output
    const auto print = [&](const std::string& text) {
        if (arguments.sheetFile == kStandardOutput)
            return;
        const Result<void> written =
            writeText("The steps of the lesson cannot be written to", kStandardOutput, text);
        if (!written && !fault)
            fault = written.error();
    };
    const lesson::Lesson& lesson = arguments.lesson;
    const auto made = std::make_shared<engine::LessonRun::Nodes>();
    lesson::Player player(lesson, [&](const sim::Scenario& scenario) {
        return std::make_unique<engine::LessonRun>(scenario, arguments.connect, made);
    });
    bool interrupted = false;
    lesson::PlayThrough how;
    how.answers = arguments.answers;
    std::map<std::string, lesson::Bet> answers; // of the runs
    how.onStep = [&](const PlayedStep& played) {
        if (played.record->answer && played.record->answer->is)
            answers[played.step->name] = *played.record->answer->is;
        if (played.record->failure && !fault)
            fault = played.record->failure;
        else if (!played.ended && !interrupted && !fault)
            fault = notEnded(played); // the remaining steps would wait as long
        const std::string title = played.step->title.empty() ? "" : ": " + played.step->title.english;
        print(fmt::format("{}{}\n{}", played.step->name, title, outcomeOf(played)));
    };
    how.cancelled = [&] {
        interrupted = interrupted || takeEndSignal(signals, 0);
        return interrupted || fault;
    };
    const bool all = lesson::play(player, how);
    close(signals);
    if (interrupted)
        writeToStandardError("lockscope-cli: The lesson was cut short by a signal.\n");
    if (!fault && !interrupted && !arguments.sheetFile.empty())
        if (const Result<void> written = writeText("The exercise sheet cannot be written to",
                                                   arguments.sheetFile, lessonSheet(lesson, answers));
            !written)
            fault = written.error();
    if (fault)
        return fail(*fault);
    return all && !interrupted ? 0 : kCutShort;
}

} // namespace lockscope::app
