// Plays a lesson: which step, how far, what was bet, what the run said. Each step has a run of its own, from its
// beginning; what was done stays as it was and can be gone back to. Needs somebody who runs scenarios (RunHandle) and
// calls look() some times a second. One thread; no call blocks.
#pragma once

#include "core/lesson/evaluation.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lesson {

// A run, as a lesson needs it. It ends with this object; its trace may live longer.
class RunHandle
{
public:
    virtual ~RunHandle() = default;
    virtual std::shared_ptr<const trace::TraceStore> trace() const = 0;
    virtual void execute(const sim::Action& action) = 0;
    virtual void runUntil(const sim::Trigger& when) = 0; // goes on, and pauses when that happens
    virtual void resume() = 0;
    virtual void pause() = 0;
    virtual std::optional<Error> failure() const = 0; // the run could not be made
};

// Starts a run that is paused before its first step.
using RunFactory = std::function<std::unique_ptr<RunHandle>(const sim::Scenario&)>;

enum class Stage : std::uint8_t {
    preparing, // the run goes to where the step begins
    reading,   // there is only something to read (and to look at)
    asking,    // a bet is to be made
    revealing, // the run goes on to what answers it
    doing,     // a task is to be done
    done,      // answered, reached or read
    failed,    // the run could not be made: Visit::failure
};

// A step, as it was when it was last played.
struct StepRecord
{
    Stage stage = Stage::preparing;
    std::shared_ptr<RunView> run; // null: it has none
    std::optional<Bet> bet;       // none: it was not made
    std::optional<Answer> answer; // the run's own
    std::optional<EventIndex> reached; // the goal, by this event
    std::size_t hints = 0;        // asked for
    bool skipped = false;
    std::optional<Error> failure;

    bool right(const Step& step) const; // the bet, or the task
};

class Player
{
public:
    // `lesson` must outlive it.
    Player(const Lesson& lesson, RunFactory maker);

    const Lesson& lesson() const { return m_lesson; }
    std::size_t position() const { return m_position; }
    const Step& step() const { return m_lesson.steps[m_position]; }
    const StepRecord& visit() const { return m_records.at(m_position); }
    const StepRecord* recordOf(std::size_t position) const; // null: not played yet
    RunHandle* runHandle() const { return m_runHandle.get(); }    // of the step that is played; null: it has no run, or it is over
    bool atEnd() const { return m_ended; }            // behind the last step

    // Call it some times a second. True when the stage has changed.
    bool refresh(MonotonicTime now);

    // asking: the run goes on. Without a bet it is only shown.
    void bet(std::optional<Bet> bet);
    // done: a bet that was made before the answer was known, as by a show of hands, and is entered after it.
    void enterBet(Bet bet);
    // doing: one more hint; none when there are no more.
    const Text* hint();
    void redo();                    // the step anew, with a run of its own
    void next();                    // where the outcome leads; a step that is not done is skipped
    void back();                    // to the one played before, as it was
    void goTo(std::size_t position); // as it was when it was played; else anew

    // What the learner knows by now: of the steps that are done.
    std::vector<const Text*> learned() const;
    // By step name: done. To be kept, and given back.
    std::vector<std::string> progress() const;

private:
    void begin();
    void openStep(); // the run stands where the step begins
    void follow(MonotonicTime now);
    bool isSettled(MonotonicTime now) const;
    void runUntil(const sim::Trigger& when);
    void reveal();
    bool checkGoal(); // reached
    std::size_t nextPosition() const; // the position where the outcome leads
    StepRecord& current() { return m_records.at(m_position); }

    const Lesson& m_lesson;
    RunFactory m_makeRun;
    std::unique_ptr<RunHandle> m_runHandle;
    std::map<std::size_t, StepRecord> m_records; // by position; always has the current one
    std::vector<std::size_t> m_path; // where back() leads
    std::size_t m_position = 0;
    bool m_ended = false;
    bool m_resumeRequested = false;  // it was told to, and has not said yet that it does
    bool m_expired = false; // paused by us, because the time for the answer is over
    std::size_t m_seen = 0; // events, when it was last looked
    std::optional<MonotonicTime> m_changed; // when there were new ones
    std::optional<MonotonicTime> m_since;   // first look since the run was told to go on
};

} // namespace lockscope::lesson
