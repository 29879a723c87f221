#include "core/zk/memory/memory_session.h"

#include "core/base/node_path.h"

#include <algorithm>
#include <utility>

namespace lockscope::zk::memory {

namespace {

// The pause of the C client after it has tried every server in vain.
Duration reconnectDelay(Duration timeout) { return timeout / 60; }

// The visitor of a list runs when the list arrives; the caller posts the other handlers.
struct DeliverAnswer
{
    const ServerMessage& message;

    void operator()(UniqueFunction<void(Created)>& handler) const
    {
        handler(Created{message.code, message.path, message.stat});
    }
    void operator()(UniqueFunction<void(Code)>& handler) const { handler(message.code); }
    void operator()(UniqueFunction<void(Data)>& handler) const
    {
        handler(Data{message.code, message.data, message.stat});
    }
    void operator()(UniqueFunction<void(StatReply)>& handler) const
    {
        handler(StatReply{message.code, message.stat});
    }
    void operator()(ChildrenVisitor& visitor) const
    {
        std::vector<const char*> names;
        for (const std::string& child : message.children)
            names.push_back(child.c_str());
        visitor(message.code, ChildNames(names), message.stat);
    }
};

} // namespace

MemorySession::MemorySession(Ensemble& ensemble, VirtualScheduler& process, std::uint32_t index,
                             SessionOptions options)
    : m_ensemble(ensemble)
    , m_process(process)
    , m_index(index)
    , m_options(options)
{}

MemorySession::~MemorySession()
{
    if (isOver(m_phase))
        return;
    m_process.cancel(m_lossTimer);
    end(Code::closed, m_phase == SessionPhase::connected);
}

void MemorySession::begin()
{
    m_lossTimer = m_process.after(m_options.connectTimeout, [weak = weak_from_this()] {
        if (const auto self = weak.lock(); self && self->m_phase == SessionPhase::connecting)
            self->lose(LossReason::connectTimedOut);
    });
}

// ---- requests ----

void MemorySession::create(const std::string& path, std::string_view data, CreateMode mode,
                           UniqueFunction<void(Created)> handler)
{
    submit({.op = OpCode::create, .path = path, .data = std::string(data), .mode = mode}, std::move(handler));
}

void MemorySession::remove(const std::string& path, UniqueFunction<void(Code)> handler)
{
    submit({.op = OpCode::remove, .path = path}, std::move(handler));
}

void MemorySession::getChildren(const std::string& path, ChildrenVisitor visitor)
{
    submit({.op = OpCode::getChildren, .path = path}, std::move(visitor));
}

WatchPtr MemorySession::getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor)
{
    return submit({.op = OpCode::getChildren, .path = path, .watch = true}, std::move(visitor),
                  std::move(watch));
}

void MemorySession::getData(const std::string& path, UniqueFunction<void(Data)> handler)
{
    submit({.op = OpCode::getData, .path = path}, std::move(handler));
}

WatchPtr MemorySession::getData(const std::string& path, WatchHandler watch,
                                UniqueFunction<void(Data)> handler)
{
    return submit({.op = OpCode::getData, .path = path, .watch = true}, std::move(handler), std::move(watch));
}

WatchPtr MemorySession::exists(const std::string& path, WatchHandler watch,
                               UniqueFunction<void(StatReply)> handler)
{
    return submit({.op = OpCode::exists, .path = path, .watch = true}, std::move(handler), std::move(watch));
}

void MemorySession::setData(const std::string& path, std::string_view data, std::int32_t version,
                            UniqueFunction<void(StatReply)> handler)
{
    submit({.op = OpCode::setData, .path = path, .data = std::string(data), .version = version},
           std::move(handler));
}

void MemorySession::sync(const std::string& path, UniqueFunction<void(Code)> handler)
{
    submit({.op = OpCode::sync, .path = path}, std::move(handler));
}

WatchPtr MemorySession::submit(Request request, Handler handler, std::optional<WatchHandler> watch)
{
    request.id = ++m_lastRequest;
    Call call{std::move(request), std::move(handler), nullptr};
    WatchPtr handle;
    if (watch) {
        call.watch = std::make_shared<WatchHandler>(std::move(*watch));
        handle = ClientWatches::makeHandle(call.watch);
    }
    if (isOver(m_phase)) {
        answerLater(std::move(call), m_phase == SessionPhase::closed ? Code::closed : Code::sessionLost);
    } else if (!isNodePath(call.request.op == OpCode::create && isSequential(call.request.mode)
                               ? call.request.path + "0"
                               : call.request.path)) {
        answerLater(std::move(call), Code::badArguments);
    } else if (m_phase == SessionPhase::connected) {
        m_ensemble.send(m_index, call.request);
        m_sent.push_back(std::move(call));
    } else {
        m_unsent.push_back(std::move(call));
    }
    return handle;
}

void MemorySession::answerLater(Call call, Code code)
{
    m_process.post([call = std::move(call), code]() mutable {
        std::visit(DeliverAnswer{ServerMessage{.code = code}}, call.handler);
    });
}

// ---- messages from the server ----

void MemorySession::receive(ServerMessage message)
{
    switch (message.kind) {
    case MessageKind::connected:
        return connected(message);
    case MessageKind::expired:
        return lose(LossReason::expired);
    case MessageKind::disconnected:
        return disconnected();
    case MessageKind::reply:
        m_lastSeenZxid = message.zxid;
        m_lastZxid = std::max(m_lastZxid, message.zxid);
        return replied(message);
    case MessageKind::event:
        m_lastSeenZxid = message.zxid;
        for (ClientWatches::Shared& watch : m_watches.take(message.path, message.watch))
            m_process.post([watch = std::move(watch), kind = message.watch] {
                if (WatchHandler handler = std::exchange(*watch, nullptr))
                    handler(kind);
            });
        return;
    }
}

void MemorySession::connected(const ServerMessage& message)
{
    m_id = message.session;
    m_process.cancel(std::exchange(m_lossTimer, 0));
    setPhase(SessionPhase::connected);
    WatchSet watches = m_watches.all(m_lastZxid);
    if (!watches.empty())
        m_ensemble.send(m_index, {.op = OpCode::setWatches, .watches = std::move(watches)});
    for (Call& call : std::exchange(m_unsent, {})) {
        m_ensemble.send(m_index, call.request);
        m_sent.push_back(std::move(call));
    }
}

void MemorySession::disconnected()
{
    if (isOver(m_phase))
        return;
    m_mayConnect = true;
    if (m_phase == SessionPhase::connected) {
        setPhase(SessionPhase::suspended);
        // Our own clock ends the session when no server answers, like LOST in Curator.
        const Duration left = m_ensemble.lastContact(m_index) + m_options.timeout - m_process.now();
        m_lossTimer = m_process.after(left, [weak = weak_from_this()] {
            if (const auto self = weak.lock(); self && self->m_phase == SessionPhase::suspended)
                self->lose(LossReason::timedOut);
        });
    }
    for (Call& call : std::exchange(m_sent, {}))
        answerLater(std::move(call), Code::unknown);
}

void MemorySession::replied(const ServerMessage& message)
{
    const auto found = std::find_if(m_sent.begin(), m_sent.end(),
                                    [&](const Call& call) { return call.request.id == message.id; });
    if (found == m_sent.end())
        return;
    Call call = std::move(*found);
    m_sent.erase(found);
    if (call.watch && message.op == OpCode::exists && message.code == Code::noNode)
        m_watches.add(WatchTable::exists, call.request.path, call.watch);
    else if (call.watch && message.code == Code::ok)
        m_watches.add(message.op == OpCode::getChildren ? WatchTable::children : WatchTable::data,
                      call.request.path, call.watch);
    if (std::holds_alternative<ChildrenVisitor>(call.handler)) {
        const auto visit = [&] { std::visit(DeliverAnswer{message}, call.handler); };
        invokeUserCallback(m_process,
                           visit); // an exception must not interrupt the transition of the ensemble
    } else
        m_process.post([call = std::move(call), message]() mutable {
            std::visit(DeliverAnswer{message}, call.handler);
        });
}

// ---- connecting and ending ----

bool MemorySession::wantsConnect() const
{
    return m_mayConnect && (m_phase == SessionPhase::connecting || m_phase == SessionPhase::suspended);
}

void MemorySession::attemptFailed()
{
    for (Call& call : std::exchange(m_unsent, {}))
        answerLater(std::move(call), Code::unknown);
    m_mayConnect = false;
    m_process.after(m_options.reconnectDelay.value_or(reconnectDelay(m_options.timeout)),
                    [weak = weak_from_this()] {
                        if (const auto self = weak.lock())
                            self->m_mayConnect = true;
                    });
}

void MemorySession::lose(LossReason reason)
{
    m_loss = reason;
    m_process.cancel(std::exchange(m_lossTimer, 0));
    setPhase(SessionPhase::lost);
    end(Code::sessionLost, false);
}

void MemorySession::close()
{
    if (isOver(m_phase))
        return;
    m_process.cancel(std::exchange(m_lossTimer, 0));
    const bool orderly = m_phase == SessionPhase::connected;
    setPhase(SessionPhase::closed);
    end(Code::closed, orderly);
}

void MemorySession::end(Code code, bool orderly)
{
    for (Call& call : std::exchange(m_sent, {}))
        answerLater(std::move(call), code);
    for (Call& call : std::exchange(m_unsent, {}))
        answerLater(std::move(call), code);
    m_watches.clear();
    m_ensemble.detachClient(m_index, orderly);
}

std::string MemorySession::server() const
{
    if (m_phase != SessionPhase::connected)
        return {};
    return "server " + std::to_string(m_ensemble.serverOf(m_index));
}

void MemorySession::setPhase(SessionPhase phase)
{
    m_phase = phase;
    m_process.post([weak = weak_from_this(), phase] {
        if (const auto self = weak.lock())
            self->m_listeners.notify(phase);
    });
}

Session::ListenerId MemorySession::addListener(PhaseListener listener)
{
    return m_listeners.add(std::move(listener));
}

void MemorySession::removeListener(ListenerId listener) { m_listeners.remove(listener); }

} // namespace lockscope::zk::memory
