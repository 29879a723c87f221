// Selects the one reply that a faulty link loses: first a request of the ordered kind as it passes, then its
// reply by the request's xid. One thread.
#pragma once

#include "core/base/unique_function.h"
#include "core/server/relay/link_rules.h"
#include "core/server/relay/packet_reader.h"

#include <cstdint>
#include <optional>

namespace lockscope::server {

class ReplyLoss
{
public:
    using Connection = const void*; // identity only

    void order(RequestKind kind, UniqueFunction<void()> lost);
    void cancel() { *this = {}; }

    void onRequest(Connection connection, const PacketHeader& head);
    // True once, for the reply to drop.
    bool isReplyToLose(Connection connection, const PacketHeader& head);
    // To be called after isReplyToLose() returned true; may be empty.
    UniqueFunction<void()> takeHandler();
    // The connection has closed: if the selected request went through it, selects another one.
    void forget(Connection connection);

private:
    struct Chosen
    {
        Connection connection;
        std::int32_t xid;
    };

    std::optional<RequestKind> m_kind;
    UniqueFunction<void()> m_lost;
    std::optional<Chosen> m_chosen;
};

} // namespace lockscope::server
