// Selects the one reply that a faulty link loses: first such a request as was ordered as it passes, then its
// reply by the request's xid. One thread.
#pragma once

#include "core/base/op_code.h"
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

    // none: of any request, of other kinds too, except heartbeats and closes.
    void order(std::optional<Operation> operation, UniqueFunction<void()> lost);
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

    bool m_waits = false; // for a request
    std::optional<Operation> m_operation;
    UniqueFunction<void()> m_lost;
    std::optional<Chosen> m_chosen;
};

} // namespace lockscope::server
