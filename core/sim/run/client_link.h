// A client's link with its faults: actions become the rules of a relay between one process and the servers.
// I/O thread.
#pragma once

#include "core/server/relay/link.h"
#include "core/sim/script/script.h"
#include "core/trace/event.h"

#include <functional>
#include <memory>
#include <string>

namespace lockscope::sim {

class ClientLink
{
public:
    // `servers`: "127.0.0.1:2181,...". `secured`: what passes is TLS, in which no reply can be found.
    // Errors as server::Link::open().
    static Result<std::unique_ptr<ClientLink>> open(boost::asio::io_context& io, const std::string& servers,
                                                    std::uint64_t seed, bool secured = false);

    std::string hosts() const { return m_link->hosts(); } // sessions connect to these instead of the servers
    // An action on links (concernsLinks()). Faults add up until healLink.
    Result<void> apply(const Action& action);
    trace::LinkState state() const; // the faults in force
    bool hasFault() const { return !state().whole() || m_losesReply; }
    void onTraffic(server::LinkTap tap) { m_link->onTraffic(std::move(tap)); }
    // Called when a loseReply action has dropped a reply.
    void onReplyLost(std::function<void()> callback) { m_replyLost = std::move(callback); }

private:
    ClientLink(std::unique_ptr<server::Link> link, bool secured)
        : m_link(std::move(link))
        , m_secured(secured)
    {}

    std::unique_ptr<server::Link> m_link;
    std::function<void()> m_replyLost;
    const bool m_secured;
    bool m_halfOpen = false;
    bool m_losesReply = false; // the next one
};

// Errors as server::Link::open().
using LinkFactory = std::function<Result<std::unique_ptr<ClientLink>>(std::uint64_t seed)>;

} // namespace lockscope::sim
