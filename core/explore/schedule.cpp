#include "core/explore/schedule.h"

#include "core/base/guid.h"
#include "core/explore/faults.h"
#include "core/explore/world.h"

#include <array>
#include <utility>

namespace lockscope::explore {

using zk::memory::Transition;
using zk::memory::TransitionKind;

namespace {

constexpr std::size_t kMaxSteps = 20000;

// How one schedule differs from another in what goes fast and what goes slowly.
struct Temper
{
    std::uint32_t tick;
    std::uint32_t fault;
    std::array<std::uint32_t, 3> apply;
    std::array<std::uint32_t, 4> client;
    std::uint32_t expire;
    bool lazy; // a client may get another message before it has looked at the last one

    explicit Temper(Chooser& chooser)
        : tick(chooser.from({0U, 1U, 4U}))
        , fault(chooser.from({1U, 3U, 8U}))
        , expire(chooser.from({1U, 8U}))
        , lazy(chooser.oneIn(6))
    {
        for (std::uint32_t& weight : apply)
            weight = chooser.from({1U, 8U, 24U});
        for (std::uint32_t& weight : client)
            weight = chooser.from({2U, 8U, 24U});
    }
};

zk::memory::EnsembleOptions ensembleOptions(Chooser& chooser)
{
    zk::memory::EnsembleOptions options;
    options.servers = chooser.from({1U, 1U, 2U, 3U});
    options.listOrder = chooser.below(4);
    return options;
}

class Schedule
{
public:
    Schedule(const ScheduleOptions& options, Chooser chooser, bool keepLog);
    Outcome run();

private:
    void addClients(const ScheduleOptions& options);
    bool step(); // false when nothing can happen any more
    void passTime(MonotonicTime next, bool allHaveLooked);
    std::uint32_t weightOf(const Transition& transition) const;
    void skipNumbers();

    Chooser m_chooser;
    World m_world;
    Temper m_temper;
    Faults m_faults;
    bool m_skipsNumbers = false; // still to be done
    std::size_t m_steps = 0;
    std::vector<Transition> m_moves;
    std::vector<std::uint32_t> m_weights;
};

Schedule::Schedule(const ScheduleOptions& options, Chooser chooser, bool keepLog)
    : m_chooser(std::move(chooser))
    , m_world(*options.recipe, ensembleOptions(m_chooser), keepLog)
    , m_temper(m_chooser)
    , m_faults(m_world.context, m_chooser, m_world.clients, kLockPath)
{
    if (m_temper.lazy)
        for (const auto& checker : m_world.checkers)
            checker->clientsAreLazy();
    m_skipsNumbers = options.lastNumbers;
    addClients(options);
}

void Schedule::addClients(const ScheduleOptions& options)
{
    const std::size_t count = m_chooser.from({1U, 2U, 2U, 3U, 3U, 4U});
    for (std::uint32_t i = 0; i < count; ++i) {
        lock::LockOptions lock;
        lock.path = kLockPath;
        const bool announced = options.handoff == Handoff::announced ||
                               (options.handoff == Handoff::mixed && m_chooser.oneIn(2));
        lock.handoff = announced ? HandoffPolicy::announced : HandoffPolicy::curator;
        if (m_chooser.oneIn(3))
            lock.keptGuid = GuidSource(i).next();
        ClientPlan plan = planClient(m_chooser, *options.recipe, std::move(lock));
        plan.flaws = options.flaws;
        m_world.add(std::move(plan));
    }
    for (const auto& client : m_world.clients) {
        client->open();
        client->begin();
    }
}

Outcome Schedule::run()
{
    bool more = true;
    while (more && !m_world.violation() && m_steps < kMaxSteps)
        more = step();
    if (more && !m_world.violation())
        m_world.violated("S7", message("After %1 steps a client is still not done.", m_steps));
    if (!m_world.violation())
        m_world.judgeEnd();
    m_world.end();
    return Outcome{m_world.violation(), m_world.log.text(), m_chooser.made(), m_steps,
                   m_world.grants(),    m_faults.done()};
}

// As soon as the queue is there.
void Schedule::skipNumbers()
{
    const std::string& path = m_world.context.checker().history().path();
    const zk::memory::Znode* node = m_world.ensemble.head().find(path);
    if (!node)
        return;
    m_skipsNumbers = false;
    const auto left = static_cast<std::int32_t>(m_chooser.below(6));
    m_world.log.writeLog(m_world.clock.now(), "the next number is " + std::to_string(INT32_MAX - left));
    m_world.ensemble.skipSequenceNumbers(path, INT32_MAX - left - node->creates);
}

bool Schedule::step()
{
    ++m_steps;
    if (m_skipsNumbers)
        skipNumbers();
    m_moves.clear();
    if (m_temper.lazy && m_chooser.oneIn(2))
        m_world.ensemble.enabledTransitions(m_moves);
    const bool allHaveLooked = m_moves.empty();
    if (allHaveLooked) {
        m_world.clock.runReady();
        m_world.afterStep();
        if (m_world.violation())
            return false;
        m_world.ensemble.enabledTransitions(m_moves);
    }
    m_weights.clear();
    for (const Transition& transition : m_moves)
        m_weights.push_back(weightOf(transition));
    const std::optional<MonotonicTime> next = m_world.clock.nextTimer();
    if (m_moves.empty() && !next)
        return false;
    // The last two: the clock goes on, a fault.
    m_weights.push_back(!next ? 0 : m_moves.empty() ? 1 : m_temper.tick);
    m_weights.push_back(m_faults.left() ? m_temper.fault : 0);
    const std::size_t choice = m_chooser.weighted(m_weights);
    if (choice < m_moves.size())
        m_world.execute(m_moves[choice]);
    else if (choice == m_moves.size())
        passTime(*next, allHaveLooked);
    else
        m_faults.inject();
    return true;
}

void Schedule::passTime(MonotonicTime next, bool allHaveLooked)
{
    if (allHaveLooked)
        for (const auto& checker : m_world.checkers)
            checker->beforeTimePasses(m_world.clock.now(), next);
    m_world.clock.advanceTo(next);
}

std::uint32_t Schedule::weightOf(const Transition& transition) const
{
    switch (transition.kind) {
    case TransitionKind::apply:
        return m_temper.apply[transition.server];
    case TransitionKind::expire:
        return m_temper.expire;
    default:
        return m_temper.client[transition.session % m_temper.client.size()];
    }
}

} // namespace

Outcome runSchedule(const ScheduleOptions& options, std::uint64_t seed, bool keepLog)
{
    return Schedule(options, Chooser(seed), keepLog).run();
}

Outcome runSchedule(const ScheduleOptions& options, std::vector<std::uint16_t> choices, bool keepLog)
{
    return Schedule(options, Chooser(std::move(choices)), keepLog).run();
}

} // namespace lockscope::explore
