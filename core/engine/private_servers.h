// The private ZooKeeper of a run: a single server or an ensemble of three. Records the states of the members.
// A single server that died is restarted, so that its return can be observed. I/O thread; only start() and
// the destructor block.
#pragma once

#include "core/server/process/managed_server.h"
#include "core/server/process/server_process.h"
#include "core/sim/run/server_control.h"
#include "core/trace/recorder.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lockscope::engine {

class PrivateServers final : public sim::ServerControl
{
public:
    // `servers`: 1 or 3. Errors: as ManagedServer::start(). Later operations run on `io`.
    static Result<std::unique_ptr<PrivateServers>> start(boost::asio::io_context& io, std::uint32_t servers,
                                                         std::stop_token cancel);
    ~PrivateServers()
        override; // ends them and removes their directories; usually milliseconds, at most about 12 s each
    void end();   // begins to end them, without waiting; nothing is recorded any more

    std::string hosts() const;
    std::string version() const;
    std::string mode() const; // "standalone", "ensemble of 3"
    // Why no client can be served now; empty otherwise.
    Message outage();
    // Called after every change of a server. Set it before the first request.
    void onChange(std::function<void()> callback) { m_onChange = std::move(callback); }

    Result<std::uint32_t> suspend(sim::ServerChoice which, Done done) override;
    Result<std::uint32_t> resume(sim::ServerChoice which, Done done) override;
    Result<std::uint32_t> killNow(sim::ServerChoice which, Done done) override;
    Result<std::uint32_t> restart(sim::ServerChoice which, bool withData, Done done) override;

    // Call it several times a second: records what has changed. Error when the server cannot be restarted.
    Result<void> refresh(trace::Recorder& recorder, MonotonicTime now);

private:
    using Listener = boost::asio::posix::stream_descriptor;

    Result<std::uint32_t> numberOf(sim::ServerChoice which);
    server::ServerProcess& process(std::uint32_t number) { return m_servers->process(number - 1); }
    Result<std::uint32_t> request(sim::ServerChoice which,
                                  void (server::ServerProcess::*what)(server::ServerProcess::Done),
                                  Done done);
    server::ServerProcess::Done trackRequest(std::uint32_t number, Done done);
    void listen(Listener& listener, server::ServerProcess& process);
    void recordMembers(trace::Recorder& recorder);

    bool isSingle() const { return m_servers->size() == 1; }

    std::unique_ptr<server::ManagedServer> m_servers;
    std::vector<Listener> m_listeners; // on the supervisors' sockets
    std::function<void()> m_onChange = [] {};
    std::size_t m_pendingRequests = 0; // requests without a result
    MonotonicTime m_restartAt = MonotonicTime::max();
    std::optional<Error> m_restartError;
    struct MemberReport
    {
        trace::ServerPhase phase = trace::ServerPhase::starting;
        std::string mode;
        bool operator==(const MemberReport&) const = default;
    };
    std::vector<MemberReport> m_reported; // by member
};

} // namespace lockscope::engine
