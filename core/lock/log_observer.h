// Logs what locks do, one line per event, through any log function. Lines carry paths, names of nodes and
// errors, never data of nodes or credentials.
#pragma once

#include "core/lock/observer.h"

#include <functional>

namespace lockscope::lock {

// debug: calls, requests, replies, watches, positions. info: grants, re-entries, releases, held locks
// that are destroyed, connects, closed sessions. warning: acquires that failed or started over, lost holds,
// lost connections and sessions.
enum class LogLevel : std::uint8_t { debug, info, warning };
using LogFunction = std::function<void(LogLevel level, const std::string& line)>;

LogLevel levelOf(const Event& event);
// "/locks/report: acquired by thread 0 after 0.012 s as lock-0000000007, token 4294967301".
std::string describe(const std::string& path, const Event& event);

class LogObserver final : public Observer
{
public:
    // `log` is called on the scheduler thread, for events of `least` and above. It must not block.
    explicit LogObserver(LogFunction log, LogLevel least = LogLevel::info)
        : m_log(std::move(log))
        , m_least(least)
    {}
    EventIndex onEvent(const std::string& path, const Event& event, EventIndex cause) override;

private:
    LogFunction m_log;
    LogLevel m_least;
};

// A listener that logs the phases of a session (Session::addListener) or client (Client::onPhase).
std::function<void(zk::SessionPhase)> logPhases(LogFunction log);

} // namespace lockscope::lock
