// Looks at the beginning of every packet before the library reads it. The library believes what a server says
// of lengths and counts: it would wait for a packet of -1 bytes for ever, make room for one of 2 GB, end the
// process at a reply to nothing, and use memory that it never filled when a reply is shorter than its kind.
// One look costs what the library's own look for a further packet did, which mostly it makes unnecessary. I/O
// thread.
#pragma once

#include "core/base/time.h"
#include "core/zk/c_client/handle.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lockscope::zk::c_client {

// What the reply to a request has to have.
enum class ReplyKind {
    none,       // no request is under way: there must be no reply
    headerOnly, // whatever follows the header, the library copes with it
    created,    // a path and a Stat
    data,       // bytes and a Stat
    stat,
    children, // names and a Stat
};

// No packet of a server that means well is longer: a million names of children fit.
inline constexpr std::int32_t kMaxPacketSize = 64 * 1024 * 1024;
// Of a packet with its length, so much has to be seen.
inline constexpr std::size_t kPacketHeadSize = 32;

// `head`: the beginning of a packet, from its length on, and all of it up to kPacketHeadSize. Pure.
bool isWellFormed(std::span<const unsigned char> head, ReplyKind expected);

class FrameGuard
{
public:
    enum class Status {
        nothing,    // there is nothing to be read
        pass,       // the library may read
        incomplete, // too little has come yet to be judged
        broken,     // the connection is to be given up
    };
    // `calls`: the requests under way, in their order.
    Status check(int fd, const boost::intrusive::list<Call>& calls, MonotonicTime now);
    // The same for the answer to the handshake: the library takes any 41 bytes for one.
    Status checkHandshake(int fd) const;
    // The library has read, up to the end of a packet or not.
    void read(bool wholePacket) { m_midPacket = !wholePacket; }
    bool hasSeenWholePacket() const { return m_seenWholePacket; } // the packet was all there was when it was looked at
    void reset() { *this = {}; }             // the connection is another one, or none

private:
    Status wait(MonotonicTime now);
    bool m_midPacket = false; // the library has read the beginning of a packet and not its end
    bool m_seenWholePacket = false;
    std::optional<MonotonicTime> m_incompleteSince;
};

} // namespace lockscope::zk::c_client
