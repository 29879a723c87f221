#include "core/sim/tracing/trace_observer.h"

namespace lockscope::sim {

namespace event = lock::event;

trace::Outcome outcomeOf(zk::Code code)
{
    switch (code) {
    case zk::Code::ok:
        return trace::Outcome::ok;
    case zk::Code::noNode:
        return trace::Outcome::noNode;
    case zk::Code::nodeExists:
        return trace::Outcome::nodeExists;
    case zk::Code::unknown:
    case zk::Code::closed:
        return trace::Outcome::unknown;
    case zk::Code::sessionLost:
        return trace::Outcome::sessionGone;
    default:
        return trace::Outcome::refused;
    }
}

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

struct TraceObserver::Writer
{
    trace::Recorder& recorder;
    ClientId client;
    LockId lock;
    EventIndex cause;

    EventIndex record(trace::Payload what) const
    {
        return recorder.record(client, lock, std::move(what), cause);
    }

    EventIndex operator()(const event::AcquireCalled& it) const
    {
        return record(trace::AcquireCalled{it.owner, it.limit.value_or(kForever)});
    }
    EventIndex operator()(const event::Queued& it) const
    {
        return record(trace::Decided{it.node, it.position, it.count, it.predecessor});
    }
    EventIndex operator()(const event::Acquired& it) const
    {
        return record(trace::Acquired{it.node, it.token, it.owner});
    }
    EventIndex operator()(const event::Reentered& it) const
    {
        return record(trace::Reentered{it.depth, it.owner});
    }
    EventIndex operator()(const event::AcquireFailed& it) const
    {
        return record(trace::AcquireFailed{failReason(it.error.code), it.owner, it.error.message});
    }
    EventIndex operator()(const event::StartedOver& it) const
    {
        return record(trace::StartedOver{it.node, it.reason});
    }
    EventIndex operator()(const event::ReleaseCalled& it) const
    {
        return record(trace::ReleaseCalled{it.node, it.depth, it.owner});
    }
    EventIndex operator()(const event::Released& it) const
    {
        return record(trace::Released{it.node, it.depth, it.owner});
    }
    EventIndex operator()(const event::Abandoned&) const { return EventIndex::none(); } // the delete shows it
    EventIndex operator()(const event::HoldLost& it) const
    {
        return record(trace::HoldLost{it.node, it.reason, it.owner});
    }
    EventIndex operator()(const event::RequestSent& it) const
    {
        const EventIndex request = record(trace::Request{it.operation, it.node, it.watch, it.pipelined});
        if (it.operation == lock::Operation::remove)
            recorder.recordDeletion(lock, it.node, request);
        if (it.operation == lock::Operation::create || it.operation == lock::Operation::remove)
            recorder.recordChange(lock, request);
        return request;
    }
    EventIndex operator()(const event::ReplyReceived& it) const
    {
        const EventIndex reply =
            record(trace::Reply{it.operation, outcomeOf(it.code), it.node, it.zxid, it.children});
        if (it.operation == lock::Operation::create && it.code == zk::Code::ok)
            recorder.recordCreation(client, lock, it.node);
        return reply;
    }
    EventIndex operator()(const event::WatchFired& it) const
    {
        const bool children = it.kind == zk::WatchKind::childrenChanged;
        return recorder.record(client, lock, trace::WatchFired{it.kind, it.node},
                               children ? recorder.lastChange(lock) : recorder.deletedBy(lock, it.node));
    }
};

TraceObserver::TraceObserver(trace::Recorder& recorder, ClientId itsClient, LockId lock)
    : m_recorder(recorder)
    , m_lock(lock)
{
    hooks.client = itsClient;
}

EventIndex TraceObserver::onEvent(const std::string&, const lock::Event& event, EventIndex cause)
{
    return std::visit(Writer{m_recorder, hooks.client, m_lock, cause}, event);
}

AcquireMutexObserver::AcquireMutexObserver(trace::Recorder& recorder, ClientId client, LockId lock,
                                           zk::Scheduler& scheduler, lock::StepGate& ofSemaphore)
    : TraceObserver(recorder, client, lock)
    , m_scheduler(scheduler)
    , m_ofSemaphore(ofSemaphore)
{
    hooks.gate = this;
}

void AcquireMutexObserver::whenOpen(GateStep step, UniqueFunction<void()> pass)
{
    if (step == GateStep::remove || step == GateStep::gone)
        m_scheduler.post(std::move(pass));
    else
        m_ofSemaphore.whenOpen(step, std::move(pass));
}

} // namespace lockscope::sim
