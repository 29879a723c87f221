#include "core/lock/cancel.h"

#include <cassert>

namespace lockscope::lock {

void Cancel::request() const
{
    assert(m_state);
    const std::shared_ptr<State> state = m_state; // a listener may let go of the wish
    if (!state || std::exchange(state->requested, true))
        return;
    state->listeners.tell();
    state->listeners.clear();
}

ListenerId Cancel::listen(UniqueFunction<void()> told) const
{
    return m_state ? m_state->listeners.add(std::move(told)) : 0;
}

void Cancel::unlisten(ListenerId listener) const
{
    if (m_state)
        m_state->listeners.remove(listener);
}

LinkedCancel::LinkedCancel(Cancel callers)
    : m_callers(std::move(callers))
{
    if (m_callers.requested())
        m_own.request();
    else
        m_listener = m_callers.listen([own = m_own] { own.request(); });
}

} // namespace lockscope::lock
