// The messages between a session and its server. Plain values.
#pragma once

#include "core/base/op_code.h"
#include "core/zk/memory/transaction.h"

#include <string>
#include <vector>

namespace lockscope::zk::memory {

// The watches that a client sets again after a reconnect, and the zxid of the last reply it received.
struct WatchSet
{
    Zxid since{0};
    std::vector<std::string> data;
    std::vector<std::string> exists;
    std::vector<std::string> children;

    bool empty() const { return data.empty() && exists.empty() && children.empty(); }
};

struct Request
{
    std::uint64_t id = 0;
    OpCode op{};
    std::string path{};
    std::string data{};
    CreateMode mode{};
    bool watch = false;
    WatchSet watches{};
    std::int32_t version = kAnyVersion; // setData
};

enum class MessageKind {
    connected,
    expired, // reply to a reconnect that came too late
    reply,
    event,        // of a watch
    disconnected, // the last message on this connection
};

struct ServerMessage
{
    MessageKind kind{};
    Zxid zxid{0}; // reply: the last transaction its server had applied; event: the one that fired the watch
    std::uint64_t id = 0; // of the request
    OpCode op{};
    Code code = Code::ok;
    std::string path{}; // event: the node; reply to a create: the new node
    std::string data{};
    Stat stat{};
    std::vector<std::string> children{};
    WatchKind watch{};
    SessionId session{}; // connected
};

// Every field, for comparing states.
void appendState(std::string& text, const ServerMessage& message);

} // namespace lockscope::zk::memory
