#include "core/zk/wire/messages.h"

#include <limits>

namespace lockscope::zk::wire {

namespace {

constexpr std::size_t kPassword = 16;
// The server closes the connection when a request exceeds jute.maxbuffer (0xfffff by default). ZooKeeper's
// own client also splits its setWatches requests at this size.
constexpr std::size_t kSetWatchesBytes = std::size_t{128} * 1024;

jute::Writer header(std::int32_t xid, OpCode op)
{
    jute::Writer writer;
    writer.int32(xid).int32(static_cast<std::int32_t>(op));
    return writer;
}

// The ephemeralOwner of a container node is the least int64: EphemeralType.CONTAINER_EPHEMERAL_OWNER.
constexpr std::int64_t kContainer = std::numeric_limits<std::int64_t>::min();
// (A top byte of ones would mean a node with a time to live only where zookeeper.extendedTypesEnabled is set;
// elsewhere it is a session that the server with the id 255 has opened.)

} // namespace

std::string connectRequest(Zxid lastSeen, std::int32_t timeoutMs, const Identity& identity)
{
    jute::Writer writer;
    writer.int32(0).int64(lastSeen.valid() ? lastSeen.value : 0).int32(timeoutMs).int64(identity.session);
    writer.buffer(identity.session == 0 ? std::string(kPassword, '\0') : identity.password);
    writer.boolean(true); // a server without a quorum may answer: the reply says so
    return writer.framed();
}

std::string pathRequest(std::int32_t xid, OpCode op, std::string_view path)
{
    return header(xid, op).buffer(path).framed();
}

std::string readRequest(std::int32_t xid, OpCode op, std::string_view path, bool watch)
{
    return header(xid, op).buffer(path).boolean(watch).framed();
}

// MultiOperationRecord: a MultiHeader (type, done, error) precedes each read, and another one ends the list.
std::string multiReadRequest(std::int32_t xid, const std::vector<std::string>& paths)
{
    jute::Writer writer = header(xid, OpCode::multiRead);
    for (const std::string& path : paths)
        writer.int32(static_cast<std::int32_t>(OpCode::getData))
            .boolean(false)
            .int32(-1)
            .buffer(path)
            .boolean(false);
    writer.int32(-1).boolean(true).int32(-1);
    return writer.framed();
}

std::string addWatchRequest(std::int32_t xid, std::string_view path, WatchMode mode)
{
    return header(xid, OpCode::addWatch).buffer(path).int32(static_cast<std::int32_t>(mode)).framed();
}

std::string authRequest(std::string_view scheme, std::string_view credentials)
{
    return header(kAuthXid, OpCode::auth).int32(0).buffer(scheme).buffer(credentials).framed();
}

std::string saslRequest(std::int32_t xid, std::string_view token)
{
    return header(xid, OpCode::sasl).buffer(token).framed();
}

std::string emptyRequest(std::int32_t xid, OpCode op) { return header(xid, op).framed(); }

std::vector<std::string> setWatchesRequests(Zxid lastSeen, const Watches& watches)
{
    std::vector<std::string> frames;
    // setWatches2 (3.6) only when it is needed: older servers do not know it.
    const bool persistent = !watches.persistent.empty() || !watches.persistentRecursive.empty();
    const std::vector<std::string>* const kinds[] = {&watches.data, &watches.exist, &watches.child,
                                                     &watches.persistent, &watches.persistentRecursive};
    const std::size_t count = persistent ? 5 : 3;
    std::size_t kind = 0, at = 0;
    while (kind < count) {
        std::vector<std::string_view> taken[5];
        for (std::size_t bytes = 0; kind < count && bytes < kSetWatchesBytes;) {
            if (at == kinds[kind]->size()) {
                ++kind;
                at = 0;
                continue;
            }
            const std::string& path = (*kinds[kind])[at++];
            taken[kind].push_back(path);
            bytes += path.size() + 4;
        }
        jute::Writer writer = header(kSetWatchesXid, persistent ? OpCode::setWatches2 : OpCode::setWatches);
        writer.int64(lastSeen.valid() ? lastSeen.value : 0);
        for (std::size_t i = 0; i < count; ++i) {
            writer.int32(static_cast<std::int32_t>(taken[i].size()));
            for (const std::string_view path : taken[i])
                writer.buffer(path);
        }
        frames.push_back(writer.framed());
    }
    return frames;
}

std::optional<ConnectReply> readConnectReply(std::string_view frame)
{
    jute::Reader reader(frame);
    const std::int32_t version = reader.int32();
    ConnectReply reply;
    reply.timeoutMs = reader.int32();
    reply.identity.session = reader.int64();
    const std::string_view password = reader.buffer();
    reply.identity.password = password;
    // Servers before 3.4 do not send the read-only byte.
    if (!reader.ok() || version != 0 || password.size() != kPassword || reader.rest().size() > 1)
        return std::nullopt;
    reply.readOnly = reader.rest().size() == 1 && reader.rest().front() != '\0';
    return reply;
}

ReplyHeader readReplyHeader(jute::Reader& reader)
{
    ReplyHeader head;
    head.xid = reader.int32();
    head.zxid = Zxid{reader.int64()};
    head.error = reader.int32();
    return head;
}

NodeStat readStat(jute::Reader& reader)
{
    NodeStat node;
    Stat& stat = node.stat;
    stat.czxid = Zxid{reader.int64()};
    stat.mzxid = Zxid{reader.int64()};
    node.createdMs = reader.int64();
    stat.created = decltype(stat.created)(std::chrono::milliseconds(node.createdMs));
    node.modifiedMs = reader.int64();
    stat.version = reader.int32();
    stat.cversion = reader.int32();
    reader.int32(); // aversion
    const std::int64_t owner = reader.int64();
    node.dataLength = reader.int32();
    stat.numChildren = reader.int32();
    stat.pzxid = Zxid{reader.int64()};
    stat.ephemeralOwner = owner == 0 || owner == kContainer ? SessionId::none() : SessionId{owner};
    return node;
}

std::optional<std::vector<NodeReply>> readMultiReply(jute::Reader& reader, std::size_t count)
{
    constexpr std::int32_t kError = -1;
    std::vector<NodeReply> replies(count);
    for (NodeReply& reply : replies) {
        const std::int32_t type = reader.int32();
        const bool done = reader.boolean();
        reader.int32(); // the error again
        if (done || (type != kError && type != static_cast<std::int32_t>(OpCode::getData)))
            return std::nullopt;
        if (type == kError) {
            const Code code = codeOf(reader.int32());
            reply.code = code == Code::ok ? Code::refused : code;
            continue;
        }
        reply.code = Code::ok;
        reply.bytes = reader.buffer();
        reply.node = readStat(reader);
    }
    reader.int32();
    const bool done = reader.boolean();
    reader.int32();
    if (!reader.ok() || !done)
        return std::nullopt;
    return replies;
}

std::optional<WatcherEvent> readWatcherEvent(jute::Reader& reader)
{
    WatcherEvent event;
    event.type = reader.int32();
    reader.int32(); // the state: in events from a server it is always connected
    event.path = reader.buffer();
    if (!reader.ok() || event.path.empty() || event.path.front() != '/')
        return std::nullopt;
    return event;
}

} // namespace lockscope::zk::wire
