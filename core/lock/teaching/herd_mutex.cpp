#include "core/lock/teaching/herd_mutex.h"

#include "core/lock/guaranteed_delete.h"
#include "core/lock/parents.h"

namespace lockscope::lock {

namespace {

const std::string kNode = "lock";

// The one who asked for it has given up before the answer: nothing may stay.
zk::Task<void> undo(Wire wire, zk::Pending<Answer<zk::Created>> created)
{
    const Answer<zk::Created> answer = co_await created.arrival();
    if (answer.value.code == zk::Code::ok) {
        removeLater(wire, kNode, answer.event);
        co_return;
    }
    if (answer.value.code != zk::Code::unknown)
        co_return;
    const bool connected = co_await untilConnected(wire.sessionPtr());
    if (!connected)
        co_return;
    zk::Pending<Answer<zk::Data>> read;
    wire.read(kNode, read.handler(), answer.event);
    const Answer<zk::Data> data = co_await read.arrival();
    if (data.value.code == zk::Code::ok && data.value.stat.ephemeralOwner == wire.session().id())
        removeLater(wire, kNode, data.event);
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
            const zk::Code parents = co_await makeParents(wire.sessionPtr(), wire.path());
            if (zk::isFinal(parents))
                co_return control.failFor(parents, "create nodes under " + wire.path(), wire.path());
            break;
        }
        default:
            if (zk::isFinal(answer.value.code))
                co_return control.failFor(answer.value.code, "create nodes under " + wire.path(),
                                          wire.path());
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
        zk::Pending<Answer<zk::Data>> read;
        wire.read(kNode, read.handler(), control.cause());
        const Answer<zk::Data> data = co_await read.arrival();
        const bool ours =
            data.value.code == zk::Code::ok && data.value.stat.ephemeralOwner == wire.session().id();
        if (ours && control.stopped())
            removeLater(wire, kNode, data.event);
        if (control.stopped())
            co_return Next::failed;
        if (ours) {
            grant = Grant{kNode, data.value.stat.czxid, 1};
            co_return Next::go;
        }
        if (data.value.code != zk::Code::unknown)
            co_return Next::again;
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
