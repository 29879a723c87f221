// Checks the head of every packet before the library reads it. The library trusts the lengths and counts that
// the server sends: it would wait forever for a packet of -1 bytes, allocate 2 GB, abort on an unexpected
// reply, and use uninitialized memory when a reply is too short. A check costs as much as the library's
// attempt to read another packet, and usually makes that attempt unnecessary. I/O thread.
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
    none,       // no request is pending: a reply is an error
    headerOnly, // the library copes with anything after the header
    created,    // a path and a Stat
    data,       // bytes and a Stat
    stat,
    children, // names and a Stat
    guarded,  // the results of a transaction of a check and a write
    removal,  // the results of a transaction of a create and two deletes
};

// The largest packet accepted from a server: has room for the names of a million children.
inline constexpr std::int32_t kMaxPacketSize = 64 * 1024 * 1024;
// The number of bytes that a check needs of a packet, including the length field.
inline constexpr std::size_t kPacketHeadSize = 32;

// `head`: the first bytes of a packet, including the length field, up to kPacketHeadSize; of a transaction
// all bytes. Pure.
bool isWellFormed(std::span<const unsigned char> head, ReplyKind expected);

class FrameGuard
{
public:
    enum class Status {
        nothing,    // nothing to read
        pass,       // the library may read
        incomplete, // too few bytes so far
        broken,     // malformed, or cut off: close the connection
    };
    // `calls`: the pending requests, in order.
    Status check(int fd, const boost::intrusive::list<Call>& calls, MonotonicTime now);
    // The same for the handshake reply: the library accepts any 41 bytes as one. The caller decides how long
    // `incomplete` may last.
    Status checkHandshake(int fd) const;
    // Reports that the library has read, and whether it has read to the end of a packet.
    void noteRead(bool wholePacket) { m_midPacket = !wholePacket; }
    bool hasSeenWholePacket() const { return m_seenWholePacket; } // no bytes followed the last checked packet
    void reset() { *this = {}; }                                  // for a new connection

private:
    // The status of a packet whose head has not arrived: incomplete for a while, then broken.
    Status statusOfIncomplete(int fd, MonotonicTime now);
    bool m_midPacket = false; // the library has read a part of a packet
    bool m_seenWholePacket = false;
    std::optional<MonotonicTime> m_incompleteSince;
};

} // namespace lockscope::zk::c_client
