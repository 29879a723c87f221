#include "core/lesson/player.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::lesson {

namespace {

// A paused run has settled when no event came for so long: the watch events of one delete reach several
// sessions one after the other.
constexpr Duration kSettleTime = std::chrono::milliseconds(80);
// A private server and its clients need less, even on a busy machine.
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

Player::Player(const Lesson& lesson, RunFactory maker, std::size_t first)
    : m_lesson(lesson)
    , m_makeRun(std::move(maker))
    , m_path(std::min(first, lesson.steps.size() - 1))
    , m_first(m_path.size())
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

void Player::begin()
{
    m_runHandle.reset();
    m_resumeRequested = m_expired = m_ended = false;
    m_seen = 0;
    m_changed = m_since = std::nullopt;
    m_records[m_position] = StepRecord{};
    if (step().scenario) {
        m_runHandle = m_makeRun(*step().scenario);
        current().run = std::make_shared<RunView>(m_runHandle->trace());
    }
    if (m_runHandle && step().until)
        runUntil(*step().until);
    else
        openStep();
}

void Player::openStep()
{
    StepRecord& visit = current();
    if (visit.run) {
        visit.run->mark();
        if (step().task)
            m_goal.emplace(step().task->goal, *visit.run);
    }
    visit.stage = step().question ? Stage::asking : step().task ? Stage::doing : Stage::reading;
    if (m_runHandle && visit.stage == Stage::doing)
        m_runHandle->resume();
}

bool Player::refresh(MonotonicTime now)
{
    const Stage before = visit().stage;
    const Standstill stood = visit().standstill;
    if (m_runHandle)
        follow(now);
    return visit().stage != before || visit().standstill != stood;
}

Standstill Player::standstill(MonotonicTime now) const
{
    const Stage stage = visit().stage;
    if (stage == Stage::preparing)
        return m_since && now - *m_since > kLate ? Standstill::late : Standstill::none;
    const bool goesOn = stage == Stage::reading || stage == Stage::asking || stage == Stage::doing;
    return goesOn && isOver(visit().run->state().phase) ? Standstill::over : Standstill::none;
}

void Player::follow(MonotonicTime now)
{
    StepRecord& visit = current();
    if (!m_since)
        m_since = now;
    visit.run->advance([&](const trace::Event& event) {
        if (const auto* phase = std::get_if<trace::RunPhaseChanged>(&event.what))
            m_resumeRequested = m_resumeRequested && phase->phase != trace::RunPhase::running;
        if (visit.stage == Stage::doing)
            checkGoal();
    });
    if (visit.run->position() != m_seen) {
        m_seen = visit.run->position();
        m_changed = now;
    }
    if (std::optional<Error> failure = m_runHandle->failure()) {
        visit.failure = std::move(failure);
        visit.stage = Stage::failed;
    } else if (visit.stage == Stage::preparing && isSettled(now)) {
        openStep();
    } else if (visit.stage == Stage::revealing) {
        if (isSettled(now)) {
            reveal();
        } else if (visit.run->state().phase == trace::RunPhase::starting) {
            m_since = now; // its server starts: the time of the bet begins with the run
        } else if (!m_expired && now - *m_since > step().question->within) {
            m_expired = true;
            m_runHandle->pause();
        }
    }
    visit.standstill = standstill(now);
}

bool Player::isSettled(MonotonicTime now) const
{
    const trace::RunPhase phase = visit().run->state().phase;
    if (isOver(phase))
        return true;
    return phase == trace::RunPhase::paused && !m_resumeRequested && m_changed &&
           now - *m_changed >= kSettleTime;
}

void Player::runUntil(const sim::Trigger& when)
{
    m_resumeRequested = visit().run->state().phase != trace::RunPhase::running;
    m_expired = false;
    m_since = std::nullopt;
    m_runHandle->runUntil(when);
}

void Player::checkGoal()
{
    StepRecord& visit = current();
    const ConditionResult verdict = m_goal->evaluate();
    if (!verdict.holds)
        return;
    visit.reached = verdict.proof;
    finish();
}

void Player::bet(std::optional<Bet> bet)
{
    StepRecord& visit = current();
    if (visit.stage != Stage::asking)
        return;
    const Question& question = *step().question;
    visit.bet = std::move(bet);
    if (m_runHandle && question.then) {
        visit.run->mark();
        visit.stage = Stage::revealing;
        runUntil(*question.then); // first, so that no effect of the actions is missed
    }
    for (const sim::Action& action : question.actions)
        if (m_runHandle)
            m_runHandle->execute(action);
    if (visit.stage == Stage::asking)
        reveal();
}

void Player::reveal()
{
    StepRecord& visit = current();
    if (visit.run)
        visit.answer = answer(*step().question, *visit.run);
    finish();
}

void Player::finish()
{
    StepRecord& visit = current();
    visit.stage = Stage::done;
    visit.afterHolds = !visit.run || evaluate(step().afterWhen, *visit.run).holds;
}

void Player::enterBet(Bet bet)
{
    if (current().stage == Stage::done && step().question)
        current().bet = std::move(bet);
}

const Text* Player::hint()
{
    StepRecord& visit = current();
    if (!step().task || visit.hints >= step().task->hints.size())
        return nullptr;
    return &step().task->hints[visit.hints++];
}

void Player::redo() { begin(); }

std::size_t Player::nextPosition() const
{
    for (const Branch& branch : step().next) {
        const bool right = visit().right(step());
        const bool judged = branch.outcome == Branch::Outcome::condition;
        const bool leads = judged ? visit().run && evaluate(branch.when, *visit().run).holds
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
    StepRecord& visit = current();
    const bool read = visit.stage == Stage::reading;
    visit.skipped = !read && visit.stage != Stage::done;
    const std::size_t to = visit.skipped ? m_position + 1 : nextPosition();
    if (read)
        finish();
    if (to >= m_lesson.steps.size()) {
        m_ended = true;
        m_runHandle.reset();
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
    m_ended = false;
    m_runHandle.reset();
    if (const StepRecord* played = recordOf(position); !played || played->stage != Stage::done)
        begin();
}

bool Player::isDone(std::size_t position) const
{
    const StepRecord* record = recordOf(position);
    return record ? record->stage == Stage::done : position < m_first;
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

std::vector<std::string> Player::progress() const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_lesson.steps.size(); ++i)
        if (isDone(i))
            names.push_back(m_lesson.steps[i].name);
    return names;
}

} // namespace lockscope::lesson
