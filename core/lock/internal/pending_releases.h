// The owners whose last release is under way. Until it ends, the next acquire of such an owner must wait: it
// will either queue up with a new node, or continue with the old one if the server refused to delete it. The
// work that uses this object keeps it alive. Scheduler thread.
#pragma once

#include "core/lock/internal/op_control.h"

#include <boost/container/flat_set.hpp>

namespace lockscope::lock {

class PendingReleases
{
public:
    // Marks a release as under way while the guard exists.
    class Guard
    {
    public:
        Guard(PendingReleases& releases, OwnerId owner);
        ~Guard();
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        PendingReleases& m_releases;
        OwnerId m_owner;
    };
    bool contains(OwnerId owner) const { return m_owners.contains(owner); }

    // Waits until the release of the owner has ended and subtracts the elapsed time from `limit`. Returns an
    // error when it is stopped before that.
    zk::Task<std::optional<Error>> waitForRelease(OwnerId owner, zk::SessionPtr session, std::string path,
                                                  std::optional<Duration>* limit, CancelToken cancel,
                                                  Timeouts timeouts = {});
    void close(); // ends waiting acquires with the error closed

private:
    boost::container::flat_set<OwnerId> m_owners;
    std::set<OpControl*> m_waiting;
};

} // namespace lockscope::lock
