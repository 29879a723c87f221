#include "core/zk/wire/traffic_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockscope::zk::wire {

namespace {

// The flags of a create: CreateMode.
constexpr bool isEphemeral(std::int32_t mode) { return mode == 1 || mode == 3; }
constexpr bool isSequential(std::int32_t mode) { return mode == 2 || mode == 3 || mode == 6; }

constexpr std::size_t kLeastAcl = 12; // bytes: permissions, and two empty strings
constexpr std::size_t kLeastName = 4;

void readCreate(jute::Reader& reader, SeenRequest& seen)
{
    reader.buffer(); // the data
    for (std::size_t left = reader.count(kLeastAcl); left > 0; --left) {
        reader.int32();
        reader.buffer();
        reader.buffer();
    }
    const std::int32_t mode = reader.int32();
    seen.ephemeral = isEphemeral(mode);
    seen.sequential = isSequential(mode);
}

bool readBody(jute::Reader& reader, SeenRequest& seen)
{
    switch (seen.op) {
    case OpCode::create:
    case OpCode::create2:
    case OpCode::createContainer:
    case OpCode::createTtl:
        seen.path = reader.buffer();
        readCreate(reader, seen);
        break;
    case OpCode::exists:
    case OpCode::getData:
    case OpCode::getChildren:
    case OpCode::getChildren2:
        seen.path = reader.buffer();
        seen.watch = reader.boolean();
        break;
    case OpCode::remove:
    case OpCode::setData:
    case OpCode::sync:
        seen.path = reader.buffer();
        break;
    default:
        break; // it is answered, and that is all that is read of it
    }
    return reader.ok();
}

void readNames(jute::Reader& reader, std::vector<std::string>& names)
{
    for (std::size_t left = reader.count(kLeastName); left > 0 && reader.ok(); --left)
        names.emplace_back(reader.buffer());
}

bool readBody(jute::Reader& reader, OpCode op, SeenReply& seen)
{
    const auto stat = [&] { seen.stat = readStat(reader).stat; };
    switch (op) {
    case OpCode::create:
        seen.path = reader.buffer();
        break;
    case OpCode::create2:
    case OpCode::createContainer:
    case OpCode::createTtl:
        seen.path = reader.buffer();
        stat();
        break;
    case OpCode::exists:
    case OpCode::setData:
        stat();
        break;
    case OpCode::getData:
        reader.buffer();
        stat();
        break;
    case OpCode::getChildren:
        readNames(reader, seen.children);
        break;
    case OpCode::getChildren2:
        readNames(reader, seen.children);
        stat();
        break;
    default:
        break;
    }
    return reader.ok();
}

} // namespace

void TrafficReader::fromClient(std::string_view bytes)
{
    read(m_toServer, bytes, &TrafficReader::onClientFrame);
}

void TrafficReader::fromServer(std::string_view bytes)
{
    read(m_toClient, bytes, &TrafficReader::onServerFrame);
}

void TrafficReader::read(FrameReader& frames, std::string_view bytes, Handler handler)
{
    while (m_understood && !bytes.empty()) {
        const auto space = frames.freeSpace();
        const std::size_t size = std::min(space.size(), bytes.size());
        std::memcpy(space.data(), bytes.data(), size);
        frames.commit(size);
        bytes.remove_prefix(size);
        std::string_view frame;
        FrameReader::Status status = FrameReader::Status::none;
        while (m_understood && (status = frames.next(frame)) == FrameReader::Status::frame)
            m_understood = (this->*handler)(frame);
        m_understood = m_understood && status != FrameReader::Status::broken;
    }
}

bool TrafficReader::onClientFrame(std::string_view frame)
{
    if (!std::exchange(m_hello, true))
        return true; // what it asks for shows in the reply
    jute::Reader reader(frame);
    SeenRequest seen;
    seen.xid = reader.int32();
    seen.op = static_cast<OpCode>(reader.int32());
    if (!reader.ok())
        return false;
    // Pings, credentials and the watches after a reconnect have numbers of their own, in any order.
    if (seen.xid < 0)
        return true;
    if (!readBody(reader, seen) || m_pending.size() >= kMostPending)
        return false;
    seen.tag = m_sink.onRequest(seen);
    m_pending.push_back(std::move(seen));
    return true;
}

bool TrafficReader::onServerFrame(std::string_view frame)
{
    if (!std::exchange(m_welcome, true)) {
        const std::optional<ConnectReply> reply = readConnectReply(frame);
        if (reply)
            m_sink.onSession(*reply);
        return reply.has_value();
    }
    jute::Reader reader(frame);
    const ReplyHeader head = readReplyHeader(reader);
    if (!reader.ok())
        return false;
    if (head.xid == kEventXid) {
        // Events of the session itself have no path.
        if (const std::optional<WatcherEvent> event = readWatcherEvent(reader))
            m_sink.onWatch(*event);
        return true;
    }
    return head.xid < 0 || readReply(head, reader);
}

bool TrafficReader::readReply(const ReplyHeader& head, jute::Reader& reader)
{
    if (m_pending.empty() || m_pending.front().xid != head.xid)
        return false;
    const SeenRequest request = std::move(m_pending.front());
    m_pending.pop_front();
    SeenReply reply{head.zxid, head.error};
    if (head.error == 0 && !readBody(reader, request.op, reply))
        return false;
    m_sink.onReply(request, reply);
    return true;
}

} // namespace lockscope::zk::wire
