#include "core/lock/mutex_core.h"

#include "core/lock/acquire_op.h"
#include "core/lock/guaranteed_delete.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace lockscope::lock {

namespace {

zk::Awaitable<void> keepAlive(std::shared_ptr<MutexCore>, zk::Awaitable<void> work) { co_await std::move(work); }

zk::Awaitable<void> removeQuietly(Wire wire, std::string node)
{
    co_await deleteUntilGone(std::move(wire), std::move(node), EventIndex::none());
}

trace::LostReason lostReason(const zk::Session& session)
{
    if (session.phase() == zk::SessionPhase::closed)
        return trace::LostReason::closed;
    return session.lossReason() == zk::LossReason::expired ? trace::LostReason::sessionExpired
                                                           : trace::LostReason::sessionTimedOut;
}

} // namespace

std::string describeOwner(const TraceSink& sink, OwnerId owner)
{
    std::string text = "thread " + std::to_string(owner.value);
    if (sink.client.valid())
        text = "client " + std::to_string(sink.client.value) + ", " + text;
    return text;
}

MutexCore::MutexCore(zk::SessionPtr session, MutexOptions given)
    : wire(std::move(session), given.path, given.naming, given.trace), options(std::move(given))
{
}

void MutexCore::listenToSession()
{
    listener = wire.session().listen([weak = weak_from_this()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (self && (phase == zk::SessionPhase::lost || phase == zk::SessionPhase::closed))
            self->loseAll(lostReason(self->wire.session()));
    });
}

void MutexCore::loseAll(trace::LostReason reason)
{
    const std::map<OwnerId, Hold> gone = std::exchange(holds, {});
    for (const auto& [owner, hold] : gone) {
        lostOwners.insert(owner);
        wire.sink().record(trace::HoldLost{hold.node, reason, owner});
        if (lostCallback)
            lostCallback(owner);
    }
}

void MutexCore::shutDown()
{
    shut = true;
    lostCallback = nullptr;
    wire.session().unlisten(listener);
    for (const auto& [owner, op] : acquiring)
        op->stop(ErrorCode::closed);
    for (const auto& [owner, hold] : std::exchange(holds, {}))
        spawn(removeQuietly(wire, hold.node));
}

void MutexCore::spawn(zk::Awaitable<void> work)
{
    boost::asio::co_spawn(wire.session().scheduler().executor(), keepAlive(shared_from_this(), std::move(work)),
                          boost::asio::detached);
}

} // namespace lockscope::lock
