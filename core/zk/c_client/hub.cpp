// Creates hubs, implements the public classes of hub.h, and computes the session capacity of the process.
#include "core/base/system_message.h"
#include "core/zk/c_client/hub_impl.h"
#include "core/zk/c_client/hub_shutdown_service.h"
#include "core/zk/read_only_session.h"

#include <boost/asio/io_context.hpp>

#include <sys/epoll.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lockscope::zk {

namespace {

constexpr std::size_t kDescriptorsKept =
    100; // reserved for files, pipes, the display and the supervisor of the server

void raiseFileLimit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

} // namespace

HubScheduler::HubScheduler(std::shared_ptr<c_client::HubImpl> impl)
    : m_impl(std::move(impl))
{}

MonotonicTime HubScheduler::now() const { return m_impl->now(); }

void HubScheduler::post(UniqueFunction<void()> ready) { m_impl->post(std::move(ready)); }

Scheduler::TimerId HubScheduler::after(Duration delay, UniqueFunction<void()> due)
{
    return m_impl->after(delay, std::move(due));
}

void HubScheduler::cancel(TimerId timer) { m_impl->cancel(timer); }

boost::asio::any_io_executor HubScheduler::executor() { return m_impl->executor(); }

Sleepers& HubScheduler::sleepers() { return m_impl->sleepers(); }

Result<std::unique_ptr<Hub>> Hub::create(boost::asio::io_context& io, HubOptions options)
{
    if (options.raiseFileLimit)
        raiseFileLimit();
    if (options.silenceCClient)
        zoo_set_debug_level(static_cast<ZooLogLevel>(0));
    if (options.keepAddressOrder)
        zoo_deterministic_conn_order(1);
    const int epollFd = epoll_create1(EPOLL_CLOEXEC);
    if (epollFd < 0)
        return Error{ErrorCode::limitExceeded,
                     message("Cannot create an epoll set: %1.", systemMessage(errno)),
                     message("Raise the limit of open files (ulimit -n).")};
    auto impl = std::make_shared<c_client::HubImpl>(io, epollFd, std::move(options));
    c_client::HubShutdownService::join(io, impl);
    impl->begin();
    return std::make_unique<Hub>(std::move(impl));
}

Hub::Hub(std::shared_ptr<c_client::HubImpl> impl)
    : HubScheduler(std::move(impl))
{}

Hub::~Hub() { m_impl->shutDown(); }

std::shared_ptr<HubSession> Hub::connect(ConnectOptions options)
{
    return m_impl->connect(std::move(options), std::nullopt);
}

void Hub::whenClosed(UniqueFunction<void()> done) { m_impl->whenClosed(std::move(done)); }

std::size_t Hub::sessionCount() const { return m_impl->sessionCount(); }

void Hub::expireTimers() { m_impl->expireTimers(); }

ReadHub::ReadHub(const Hub& hub)
    : HubScheduler(hub.m_impl)
{}

ReadSessionPtr ReadHub::connect(ConnectOptions options)
{
    return std::make_shared<ReadOnlySession>(m_impl->connect(std::move(options), std::nullopt));
}

namespace c_client {

void HubShutdownService::join(boost::asio::io_context& io, const std::shared_ptr<HubImpl>& hub)
{
    std::vector<std::weak_ptr<HubImpl>>& hubs = boost::asio::use_service<HubShutdownService>(io).m_hubs;
    std::erase_if(hubs, [](const std::weak_ptr<HubImpl>& gone) { return gone.expired(); });
    hubs.push_back(hub);
}

void HubShutdownService::shutdown()
{
    for (const std::weak_ptr<HubImpl>& weak : std::exchange(m_hubs, {}))
        if (const auto hub = weak.lock())
            hub->shutDown();
}

} // namespace c_client

std::size_t sessionCapacity()
{
    raiseFileLimit();
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    return limit.rlim_cur > kDescriptorsKept ? limit.rlim_cur - kDescriptorsKept : 0;
}

Result<void> checkSessionCapacity(std::size_t sessions)
{
    if (sessions <= sessionCapacity())
        return {};
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    return Error{ErrorCode::limitExceeded,
                 message("The run needs up to %1 open files, but this process may have only %2.",
                         sessions + kDescriptorsKept, limit.rlim_cur),
                 message("Raise the hard limit (ulimit -Hn), or ask for fewer clients.")};
}

} // namespace lockscope::zk
