// Tells an observer what a recipe does. Without an observer it does nothing. Copies notify the same one;
// handlers of requests keep it. Scheduler thread.
#pragma once

#include "core/lock/observer.h"

namespace lockscope::lock {

class EventSink
{
public:
    EventSink() = default;
    EventSink(std::shared_ptr<Observer> observer, const std::string& path, zk::Scheduler& scheduler)
    {
        if (observer)
            m_shared = std::make_shared<const Shared>(Shared{std::move(observer), path, scheduler});
    }

    explicit operator bool() const { return m_shared != nullptr; }
    template <class What> // of Event
    EventIndex record(const What& what, EventIndex cause = EventIndex::none()) const
    {
        return m_shared ? m_shared->notify(Event(what), cause) : EventIndex::none();
    }
    // For durations in events; nothing is measured without an observer.
    MonotonicTime now() const { return m_shared ? m_shared->scheduler.now() : MonotonicTime{}; }
    Duration since(MonotonicTime begin) const
    {
        return m_shared ? m_shared->scheduler.now() - begin : Duration{};
    }

private:
    struct Shared
    {
        std::shared_ptr<Observer> observer;
        std::string path;
        zk::Scheduler& scheduler; // of the session, which calls the handlers
        EventIndex notify(const Event& event, EventIndex cause) const
        {
            try {
                return observer->onEvent(path, event, cause);
            } catch (...) {
                scheduler.post([thrown = std::current_exception()] { std::rethrow_exception(thrown); });
                return EventIndex::none();
            }
        }
    };
    std::shared_ptr<const Shared> m_shared;
};

} // namespace lockscope::lock
