// A link between two ends of the test's own, driven by the test's thread until what is awaited is there.
#pragma once

#include "core/server/deadline.h"
#include "core/server/relay/link.h"
#include "link_peers.h"

#include <gmock/gmock.h>

namespace lockscope::server {

class LinkTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        auto opened = Link::open(io, {server.address()}, 7);
        ASSERT_TRUE(opened) << opened.error().text();
        link = std::move(*opened);
    }

    template <class Condition>
    ::testing::AssertionResult becomes(Condition condition)
    {
        const auto deadline = deadlineIn(std::chrono::seconds(60));
        while (!condition()) {
            if (MonotonicClock::now() > deadline)
                return ::testing::AssertionFailure() << "waited in vain";
            io.restart();
            io.run_one_for(std::chrono::milliseconds(20));
        }
        return ::testing::AssertionSuccess();
    }
    // Runs what is ready, until nothing is.
    void runReady()
    {
        do
            io.restart();
        while (io.poll() > 0);
    }

    // A client that has come in, not yet seen by the server.
    std::unique_ptr<testing::Peer> connectClient(std::size_t relayPort = 0)
    {
        std::string hosts = link->hosts();
        for (; relayPort > 0; --relayPort)
            hosts.erase(0, hosts.find(',') + 1);
        const auto port = std::stoi(hosts.substr(hosts.find(':') + 1));
        testing::tcp::socket socket(io);
        socket.connect(
            {boost::asio::ip::address_v4::loopback(), static_cast<boost::asio::ip::port_type>(port)});
        auto peer = std::make_unique<testing::Peer>(std::move(socket));
        peer->readAll();
        return peer;
    }
    // A client and its connection at the server, both up.
    std::unique_ptr<testing::Peer> connect()
    {
        const auto before = server.peers.size();
        auto peer = connectClient();
        peer->send("x");
        EXPECT_TRUE(becomes([&] { return server.peers.size() > before; }));
        EXPECT_TRUE(becomes([&] { return !server.reads || !atServer().received.empty(); }));
        atServer().received.clear();
        return peer;
    }
    testing::Peer& atServer() { return *server.peers.back(); }

    boost::asio::io_context io;
    testing::PlainServer server{io};
    std::unique_ptr<Link> link;
};

} // namespace lockscope::server
