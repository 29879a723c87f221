// Listeners of library users. An exception from one affects neither the recipe nor the other listeners
// (zk::invokeUserCallback). A listener may remove itself or others, or destroy the object it listens to.
// Scheduler thread.
#pragma once

#include "core/base/listeners.h"
#include "core/zk/scheduler.h"

#include <functional>

namespace lockscope::lock {

template <class... Args>
class UserListeners
{
public:
    explicit UserListeners(zk::Scheduler& scheduler) // must outlive this object
        : m_scheduler(scheduler)
    {}

    // An empty function is not added (returns 0).
    ListenerId add(std::function<void(Args...)> listener)
    {
        if (!listener)
            return 0;
        return m_listeners.add([scheduler = &m_scheduler, listener = std::move(listener)](Args... args) {
            zk::invokeUserCallback(*scheduler, listener, args...);
        });
    }
    void remove(ListenerId listener) { m_listeners.remove(listener); }
    void clear() { m_listeners.clear(); }

    template <class... Given>
    void notify(const Given&... given)
    {
        m_listeners.notify(given...);
    }

private:
    zk::Scheduler& m_scheduler;
    Listeners<Args...> m_listeners;
};

} // namespace lockscope::lock
