// The handle of an object whose core lives on with the work that it has begun: moves leave the core where it
// is, and the core is shut down when the handle is destroyed or assigned to. A moved-from handle may only be
// destroyed or assigned to. Not for users of the library.
#pragma once

#include <memory>
#include <utility>

namespace lockscope::lock {

template <class Core>
class Handle
{
public:
    template <class Made> // the core or a class derived from it; Core may be incomplete elsewhere
    explicit Handle(std::shared_ptr<Made> core)
        : m_core(std::move(core))
        , m_shutDown([](Core& gone) { gone.shutDown(); })
    {}
    ~Handle()
    {
        if (m_core)
            m_shutDown(*m_core);
    }
    Handle(Handle&&) noexcept = default;
    Handle& operator=(Handle&& other) noexcept
    {
        const std::shared_ptr<Core> old = std::exchange(m_core, std::move(other.m_core));
        if (old && old != m_core)
            m_shutDown(*old);
        return *this;
    }

    Core* operator->() const { return m_core.get(); }
    Core& operator*() const { return *m_core; }
    const std::shared_ptr<Core>& shared() const { return m_core; }

private:
    std::shared_ptr<Core> m_core;
    void (*m_shutDown)(Core&);
};

} // namespace lockscope::lock
