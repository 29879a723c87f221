// Checks the head of every packet before the library reads it. The library trusts lengths and counts of the
// server: it would wait forever for a packet of -1 bytes, allocate 2 GB, abort on an unexpected reply, and
// use uninitialized memory when a reply is too short. One check costs as much as the peek of the library for
// a further packet, which it usually saves. I/O thread.
#pragma once

#include "core/base/time.h"
#include "core/zk/c_client/handle.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lockscope::zk::c_client {

// The expected content of a reply.
enum class ReplyKind {
    none,       // no request is pending: no reply may come
    headerOnly, // the library copes with anything after the header
    created,    // a path and a Stat
    data,       // bytes and a Stat
    stat,
    children, // names and a Stat
};

// The greatest packet of a healthy server: room for a million names of children.
inline constexpr std::int32_t kMaxPacketSize = 64 * 1024 * 1024;
// The bytes of a packet, with its length, that a check needs.
inline constexpr std::size_t kPacketHeadSize = 32;

// `head`: the first bytes of a packet with its length, up to kPacketHeadSize. Pure.
bool isWellFormed(std::span<const unsigned char> head, ReplyKind expected);

class FrameGuard
{
public:
    enum class Status {
        nothing,    // nothing to read
        pass,       // the library may read
        incomplete, // too few bytes so far
        broken,     // malformed, or cut off: give the connection up
    };
    // `calls`: the pending requests, in order.
    Status check(int fd, const boost::intrusive::list<Call>& calls, MonotonicTime now);
    // The same for the handshake reply: the library takes any 41 bytes for one. How long `incomplete` may
    // last is the caller's matter.
    Status checkHandshake(int fd) const;
    // The library has read, to the end of a packet or not.
    void noteRead(bool wholePacket) { m_midPacket = !wholePacket; }
    bool hasSeenWholePacket() const { return m_seenWholePacket; } // the last checked packet was all there was
    void reset() { *this = {}; }                                  // for a new connection

private:
    // Of a packet whose head is not there: incomplete for a while, then broken.
    Status statusOfIncomplete(int fd, MonotonicTime now);
    bool m_midPacket = false; // the library has read a part of a packet
    bool m_seenWholePacket = false;
    std::optional<MonotonicTime> m_incompleteSince;
};

} // namespace lockscope::zk::c_client
