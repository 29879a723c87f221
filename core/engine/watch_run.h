// A run without clients that observes the locks of other programs. It has no faults, links, steps or servers
// of its own, and its session has no request that writes. For each path it records what is there
// (trace::PathState), and each node that appears or vanishes, as field::LockWatcher sees them. Lasts until
// finish(), or for the scenario's duration. I/O thread.
#pragma once

#include "core/engine/unpaused_run.h"
#include "core/field/lock_watcher.h"
#include "core/sim/scenario/scenario.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::engine {

class WatchRun final : public UnpausedRun
{
public:
    // `recorder` and `scenario` must outlive the run. `hosts`: numeric.
    WatchRun(boost::asio::io_context& io, trace::Recorder& recorder, const sim::Scenario& scenario,
             const std::string& hosts, const tls::Security& security = {});
    ~WatchRun() override;

    Result<void> start(bool paused, std::function<void()> finished) override; // never paused
    void finish() override;
    void abandon() override;

    bool wasConnected() const override { return m_read || isConnected(); }
    bool refused() const override;

private:
    struct Child
    {
        SessionId session; // none: no session owns it, or it could not be read
        Zxid created;
        bool isLockNode = false;
        std::size_t lockNodes = 0; // among its own children
    };
    struct Lock
    {
        LockId id;
        std::string path;
        bool there = false, refused = false, observed = true;
        std::map<std::string, Child, std::less<>> children{};
        std::size_t lockNodes = 0, locks = 0;       // among the children
        std::optional<trace::PathState> recorded{}; // none: nothing of it is
        bool isQueue() const { return recorded && recorded->kind == trace::PathKind::queue; }
    };

    std::vector<zk::SessionPhase> sessionPhases() const override { return {m_watcher->phase()}; }
    void watch(const std::string& path);
    void onNode(std::string_view path, bool there, const field::NodeFacts* facts);
    void onChild(Lock& lock, std::string_view name, bool there, const field::NodeFacts* facts);
    static void onGrandchild(Lock& lock, std::string_view parent, std::string_view name, bool there);
    void onSnapshot(const field::Snapshot& snapshot);
    void show(Lock& lock);
    void put(const Lock& lock, const std::string& name, const Child& child);
    void put(const Lock& lock, trace::Payload what) { m_recorder.record(ClientId::none(), lock.id, what); }
    void recordObserved();
    void refuseLock(Lock& lock, const Error& error);

    zk::wire::IoScheduler m_scheduler;
    const sim::Scenario& m_scenario;
    std::vector<Lock> m_locks;
    std::shared_ptr<field::LockWatcher> m_watcher;
    bool m_read = false; // everything, once
    bool m_observedPlanned = false;
    std::function<void()> m_finished;
};

} // namespace lockscope::engine
