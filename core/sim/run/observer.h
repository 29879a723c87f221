// Reads the server's own view of a lock's queue with a session that only reads: after every change of the children,
// but never more often than the size of the queue allows. Of a run's own lock, so that beliefs can be compared with it;
// of others', so that anything is known of them: then every node is asked whose it is before it is recorded, and what
// there is at the path is told apart (trace::PathState). A path that does not exist is watched for its creation. I/O
// thread.
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

class Observer : public std::enable_shared_from_this<Observer>
{
public:
    enum class Ownership { ownRun, others }; // whose lock; in a run of ours a node of others is warned of
    Observer(zk::ReadHub hub, trace::Recorder& recorder, std::string hosts, std::string path, LockId lock, Ownership of);
    // Called when it may not read the list, with what is missing. It goes on looking now and then.
    void onRefused(std::function<void(const Error&)> callback) { m_refused = std::move(callback); }
    void start();
    void stop();
    // While nobody else asks the server anything there is no reason to wait between looks: what the last
    // requests did is known at once, and nothing follows late.
    void setImmediate(bool on);
    // One more look when there is contact, then `done`.
    void finalRefresh(UniqueFunction<void()> done);
    zk::SessionPhase phase() const;
    bool wasConnected() const { return m_wasConnected; }

private:
    struct Child // of the path of others
    {
        std::optional<zk::Stat> stat; // nothing: it may not be read
        bool isLock = false;          // by its own children
    };
    struct Look // until everything that it asks is answered
    {
        std::vector<std::string> names;
        bool there = false; // the path is
        std::size_t open = 1;
        bool whole = true; // no answer was lost
    };
    using LookPtr = std::shared_ptr<Look>;

    void connect();
    void scheduleRefresh();
    void look();
    void onAccessRefused();
    void onList(zk::Code code, std::vector<std::string> names);
    void finishRefresh(bool there);
    void awaitCreation();

    // Of a run's own lock.
    void report(const std::vector<std::string>& names);
    void identify(const std::string& name);

    // Of others'.
    void readChildren(LookPtr look);
    void readGrandchildren(LookPtr look, const std::string& name);
    void answered(LookPtr look);
    void recordOthers(const Look& look);
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
    LookPtr m_look;
    std::optional<trace::PathState> m_pathState; // as recorded
    std::set<std::string> m_reportedForeign;            // foreign nodes that were reported to the person
    MonotonicTime m_lastRefresh{};
    bool m_refreshPending = false; // or about to
    bool m_requestPending = false;   // the list is on its way, or what is asked of its children
    bool m_immediate = false;
    std::uint64_t m_refreshId = 0; // of the look that is waited for
    bool m_refreshAgain = false;
    bool m_stopped = false;
    bool m_wasConnected = false;
    UniqueFunction<void()> m_finalRefreshDone;
    std::function<void(const Error&)> m_refused = [](const Error&) {};
};

} // namespace lockscope::sim
