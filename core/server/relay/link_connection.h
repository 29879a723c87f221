// One connection of a client through a faulty link: the client's socket, the server's, and a pump each way.
// Belongs to its link's set of connections until it is closed; its handlers keep it alive a little longer and
// do nothing then. On the link's thread.
#pragma once

#include "core/server/relay/link_pump.h"
#include "core/server/relay/packet_reader.h"
#include "core/server/relay/reply_loss.h"

#include <cstddef>
#include <memory>
#include <set>

namespace lockscope::server {

// What the connections of a link share.
struct LinkState
{
    LinkRules rules;
    ReplyLoss loss;
    std::set<std::shared_ptr<LinkConnection>> connections;
};

class LinkConnection : public std::enable_shared_from_this<LinkConnection>
{
public:
    using Socket = LinkPump::Socket;
    using Direction = LinkPump::Direction;

    // It must be in the link's set before open().
    LinkConnection(Socket client, LinkState& link, std::uint64_t seed);

    // Connects to the server; when nobody answers there, the client's connection is reset.
    void open(const boost::asio::ip::tcp::endpoint& server);
    void applyRules();
    void reset(); // RST to both sides; no effect when it is closed
    void dropServer();
    bool halfOpen() const { return m_halfOpen; }
    bool closed() const { return m_link == nullptr; }

    // For the pumps; not after it was closed.
    const LinkRules& rules() const { return m_link->rules; }
    // How many of these bytes may pass. When not all: the next packet is the reply that gets lost.
    std::size_t passableBytes(Direction direction, std::string_view bytes);
    UniqueFunction<void()> takeLossHandler() { return m_link->loss.takeHandler(); }
    void pumpEnded();           // closes it when both have
    void targetFailed(Direction direction); // this pump's target takes nothing any more

private:
    LinkPump& pump(Direction direction) { return direction == Direction::toServer ? m_toServer : m_toClient; }
    void connected();
    void close();

    LinkState* m_link; // null when closed
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
