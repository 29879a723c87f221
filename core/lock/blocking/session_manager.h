// Keeps a blocking client in touch with ZooKeeper: one session at a time, and a new one when the old one is
// lost. I/O thread, but for the constructor and what says so.
#pragma once

#include "core/lock/blocking/io_thread.h"
#include "core/lock/retry.h"

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lock {

using HubSessionPtr = std::shared_ptr<zk::HubSession>;

class SessionManager : public std::enable_shared_from_this<SessionManager>
{
public:
    using PhaseCallback = std::function<void(zk::SessionPhase)>;
    // `resolved`: the hosts of the options.
    SessionManager(std::shared_ptr<IoThread> io, zk::ConnectOptions options, zk::ResolvedHosts resolved);

    void begin();
    // The session as soon as it is connected. Errors: timedOut when that is not within `limit`; without one
    // noServer when it is not within the options' connectTimeout; closed.
    zk::Awaitable<Result<HubSessionPtr>> connected(std::optional<Duration> limit);
    void onPhase(PhaseCallback callback) { m_phaseCallback = std::move(callback); }
    std::vector<Error> unresolvedHosts() const; // any thread

private:
    void connect();
    void phaseChanged(zk::SessionPhase phase);
    void connectLater();
    void resolveAgain();
    Error unreachableError() const;
    void wakeAll();
    void end();

    std::shared_ptr<IoThread> m_io;
    zk::ConnectOptions m_options; // hosts: as the user named them
    mutable std::mutex m_hostsMutex; // held to change m_hosts, and to read it on another thread
    zk::ResolvedHosts m_hosts;       // as they were found the last time
    HubSessionPtr m_session;
    Retry m_retry;
    std::list<zk::Signal> m_waiting;
    PhaseCallback m_phaseCallback;
};

} // namespace lockscope::lock
