#include "tests/faults/fault_exposure.h"

namespace lockscope::tests {

std::string_view describe(Cause cause)
{
    static constexpr std::array<std::string_view, kCauses> words = {
        "session killed", "client frozen",  "connection reset", "link cut",      "link muted",
        "packet lost",    "server stopped", "server down",      "machine stall",
    };
    return words[static_cast<std::size_t>(cause)];
}

FaultExposure::FaultId FaultExposure::begin(Cause cause, MonotonicTime now)
{
    ++m_epoch;
    m_inForce.emplace(m_next, cause);
    if (!m_excuse)
        m_excuse = Excuse{cause, now, std::nullopt};
    m_excuse->ended.reset();
    return m_next++;
}

void FaultExposure::end(FaultId fault, MonotonicTime now)
{
    if (m_inForce.erase(fault) == 0)
        return;
    ++m_epoch;
    if (m_excuse && m_inForce.empty())
        m_excuse->ended = now;
}

void FaultExposure::confirmContact(std::uint64_t epoch)
{
    if (epoch == m_epoch && m_inForce.empty())
        m_excuse.reset();
}

void FaultExposure::newSession()
{
    ++m_epoch;
    std::erase_if(m_inForce, [](const auto& fault) {
        return fault.second == Cause::killed || fault.second == Cause::frozen;
    });
    if (m_inForce.empty())
        m_excuse.reset();
}

} // namespace lockscope::tests
