#include "tests/faults/server_hand.h"

#include <boost/asio/post.hpp>

#include <exception>
#include <utility>

namespace lockscope::tests {

namespace {

constexpr auto kLogPause = std::chrono::milliseconds(500); // between two readings of the log

} // namespace

ServerHand::ServerHand(server::ManagedServer& server, boost::asio::io_context& io, LogAudit& audit)
    : m_server(server)
    , m_io(io)
    , m_audit(audit)
    , m_log(server.directory() / "data" / "version-2")
    , m_thread([this] { run(); })
{}

ServerHand::~ServerHand()
{
    {
        const std::lock_guard lock(m_mutex);
        m_end = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

zk::Awaitable<Result<void>> ServerHand::perform(Deed deed)
{
    zk::Pending<Result<void>> done;
    {
        const std::lock_guard lock(m_mutex);
        m_asked.emplace_back(deed, done.handler());
    }
    m_wake.notify_one();
    Result<void> result = co_await done.get();
    co_return result;
}

std::string ServerHand::logTrouble()
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

void ServerHand::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_end || !m_asked.empty()) {
        m_wake.wait_for(lock, kLogPause, [this] { return m_end || !m_asked.empty(); });
        if (m_asked.empty()) {
            lock.unlock();
            readLog();
            lock.lock();
            continue;
        }
        auto [deed, done] = std::move(m_asked.front());
        m_asked.pop_front();
        lock.unlock();
        Result<void> result = carryOut(deed);
        boost::asio::post(m_io, [done = std::move(done), result = std::move(result)]() mutable {
            done(std::move(result));
        });
        lock.lock();
    }
}

Result<void> ServerHand::carryOut(Deed deed)
{
    switch (deed) {
    case Deed::suspend:
        return m_server.suspend();
    case Deed::resume:
        return m_server.resume();
    case Deed::kill:
        return m_server.killNow();
    case Deed::restart: {
        const Result<void> killed = m_server.killNow();
        if (!killed)
            return killed;
        readLog(); // a start removes old files
        return m_server.restart();
    }
    case Deed::readLog:
        readLog();
        return {};
    }
    return {};
}

void ServerHand::readLog()
{
    std::string trouble;
    try {
        m_log.read([this](const Txn& txn) { m_audit.apply(txn); });
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    const std::lock_guard lock(m_mutex);
    if (m_trouble.empty())
        m_trouble = trouble;
}

} // namespace lockscope::tests
