// Listeners of library users that are called on the I/O thread, in the order in which they were added. What
// one of them throws goes to Client::onError and keeps no other from being called. add() and remove(): any
// thread; the rest: I/O thread. Copies are the same list.
#pragma once

#include "core/base/listeners.h"
#include "core/lock/blocking/internal/io_thread.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>

namespace lockscope::lock {

template <class... Args>
class IoListeners
{
public:
    using Callback = std::function<void(const Args&...)>;

    explicit IoListeners(const std::shared_ptr<IoThread>& io)
        : m_io(io)
        , m_state(std::make_shared<State>())
    {}

    // Does not wait; events of later calls find the listener there. An empty callback is not added (0).
    ListenerId add(Callback callback) const
    {
        const auto io = m_io.lock();
        if (!io || !callback)
            return 0;
        const ListenerId id = ++m_state->last;
        io->post([state = m_state, id, callback = std::make_shared<const Callback>(std::move(callback))] {
            if (!state->cleared)
                state->callbacks.emplace(id, callback);
        });
        return id;
    }
    // Afterwards the callback is neither called nor running: waits for the I/O thread, unless called there.
    // Does nothing when it is gone.
    void remove(ListenerId id) const
    {
        const auto io = m_io.lock();
        if (!io || id == 0)
            return;
        if (io->isCurrent()) {
            m_state->callbacks.erase(id);
            io->post([state = m_state, id] { state->callbacks.erase(id); }); // its addition may be on its way
            return;
        }
        io->callAndWait([state = m_state, id] { state->callbacks.erase(id); });
    }

    // Calls those that were there when it began and have not been removed since.
    void notify(const Args&... args) const
    {
        const auto io = m_io.lock();
        const std::shared_ptr<State> state = m_state; // a callback may destroy the owner of this list
        const auto callbacks = state->callbacks;
        for (const auto& [id, callback] : callbacks)
            if (io && state->callbacks.contains(id))
                io->invokeUserCallback(*callback, args...);
    }
    // For good.
    void clear() const
    {
        m_state->cleared = true;
        m_state->callbacks.clear();
    }

private:
    struct State
    {
        std::atomic<ListenerId> last = 0;
        std::map<ListenerId, std::shared_ptr<const Callback>> callbacks;
        bool cleared = false;
    };
    std::weak_ptr<IoThread> m_io;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
