#include "core/lesson/play_through.h"

#include <algorithm>
#include <thread>

namespace lockscope::lesson {

namespace {

constexpr Duration kPollInterval = std::chrono::milliseconds(2);
// A run counts as idle when no event has arrived for this long.
constexpr Duration kIdleTime = std::chrono::milliseconds(400);

class AutoPlayer
{
public:
    AutoPlayer(Player& player, const PlayThrough& how)
        : m_player(player)
        , m_how(how)
    {}

    PlayedStep playStep()
    {
        m_deadline = now() + m_how.limit;
        wait([](Stage stage) { return stage != Stage::preparing; });
        PlayedStep played{&m_player.step(), &m_player.record()};
        played.hasBegun = m_player.record().standstill != Standstill::over;
        if (stage() == Stage::asking)
            bet();
        else if (stage() == Stage::doing)
            played.reachedByItself = doTask();
        played.ended = played.hasBegun && !m_player.record().goalAtStart &&
                       (stage() == Stage::done || stage() == Stage::reading);
        return played;
    }

private:
    static MonotonicTime now() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }
    Stage stage() const { return m_player.record().stage; }
    bool over() const
    {
        return now() > m_deadline || stage() == Stage::failed ||
               m_player.record().standstill == Standstill::over || (m_how.cancelled && m_how.cancelled());
    }

    template <class Enough>
    void wait(Enough enough)
    {
        for (m_player.refresh(now()); !enough(stage()) && !over(); m_player.refresh(now()))
            std::this_thread::sleep_for(kPollInterval);
    }

    void bet()
    {
        m_player.bet(std::nullopt);
        wait([](Stage stage) { return stage == Stage::done; });
        const StepRecord& record = m_player.record();
        if (stage() != Stage::done || !record.answer)
            return;
        const Question& question = *m_player.step().question;
        if (m_how.answers == Answers::wrong)
            m_player.enterBet(wrongBet(question, *record.answer, *record.run));
        else if (record.answer->is)
            m_player.enterBet(*record.answer->is);
    }

    // True: the goal was reached without any action.
    bool doTask()
    {
        if (m_how.answers == Answers::wrong) {
            waitUntilIdle();
            if (stage() == Stage::done)
                return true;
        }
        if (m_player.mend())
            m_player.change(m_player.step().task->mend->solution);
        if (PuzzleGame* game = m_player.puzzle())
            solve(*game, m_player.step().task->puzzle->solution);
        for (const SolutionLine& act : m_player.step().task->solution)
            execute(act);
        wait([](Stage stage) { return stage == Stage::done; });
        return false;
    }

    void solve(PuzzleGame& game, const std::vector<PuzzleMove>& solution)
    {
        for (const PuzzleMove& one : solution) {
            const std::vector<PuzzleGame::Move> moves = game.moves();
            if (const auto found = std::ranges::find(moves, one, &PuzzleGame::Move::is); found != moves.end())
                m_player.move(found->step);
        }
    }

    void waitUntilIdle()
    {
        std::size_t seen = 0;
        MonotonicTime since = now();
        wait([&](Stage stage) {
            if (const std::size_t position = m_player.record().run->position(); position != seen) {
                seen = position;
                since = now();
            }
            return stage == Stage::done || now() - since > kIdleTime;
        });
    }

    void execute(const SolutionLine& act)
    {
        RunHandle* runHandle = m_player.runHandle();
        if (!runHandle)
            return;
        if (act.when) {
            const auto phase = [this] { return m_player.record().run->state().phase; };
            // The run was resumed when the task began or after the previous line.
            wait([&](Stage stage) { return stage == Stage::done || phase() != trace::RunPhase::paused; });
            runHandle->runUntil(*act.when);
            wait([&](Stage stage) { return stage == Stage::done || phase() != trace::RunPhase::running; });
        }
        runHandle->execute(act.action);
        if (act.when)
            runHandle->resume();
    }

    Player& m_player;
    const PlayThrough& m_how;
    MonotonicTime m_deadline{};
};

} // namespace

PlayedStep playStep(Player& player, const PlayThrough& how) { return AutoPlayer(player, how).playStep(); }

bool play(Player& player, const PlayThrough& how)
{
    bool all = true;
    while (!player.atEnd() && !(how.cancelled && how.cancelled())) {
        const PlayedStep played = playStep(player, how);
        all = all && played.ended;
        if (how.onStep)
            how.onStep(played);
        if (!(how.cancelled && how.cancelled()))
            player.next();
    }
    return all && player.atEnd();
}

} // namespace lockscope::lesson
