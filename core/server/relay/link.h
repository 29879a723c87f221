// A faulty link: a relay on the loopback address between one client and the servers. Without rules it only
// forwards bytes. Lives on the thread of the io_context, which has work as long as the link exists. The
// destructor closes everything at once; no callback comes after it.
#pragma once

#include "core/base/error.h"
#include "core/base/unique_function.h"
#include "core/base/vocabulary.h"
#include "core/server/relay/link_rules.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace lockscope::server {

// Sees what passes a connection, before it is forwarded, and nothing that a rule drops. Empty bytes: the
// connection has ended for the client. Must not destroy the link, and of what changes it only loseNextReply()
// may be called from here: a request that is just seen counts as the next one.
using LinkTap = std::function<void(std::uint64_t connection, bool fromClient, std::string_view bytes)>;

class Link
{
public:
    // Listens on a free port of 127.0.0.1 for each server. `seed`: for the jitter.
    // Error: badUsage for a server that is not a numeric HOST:PORT, ioFailed when it cannot listen.
    static Result<std::unique_ptr<Link>> open(boost::asio::io_context& io,
                                              const std::vector<std::string>& servers, std::uint64_t seed);
    ~Link();

    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    std::string hosts() const; // "127.0.0.1:p1,127.0.0.1:p2", in the order of the servers

    // Replaces all rules, for open connections too. A connection that has lost bytes to a drop rule is reset
    // when that rule ends: no connection continues with a gap.
    void set(const LinkRules& rules);
    const LinkRules& rules() const;
    // Removes all rules and the order to lose a reply, and resets half-open connections.
    void heal();

    void reset(); // RST to both ends of every open connection; new connections work
    // Closes the server's end of every open connection. The client's end stays open and silent until the
    // client closes it, or heal() or reset() is called.
    void halfOpen();
    // Forwards the next request of this operation (none: of any kind but heartbeats and closes), drops its
    // reply and resets the connection; then calls `lost`, once. Replaces an order that is still pending.
    void loseNextReply(std::optional<Operation> operation, UniqueFunction<void()> lost = {});

    void onTraffic(LinkTap tap); // of connections that are made later

    std::size_t openConnections() const; // with half-open ones

private:
    struct Impl;
    explicit Link(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> m_impl;
};

} // namespace lockscope::server
