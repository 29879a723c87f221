#include "core/lock/teaching/herd_mutex.h"

#include "core/lock/guaranteed_delete.h"
#include "core/lock/parents.h"

namespace lockscope::lock {

namespace {

const std::string kNode = "lock";

constexpr Duration kRestAfterRefusal = std::chrono::milliseconds(20);

// Whether the node is this session's. Certain is what is read after a sync that the server has confirmed: one
// that lags may not know the node yet.
struct Found
{
    bool certain = false;
    bool ours = false;
    zk::Stat stat;
    EventIndex event = EventIndex::none();
};

zk::Task<Found> findOwn(Wire wire, EventIndex cause)
{
    zk::Pending<Answer<zk::Code>> synced;
    wire.sync(synced.handler(), cause);
    zk::Pending<Answer<zk::Data>> read;
    wire.read(kNode, read.handler(), cause);
    const Answer<zk::Code> sync = co_await synced.arrival();
    const Answer<zk::Data> data = co_await read.arrival();
    Found found;
    const bool answered = data.value.code == zk::Code::ok || data.value.code == zk::Code::noNode;
    found.certain = sync.value == zk::Code::ok && answered;
    found.ours = data.value.code == zk::Code::ok && data.value.stat.ephemeralOwner == wire.session().id();
    found.stat = data.value.stat;
    found.event = data.event;
    co_return found;
}

// Until it is certain that there is none, or the session is over.
zk::Task<void> removeOwn(Wire wire, EventIndex cause)
{
    for (;;) {
        const bool connected = co_await untilConnected(wire.sessionPtr());
        if (!connected)
            co_return;
        const Found found = co_await findOwn(wire, cause);
        if (found.ours)
            removeLater(wire, kNode, found.event);
        if (found.ours || found.certain)
            co_return;
        co_await sleepFor(&wire.session().scheduler(), kRestAfterRefusal);
    }
}

// The one who asked for it has given up before the answer: nothing may stay.
zk::Task<void> undo(Wire wire, zk::Pending<Answer<zk::Created>> created)
{
    const Answer<zk::Created> answer = co_await created.arrival();
    if (answer.value.code == zk::Code::ok) {
        removeLater(wire, kNode, answer.event);
        co_return;
    }
    if (answer.value.code == zk::Code::unknown)
        co_await removeOwn(wire, answer.event);
}

struct HerdCore final : PlainCore
{
    using PlainCore::PlainCore;
    zk::Task<Next> enter(OpControl& control, Grant& grant) override;
    zk::Task<Next> tryCreate(OpControl& control, Grant& grant);
    zk::Task<Next> waitForRelease(OpControl& control);
    zk::Task<Next> isOurs(OpControl& control, Grant& grant);
};

zk::Task<Next> HerdCore::enter(OpControl& control, Grant& grant)
{
    for (;;) {
        const Next created = co_await tryCreate(control, grant);
        if (created != Next::again)
            co_return created;
        if (control.once())
            control.stop(ErrorCode::timedOut);
        const Next waited = co_await waitForRelease(control);
        if (waited != Next::again)
            co_return waited;
    }
}

// Next::again: somebody has it.
zk::Task<Next> HerdCore::tryCreate(OpControl& control, Grant& grant)
{
    for (;;) {
        co_await control.pass(Step::create);
        if (control.stopped())
            co_return Next::failed;
        zk::Pending<Answer<zk::Created>> created;
        wire.create(kNode, options.nodeData, zk::CreateMode::ephemeral, control.deliver(created),
                    control.cause());
        co_await control.answered(created);
        if (!created.ready()) {
            runInBackground(control.session().scheduler(), undo(wire, created));
            co_return Next::failed;
        }
        const Answer<zk::Created> answer = created.take();
        control.setCause(answer.event);
        switch (answer.value.code) {
        case zk::Code::ok:
            grant = Grant{kNode, answer.value.stat.czxid, 1};
            co_await control.pass(Step::created);
            co_return Next::go;
        case zk::Code::nodeExists:
            co_return Next::again;
        case zk::Code::unknown: {
            const Next ours = co_await isOurs(control, grant);
            if (ours != Next::again)
                co_return ours;
            break;
        }
        case zk::Code::noNode: {
            const Parents parents = co_await makeParents(control, wire.path());
            if (zk::isFinal(parents.code))
                co_return control.failFor(parents.code, "create nodes under ", parents.under, "create");
            break;
        }
        default:
            if (zk::isFinal(answer.value.code))
                co_return control.failFor(answer.value.code, "create nodes under ", wire.path(), "create");
            co_return control.startOver("creating the node failed, " +
                                        std::string(describe(answer.value.code)));
        }
    }
}

// After a lost reply: the node may be ours. Next::again: it is not.
zk::Task<Next> HerdCore::isOurs(OpControl& control, Grant& grant)
{
    for (;;) {
        co_await control.untilBackOrStopped();
        const Found found = co_await findOwn(wire, control.cause());
        if (control.stopped()) {
            runInBackground(control.session().scheduler(), removeOwn(wire, control.cause()));
            co_return Next::failed;
        }
        if (found.ours) {
            grant = Grant{kNode, found.stat.czxid, 1};
            co_return Next::go;
        }
        if (found.certain)
            co_return Next::again;
        co_await control.rest(kRestAfterRefusal);
    }
}

// Everybody sets this watch, so everybody is woken. Next::again: try to create it.
zk::Task<Next> HerdCore::waitForRelease(OpControl& control)
{
    co_await control.pass(Step::watch);
    if (control.stopped())
        co_return Next::failed;
    struct Seen
    {
        bool fired = false;
        EventIndex event = EventIndex::none();
    };
    const auto seen = std::make_shared<Seen>();
    const auto fired = [seen, shared = control.shared()](zk::WatchKind, EventIndex event) {
        *seen = Seen{true, event};
        shared->wake.notify();
    };
    const std::uint64_t suspensions = control.suspensions();
    zk::Pending<Answer<zk::StatReply>> looked;
    const zk::WatchPtr watch = wire.watchWithExists(kNode, fired, control.deliver(looked), control.cause());
    co_await control.answered(looked);
    if (!looked.ready())
        co_return Next::failed;
    const Answer<zk::StatReply> answer = looked.take();
    control.setCause(answer.event);
    if (answer.value.code == zk::Code::ok) {
        co_await control.pass(Step::sleep);
        while (!control.stopped() && !seen->fired && control.suspensions() == suspensions)
            co_await control.woken();
        control.setCause(seen->event);
        co_await control.pass(Step::woken);
    }
    co_await control.untilBackOrStopped();
    co_return control.stopped() ? Next::failed : Next::again;
}

} // namespace

HerdMutex::HerdMutex(zk::SessionPtr session, LockOptions options)
    : PlainLock(std::make_shared<HerdCore>(std::move(session), std::move(options)))
{}

} // namespace lockscope::lock
