// What the objects of a client that threads use have in common: a state on the I/O thread that its work keeps
// alive, which ends with the object or with the client. I/O thread, except for functions that say otherwise.
#pragma once

#include "core/lock/blocking/internal/io_listeners.h"
#include "core/lock/blocking/internal/session_manager.h"
#include "core/lock/lock_options.h"

#include <memory>
#include <utility>

namespace lockscope::lock {

// Self: the derived class, with end(), which begins with beginEnd(). Event: what its listeners hear of.
template <class Self, class Event>
struct ClientState : std::enable_shared_from_this<Self>
{
    ClientState(std::shared_ptr<IoThread> thread, std::shared_ptr<SessionManager> sessions, LockOptions given)
        : io(std::move(thread))
        , sessionManager(std::move(sessions))
        , options(std::move(given))
        , listeners(io)
    {
        if (!options.onError)
            options.onError = [weak = std::weak_ptr(io)](const Error& error) {
                if (const auto alive = weak.lock())
                    alive->report(error);
            };
    }
    // The object is destroyed, and has no listeners any more. Any thread; waits until end() has been called.
    void shutDown() noexcept
    {
        io->callAndWait([self = this->shared_from_this()] {
            self->listeners.clear();
            self->end();
        });
    }
    void endWithClient()
    {
        if (closer == 0 && !isShutDown)
            closer = io->addCloser([self = this->shared_from_this()] { self->end(); });
    }
    bool beginEnd() // false: it has ended
    {
        if (std::exchange(isShutDown, true))
            return false;
        io->forget(closer);
        return true;
    }
    Error closed(Message gone) const
    {
        if (io->isClosing())
            return closedError();
        return Error{ErrorCode::closed, std::move(gone), message("Keep it for as long as threads use it.")};
    }

    const std::shared_ptr<IoThread> io;
    const std::shared_ptr<SessionManager> sessionManager;
    LockOptions options;
    const IoListeners<Event> listeners;
    IoThread::CloserId closer = 0;
    bool isShutDown = false;
};

} // namespace lockscope::lock
