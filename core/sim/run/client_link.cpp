#include "core/sim/run/client_link.h"

#include "core/base/host_port.h"

namespace lockscope::sim {

Result<std::unique_ptr<ClientLink>> ClientLink::open(boost::asio::io_context& io, const std::string& servers,
                                                     std::uint64_t seed, bool secured)
{
    Result<std::unique_ptr<server::Link>> link = server::Link::open(io, splitHosts(servers), seed);
    if (!link)
        return link.error();
    return std::unique_ptr<ClientLink>(new ClientLink(std::move(*link), secured));
}

Result<void> ClientLink::apply(const Action& action)
{
    using Kind = Action::Kind;
    server::LinkRules rules = m_link->rules();
    switch (action.kind) {
    case Kind::cutLink:
        m_halfOpen = false;
        rules.cut = true;
        break;
    case Kind::slowLink:
        rules.latency = action.delay;
        rules.jitter = action.jitter;
        break;
    case Kind::limitLink:
        rules.bytesPerSecond = action.amount;
        break;
    case Kind::muteLink:
        (action.direction == Action::Direction::toServer ? rules.dropToServer : rules.dropToClient) = true;
        break;
    case Kind::resetLink:
        m_halfOpen = false; // the half-open connections are closed
        m_link->reset();
        return {};
    case Kind::halfOpenLink:
        m_link->halfOpen();
        m_halfOpen = true;
        return {};
    case Kind::loseReply:
        if (m_secured)
            return Error{
                ErrorCode::unsupported,
                message("No single reply can be lost on a connection with TLS: it cannot be told from "
                        "the others."),
                message("Cut the link, or run on a server in plain text.")};
        m_losesReply = true;
        m_link->loseNextReply(action.op, [this] {
            m_losesReply = false;
            if (m_replyLost)
                m_replyLost();
        });
        return {};
    case Kind::healLink:
        m_halfOpen = m_losesReply = false;
        m_link->heal();
        return {};
    default:
        return Error{ErrorCode::badUsage, message("This action does not apply to a link."), {}};
    }
    m_link->set(rules);
    return {};
}

trace::LinkState ClientLink::state() const
{
    const server::LinkRules& rules = m_link->rules();
    return {.cut = rules.cut,
            .delay = rules.latency,
            .jitter = rules.jitter,
            .bytesPerSecond = rules.bytesPerSecond,
            .mutedToServer = rules.dropToServer,
            .mutedToClient = rules.dropToClient,
            .halfOpen = m_halfOpen};
}

} // namespace lockscope::sim
