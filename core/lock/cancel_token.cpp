#include "core/lock/cancel_token.h"

#include <cassert>

namespace lockscope::lock {

void CancelToken::request() const
{
    assert(m_state);
    const std::shared_ptr<State> state = m_state; // a listener may drop the last token
    if (!state || std::exchange(state->isRequested, true))
        return;
    state->listeners.notify();
    state->listeners.clear();
}

ListenerId CancelToken::addListener(UniqueFunction<void()> callback) const
{
    return m_state ? m_state->listeners.add(std::move(callback)) : 0;
}

void CancelToken::removeListener(ListenerId listener) const
{
    if (m_state)
        m_state->listeners.remove(listener);
}

LinkedCancelToken::LinkedCancelToken(CancelToken callers)
    : m_callers(std::move(callers))
{
    if (m_callers.isRequested())
        m_own.request();
    else
        m_listener = m_callers.addListener([own = m_own] { own.request(); });
}

} // namespace lockscope::lock
