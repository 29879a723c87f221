// Whose last release is under way. Until it ends it is open what the owner's next acquire has to do: queue up
// with a new node, or go on with the old one, because the server refused to delete it. So that acquire waits.
// Kept alive by the work that uses it. Scheduler thread.
#pragma once

#include "core/lock/op_control.h"

#include <boost/container/flat_set.hpp>

#include <set>

namespace lockscope::lock {

class PendingReleases
{
public:
    // As long as it lives, the release is under way.
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

    // Until the owner's release has ended, with what is left of the limit in `limit`. An error: of `path`'s
    // lock, stopped before that.
    zk::Task<std::optional<Error>> waitForRelease(OwnerId owner, zk::SessionPtr session, std::string path,
                                         std::optional<Duration>* limit, CancelToken cancel);
    void close(); // ends who waits with the error closed

private:
    class Waiting;
    boost::container::flat_set<OwnerId> m_owners;
    std::set<OpControl*> m_waiting;
};

} // namespace lockscope::lock
