#include "core/sim/run/watch_run.h"

#include "core/sim/client/refusal.h"

#include <algorithm>

namespace lockscope::sim {

WatchRun::WatchRun(zk::ReadHub hub, trace::Recorder& recorder, const Scenario& scenario,
                   const std::string& hosts)
    : m_hub(std::move(hub))
    , m_recorder(recorder)
    , m_scenario(scenario)
    , m_hosts(hosts)
{
    for (const std::string& path : scenario.locks) {
        watch(queuePath(scenario.recipe, path));
        if (isSemaphore(scenario.recipe))
            watch(mutexPath(path));
    }
}

WatchRun::~WatchRun() { abandon(); }

void WatchRun::watch(const std::string& path)
{
    const LockId lock{static_cast<LockId::Value>(m_observers.size())};
    m_recorder.record(ClientId::none(), lock, trace::LockAdded{path, nameOf(Recipe::watched), {}});
    m_observers.push_back(std::make_shared<QueueObserver>(m_hub, m_recorder, m_hosts, path, lock,
                                                          QueueObserver::Ownership::others));
    m_observers.back()->onRefused([this, lock](const Error& error) { recordRefusalOnce(lock, error); });
}

void WatchRun::recordRefusalOnce(LockId lock, const Error& error)
{
    if (!m_refused.insert(lock).second)
        return;
    recordRefusal(m_recorder, ClientId::none(), lock, error);
    if (m_refused.size() == m_observers.size())
        finish(); // no lock can be read
}

Result<void> WatchRun::start(bool, std::function<void()> finished)
{
    m_finished = std::move(finished);
    for (const std::shared_ptr<QueueObserver>& observer : m_observers)
        observer->start();
    if (m_scenario.duration)
        m_hub.after(*m_scenario.duration, [this, alive = std::weak_ptr<const void>(m_alive)] {
            if (alive.lock())
                finish();
        });
    return {};
}

void WatchRun::finish()
{
    if (m_finished)
        finalRefresh(m_observers, std::exchange(m_finished, nullptr));
}

void WatchRun::abandon()
{
    m_alive.reset();
    for (const std::shared_ptr<QueueObserver>& observer : m_observers)
        observer->stop();
}

void WatchRun::execute(const Action& action)
{
    if (action.kind != Action::Kind::finish)
        return refuse(verbOf(action));
    m_recorder.record(ClientId::none(), LockId::none(),
                      trace::Command{toText(trace::CommandVerb::finish), {}});
    finish();
}

void WatchRun::refuse(trace::CommandVerb verb)
{
    m_recorder.record(
        ClientId::none(), LockId::none(),
        trace::CommandRefused{toText(verb), message("This run only watches: it changes nothing.")});
}

std::vector<zk::SessionPhase> WatchRun::sessionPhases() const
{
    std::vector<zk::SessionPhase> phases;
    for (const std::shared_ptr<QueueObserver>& observer : m_observers)
        phases.push_back(observer->phase());
    return phases;
}

bool WatchRun::wasConnected() const
{
    return std::any_of(m_observers.begin(), m_observers.end(),
                       [](const auto& observer) { return observer->wasConnected(); });
}

} // namespace lockscope::sim
