#include "core/server/relay/reply_loss.h"

#include <utility>

namespace lockscope::server {

namespace {

// By the operation codes of ZooKeeper's protocol.
bool isOfKind(std::int32_t type, RequestKind kind)
{
    constexpr std::int32_t closeSession = -11;
    switch (kind) {
    case RequestKind::any:
        return type != closeSession;
    case RequestKind::create: // create, create2, createContainer, createTTL
        return type == 1 || type == 15 || type == 19 || type == 21;
    case RequestKind::remove:
        return type == 2;
    case RequestKind::exists:
        return type == 3;
    case RequestKind::getData:
        return type == 4;
    case RequestKind::setData:
        return type == 5;
    case RequestKind::getChildren: // getChildren, getChildren2
        return type == 8 || type == 12;
    case RequestKind::sync:
        return type == 9;
    }
    return false;
}

// Watch events, heartbeats, authentication, and the watches a client sets again after a reconnect.
bool hasReservedNumber(std::int32_t xid) { return xid == -1 || xid == -2 || xid == -4 || xid == -8; }

} // namespace

void ReplyLoss::order(RequestKind kind, UniqueFunction<void()> lost)
{
    m_kind = kind;
    m_lost = std::move(lost);
    m_chosen.reset();
}

void ReplyLoss::onRequest(Connection connection, const PacketHeader& head)
{
    if (m_kind && !m_chosen && !hasReservedNumber(head.xid) && isOfKind(head.type, *m_kind))
        m_chosen = Chosen{connection, head.xid};
}

bool ReplyLoss::isReplyToLose(Connection connection, const PacketHeader& head)
{
    if (!m_chosen || m_chosen->connection != connection || m_chosen->xid != head.xid)
        return false;
    m_kind.reset();
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
