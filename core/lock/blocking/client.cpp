#include "core/lock/blocking/client.h"

#include "core/lock/blocking/io_thread.h"
#include "core/lock/blocking/session_keeper.h"

namespace lockscope::lock {

namespace {

zk::Awaitable<void> beginAndWait(std::shared_ptr<SessionKeeper> keeper, std::shared_ptr<Reply<bool>> reply)
{
    keeper->begin();
    const Result<HubSessionPtr> session = co_await keeper->connected(std::nullopt);
    if (session)
        reply->keep(true);
    else
        reply->keep(session.error());
}

zk::Awaitable<void> withSession(std::shared_ptr<SessionKeeper> keeper, std::shared_ptr<Waiter> waiter,
                                UniqueFunction<zk::Awaitable<void>(HubSessionPtr)> work)
{
    const Result<HubSessionPtr> session = co_await keeper->connected(std::nullopt);
    if (!session) {
        waiter->fail(session.error());
        co_return;
    }
    co_await work(*session);
}

} // namespace

Result<std::unique_ptr<Client>> Client::connect(zk::ConnectOptions options, zk::HubOptions hub)
{
    if (options.timeout <= Duration{} || options.connectLimit <= Duration{})
        return Error{ErrorCode::badUsage, "A session timeout and a connect limit are longer than nothing.",
                     ""};
    Result<zk::ResolvedHosts> hosts = zk::resolveEveryHost(options.hosts);
    if (!hosts)
        return hosts.error();
    const auto io = std::make_shared<IoThread>();
    if (const Result<void> opened = io->open(hub); !opened)
        return opened.error();
    const auto keeper = std::make_shared<SessionKeeper>(io, std::move(options), std::move(*hosts));
    std::unique_ptr<Client> client(new Client(io, keeper));
    const auto reply = std::make_shared<Reply<bool>>();
    io->start(reply, [keeper, reply] { return beginAndWait(keeper, reply); });
    if (const Result<bool> connected = reply->wait(); !connected)
        return connected.error();
    return client;
}

Client::Client(std::shared_ptr<IoThread> io, std::shared_ptr<SessionKeeper> keeper)
    : m_io(std::move(io))
    , m_keeper(std::move(keeper))
{}

Client::~Client() { m_io->close(); }

std::vector<Error> Client::unresolvedHosts() const { return m_keeper->unresolvedHosts(); }

void Client::onPhase(std::function<void(zk::SessionPhase)> callback)
{
    m_io->post([keeper = m_keeper, callback = std::move(callback)]() mutable {
        keeper->onPhase(std::move(callback));
    });
}

void Client::onError(std::function<void(const Error&)> callback)
{
    m_io->post(
        [io = m_io.get(), callback = std::move(callback)]() mutable { io->onError(std::move(callback)); });
}

void Client::start(std::shared_ptr<Waiter> waiter, SessionWork work)
{
    m_io->start(waiter, [keeper = m_keeper, waiter, work = std::move(work)]() mutable {
        return withSession(keeper, waiter, std::move(work));
    });
}

void Client::startWithoutSession(std::shared_ptr<Waiter> waiter, zk::Awaitable<void> work)
{
    m_io->start(std::move(waiter), [work = std::move(work)]() mutable { return std::move(work); });
}

} // namespace lockscope::lock
