// Keeps a blocking client connected: one session at a time, replaced when it is lost. I/O thread, except for
// the constructor and functions that say otherwise.
#pragma once

#include "core/lock/blocking/internal/io_listeners.h"
#include "core/lock/blocking/internal/io_thread.h"
#include "core/lock/internal/safe_time_core.h"
#include "core/lock/retry.h"
#include "core/zk/host_lookups.h"

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
    // `resolved`: the resolved hosts of the options.
    SessionManager(std::shared_ptr<IoThread> io, zk::ConnectOptions options, zk::ResolvedHosts resolved);

    void begin();
    // Returns the session as soon as it is connected. Errors: timedOut after `limit`; without a limit,
    // noServer after the connectTimeout of the options; noAuth; closed.
    zk::Awaitable<Result<HubSessionPtr>> connected(std::optional<Duration> limit);
    const IoListeners<zk::SessionPhase>& phaseListeners() const { return m_phaseListeners; } // any thread
    std::vector<Error> unresolvedHosts() const;                                              // any thread
    std::optional<BootTime> safeUntil() const { return m_safeTime->moment.get(); }           // any thread
    void keepSafeTime(SafetyRule rule);
    SafeTimeCore& safeTime() { return *m_safeTime; }

private:
    void connect();
    void phaseChanged(zk::SessionPhase phase);
    void connectLater();
    void resolveAgain();
    Error unreachableError() const;
    void wakeAll();
    void end();

    std::shared_ptr<IoThread> m_io;
    zk::ConnectOptions m_options;    // hosts: as the user named them
    std::string m_chroot;            // of the options
    std::string m_servers;           // the hosts without the chroot
    mutable std::mutex m_hostsMutex; // held to change m_hosts, and to read it on another thread
    zk::ResolvedHosts m_hosts;       // the result of the last lookup
    HubSessionPtr m_session;
    bool m_authFailed = false; // the last session was lost because a credential was refused
    bool m_turnedAway = false; // HubSession::wasTurnedAway() of the last session that was lost
    Retry m_retry;
    std::list<zk::Signal> m_waiting;
    zk::HostLookups m_lookups;
    const IoListeners<zk::SessionPhase> m_phaseListeners;
    const std::shared_ptr<SafeTimeCore> m_safeTime = std::make_shared<SafeTimeCore>(SafetyRule{});
    bool m_keepsSafeTime = false;
};

} // namespace lockscope::lock
