// Looks, before a run's first client starts, for nodes of other programs below the run's locks: a run on a
// server of others must not join a queue that is in use. Only reads, through a session of its own, and
// reads the servers' newest state. Every child of a lock's path counts, whatever it is, because every child
// counts in the queue; only the empty folders and the size that a semaphore leaves behind do not, nor the way
// to another lock of the run. Nodes of another run of LockScope are another program's. I/O thread.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario/scenario.h"
#include "core/zk/hub.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockscope::sim {

// Says of which programs these nodes are, by their names: "2 of Curator or LockScope, 1 of kazoo".
Message programsOf(const std::vector<std::string>& paths);

class ForeignCheck : public std::enable_shared_from_this<ForeignCheck>
{
public:
    // Called once: nothing is there, or an error. busy: other programs' nodes are there; the message says how
    // many, and whose. noAuth, with the right and the path: a list is not permitted, so that nothing is
    // known. noServer: no session was granted, or no list was answered, within the limit.
    using Done = UniqueFunction<void(Result<void>)>;

    // `hosts`: numeric. `own`: nodes that earlier runs may have left, each as its lock's path, a slash and
    // its name: they are not other programs'.
    ForeignCheck(zk::ReadHub hub, std::string hosts, const Scenario& scenario, Duration limit,
                 std::set<std::string> own = {});
    void start(Done done);
    void stop(); // `done` is not called any more

private:
    struct Place
    {
        std::string path; // of a lock, or a folder of a semaphore
        std::string lock;
    };

    auto whileAlive(void (ForeignCheck::*what)())
    {
        return [weak = weak_from_this(), what](const auto&...) {
            if (const auto self = weak.lock(); self && self->m_done)
                ((*self).*what)();
        };
    }
    void connect();
    void look(); // at the next place
    void onList(zk::Code code, const std::vector<std::string>& names);
    void conclude();
    void timeOut();
    void end(Result<void> result);
    bool isOwn(const Place& place, const std::string& name) const;

    zk::ReadHub m_hub;
    std::string m_hosts;
    std::vector<std::string> m_locks;
    std::set<std::string> m_own;
    std::vector<Place> m_open;            // not read yet, the next one last
    std::vector<std::string> m_found;     // paths of other programs' nodes
    std::vector<std::string> m_usedLocks; // where they are
    zk::ReadSessionPtr m_session;
    std::uint64_t m_reading = 0; // of the list that is awaited; answers to older ones are ignored
    Duration m_limit;
    Done m_done;
};

} // namespace lockscope::sim
