// The part of ZooKeeper's wire protocol that an observer needs (zookeeper.jute, ZooDefs.OpCode): requests as
// bytes, replies as values. No request here changes anything on a server. Pure; any thread.
#pragma once

#include "core/base/jute.h"
#include "core/base/op_code.h"
#include "core/zk/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::zk::wire {

enum class WatchMode : std::int32_t { persistent = 0, persistentRecursive = 1 };

inline constexpr std::int32_t kEventXid = -1, kPingXid = -2, kAuthXid = -4, kSetWatchesXid = -8;

// ---- requests: whole frames, including the length ----

struct Identity
{
    std::int64_t session = 0; // 0: requests a new session
    std::string password;
};
// Accepts a read-only server.
std::string connectRequest(Zxid lastSeen, std::int32_t timeoutMs, const Identity& identity);
std::string pathRequest(std::int32_t xid, OpCode op, std::string_view path); // sync
std::string readRequest(std::int32_t xid, OpCode op, std::string_view path,
                        bool watch); // exists, getData, getChildren2
std::string multiReadRequest(std::int32_t xid,
                             const std::vector<std::string>& paths); // getData of each, no watches
std::string addWatchRequest(std::int32_t xid, std::string_view path, WatchMode mode);
std::string authRequest(std::string_view scheme, std::string_view credentials);
std::string saslRequest(std::int32_t xid, std::string_view token);
std::string emptyRequest(std::int32_t xid, OpCode op); // ping, closeSession

// The watches to set again after a reconnect, in as many frames as the size limit of the server requires.
struct Watches
{
    std::vector<std::string> data, exist, child, persistent, persistentRecursive;
    bool empty() const
    {
        return data.empty() && exist.empty() && child.empty() && persistent.empty() &&
               persistentRecursive.empty();
    }
};
std::vector<std::string> setWatchesRequests(Zxid lastSeen, const Watches& watches);

// ---- replies and events: frames without the length ----

struct ConnectReply
{
    std::int32_t timeoutMs = 0; // 0 or less: the session has expired
    Identity identity;
    bool readOnly = false; // the server has no quorum
};
std::optional<ConnectReply> readConnectReply(std::string_view frame);

struct ReplyHeader
{
    std::int32_t xid = 0;
    Zxid zxid;
    std::int32_t error = 0;
};
ReplyHeader readReplyHeader(jute::Reader& reader);

struct NodeStat
{
    Stat stat;
    std::int64_t createdMs = 0, modifiedMs = 0; // since the Unix epoch, by the leader's clock
    std::int32_t dataLength = 0;
};
NodeStat readStat(jute::Reader& reader);

struct NodeReply // to getData
{
    Code code = Code::closed;
    std::string bytes;
    NodeStat node;
};
// Reads a reply to multiReadRequest(), in the order of its paths; none when it is malformed or has not
// `count` results.
std::optional<std::vector<NodeReply>> readMultiReply(jute::Reader& reader, std::size_t count);

struct WatcherEvent
{
    std::int32_t type = 0; // watchKindOf(), or a newer one
    std::string_view path;
};
std::optional<WatcherEvent> readWatcherEvent(jute::Reader& reader);

} // namespace lockscope::zk::wire
