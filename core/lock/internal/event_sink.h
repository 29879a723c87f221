// Reports what a recipe does to an observer; without an observer it does nothing. Copies share the observer
// and keep it alive; request handlers hold such copies. Scheduler thread.
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
    template <class What> // one of the alternatives of Event
    EventIndex record(const What& what, EventIndex cause = EventIndex::none()) const
    {
        return m_shared ? m_shared->notify(Event(what), cause) : EventIndex::none();
    }
    // For durations in events; without an observer no clock is read.
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
