// Reads what passes between a client and a server, of any library and from either side: the session, requests
// with their replies, watch events. The bytes may be cut anywhere. A frame has a cap, and after bytes that
// are not ZooKeeper's protocol nothing more is read of that connection: what passes is never held up. Of a
// multi-request, only that it was sent is read. Pure; any thread.
#pragma once

#include "core/zk/wire/frame_reader.h"
#include "core/zk/wire/messages.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::zk::wire {

struct SeenRequest
{
    std::int32_t xid = 0;
    OpCode op{};
    std::string path{};
    bool watch = false;
    bool ephemeral = false, sequential = false; // of a create
    std::uint32_t tag = 0;                      // of the sink, for the reply
};

struct SeenReply
{
    Zxid zxid; // the server had seen this transaction; of a create or delete, its own
    std::int32_t error = 0;
    std::string path{};                  // of the created node
    std::vector<std::string> children{}; // of a list
    std::optional<Stat> stat{};
};

class TrafficSink
{
public:
    virtual ~TrafficSink() = default;
    virtual void onSession(const ConnectReply& reply) = 0;        // its timeout is 0: the session is over
    virtual std::uint32_t onRequest(const SeenRequest& seen) = 0; // returns its tag; closeSession too
    virtual void onReply(const SeenRequest& request, const SeenReply& reply) = 0;
    virtual void onWatch(const WatcherEvent& event) = 0;
};

class TrafficReader
{
public:
    static constexpr std::size_t kCap = std::size_t{4} << 20; // bytes of a frame
    static constexpr std::size_t kMostPending = 10'000;       // requests without a reply

    explicit TrafficReader(TrafficSink& sink)
        : m_sink(sink)
    {}
    void fromClient(std::string_view bytes);
    void fromServer(std::string_view bytes);
    bool understood() const { return m_understood; }

private:
    using Handler = bool (TrafficReader::*)(std::string_view frame);
    void read(FrameReader& frames, std::string_view bytes, Handler handler);
    bool onClientFrame(std::string_view frame);
    bool onServerFrame(std::string_view frame);
    bool readReply(const ReplyHeader& head, jute::Reader& reader);

    TrafficSink& m_sink;
    FrameReader m_toServer{kCap}, m_toClient{kCap};
    std::deque<SeenRequest> m_pending; // in the order in which the server answers them
    bool m_hello = false, m_welcome = false;
    bool m_understood = true;
};

} // namespace lockscope::zk::wire
