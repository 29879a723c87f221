// What a Mutex is made of; kept alive by its work under way. Scheduler thread.
#pragma once

#include "core/base/guid.h"
#include "core/lock/mutex.h"

#include <map>
#include <set>

namespace lockscope::lock {

// What a holder writes into its own node's data under the announced policy.
inline constexpr std::string_view kAnnouncement = "__HOLDS__";

struct Hold
{
    std::string node;
    Zxid token;
    std::uint16_t depth = 1;
};

class AcquireOp;

struct MutexCore : std::enable_shared_from_this<MutexCore>
{
    MutexCore(zk::SessionPtr session, MutexOptions options);
    void listenToSession();
    void loseAll(trace::LostReason reason);
    void shutDown();
    // Runs work that keeps the core alive until it is done.
    void spawn(zk::Awaitable<void> work);

    Wire wire;
    MutexOptions options;
    GuidSource guids;
    std::map<OwnerId, Hold> holds;
    std::set<OwnerId> lostOwners;            // held when the session ended, not told by a release yet
    std::map<OwnerId, AcquireOp*> acquiring;
    std::function<void(OwnerId)> lostCallback;
    zk::Session::ListenerId listener = 0;
    bool shut = false;
};

// "client 3, thread 0" for messages.
std::string describeOwner(const TraceSink& sink, OwnerId owner);

} // namespace lockscope::lock
