// Replies of a server that is broken, or means harm, for both kinds of session; and what they must come to.
#pragma once

#include "core/zk/code.h"
#include "tests/support/fake_server.h"

#include <sys/resource.h>

#include <climits>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace lockscope::tests {

enum class Ask { create, remove, list, get, set, exists, sync, addWatch };

struct HostileReply
{
    std::string name;
    Ask what;
    std::function<std::string(std::int32_t xid)> sent;
    zk::Code expected;
};
inline void PrintTo(const HostileReply& hostile, std::ostream* out) { *out << hostile.name; }

inline std::string bodyOnly(std::int32_t xid, const std::string& body) { return reply(xid, 0, body); }

// Those that every session has to survive, and `own`.
inline std::vector<HostileReply> hostileReplies(std::vector<HostileReply> own)
{
    using zk::Code;
    std::vector<HostileReply> all{
        {"PacketOfNothing", Ask::get, [](auto) { return int32(0); }, Code::unknown},
        {"PacketShorterThanItsHeader", Ask::get, [](auto xid) { return packet(int32(xid)); }, Code::unknown},
        {"PacketOfMinusOne", Ask::get, [](auto xid) { return int32(-1) + std::string(64, char(xid)); },
         Code::unknown},
        {"PacketOfTwoGigabytes", Ask::get,
         [](auto xid) { return int32(INT_MAX) + int32(xid) + std::string(24, '\0'); }, Code::unknown},
        {"ListOfTwoBillionNames", Ask::list, [](auto xid) { return bodyOnly(xid, int32(INT_MAX) + stat()); },
         Code::unknown},
        {"ListOfMoreNamesThanBytes", Ask::list, [](auto xid) { return bodyOnly(xid, int32(1000) + stat()); },
         Code::unknown},
        {"ListCutShort", Ask::list, [](auto xid) { return bodyOnly(xid, int32(1) + text("a")); },
         Code::unknown},
        {"ListOfNothing", Ask::list, [](auto xid) { return bodyOnly(xid, ""); }, Code::unknown},
        {"NullData", Ask::get, [](auto xid) { return bodyOnly(xid, int32(-1) + stat()); }, Code::ok},
        {"DataOfMinusTwo", Ask::get, [](auto xid) { return bodyOnly(xid, int32(-2) + stat()); },
         Code::unknown},
        {"DataOfTwoGigabytes", Ask::get, [](auto xid) { return bodyOnly(xid, int32(INT_MAX) + stat()); },
         Code::unknown},
        {"DataWithoutAStat", Ask::get, [](auto xid) { return bodyOnly(xid, text("abc")); }, Code::unknown},
        {"SyncedNothing", Ask::sync, [](auto xid) { return bodyOnly(xid, ""); }, Code::ok},
        {"CodeNeverHeardOf", Ask::get, [](auto xid) { return reply(xid, -4711); }, Code::refused},
        {"PositiveCode", Ask::get, [](auto xid) { return reply(xid, 4711); }, Code::refused},
        {"UnknownNumber", Ask::get, [](auto xid) { return reply(xid + 7, 0, text("") + stat()); },
         Code::unknown},
        {"EventWithANullPath", Ask::get,
         [](auto) { return packet(int32(-1) + int64(-1) + int32(0) + int32(3) + int32(3) + int32(-1)); },
         Code::unknown},
        {"EventWithAPathLongerThanItIs", Ask::get,
         [](auto) { return packet(int32(-1) + int64(-1) + int32(0) + int32(3) + int32(3) + int32(1000)); },
         Code::unknown},
        {"EventOfNothing", Ask::get, [](auto) { return reply(-1, 0); }, Code::unknown},
        {"EventNeverHeardOf", Ask::get, [](auto xid) { return watchEvent(4711, "/a") + reply(xid, -101); },
         Code::noNode},
    };
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

// The processor time of this thread so far.
inline double processorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

} // namespace lockscope::tests
