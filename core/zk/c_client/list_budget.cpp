#include "core/zk/c_client/list_budget.h"

#include <utility>

namespace lockscope::zk::c_client {

bool ListBudget::hasRoom() const
{
    const bool small = m_inFlight < kMaxInFlight && (m_inFlight + 1) * m_lastBytes <= kMaxBytesInFlight;
    return m_inFlight < kMinInFlight || small;
}

void ListBudget::submit(UniqueFunction<bool()> send)
{
    m_waiting.push_back(std::move(send));
    sendWaiting();
}

void ListBudget::arrived(std::size_t bytes)
{
    m_lastBytes = bytes;
    failed();
}

void ListBudget::failed()
{
    --m_inFlight;
    sendWaiting();
}

// When a list cannot be sent, `send` calls failed(): that nested call must not send the next list.
void ListBudget::sendWaiting()
{
    if (std::exchange(m_sending, true))
        return;
    while (!m_waiting.empty() && hasRoom()) {
        UniqueFunction<bool()> send = std::move(m_waiting.front());
        m_waiting.pop_front();
        ++m_inFlight;
        if (!send())
            --m_inFlight;
    }
    m_sending = false;
}

} // namespace lockscope::zk::c_client
