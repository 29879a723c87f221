// Records the server's view of a lock's queue, through a session that only reads: after every change of the
// children, but less often the longer the queue is. For a lock of the run, it is compared with the clients'
// beliefs. For a lock of other programs it is the only source: the owner of each node is read before the node
// is recorded, and the state of the path too (trace::PathState). A path that does not exist is watched until
// it is created. I/O thread.
#pragma once

#include "core/base/error.h"
#include "core/trace/recorder.h"
#include "core/zk/hub.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::sim {

class QueueObserver : public std::enable_shared_from_this<QueueObserver>
{
public:
    enum class Ownership { ownRun, others }; // of the lock; in our own run, a foreign node causes a warning
    QueueObserver(zk::ReadHub hub, trace::Recorder& recorder, std::string hosts, std::string path,
                  LockId lock, Ownership of);
    // Called when the list may not be read; the error has the missing right. Tries again every two seconds.
    void onRefused(std::function<void(const Error&)> callback) { m_refused = std::move(callback); }
    void start();
    void stop();
    // While the run is paused no client loads the server: refresh without a delay, so that the effect of the
    // last requests is known at once.
    void setImmediate(bool on);
    // Refreshes once more if it is connected, then calls `done`.
    void finalRefresh(UniqueFunction<void()> done);
    zk::SessionPhase phase() const;
    bool wasConnected() const { return m_wasConnected; }

private:
    struct Child // of a path of other programs
    {
        std::optional<zk::Stat> stat; // none: not permitted to read it
        bool isLock = false;          // its children are named like the nodes of a lock
    };
    struct Refresh // one refresh, until all its requests are answered
    {
        std::vector<std::string> names;
        bool there = false; // the path exists
        std::size_t open = 1;
        bool whole = true; // no request has failed
    };
    using RefreshPtr = std::shared_ptr<Refresh>;

    // For timers and watches, which may outlive this.
    auto whileAlive(void (QueueObserver::*what)())
    {
        return [weak = weak_from_this(), what](const auto&...) {
            if (const auto self = weak.lock())
                ((*self).*what)();
        };
    }
    void connect();
    void scheduleRefresh();
    void refresh();
    void onAccessRefused();
    void onList(zk::Code code, std::vector<std::string> names);
    void finishRefresh(bool there);
    void awaitCreation();

    // For a lock of the run.
    void report(const std::vector<std::string>& names);
    void identify(const std::string& name);

    // For a lock of other programs.
    void readChildren(RefreshPtr refresh);
    void readGrandchildren(RefreshPtr refresh, const std::string& name);
    void answered(RefreshPtr refresh);
    void recordOthers(const Refresh& refresh);
    bool isLockNode(const std::string& name) const;

    zk::ReadHub m_hub;
    trace::Recorder& m_recorder;
    std::string m_hosts;
    std::string m_path;
    LockId m_lock;
    Ownership m_ownership;
    zk::ReadSessionPtr m_session;
    zk::WatchPtr m_watch;
    std::set<std::string> m_seen; // as recorded
    std::map<std::string, Child> m_children;
    RefreshPtr m_refresh;
    std::optional<trace::PathState> m_pathState; // as recorded
    std::set<std::string> m_reportedForeign;     // foreign nodes with a notice
    MonotonicTime m_lastRefresh{};
    bool m_refreshPending = false; // running or scheduled
    bool m_requestPending = false; // waits for the list, or for answers about its children
    bool m_immediate = false;
    std::uint64_t m_refreshId = 0; // of the scheduled or running refresh; answers to older ones are ignored
    bool m_refreshAgain = false;
    bool m_stopped = false;
    bool m_wasConnected = false;
    UniqueFunction<void()> m_finalRefreshDone;
    std::function<void(const Error&)> m_refused = [](const Error&) {};
};

// Runs the final refresh of all observers, then calls `done`; at once if there are no observers.
void finalRefresh(const std::vector<std::shared_ptr<QueueObserver>>& observers,
                  const std::function<void()>& done);

} // namespace lockscope::sim
