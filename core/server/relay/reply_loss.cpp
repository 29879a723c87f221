#include "core/server/relay/reply_loss.h"

#include <utility>

namespace lockscope::server {

namespace {

bool isMeant(std::int32_t type, std::optional<Operation> meant)
{
    const OpCode code{type};
    return meant ? operationOf(code) == meant : code != OpCode::closeSession;
}

// Watch events, heartbeats, authentication, and the watches a client sets again after a reconnect.
bool hasReservedNumber(std::int32_t xid) { return xid == -1 || xid == -2 || xid == -4 || xid == -8; }

} // namespace

void ReplyLoss::order(std::optional<Operation> operation, UniqueFunction<void()> lost)
{
    m_waits = true;
    m_operation = operation;
    m_lost = std::move(lost);
    m_chosen.reset();
}

void ReplyLoss::onRequest(Connection connection, const PacketHeader& head)
{
    if (m_waits && !m_chosen && !hasReservedNumber(head.xid) && isMeant(head.type, m_operation))
        m_chosen = Chosen{connection, head.xid};
}

bool ReplyLoss::isReplyToLose(Connection connection, const PacketHeader& head)
{
    if (!m_chosen || m_chosen->connection != connection || m_chosen->xid != head.xid)
        return false;
    m_waits = false;
    m_chosen.reset();
    return true;
}

UniqueFunction<void()> ReplyLoss::takeHandler() { return std::exchange(m_lost, {}); }

void ReplyLoss::forget(Connection connection)
{
    if (m_chosen && m_chosen->connection == connection)
        m_chosen.reset();
}

} // namespace lockscope::server
