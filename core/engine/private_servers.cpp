#include "core/engine/private_servers.h"

#include <fcntl.h>

namespace lockscope::engine {

namespace {

constexpr Duration kRestartDelay = std::chrono::seconds(2); // long enough to see the effects of an outage

Error noSuch(const Message& what, const Message& expected)
{
    return Error{ErrorCode::badUsage, what, expected};
}

} // namespace

Result<std::unique_ptr<PrivateServers>> PrivateServers::start(boost::asio::io_context& io,
                                                              std::uint32_t servers, std::stop_token cancel)
{
    server::ManagedServer::Options wanted;
    wanted.members = servers;
    wanted.cancel = std::move(cancel);
    Result<std::unique_ptr<server::ManagedServer>> started = server::ManagedServer::start(wanted);
    if (!started)
        return started.error();
    auto own = std::make_unique<PrivateServers>();
    own->m_servers = std::move(*started);
    own->m_reported.resize(servers);
    own->m_listeners.reserve(servers);
    for (std::uint32_t number = 1; number <= servers; ++number) {
        server::ServerProcess& process = own->process(number);
        const int descriptor = ::fcntl(process.supervisor().descriptor(), F_DUPFD_CLOEXEC, 0);
        if (descriptor < 0)
            return Error{ErrorCode::limitExceeded, message("There are too many open files."),
                         message("Raise the limit of open files (ulimit -n).")};
        own->listen(own->m_listeners.emplace_back(io, descriptor), process);
    }
    return own;
}

PrivateServers::~PrivateServers() { end(); }

void PrivateServers::end()
{
    m_listeners.clear();
    for (std::size_t i = 0; m_servers && i < m_servers->size(); ++i)
        m_servers->process(i).supervisor().end();
}

// The wait is cancelled with the listener, before `this` is destroyed.
void PrivateServers::listen(Listener& listener, server::ServerProcess& process)
{
    listener.async_wait(Listener::wait_read,
                        [this, &listener, &process](const boost::system::error_code& cancelled) {
                            if (cancelled)
                                return;
                            process.poll();
                            m_onChange();
                            if (!m_listeners.empty() && process.supervisor().connected())
                                listen(listener, process);
                        });
}

std::string PrivateServers::hosts() const { return m_servers->hosts(); }

std::string PrivateServers::version() const { return m_servers->version(); }

std::string PrivateServers::mode() const
{
    return isSingle() ? m_servers->mode() : "ensemble of " + std::to_string(m_servers->size());
}

Message PrivateServers::outage()
{
    if (isSingle())
        return !process(1).running()    ? message("its process has ended")
               : process(1).suspended() ? message("it is stopped")
                                        : Message();
    std::size_t running = 0;
    for (std::uint32_t number = 1; number <= m_servers->size(); ++number)
        running += process(number).running() && !process(number).suspended() ? 1 : 0;
    return 2 * running > m_servers->size() ? Message() : message("too few of its servers are running");
}

// Numbers from 1; a single server is 1.
Result<std::uint32_t> PrivateServers::numberOf(sim::ServerChoice which)
{
    using Member = sim::Action::Member;
    const auto size = static_cast<std::uint32_t>(m_servers->size());
    switch (which.member) {
    case Member::single:
        if (size > 1)
            return noSuch(message("There are %1 servers.", size),
                          message("Specify one: \"server 2\" or \"the leader\"."));
        return 1U;
    case Member::numbered:
        if (which.number < 1 || which.number > size)
            return noSuch(message("There is no server %1.", which.number),
                          message("They are numbered from 1 to %1.", size));
        return which.number;
    case Member::leader:
        break;
    }
    if (isSingle())
        return noSuch(message("A single server has no leader."), message("Set servers = 3 in the scenario."));
    m_servers->status();
    if (!m_servers->leader())
        return noSuch(message("There is no leader at the moment."), message("Wait for the election."));
    return static_cast<std::uint32_t>(*m_servers->leader() + 1);
}

server::ServerProcess::Done PrivateServers::trackRequest(std::uint32_t number, Done done)
{
    ++m_pendingRequests;
    return [this, number, done = std::move(done)](Result<void> result) mutable {
        --m_pendingRequests;
        m_onChange();
        done(number, std::move(result));
    };
}

// An operation that needs a running server.
Result<std::uint32_t>
PrivateServers::request(sim::ServerChoice which,
                        void (server::ServerProcess::*what)(server::ServerProcess::Done), Done done)
{
    const Result<std::uint32_t> number = numberOf(which);
    if (!number)
        return number;
    if (!process(*number).running())
        return Error{ErrorCode::noServer, message("The private ZooKeeper does not run."), {}};
    (process(*number).*what)(trackRequest(*number, std::move(done)));
    return number;
}

Result<std::uint32_t> PrivateServers::suspend(sim::ServerChoice which, Done done)
{
    return request(which, &server::ServerProcess::suspend, std::move(done));
}

Result<std::uint32_t> PrivateServers::resume(sim::ServerChoice which, Done done)
{
    return request(which, &server::ServerProcess::resume, std::move(done));
}

Result<std::uint32_t> PrivateServers::killNow(sim::ServerChoice which, Done done)
{
    const Result<std::uint32_t> number = numberOf(which);
    if (number)
        process(*number).kill(trackRequest(*number, std::move(done)));
    return number;
}

Result<std::uint32_t> PrivateServers::restart(sim::ServerChoice which, bool withData, Done done)
{
    // Without a number, restarts the member of the ensemble that is down.
    if (!isSingle() && which.member == sim::Action::Member::single) {
        for (std::uint32_t number = 1; number <= m_servers->size(); ++number)
            if (!process(number).running())
                which = {sim::Action::Member::numbered, number};
    }
    m_restartAt = MonotonicTime::max();
    const Result<std::uint32_t> number = numberOf(which);
    if (number)
        process(*number).respawn(withData, trackRequest(*number, std::move(done)));
    return number;
}

Result<void> PrivateServers::refresh(trace::Recorder& recorder, MonotonicTime now)
{
    if (!isSingle()) {
        recordMembers(recorder);
        return {};
    }
    server::ServerProcess& single = process(1);
    single.poll();
    if (m_restartError)
        return *m_restartError;
    if (single.running() || m_pendingRequests > 0) {
        m_restartAt = MonotonicTime::max();
        return {};
    }
    if (m_restartAt == MonotonicTime::max())
        m_restartAt = now + kRestartDelay;
    if (now < m_restartAt)
        return {};
    m_restartAt = MonotonicTime::max();
    recorder.record(
        trace::Notice{trace::Severity::info, message("ZooKeeper is being restarted with its data.")});
    single.respawn(true, trackRequest(1, [this](std::uint32_t, Result<void> result) {
                       if (!result)
                           m_restartError = result.error();
                   }));
    return {};
}

void PrivateServers::recordMembers(trace::Recorder& recorder)
{
    const std::vector<server::MemberStatus>& members = m_servers->status();
    for (std::size_t i = 0; i < members.size(); ++i) {
        const server::MemberStatus& member = members[i];
        MemberReport now;
        now.mode = member.mode;
        now.phase = !member.running || member.suspended ? trace::ServerPhase::down
                    : member.mode.empty()               ? trace::ServerPhase::starting
                                                        : trace::ServerPhase::ready;
        if (now.phase == trace::ServerPhase::down)
            now.mode.clear();
        if (now == m_reported[i])
            continue;
        m_reported[i] = now;
        recorder.record(trace::MemberState{std::to_string(i + 1), now.phase, now.mode});
    }
}

} // namespace lockscope::engine
