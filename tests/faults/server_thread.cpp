#include "tests/faults/server_thread.h"

#include <boost/asio/post.hpp>

#include <exception>
#include <utility>

namespace lockscope::tests {

namespace {

constexpr auto kElectionLimit = std::chrono::seconds(60);
constexpr auto kChoiceTurn = std::chrono::milliseconds(20);
constexpr auto kLogPause = std::chrono::milliseconds(500); // between two readings of the log

} // namespace

ServerThread::ServerThread(server::ManagedServer& server, boost::asio::io_context& io, LogAudit& audit)
    : m_server(server)
    , m_io(io)
    , m_audit(audit)
    , m_log(server.directory() / "data" / "version-2")
    , m_thread([this] { run(); })
{}

ServerThread::~ServerThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_end = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

zk::Awaitable<Result<void>> ServerThread::perform(Operation operation, std::optional<std::size_t> member)
{
    zk::Pending<Result<void>> done;
    {
        const std::lock_guard lock(m_mutex);
        m_asked.emplace_back(operation, member, done.handler());
    }
    m_wake.notify_one();
    Result<void> result = co_await done.get();
    co_return result;
}

std::string ServerThread::logTrouble()
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

void ServerThread::run()
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
        auto [operation, member, done] = std::move(m_asked.front());
        m_asked.pop_front();
        lock.unlock();
        m_member = member.value_or(m_member);
        Result<void> result = execute(operation);
        boost::asio::post(m_io, [answer = std::move(done), result = std::move(result)]() mutable {
            answer(std::move(result));
        });
        lock.lock();
    }
}

Result<void> ServerThread::execute(Operation operation)
{
    switch (operation) {
    case Operation::suspend:
        return m_server.suspend(m_member);
    case Operation::resume:
        return m_server.resume(m_member);
    case Operation::kill:
        return m_server.killNow(m_member);
    case Operation::restart: {
        const Result<void> killed = m_server.killNow(m_member);
        if (!killed)
            return killed;
        readLog(); // a start removes old files
        return m_server.restart(m_member);
    }
    case Operation::replace:
        return replace();
    case Operation::chooseLeader:
        return choose(true);
    case Operation::chooseFollower:
        return choose(false);
    case Operation::chooseNext:
        m_member = (m_member + 1) % m_server.size();
        return {};
    case Operation::readLog:
        readLog();
        return {};
    }
    return {};
}

// There is a leader again soon after each fault.
Result<void> ServerThread::choose(bool leads)
{
    const auto deadline = MonotonicClock::now() + kElectionLimit;
    for (std::optional<std::size_t> leader; MonotonicClock::now() < deadline;
         std::this_thread::sleep_for(kChoiceTurn)) {
        m_server.status();
        leader = m_server.leader();
        if (!leader)
            continue;
        m_member = leads ? *leader : (*leader + 1) % m_server.size();
        return {};
    }
    return Error{ErrorCode::timedOut, "The ensemble elected no leader.", {}};
}

// Without its data only when the others have a leader: else it might elect one of them that lacks a change
// which it had confirmed itself.
Result<void> ServerThread::replace()
{
    const auto othersServe = [this] {
        m_server.status();
        const std::optional<std::size_t> leader = m_server.leader();
        bool all = leader && *leader != m_member;
        for (std::size_t member = 0; member < m_server.size(); ++member)
            all = all && (member == m_member || m_server.isServing(member));
        return all;
    };
    const auto waitFor = [](const auto& reached) {
        const auto deadline = MonotonicClock::now() + kElectionLimit;
        while (!reached() && MonotonicClock::now() < deadline)
            std::this_thread::sleep_for(kChoiceTurn);
        return reached();
    };
    if (const Result<void> killed = m_server.killNow(m_member); !killed)
        return killed;
    if (!waitFor(othersServe))
        return Error{ErrorCode::timedOut, "The other members elected no leader.", {}};
    if (const Result<void> begun = m_server.respawn(false, m_member); !begun)
        return begun;
    if (!waitFor([&] { return othersServe() && m_server.isServing(m_member); }))
        return Error{ErrorCode::timedOut, "A member without data did not come back.", {}};
    return {};
}

void ServerThread::readLog()
{
    if (m_server.size() > 1)
        return;
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
