#include "core/lock/cancel.h"

#include <utility>

namespace lockscope::lock {

void Cancel::request() const
{
    m_state->requested = true;
    for (const auto& [id, told] : std::exchange(m_state->listeners, {}))
        told();
}

Cancel::ListenerId Cancel::listen(std::function<void()> told) const
{
    m_state->listeners.emplace(m_state->next, std::move(told));
    return m_state->next++;
}

void Cancel::unlisten(ListenerId listener) const { m_state->listeners.erase(listener); }

} // namespace lockscope::lock
