// A faulty link: one client's way to the servers, through a relay of our own on the loopback address. With no
// rule set it only passes bytes on. Lives on the thread that runs the io_context, and keeps that busy as long
// as it exists. The destructor closes everything at once; nothing is called back after it.
#pragma once

#include "core/base/error.h"
#include "core/base/unique_function.h"
#include "core/server/relay/link_rules.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace lockscope::server {

class Link
{
public:
    // Listens on one free port of 127.0.0.1 for each server. The seed is that of the jitter.
    // Error: badUsage for a server that is not a numeric HOST:PORT, ioFailed when it cannot listen.
    static Result<std::unique_ptr<Link>> open(boost::asio::io_context& io,
                                              const std::vector<std::string>& servers, std::uint64_t seed);
    ~Link();

    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    std::string hosts() const; // "127.0.0.1:p1,127.0.0.1:p2", in the order of the servers

    // Replaces all rules; they hold from now on, for open connections too. A connection that lost something
    // in a black hole is reset when the hole is closed: no connection goes on with a gap in it.
    void set(const LinkRules& rules);
    const LinkRules& rules() const;
    // No rule any more, no reply to be lost, and half-open connections are reset.
    void heal();

    void reset(); // RST to both sides of every open connection, now; connecting again works
    // The servers' side of every open connection is closed; the clients' side stays open and silent, until
    // the client gives it up, or mend() or reset().
    void halfOpen();
    // The server carries out the next such request that comes through, its reply is swallowed, and that
    // connection is reset. `lost` is called once, when it has happened. Takes the place of a reply that was
    // still to be lost.
    void loseNextReply(RequestKind kind, UniqueFunction<void()> lost = {});

    std::size_t openConnections() const; // half-open ones too
    std::uint64_t totalConnections() const;

private:
    struct Impl;
    explicit Link(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> m_impl;
};

} // namespace lockscope::server
