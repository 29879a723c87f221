// Records the server's view of the queue of a lock of the run, through a session that only reads, for the
// comparison with what the clients believe: after every change of the children, but less often the longer the
// queue is. A node of another program causes a warning. A path that does not exist is watched until it is
// created. I/O thread.
#pragma once

#include "core/trace/recorder.h"
#include "core/zk/hub.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockscope::sim {

class QueueObserver : public std::enable_shared_from_this<QueueObserver>
{
public:
    QueueObserver(zk::ReadHub hub, trace::Recorder& recorder, std::string hosts, std::string path,
                  LockId lock);
    void start();
    void stop();
    void expectOthers() { m_expectsOthers = true; } // nodes of others cause no warning
    // While the run is paused no client loads the server: refresh without a delay, so that the effect of the
    // last requests is known at once.
    void setImmediate(bool on);
    // Refreshes once more if it is connected, then calls `done`.
    void finalRefresh(UniqueFunction<void()> done);

private:
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
    void onList(zk::Code code, std::vector<std::string> names);
    void finishRefresh(bool there);
    void awaitCreation();

    void report(const std::vector<std::string>& names);
    void identify(const std::string& name);

    zk::ReadHub m_hub;
    trace::Recorder& m_recorder;
    std::string m_hosts;
    std::string m_path;
    LockId m_lock;
    zk::ReadSessionPtr m_session;
    zk::WatchPtr m_watch;
    std::set<std::string> m_seen;            // as recorded
    std::set<std::string> m_reportedForeign; // foreign nodes with a notice
    MonotonicTime m_lastRefresh{};
    bool m_refreshPending = false; // running or scheduled
    bool m_requestPending = false; // waits for the list
    bool m_immediate = false;
    bool m_expectsOthers = false;
    std::uint64_t m_refreshId = 0; // of the scheduled or running refresh; answers to older ones are ignored
    bool m_refreshAgain = false;
    bool m_stopped = false;
    UniqueFunction<void()> m_finalRefreshDone;
};

// Runs the final refresh of all observers, then calls `done`; at once if there are no observers.
void finalRefresh(const std::vector<std::shared_ptr<QueueObserver>>& observers,
                  const std::function<void()>& done);

} // namespace lockscope::sim
