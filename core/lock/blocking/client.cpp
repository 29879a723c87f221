#include "core/lock/blocking/client.h"

#include "core/lock/blocking/internal/io_thread.h"
#include "core/lock/blocking/internal/session_manager.h"

namespace lockscope::lock {

namespace {

zk::Awaitable<void> beginAndWait(std::shared_ptr<SessionManager> sessionManager, bool authenticates,
                                 std::shared_ptr<Reply<bool>> reply)
{
    sessionManager->begin();
    Result<HubSessionPtr> session = co_await sessionManager->connected(std::nullopt);
    if (session && authenticates) { // a refusal of the credentials comes after the connection
        zk::Pending<zk::Code> synced;
        (*session)->sync("/", synced.handler());
        co_await synced.get();
        session = co_await sessionManager->connected(std::nullopt);
    }
    if (session)
        reply->deliverAtEnd(true);
    else
        reply->deliverAtEnd(session.error());
}

zk::Awaitable<void> withSession(std::shared_ptr<SessionManager> sessionManager,
                                std::shared_ptr<ReplyBase> waiter,
                                UniqueFunction<zk::Awaitable<void>(HubSessionPtr)> work)
{
    const Result<HubSessionPtr> session = co_await sessionManager->connected(std::nullopt);
    if (!session) {
        waiter->fail(session.error());
        co_return;
    }
    co_await work(*session);
}

} // namespace

Result<std::unique_ptr<Client>> Client::connect(zk::ConnectOptions options, zk::HubOptions hub)
{
    if (options.timeout <= Duration{} || options.connectTimeout <= Duration{})
        return Error{ErrorCode::badUsage,
                     message("The session timeout and the connect timeout must be greater than zero."),
                     {}};
    const zk::ConnectString connectString = zk::splitChroot(options.hosts);
    if (connectString.tls && !options.security.isOn() && !hub.security.isOn()) {
        Result<tls::ContextPtr> context = tls::load({});
        if (!context)
            return context.error();
        options.security.context = std::move(*context);
    }
    Result<zk::ResolvedHosts> hosts = zk::resolveEveryHost(connectString.servers);
    if (!hosts)
        return hosts.error();
    if (const Result<std::string> whole = zk::resolveHosts(hosts->addresses + connectString.chroot); !whole)
        return whole.error();
    for (const zk::Credential& credential : options.credentials) {
        Result<std::string> proof = credential.proof();
        if (!proof)
            return proof.error();
        zk::overwriteSecret(*proof);
    }
    const auto io = std::make_shared<IoThread>();
    if (const Result<void> opened = io->open(hub); !opened)
        return opened.error();
    const bool authenticates = !options.credentials.empty();
    const auto sessionManager = std::make_shared<SessionManager>(io, std::move(options), std::move(*hosts));
    std::unique_ptr<Client> client(new Client(io, sessionManager));
    const auto reply = std::make_shared<Reply<bool>>();
    io->start(reply, [sessionManager, authenticates, reply] {
        return beginAndWait(sessionManager, authenticates, reply);
    });
    if (const Result<bool> connected = reply->wait(); !connected)
        return connected.error();
    return client;
}

Client::Client(std::shared_ptr<IoThread> io, std::shared_ptr<SessionManager> sessionManager)
    : m_io(std::move(io))
    , m_sessionManager(std::move(sessionManager))
{}

Client::~Client() { m_io->close(); }

std::vector<Error> Client::unresolvedHosts() const { return m_sessionManager->unresolvedHosts(); }

ListenerId Client::onPhase(std::function<void(zk::SessionPhase)> callback)
{
    return m_sessionManager->phaseListeners().add(std::move(callback));
}

void Client::removePhaseListener(ListenerId listener) { m_sessionManager->phaseListeners().remove(listener); }

void Client::keepSafeTime(SafetyRule rule)
{
    m_io->callAndWait([this, rule] { m_sessionManager->keepSafeTime(rule); });
}

std::optional<BootTime> Client::safeUntil() const { return m_sessionManager->safeUntil(); }

ListenerId Client::onAboutToLose(Duration margin, std::function<void()> callback)
{
    ListenerId added = 0;
    m_io->callAndWait([&] { added = m_sessionManager->safeTime().addListener(margin, std::move(callback)); });
    return added;
}

void Client::removeAboutToLoseListener(ListenerId listener)
{
    m_io->callAndWait([&] { m_sessionManager->safeTime().listeners.erase(listener); });
}

void Client::onError(std::function<void(const Error&)> callback)
{
    m_io->post(
        [io = m_io.get(), callback = std::move(callback)]() mutable { io->onError(std::move(callback)); });
}

void Client::start(std::shared_ptr<ReplyBase> waiter, SessionWork work)
{
    m_io->start(waiter, [sessionManager = m_sessionManager, waiter, work = std::move(work)]() mutable {
        return withSession(sessionManager, waiter, std::move(work));
    });
}

void Client::startWithoutSession(std::shared_ptr<ReplyBase> waiter, zk::Awaitable<void> work)
{
    m_io->start(std::move(waiter), [work = std::move(work)]() mutable { return std::move(work); });
}

} // namespace lockscope::lock
