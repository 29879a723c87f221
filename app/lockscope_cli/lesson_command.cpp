#include "app/lockscope_cli/lesson_command.h"

#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/lesson_sheet.h"
#include "app/lockscope_cli/text_output.h"
#include "core/base/exit_code.h"
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"
#include "core/engine/lesson_run.h"

#include <fmt/core.h>

#include <unistd.h>

#include <map>
#include <optional>

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
