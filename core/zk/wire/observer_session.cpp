#include "core/zk/wire/observer_session.h"

#include "core/zk/hosts.h"
#include "core/zk/wire/observer_session_impl.h"

#include <utility>

namespace lockscope::zk::wire {

namespace {

// Its destruction clears the handler; the watch itself stays with the server.
class WatchHandle final : public Watch
{
public:
    explicit WatchHandle(WatchRecordPtr record)
        : m_record(std::move(record))
    {}
    ~WatchHandle() override { const WatchHandler gone = std::move(m_record->handler); }
    WatchHandle(const WatchHandle&) = delete;
    WatchHandle& operator=(const WatchHandle&) = delete;

private:
    WatchRecordPtr m_record;
};

} // namespace

ObserverSession::ObserverSession(std::shared_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

std::shared_ptr<ObserverSession> ObserverSession::connect(IoScheduler& scheduler, ObserverOptions options)
{
    auto impl = std::make_shared<Impl>(scheduler, std::move(options));
    impl->start();
    return std::shared_ptr<ObserverSession>(new ObserverSession(std::move(impl)));
}

ObserverSession::~ObserverSession()
{
    m_impl->listeners.clear();
    m_impl->onEvent = nullptr;
    m_impl->close();
}

void ObserverSession::onEvent(UniqueFunction<void(const NodeEvent&)> listener)
{
    using Listener = UniqueFunction<void(const NodeEvent&)>;
    m_impl->onEvent = listener ? std::make_shared<Listener>(std::move(listener)) : nullptr;
}

void ObserverSession::addWatch(const std::string& path, WatchMode mode, UniqueFunction<void(Code)> handler)
{
    m_impl->submit({OpCode::addWatch, m_impl->serverPath(path), std::move(handler), {}, mode});
}

void ObserverSession::getStat(const std::string& path, UniqueFunction<void(NodeReply)> handler)
{
    m_impl->submit({OpCode::exists, m_impl->serverPath(path), std::move(handler)});
}

void ObserverSession::getNode(const std::string& path, UniqueFunction<void(NodeReply)> handler)
{
    m_impl->submit({OpCode::getData, m_impl->serverPath(path), std::move(handler)});
}

void ObserverSession::getNodes(std::vector<std::string> paths,
                               UniqueFunction<void(std::vector<NodeReply>)> handler)
{
    for (std::string& path : paths)
        path = m_impl->serverPath(path);
    std::string first = paths.front();
    m_impl->submit(
        {OpCode::multiRead, std::move(first), std::move(handler), nullptr, {}, 0, std::move(paths)});
}

template <class Handler>
WatchPtr ObserverSession::submitWatched(OpCode op, const std::string& path, WatchHandler watch,
                                        Handler handler)
{
    const auto record = std::make_shared<WatchRecord>(WatchRecord{std::move(watch)});
    auto watchHandle = std::make_unique<WatchHandle>(record);
    m_impl->submit({op, m_impl->serverPath(path), std::move(handler), record});
    return watchHandle;
}

void ObserverSession::getChildren(const std::string& path, ChildrenVisitor visitor)
{
    m_impl->submit({OpCode::getChildren2, m_impl->serverPath(path), std::move(visitor)});
}

WatchPtr ObserverSession::getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor)
{
    return submitWatched(OpCode::getChildren2, path, std::move(watch), std::move(visitor));
}

void ObserverSession::getData(const std::string& path, UniqueFunction<void(Data)> handler)
{
    m_impl->submit({OpCode::getData, m_impl->serverPath(path), std::move(handler)});
}

WatchPtr ObserverSession::getData(const std::string& path, WatchHandler watch,
                                  UniqueFunction<void(Data)> handler)
{
    return submitWatched(OpCode::getData, path, std::move(watch), std::move(handler));
}

WatchPtr ObserverSession::exists(const std::string& path, WatchHandler watch,
                                 UniqueFunction<void(StatReply)> handler)
{
    return submitWatched(OpCode::exists, path, std::move(watch), std::move(handler));
}

void ObserverSession::sync(const std::string& path, UniqueFunction<void(Code)> handler)
{
    m_impl->submit({OpCode::sync, m_impl->serverPath(path), std::move(handler)});
}

bool ObserverSession::isReadOnly() const { return m_impl->readOnly; }
const std::optional<Error>& ObserverSession::authTrouble() const { return m_impl->authTrouble; }
std::int32_t ObserverSession::lastError() const { return m_impl->lastError; }
SessionPhase ObserverSession::phase() const { return m_impl->phase; }
LossReason ObserverSession::lossReason() const { return m_impl->loss; }

SessionId ObserverSession::id() const
{
    return m_impl->identity.session == 0 ? SessionId::none() : SessionId{m_impl->identity.session};
}

Duration ObserverSession::timeout() const { return m_impl->timeout; }

std::string ObserverSession::server() const
{
    return m_impl->phase == SessionPhase::connected ? m_impl->server : std::string();
}

ObserverSession::ListenerId ObserverSession::addListener(PhaseListener listener)
{
    return m_impl->listeners.add(std::move(listener));
}

void ObserverSession::removeListener(ListenerId listener) { m_impl->listeners.remove(listener); }
void ObserverSession::close() { m_impl->close(); }
Scheduler& ObserverSession::scheduler() { return m_impl->scheduler; }

} // namespace lockscope::zk::wire
