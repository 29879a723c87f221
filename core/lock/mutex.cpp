#include "core/lock/mutex.h"

#include "core/lock/acquire_op.h"
#include "core/lock/guaranteed_delete.h"

#include <algorithm>

namespace lockscope::lock {

namespace {

trace::FailReason failReason(ErrorCode code)
{
    switch (code) {
    case ErrorCode::timedOut:
        return trace::FailReason::timedOut;
    case ErrorCode::cancelled:
    case ErrorCode::closed:
        return trace::FailReason::cancelled;
    case ErrorCode::sessionLost:
        return trace::FailReason::sessionLost;
    case ErrorCode::internal:
        return trace::FailReason::retriesExhausted;
    default:
        return trace::FailReason::error;
    }
}

// Ignored by the caller: nobody waits for an announcement's reply.
void announce(const Wire& wire, const std::string& node, EventIndex cause)
{
    wire.write(node, kAnnouncement, [](const Answer<zk::StatReply>&) {}, cause);
}

zk::Awaitable<void> passGate(StepGate* gate, Step step)
{
    if (!gate || gate->open())
        co_return;
    zk::Pending<bool> passed;
    gate->whenOpen(step, [deliver = passed.handler()] { deliver(true); });
    co_await passed.get();
}

} // namespace

void Cancel::request() const
{
    m_state->requested = true;
    for (const std::function<void()>& waiter : std::exchange(m_state->waiters, {}))
        waiter();
}

Mutex::Mutex(zk::SessionPtr session, MutexOptions options)
    : m_core(std::make_shared<MutexCore>(std::move(session), std::move(options)))
{
    m_core->listenToSession();
}

Mutex::~Mutex() { m_core->shutDown(); }

const std::string& Mutex::path() const { return m_core->wire.path(); }

void Mutex::onLost(std::function<void(OwnerId)> callback) { m_core->lostCallback = std::move(callback); }

std::uint16_t Mutex::depth(OwnerId owner) const
{
    const auto hold = m_core->holds.find(owner);
    return hold == m_core->holds.end() ? 0 : hold->second.depth;
}

zk::Awaitable<Result<Grant>> Mutex::acquire(OwnerId owner, std::optional<Duration> limit, Cancel cancel)
{
    const std::shared_ptr<MutexCore> core = m_core; // the Mutex may go while we wait
    if (core->holds.contains(owner)) {
        co_await passGate(core->options.gate, Step::reenter);
        const auto held = core->holds.find(owner);
        if (held == core->holds.end()) {
            co_return Error{ErrorCode::sessionLost,
                            "The lock " + core->wire.path() + " was lost before it was entered again.", ""};
        }
        ++held->second.depth;
        core->wire.sink().record(trace::Reentered{held->second.depth, owner});
        co_return Grant{held->second.node, held->second.token, held->second.depth};
    }
    if (core->acquiring.contains(owner)) {
        co_return Error{ErrorCode::busy,
                        describeOwner(core->wire.sink(), owner) + " is waiting for the lock " + core->wire.path() +
                            " already.",
                        "Give every logical thread an owner of its own."};
    }
    core->lostOwners.erase(owner);
    const EventIndex called = core->wire.sink().record(trace::AcquireCalled{owner, limit.value_or(kForever)});
    AcquireOp op(core, owner, called, limit, std::move(cancel));
    const Result<Hold> got = co_await op.run();
    if (!got) {
        core->wire.sink().record(trace::AcquireFailed{failReason(got.error().code), owner, got.error().message}, called);
        co_return got.error();
    }
    const Hold hold = got.value();
    core->holds.emplace(owner, hold);
    const EventIndex acquired = core->wire.sink().record(trace::Acquired{hold.node, hold.token, owner}, op.cause());
    if (core->options.handoff == HandoffPolicy::announced && op.contended())
        announce(core->wire, hold.node, acquired);
    co_return Grant{hold.node, hold.token, 1};
}

zk::Awaitable<Result<void>> Mutex::release(OwnerId owner)
{
    const std::shared_ptr<MutexCore> core = m_core;
    const TraceSink& sink = core->wire.sink();
    auto held = core->holds.find(owner);
    if (held == core->holds.end()) {
        const bool lost = core->lostOwners.erase(owner) > 0;
        co_return Error{lost ? ErrorCode::sessionLost : ErrorCode::notOwner,
                        "The lock " + core->wire.path() + " is not held by " + describeOwner(sink, owner) +
                            (lost ? ": it was lost with the session." : "."),
                        lost ? "" : "Release exactly as often as you acquired, by the same owner."};
    }
    const EventIndex called = sink.record(trace::ReleaseCalled{held->second.node, held->second.depth, owner});
    if (held->second.depth > 1) {
        --held->second.depth;
        sink.record(trace::Released{held->second.node, held->second.depth, owner}, called);
        co_return Result<void>{};
    }
    const std::string node = held->second.node;
    core->holds.erase(held);
    co_await passGate(core->options.gate, Step::remove);
    const Answer<zk::Code> gone = co_await deleteUntilGone(core->wire, node, called);
    if (zk::isFinal(gone.value)) {
        co_return Error{ErrorCode::noAuth, "Not permitted to delete the node " + node + " of the lock " +
                                               core->wire.path() + ", so it stays held until the session ends.",
                        "Give this client the right to delete under the lock's path."};
    }
    sink.record(trace::Released{node, 0, owner}, gone.event);
    co_return Result<void>{};
}

zk::Awaitable<Result<std::vector<std::string>>> Mutex::participants()
{
    const std::shared_ptr<MutexCore> core = m_core;
    struct All
    {
        zk::Code code = zk::Code::closed;
        std::vector<std::string> names;
    };
    zk::Pending<All> listed;
    zk::Scheduler* scheduler = &core->wire.session().scheduler();
    core->wire.session().getChildren(
        core->wire.path(), [scheduler, deliver = listed.handler()](zk::Code code, zk::ChildNames names,
                                                                   const zk::Stat&) {
            All all{code, std::vector<std::string>(names.begin(), names.end())};
            scheduler->post([deliver, all = std::move(all)]() mutable { deliver(std::move(all)); });
        });
    All all = co_await listed.get();
    if (all.code == zk::Code::noNode)
        co_return std::vector<std::string>{};
    if (all.code != zk::Code::ok) {
        co_return Error{all.code == zk::Code::unknown ? ErrorCode::connectionLost : ErrorCode::sessionLost,
                        "The children of " + core->wire.path() + " could not be listed: " +
                            std::string(describe(all.code)) + ".", ""};
    }
    const NodeNaming& naming = core->wire.naming();
    std::stable_sort(all.names.begin(), all.names.end(), [&](const std::string& a, const std::string& b) {
        return naming.sortKey(a) < naming.sortKey(b);
    });
    co_return std::move(all.names);
}

} // namespace lockscope::lock
