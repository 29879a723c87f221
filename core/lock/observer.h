// Reports what a lock does to an observer (LockOptions::observer): for logs, metrics, traces. Without an
// observer no event is built and no clock is read.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/base/vocabulary.h"
#include "core/zk/session.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::lock {

using lockscope::LostReason;
using lockscope::Operation;

// `node`: the name of a child of the lock's path. References in an event are valid only during the call.
// clang-format off
namespace event {

// ---- an acquire and its hold ----
struct AcquireCalled { OwnerId owner; std::optional<Duration> limit; };
// Its place in the queue, read from a list or, after an uncontended hold, inferred. `position`: how many nodes it waits
// for (0: none); `count`: all nodes; `predecessor`: the node that it watches.
struct Queued { std::string_view node; std::uint32_t position = 0; std::uint32_t count = 0; std::string_view predecessor; };
struct Acquired { std::string_view node; Zxid token; OwnerId owner; Duration waited{}; std::uint32_t number = 0; }; // number: of several leases, from 0
struct Reentered { std::uint16_t depth = 0; OwnerId owner; }; // depth after
struct AcquireFailed { const Error& error; OwnerId owner; Duration waited{}; };
struct StartedOver { std::string_view node; const Message& reason; }; // the acquire is tried again from the start
struct ReleaseCalled { std::string_view node; std::uint16_t depth = 0; OwnerId owner; }; // depth before
struct Released { std::string_view node; std::uint16_t depth = 0; OwnerId owner; Duration held{}; }; // depth after; 0: the node is gone
struct Abandoned { std::string_view node; OwnerId owner; Duration held{}; }; // the lock was destroyed; its node is deleted in the background
struct HoldLost { std::string_view node; LostReason reason{}; OwnerId owner; Duration held{}; };

// ---- the requests of a lock ----
struct RequestSent { Operation operation{}; std::string_view node; bool watch = false; bool pipelined = false; };
// `zxid`: the czxid of the node; `children`: the number of names in a list.
struct ReplyReceived { Operation operation{}; zk::Code code{}; std::string_view node; Zxid zxid; std::uint32_t children = 0; };
struct WatchFired { zk::WatchKind kind{}; std::string_view node; };

} // namespace event
// clang-format on

using Event =
    std::variant<event::AcquireCalled, event::Queued, event::Acquired, event::Reentered, event::AcquireFailed,
                 event::StartedOver, event::ReleaseCalled, event::Released, event::Abandoned, event::HoldLost,
                 event::RequestSent, event::ReplyReceived, event::WatchFired>;

// Called on the scheduler thread, within the recipe: it must not block and must not call the lock. Its
// exceptions do not affect the recipe: they are rethrown from a posted function. One observer may serve
// several locks of one scheduler thread.
class Observer
{
public:
    virtual ~Observer() = default;
    // `path`: of the lock (of a semaphore, `<path>/leases` and `<path>/locks`). `cause`: what this function
    // returned for the event that led to this one. An observer that ignores causes returns none.
    virtual EventIndex onEvent(const std::string& path, const Event& event, EventIndex cause) = 0;
};

// Several observers as one; they receive no causes.
class Observers final : public Observer
{
public:
    explicit Observers(std::vector<std::shared_ptr<Observer>> all)
        : m_all(std::move(all))
    {}
    EventIndex onEvent(const std::string& path, const Event& event, EventIndex) override
    {
        for (const std::shared_ptr<Observer>& one : m_all)
            one->onEvent(path, event, EventIndex::none());
        return EventIndex::none();
    }

private:
    std::vector<std::shared_ptr<Observer>> m_all;
};

} // namespace lockscope::lock
