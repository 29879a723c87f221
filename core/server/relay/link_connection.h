// One connection of a client through a faulty link: the client's socket, the server's socket, and a pump in
// each direction. Is in its link's set of connections until it is closed; pending handlers keep it alive and
// then do nothing. On the link's thread.
#pragma once

#include "core/server/relay/link_pump.h"
#include "core/server/relay/packet_reader.h"
#include "core/server/relay/reply_loss.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string_view>

namespace lockscope::server {

// Shared by the connections of a link.
struct LinkShared
{
    LinkRules rules;
    ReplyLoss loss;
    std::function<void(std::uint64_t connection, bool fromClient, std::string_view bytes)> tap; // LinkTap
    std::set<std::shared_ptr<LinkConnection>> connections;
};

class LinkConnection : public std::enable_shared_from_this<LinkConnection>
{
public:
    using Socket = LinkPump::Socket;
    using Direction = LinkPump::Direction;

    // Insert it into the link's set before open().
    LinkConnection(Socket client, LinkShared& link, std::uint64_t number, std::uint64_t seed);

    // Connects to the server. If that fails, the client's connection is reset.
    void open(const boost::asio::ip::tcp::endpoint& server);
    void applyRules();
    void reset(); // RST to both ends; no effect when closed
    void dropServer();
    bool halfOpen() const { return m_halfOpen; }
    bool closed() const { return m_link == nullptr; }

    // For the pumps, before it is closed.
    const LinkRules& rules() const { return m_link->rules; }
    // The number of bytes to forward. If less than all, the next packet is the reply to lose.
    std::size_t passableBytes(Direction direction, std::string_view bytes);
    UniqueFunction<void()> takeLossHandler() { return m_link->loss.takeHandler(); }
    void pumpEnded();                       // closes the connection when both have ended
    void targetFailed(Direction direction); // writing in this direction failed

private:
    LinkPump& pump(Direction direction) { return direction == Direction::toServer ? m_toServer : m_toClient; }
    void connected();
    void close();

    LinkShared* m_link; // null when closed
    std::uint64_t m_number;
    Socket m_client;
    Socket m_server;
    LinkPump m_toServer;
    LinkPump m_toClient;
    PacketReader m_requests;
    PacketReader m_replies;
    bool m_connected = false;
    bool m_halfOpen = false;
};

} // namespace lockscope::server
