// The one reply a faulty link is to lose: first a request of that kind is chosen as it passes, then its reply
// is recognized by the request's number. One thread.
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
    using Connection = const void*; // only its identity

    void order(RequestKind kind, UniqueFunction<void()> lost);
    void cancel();

    void onRequest(Connection connection, const PacketHeader& head);
    // True once, for the reply that is to be swallowed.
    bool isReplyToLose(Connection connection, const PacketHeader& head);
    // What to call after takes() said true; may be empty.
    UniqueFunction<void()> takeHandler();
    // The connection is gone: if the chosen request went through it, another one is chosen.
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
