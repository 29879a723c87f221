#include "core/lesson/player.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::lesson {

namespace {

// A paused run has settled when no event has arrived for this long: the watch events of one delete reach
// several sessions one after the other.
constexpr Duration kSettleTime = std::chrono::milliseconds(80);
// Until a step begins. A private server and its clients need less time, even on a busy machine.
constexpr Duration kLate = std::chrono::seconds(15);

bool isOver(trace::RunPhase phase)
{
    return phase == trace::RunPhase::finished || phase == trace::RunPhase::failed;
}

} // namespace

bool StepRecord::right(const Step& step) const
{
    if (step.task)
        return reached.has_value();
    return step.question && bet && answer && isRight(*step.question, *bet, *answer);
}

Player::Player(const Lesson& lesson, RunFactory maker, std::size_t first, std::set<std::size_t> skipped)
    : m_lesson(lesson)
    , m_makeRun(std::move(maker))
    , m_path(std::min(first, lesson.steps.size() - 1))
    , m_first(m_path.size())
    , m_skipped(std::move(skipped))
    , m_position(m_first)
{
    std::iota(m_path.begin(), m_path.end(), std::size_t{0});
    begin();
}

const StepRecord* Player::recordOf(std::size_t position) const
{
    const auto found = m_records.find(position);
    return found == m_records.end() ? nullptr : &found->second;
}

void Player::endGames()
{
    m_runHandle.reset();
    m_puzzle.reset();
    m_mend.reset();
}

void Player::begin()
{
    endGames();
    m_resumeRequested = m_expired = m_ended = false;
    m_seen = 0;
    m_changed = m_since = std::nullopt;
    m_records[m_position] = StepRecord{};
    if (step().scenario) {
        m_runHandle = m_makeRun(*step().scenario);
        current().run = std::make_shared<RunView>(m_runHandle->trace());
    }
    if (step().task && step().task->puzzle) {
        m_puzzle = std::make_unique<PuzzleGame>(*step().task->puzzle);
        beginPuzzle();
    } else if (step().task && step().task->mend) {
        m_mend = std::make_unique<MendGame>(*step().task->mend);
    } else if (m_runHandle && step().until) {
        runUntil(*step().until);
    } else {
        openStep();
    }
}

void Player::beginPuzzle()
{
    current().run = std::make_shared<RunView>(m_puzzle->trace());
    current().run->advance();
    openStep();
}

bool Player::move(const explore::Step& step)
{
    if (!m_puzzle || record().stage != Stage::doing)
        return false;
    m_puzzle->take(step);
    const bool onlyAtEnd = this->step().task->puzzle->atEnd;
    record().run->advance([&](const trace::Event&) {
        if (!onlyAtEnd && record().stage == Stage::doing)
            checkGoal();
    });
    if (onlyAtEnd && m_puzzle->isOver())
        checkGoal();
    return record().stage == Stage::done;
}

// The same moves again, without the last one.
void Player::takeBack()
{
    if (!m_puzzle || record().stage != Stage::doing || m_puzzle->taken().empty())
        return;
    explore::Steps steps = m_puzzle->taken();
    steps.pop_back();
    m_puzzle->restart();
    beginPuzzle();
    for (const explore::Step& step : steps)
        move(step);
}

void Player::change(const MendChange& change)
{
    if (!m_mend || record().stage != Stage::doing)
        return;
    current().verdict = {};
    m_mend->change(change);
}

// The first one is of the recipe as it is.
void Player::showProof()
{
    StepRecord& record = current();
    record.verdict = m_mend->verdict();
    record.change = m_mend->changed();
    if (const auto trace = m_mend->trace()) {
        record.moment = m_mend->moment();
        record.run = std::make_shared<RunView>(trace);
        record.run->advance();
    }
    if (record.stage == Stage::preparing && !record.run) {
        record.failure = Error{
            ErrorCode::badInput, message("No way was found in which the recipe of this step breaks."), {}};
        record.stage = Stage::failed;
    } else if (record.stage == Stage::preparing) {
        record.stage = Stage::doing;
    } else if (m_mend->holds()) {
        record.reached = EventIndex::none();
        finish();
    }
}

void Player::openStep()
{
    StepRecord& record = current();
    if (record.run) {
        record.run->mark();
        if (step().task) {
            m_goal.emplace(step().task->goal, *record.run);
            record.goalAtStart = m_goal->evaluate().holds;
        }
    }
    record.stage = step().question ? Stage::asking : step().task ? Stage::doing : Stage::reading;
    if (m_runHandle && record.stage == Stage::doing)
        m_runHandle->resume();
}

bool Player::refresh(MonotonicTime now)
{
    const Stage before = record().stage;
    const Standstill stood = record().standstill;
    if (m_mend && m_mend->refresh()) {
        showProof();
        return true;
    }
    if (m_runHandle)
        follow(now);
    return record().stage != before || record().standstill != stood;
}

Standstill Player::standstill(MonotonicTime now) const
{
    const Stage stage = record().stage;
    if (stage == Stage::preparing)
        return m_since && now - *m_since > kLate ? Standstill::late : Standstill::none;
    const bool goesOn = stage == Stage::reading || stage == Stage::asking || stage == Stage::doing;
    return goesOn && isOver(record().run->state().phase) ? Standstill::over : Standstill::none;
}

void Player::follow(MonotonicTime now)
{
    StepRecord& record = current();
    if (!m_since)
        m_since = now;
    record.run->advance([&](const trace::Event& event) {
        if (const auto* phase = std::get_if<trace::RunPhaseChanged>(&event.what))
            m_resumeRequested = m_resumeRequested && phase->phase != trace::RunPhase::running;
        if (record.stage == Stage::doing)
            checkGoal();
    });
    if (record.run->position() != m_seen) {
        m_seen = record.run->position();
        m_changed = now;
    }
    if (std::optional<Error> failure = m_runHandle->failure()) {
        record.failure = std::move(failure);
        record.stage = Stage::failed;
    } else if (record.stage == Stage::preparing && isSettled(now)) {
        openStep();
    } else if (record.stage == Stage::revealing) {
        if (isSettled(now)) {
            reveal();
        } else if (record.run->state().phase == trace::RunPhase::starting) {
            m_since = now; // the server is starting: the time limit of the bet begins with the run
        } else if (!m_expired && now - *m_since > step().question->within) {
            m_expired = true;
            m_runHandle->pause();
        }
    }
    record.standstill = standstill(now);
}

bool Player::isSettled(MonotonicTime now) const
{
    const trace::RunPhase phase = record().run->state().phase;
    if (isOver(phase))
        return true;
    return phase == trace::RunPhase::paused && !m_resumeRequested && m_changed &&
           now - *m_changed >= kSettleTime;
}

void Player::runUntil(const sim::Trigger& when)
{
    m_resumeRequested = record().run->state().phase != trace::RunPhase::running;
    m_expired = false;
    m_since = std::nullopt;
    m_runHandle->runUntil(when);
}

void Player::checkGoal()
{
    StepRecord& record = current();
    const ConditionResult verdict = m_goal->evaluate();
    if (!verdict.holds)
        return;
    record.reached = verdict.proof;
    finish();
}

void Player::bet(std::optional<Bet> bet)
{
    StepRecord& record = current();
    if (record.stage != Stage::asking)
        return;
    const Question& question = *step().question;
    record.bet = std::move(bet);
    if (m_runHandle && question.then) {
        record.run->mark();
        record.stage = Stage::revealing;
        runUntil(*question.then); // first, so that no effect of the actions is missed
    }
    for (const sim::Action& action : question.actions)
        if (m_runHandle)
            m_runHandle->execute(action);
    if (record.stage == Stage::asking)
        reveal();
}

void Player::reveal()
{
    StepRecord& record = current();
    if (record.run)
        record.answer = answer(*step().question, *record.run);
    finish();
}

void Player::finish()
{
    StepRecord& record = current();
    record.stage = Stage::done;
    if (m_puzzle)
        record.moves = m_puzzle->taken().size();
    record.afterHolds = !record.run || evaluate(step().afterWhen, *record.run).holds;
    for (const Remark& remark : step().remarks)
        if (record.run && evaluate(remark.when, *record.run).holds)
            record.remarks.push_back(&remark.text);
}

void Player::enterBet(Bet bet)
{
    if (current().stage == Stage::done && step().question)
        current().bet = std::move(bet);
}

const Text* Player::hint()
{
    StepRecord& record = current();
    if (!step().task || record.hints >= step().task->hints.size())
        return nullptr;
    return &step().task->hints[record.hints++];
}

void Player::redo() { begin(); }

std::size_t Player::nextPosition() const
{
    for (const Branch& branch : step().next) {
        const bool right = record().right(step());
        const bool judged = branch.outcome == Branch::Outcome::condition;
        const bool leads = judged ? record().run && evaluate(branch.when, *record().run).holds
                                  : right == (branch.outcome == Branch::Outcome::right);
        if (!leads)
            continue;
        const auto& steps = m_lesson.steps;
        const auto found = std::find_if(steps.begin(), steps.end(),
                                        [&](const Step& one) { return one.name == branch.step; });
        return static_cast<std::size_t>(found - steps.begin());
    }
    return m_position + 1;
}

void Player::next()
{
    StepRecord& record = current();
    const bool isReady = record.stage == Stage::reading || record.stage == Stage::done;
    const std::size_t to = isReady ? nextPosition() : m_position + 1;
    record.skipped = record.stage != Stage::done && !step().isOnlyRead();
    if (record.stage != Stage::done && !record.skipped)
        finish();
    if (std::exchange(m_returnsToEnd, false) || to >= m_lesson.steps.size()) {
        m_ended = true;
        endGames();
        return;
    }
    m_path.push_back(m_position);
    m_position = to;
    begin();
}

void Player::back()
{
    if (m_ended) {
        m_ended = false;
        return;
    }
    if (m_returnsToEnd)
        return next();
    if (m_path.empty())
        return;
    const std::size_t to = m_path.back();
    m_path.pop_back();
    goTo(to);
}

void Player::goTo(std::size_t position)
{
    if (position >= m_lesson.steps.size())
        return;
    m_position = position;
    m_ended = m_returnsToEnd = false;
    endGames();
    if (const StepRecord* played = recordOf(position); !played || played->stage != Stage::done)
        begin();
}

void Player::playSkipped(std::size_t position)
{
    goTo(position);
    m_returnsToEnd = true;
}

bool Player::isDone(std::size_t position) const
{
    const StepRecord* record = recordOf(position);
    return record ? record->stage == Stage::done : position < m_first && !m_skipped.contains(position);
}

bool Player::isComplete() const { return m_ended && skipped().empty(); }

std::set<std::size_t> Player::skipped() const
{
    std::set<std::size_t> all;
    for (std::size_t i = 0; i < m_lesson.steps.size(); ++i)
        if (const StepRecord* record = recordOf(i); record ? record->skipped : m_skipped.contains(i))
            all.insert(i);
    return all;
}

std::vector<const Text*> Player::learned() const
{
    std::vector<const Text*> all;
    for (std::size_t i = 0; i < m_lesson.steps.size(); ++i) {
        const StepRecord* record = recordOf(i);
        if (isDone(i) && (!record || record->afterHolds) && !m_lesson.steps[i].learned.empty())
            all.push_back(&m_lesson.steps[i].learned);
    }
    return all;
}

} // namespace lockscope::lesson
