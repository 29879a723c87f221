// Plays a lesson: the current step, its stage, the bets and the answers of the runs. Each step has its own
// run, from its beginning; a finished step keeps its record. Needs a RunFactory, and a call of refresh()
// several times a second. One thread; no call blocks.
#pragma once

#include "core/lesson/evaluation.h"
#include "core/lesson/mend_game.h"
#include "core/lesson/puzzle_game.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::lesson {

// The run of a step. It ends with this object; its trace may live longer.
class RunHandle
{
public:
    virtual ~RunHandle() = default;
    virtual std::shared_ptr<const trace::TraceStore> trace() const = 0;
    virtual void execute(const sim::Action& action) = 0;
    virtual void runUntil(const sim::Trigger& when) = 0; // resumes, and pauses when the trigger fires
    virtual void resume() = 0;
    virtual void pause() = 0;
    virtual std::optional<Error> failure() const = 0; // the run could not start
};

// Starts a run that is paused before its first step.
using RunFactory = std::function<std::unique_ptr<RunHandle>(const sim::Scenario&)>;

enum class Stage : std::uint8_t {
    preparing, // the run advances to the beginning of the step
    reading,   // a text only
    asking,    // waits for a bet
    revealing, // the run advances to the answer
    doing,     // waits for the goal of a task
    done,      // answered, reached or read
    failed,    // the run could not start: StepRecord::failure
};

// Why a run makes no further progress. The learner may have ended a client or the server.
enum class Standstill : std::uint8_t {
    none,
    late, // the run has not reached the beginning of the step for a long time (15 s)
    over, // the run is over: before the step has begun, or before its goal is reached
};

// The record of the last time a step was played.
struct StepRecord
{
    Stage stage = Stage::preparing;
    std::shared_ptr<RunView> run;      // null: the step has no run
    std::optional<Bet> bet;            // none: no bet was made
    std::optional<Answer> answer;      // the run's
    std::optional<EventIndex> reached; // the event that reached the goal; none(): a proof did
    // Of a recipe that is mended: the last proof's.
    Message verdict{};
    std::optional<MendChange> change{};
    EventIndex moment = EventIndex::none(); // in `run`: where it breaks; see MendGame::moment()
    bool afterHolds = false;                // done: Step::afterWhen held
    std::vector<const Text*> remarks{};     // done: the remarks that held
    std::optional<std::size_t> moves{};     // done: of a puzzle
    bool goalAtStart = false; // the goal of a task held before anything was done: a mistake of the lesson
    std::size_t hints = 0;    // number of hints shown
    bool skipped = false;
    Standstill standstill = Standstill::none;
    std::optional<Error> failure;

    bool right(const Step& step) const; // the bet is right, or the task is done
};

class Player
{
public:
    // `lesson` must outlive the player. Begins at the step `first`. The steps before it count as done
    // earlier, except for those in `skipped`; back() leads to them.
    Player(const Lesson& lesson, RunFactory maker, std::size_t first = 0, std::set<std::size_t> skipped = {});

    const Lesson& lesson() const { return m_lesson; }
    std::size_t position() const { return m_position; }
    const Step& step() const { return m_lesson.steps[m_position]; }
    const StepRecord& record() const { return m_records.at(m_position); }
    const StepRecord* recordOf(std::size_t position) const; // null: not played yet
    bool isDone(std::size_t position) const;                // by this player, or earlier
    // Of the current step; null when it has no run, or was played before and is shown from its record.
    RunHandle* runHandle() const { return m_runHandle.get(); }
    bool atEnd() const { return m_ended; } // after the last step
    bool isComplete() const;               // at the end, and no step was skipped
    std::set<std::size_t> skipped() const; // by this player or earlier, and not done since

    // Call it several times a second. True when the stage or the standstill has changed.
    bool refresh(MonotonicTime now);

    // In stage asking: makes the bet and continues the run; without a bet, only to show the answer.
    void bet(std::optional<Bet> bet);
    // In stage done: enters a bet that was made before the answer was known, such as by a show of hands.
    void enterBet(Bet bet);
    // Of the current step while its puzzle can be played; null for other steps.
    PuzzleGame* puzzle() const { return m_puzzle.get(); }
    // In stage doing, of puzzle()->moves(). True: the goal is reached.
    bool move(const explore::Step& step);
    // Takes back the last move: StepRecord::run is another one then.
    void takeBack();
    // Of the current step while its recipe can be mended; null for other steps.
    const MendGame* mend() const { return m_mend.get(); }
    // In stage doing: the proof of the recipe with this change begins. StepRecord::run becomes the way in
    // which it breaks; or the step is done, and it shows that the recipe does not break in the same order of
    // events.
    void change(const MendChange& change);
    // The next hint for the task; null when there are no more.
    const Text* hint();
    void redo(); // plays the step again, with a new run
    // To the step selected by the outcome. A step that is not done is skipped, unless it is only read.
    void next();
    void back();                            // to the step played before, with its record
    void goTo(std::size_t position);        // with its record if it is done; otherwise from its beginning
    void playSkipped(std::size_t position); // at the end: goTo(); next() and back() lead to the end again

    // Step::learned of the steps that are done, except those in whose run Step::afterWhen did not hold.
    std::vector<const Text*> learned() const;

private:
    void begin();
    void beginPuzzle();
    void showProof(); // has come to its end
    void endGames();
    void openStep(); // the run is at the beginning of the step
    void follow(MonotonicTime now);
    bool isSettled(MonotonicTime now) const;
    Standstill standstill(MonotonicTime now) const;
    void runUntil(const sim::Trigger& when);
    void reveal();
    void checkGoal();
    void finish();                    // the answer is known, or the goal is reached
    std::size_t nextPosition() const; // by the outcome
    StepRecord& current() { return m_records.at(m_position); }

    const Lesson& m_lesson;
    RunFactory m_makeRun;
    std::unique_ptr<RunHandle> m_runHandle;
    std::unique_ptr<PuzzleGame> m_puzzle;
    std::unique_ptr<MendGame> m_mend;
    std::map<std::size_t, StepRecord> m_records; // by position; always with the current one
    std::vector<std::size_t> m_path;             // for back()
    std::size_t m_first;                         // the steps before it were done earlier, or skipped
    std::set<std::size_t> m_skipped;             // of them
    std::size_t m_position = 0;
    bool m_ended = false;
    bool m_returnsToEnd = false;              // playSkipped()
    std::optional<ConditionEvaluator> m_goal; // of the task that is being done
    bool m_resumeRequested = false;           // resumed, but its running phase is not recorded yet
    bool m_expired = false;                   // paused because the time for the answer is over
    std::size_t m_seen = 0;                   // events at the last refresh()
    std::optional<MonotonicTime> m_changed;   // when new events last arrived
    std::optional<MonotonicTime> m_since;     // the first refresh() since the run was resumed
};

} // namespace lockscope::lesson
