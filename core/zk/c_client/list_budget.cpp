#include "core/zk/c_client/list_budget.h"

namespace lockscope::zk::c_client {

bool ListBudget::hasRoom() const
{
    const bool small = m_underWay < kMost && (m_underWay + 1) * m_lastBytes <= kBytesInFlight;
    return m_underWay < kAlways || small;
}

void ListBudget::submit(UniqueFunction<bool()> send)
{
    if (!m_waiting.empty() || !hasRoom()) {
        m_waiting.push_back(std::move(send));
        return;
    }
    sendNext(std::move(send));
}

void ListBudget::arrived(std::size_t bytes)
{
    --m_underWay;
    m_lastBytes = bytes;
    while (!m_waiting.empty() && hasRoom()) {
        UniqueFunction<bool()> send = std::move(m_waiting.front());
        m_waiting.pop_front();
        sendNext(std::move(send));
    }
}

void ListBudget::sendNext(UniqueFunction<bool()> send)
{
    ++m_underWay;
    if (!send())
        --m_underWay;
}

} // namespace lockscope::zk::c_client
