// Listeners of library users that are called on the I/O thread, in the order in which they were added.
// Exceptions go to Client::onError, and the other listeners are still called. add() and remove(): any thread;
// the rest: I/O thread. Copies share one list.
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

    // Does not wait; events of later calls reach the listener. An empty callback is not added (0).
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
    // Waits for the I/O thread, unless called there: afterwards the callback is neither called nor running.
    // Does nothing for an unknown id.
    void remove(ListenerId id) const
    {
        const auto io = m_io.lock();
        if (!io || id == 0)
            return;
        if (io->isCurrent()) {
            m_state->callbacks.erase(id);
            io->post([state = m_state, id] { state->callbacks.erase(id); }); // an add() may be pending
            return;
        }
        io->callAndWait([state = m_state, id] { state->callbacks.erase(id); });
    }

    // Calls the listeners that existed when it began and have not been removed since.
    void notify(const Args&... args) const
    {
        const auto io = m_io.lock();
        const std::shared_ptr<State> state = m_state; // a callback may destroy the owner of this list
        const auto callbacks = state->callbacks;
        for (const auto& [id, callback] : callbacks)
            if (io && state->callbacks.contains(id))
                io->invokeUserCallback(*callback, args...);
    }
    // Removes all listeners; later additions are ignored.
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
