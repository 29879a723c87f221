#include "core/lock/log_observer.h"

#include <cstdio>

namespace lockscope::lock {

namespace {

std::string seconds(Duration time)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.3f s", std::chrono::duration<double>(time).count());
    return text;
}

std::string thread(OwnerId owner) { return "thread " + std::to_string(owner.value); }

const char* describe(zk::WatchKind kind)
{
    switch (kind) {
    case zk::WatchKind::deleted:
        return "deleted";
    case zk::WatchKind::changed:
        return "changed";
    case zk::WatchKind::created:
        return "created";
    case zk::WatchKind::childrenChanged:
        return "children changed";
    }
    return "event";
}

const char* describe(LostReason reason)
{
    switch (reason) {
    case LostReason::sessionExpired:
    case LostReason::sessionKilled:
        return "the session expired";
    case LostReason::sessionTimedOut:
        return "nothing was heard from the server for the session timeout";
    case LostReason::nodeDeleted:
        return "its node was deleted";
    case LostReason::closed:
        return "the session was closed";
    }
    return "unknown";
}

struct Words
{
    std::string operator()(const event::AcquireCalled& it) const
    {
        return "acquire by " + thread(it.owner) +
               (it.limit ? ", for " + seconds(*it.limit) + " at most" : "");
    }
    std::string operator()(const event::Queued& it) const
    {
        return std::string(it.node) + " waits for " + std::to_string(it.position) + " of " +
               std::to_string(it.count) +
               (it.predecessor.empty() ? "" : ", watches " + std::string(it.predecessor));
    }
    std::string operator()(const event::Acquired& it) const
    {
        return "acquired by " + thread(it.owner) + " after " + seconds(it.waited) + " as " +
               std::string(it.node) + ", token " + std::to_string(it.token.value);
    }
    std::string operator()(const event::Reentered& it) const
    {
        return "entered again by " + thread(it.owner) + ", depth " + std::to_string(it.depth);
    }
    std::string operator()(const event::AcquireFailed& it) const
    {
        return "not acquired by " + thread(it.owner) + " after " + seconds(it.waited) + ": " +
               it.error.text();
    }
    std::string operator()(const event::StartedOver& it) const
    {
        return "starts over: " + it.reason.english();
    }
    std::string operator()(const event::ReleaseCalled& it) const
    {
        return "release by " + thread(it.owner) + ", depth " + std::to_string(it.depth);
    }
    std::string operator()(const event::Released& it) const
    {
        if (it.depth > 0)
            return "left by " + thread(it.owner) + ", depth " + std::to_string(it.depth);
        return "released by " + thread(it.owner) + ", held for " + seconds(it.held);
    }
    std::string operator()(const event::Abandoned& it) const
    {
        return "destroyed while " + thread(it.owner) + " held it, for " + seconds(it.held);
    }
    std::string operator()(const event::HoldLost& it) const
    {
        return "lost by " + thread(it.owner) + ", held for " + seconds(it.held) + ": " + describe(it.reason);
    }
    std::string operator()(const event::RequestSent& it) const
    {
        return std::string(nameOf(it.operation)) + " " + std::string(it.node) +
               (it.watch ? " with a watch" : "");
    }
    std::string operator()(const event::ReplyReceived& it) const
    {
        return std::string(nameOf(it.operation)) + " " + std::string(it.node) + ": " +
               describe(it.code).english();
    }
    std::string operator()(const event::WatchFired& it) const
    {
        return std::string(it.node) + " " + describe(it.kind);
    }
};

} // namespace

LogLevel levelOf(const Event& event)
{
    if (std::holds_alternative<event::AcquireFailed>(event) ||
        std::holds_alternative<event::StartedOver>(event) || std::holds_alternative<event::HoldLost>(event))
        return LogLevel::warning;
    if (std::holds_alternative<event::Acquired>(event) || std::holds_alternative<event::Released>(event) ||
        std::holds_alternative<event::Reentered>(event) || std::holds_alternative<event::Abandoned>(event))
        return LogLevel::info;
    return LogLevel::debug;
}

std::string describe(const std::string& path, const Event& event)
{
    return path + ": " + std::visit(Words{}, event);
}

EventIndex LogObserver::onEvent(const std::string& path, const Event& event, EventIndex)
{
    const LogLevel level = levelOf(event);
    if (level >= m_least)
        m_log(level, describe(path, event));
    return EventIndex::none();
}

std::function<void(zk::SessionPhase)> logPhases(LogFunction log)
{
    return [log = std::move(log)](zk::SessionPhase phase) {
        switch (phase) {
        case zk::SessionPhase::connecting:
            return log(LogLevel::debug, "connecting to ZooKeeper");
        case zk::SessionPhase::connected:
            return log(LogLevel::info, "connected to ZooKeeper");
        case zk::SessionPhase::suspended:
            return log(LogLevel::warning, "the connection to ZooKeeper is lost; the session may go on");
        case zk::SessionPhase::lost:
            return log(LogLevel::warning,
                       "the ZooKeeper session is lost, and with it all locks that it held");
        case zk::SessionPhase::closed:
            return log(LogLevel::info, "the ZooKeeper session is closed");
        }
    };
}

} // namespace lockscope::lock
