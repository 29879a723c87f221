// A wish to give up a waiting acquire; give it to one or more acquires. Copies are the same wish. Scheduler
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace lockscope::lock {

class Cancel
{
public:
    using ListenerId = std::uint64_t;

    Cancel()
        : m_state(std::make_shared<State>())
    {}
    void request() const;
    bool requested() const { return m_state->requested; }

    // For those who wait: `told` is called when it is requested.
    ListenerId listen(std::function<void()> told) const;
    void unlisten(ListenerId listener) const;

private:
    struct State
    {
        bool requested = false;
        std::map<ListenerId, std::function<void()>> listeners;
        ListenerId next = 1;
    };
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
