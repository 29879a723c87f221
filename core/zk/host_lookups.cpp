#include "core/zk/host_lookups.h"

#include <boost/asio/post.hpp>

#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace lockscope::zk {

struct HostLookups::Gate
{
    std::mutex mutex;
    boost::asio::io_context* io; // null after the end; guarded by the mutex
};

HostLookups::HostLookups(boost::asio::io_context& io)
    : m_gate(std::make_shared<Gate>())
{
    m_gate->io = &io;
}

HostLookups::~HostLookups()
{
    const std::lock_guard lock(m_gate->mutex);
    m_gate->io = nullptr;
}

void HostLookups::deliver(Gate& gate, Result<ResolvedHosts> found, Done done)
{
    const std::lock_guard lock(gate.mutex);
    if (gate.io)
        boost::asio::post(*gate.io, [found = std::move(found), done = std::move(done)]() mutable {
            done(std::move(found));
        });
}

void HostLookups::start(std::string hosts, Done done)
{
    const auto kept = std::make_shared<Done>(std::move(done)); // it is needed when there is no thread
    try {
        std::thread([gate = m_gate, hosts = std::move(hosts), kept] {
            deliver(*gate, resolveEveryHost(hosts), std::move(*kept));
        }).detach();
    } catch (const std::system_error& error) {
        deliver(*m_gate,
                Error{ErrorCode::limitExceeded, message("No thread can be started: %1.", error.what()),
                      message("Raise the limit of threads (ulimit -u).")},
                std::move(*kept));
    }
}

} // namespace lockscope::zk
