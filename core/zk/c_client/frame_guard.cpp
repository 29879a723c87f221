#include "core/zk/c_client/frame_guard.h"

#include "core/base/jute.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <variant>

namespace lockscope::zk::c_client {

namespace {

constexpr std::size_t kPeekSize = 512; // holds most packets completely
constexpr Duration kIncompleteTimeout = std::chrono::seconds(2);

// In bytes, without the four bytes of the length field.
constexpr std::int32_t kReplyHeader = 4 + 8 + 4; // xid, zxid, error
constexpr std::int32_t kStat = 6 * 8 + 5 * 4;    // six long and five int
constexpr std::int32_t kFirstField = kReplyHeader + 4;
constexpr std::int32_t kMinNameSize = 4 + 1;

// The reserved xids: of watch events, and of the replies to ping, auth and setWatches.
constexpr std::int32_t kWatchEvent = -1;
constexpr std::int32_t kPing = -2;
constexpr std::int32_t kAuth = -4;
constexpr std::int32_t kSetWatches = -8;

// The results of a transaction: for each part a head (type, end, error) and what the part gives, and an end.
// The library asserts that there are as many as it has asked for.
constexpr std::int32_t kPartHead = 4 + 1 + 4;
constexpr std::int32_t kError = -1, kCreate = 1, kDelete = 2, kSetData = 5, kCheck = 13;
constexpr std::array<std::int32_t, 2> kGuardedParts{kCheck, kSetData};
constexpr std::array<std::int32_t, 3> kRemovalParts{kCreate, kDelete, kDelete};
constexpr std::int32_t kGuardedDone = kReplyHeader + 2 * kPartHead + kStat + kPartHead;

std::int32_t intAt(std::span<const unsigned char> bytes, std::size_t offset)
{
    return jute::loadInt32(reinterpret_cast<const char*>(bytes.data() + offset));
}

bool isWellFormedEvent(std::span<const unsigned char> head, std::int32_t length)
{
    constexpr std::int32_t kEventHead = kReplyHeader + 4 + 4 + 4; // type, state, the path's length
    if (length < kEventHead)
        return false;
    const std::int32_t path = intAt(head, 4 + kEventHead - 4);
    return intAt(head, 4 + kReplyHeader) != ZOO_SESSION_EVENT && path >= 0 && path <= length - kEventHead;
}

bool isNothingToRead(ssize_t count) { return count < 0 && (errno == EAGAIN || errno == EINTR); }

bool isWellFormedTransaction(std::span<const unsigned char> packet, std::int32_t length,
                             std::span<const std::int32_t> parts)
{
    if (static_cast<std::int32_t>(packet.size()) < 4 + length)
        return false;
    const std::int32_t end = 4 + length;
    std::int32_t at = 4 + kReplyHeader;
    const auto isHead = [&](std::int32_t type, bool last) {
        return end - at >= kPartHead && intAt(packet, static_cast<std::size_t>(at)) == type &&
               packet[static_cast<std::size_t>(at) + 4] == (last ? 1 : 0);
    };
    const bool failed = isHead(kError, false); // then every part gives an error
    for (const std::int32_t part : parts) {
        if (!isHead(failed ? kError : part, false))
            return false;
        at += kPartHead;
        if (failed)
            at += 4;
        else if (part == kSetData)
            at += kStat;
        if (failed || part != kCreate)
            continue;
        const std::int32_t path = end - at < 4 ? -1 : intAt(packet, static_cast<std::size_t>(at));
        if (path < 0 || path > end - at - 4)
            return false;
        at += 4 + path;
    }
    return end - at == kPartHead && isHead(kError, true);
}

// Whether no more bytes will arrive.
bool hasEnded(int fd)
{
    pollfd end{fd, POLLRDHUP, 0};
    return ::poll(&end, 1, 0) > 0;
}

ReplyKind kindOf(const Call& call)
{
    struct Kind
    {
        ReplyKind operator()(std::monostate) const { return ReplyKind::headerOnly; }
        ReplyKind operator()(const ReplySlot<Created>&) const { return ReplyKind::created; }
        ReplyKind operator()(const ReplySlot<Code>&) const { return ReplyKind::headerOnly; }
        ReplyKind operator()(const ReplySlot<Data>&) const { return ReplyKind::data; }
        ReplyKind operator()(const ReplySlot<StatReply>&) const { return ReplyKind::stat; }
        ReplyKind operator()(const ReplySlot<GuardedReply>&) const
        {
            return results && results->count == kRemovalParts.size() ? ReplyKind::removal
                                                                     : ReplyKind::guarded;
        }
        ReplyKind operator()(const ChildrenVisitor&) const { return ReplyKind::children; }
        const GuardedResults* results;
    };
    return std::visit(Kind{call.results.get()}, call.replySlot);
}

} // namespace

bool isWellFormed(std::span<const unsigned char> head, ReplyKind expected)
{
    const std::int32_t length = intAt(head, 0);
    if (length < kReplyHeader || length > kMaxPacketSize)
        return false;
    const std::int32_t xid = intAt(head, 4);
    if (xid == kWatchEvent)
        return isWellFormedEvent(head, length);
    if (xid == kPing || xid == kAuth || xid == kSetWatches)
        return true;
    const bool refused = intAt(head, 16) != 0;
    if (expected == ReplyKind::none || expected == ReplyKind::headerOnly || refused)
        return expected != ReplyKind::none;
    if (expected == ReplyKind::guarded)
        return isWellFormedTransaction(head, length, kGuardedParts);
    if (expected == ReplyKind::removal)
        return isWellFormedTransaction(head, length, kRemovalParts);
    if (expected == ReplyKind::stat)
        return length >= kReplyHeader + kStat;
    if (length < kFirstField + kStat)
        return false;
    const std::int32_t first = intAt(head, 4 + kReplyHeader);
    const std::int32_t room = length - kFirstField - kStat;
    switch (expected) {
    case ReplyKind::created:
        return first >= 0 && first <= room;
    case ReplyKind::data:
        return first >= -1 && first <= room;
    default:
        return first >= 0 && first <= room / kMinNameSize;
    }
}

FrameGuard::Status FrameGuard::statusOfIncomplete(int fd, MonotonicTime now)
{
    if (!m_incompleteSince)
        m_incompleteSince = now;
    const bool mayCome = now - *m_incompleteSince < kIncompleteTimeout && !hasEnded(fd);
    return mayCome ? Status::incomplete : Status::broken;
}

FrameGuard::Status FrameGuard::checkHandshake(int fd) const
{
    // Version, timeout, session id, password with its length; old servers omit the read-only byte.
    constexpr std::int32_t kMinSize = 4 + 4 + 8 + 4 + 16, kMaxSize = kMinSize + 1;
    if (m_midPacket)
        return Status::pass;
    std::array<unsigned char, 8> seen;
    const ssize_t count = ::recv(fd, seen.data(), seen.size(), MSG_PEEK | MSG_DONTWAIT);
    if (isNothingToRead(count))
        return Status::nothing;
    if (count <= 0)
        return Status::pass;
    if (count < static_cast<ssize_t>(seen.size()))
        return hasEnded(fd) ? Status::broken : Status::incomplete;
    const std::int32_t length = intAt(seen, 0), version = intAt(seen, 4);
    return length < kMinSize || length > kMaxSize || version != 0 ? Status::broken : Status::pass;
}

FrameGuard::Status FrameGuard::check(int fd, const boost::intrusive::list<Call>& calls, MonotonicTime now)
{
    m_seenWholePacket = false;
    if (m_midPacket)
        return Status::pass;
    std::array<unsigned char, kPeekSize> seen;
    const ssize_t count = ::recv(fd, seen.data(), seen.size(), MSG_PEEK | MSG_DONTWAIT);
    if (isNothingToRead(count))
        return Status::nothing;
    if (count <= 0)
        return Status::pass; // end of the connection, or an error: the library must notice it, too
    const std::span<const unsigned char> bytes(seen.data(), static_cast<std::size_t>(count));
    if (bytes.size() < 4)
        return statusOfIncomplete(fd, now);
    const std::int32_t length = intAt(bytes, 0);
    const ReplyKind expected = calls.empty() ? ReplyKind::none : kindOf(calls.front());
    const std::int32_t needed = expected == ReplyKind::guarded   ? kGuardedDone
                                : expected == ReplyKind::removal ? std::int32_t{kPeekSize} - 4
                                                                 : std::int32_t{kPacketHeadSize} - 4;
    const std::size_t head = 4 + static_cast<std::size_t>(std::clamp<std::int32_t>(length, 0, needed));
    if (bytes.size() < head)
        return statusOfIncomplete(fd, now);
    m_incompleteSince.reset();
    if (!isWellFormed(bytes, expected))
        return Status::broken;
    m_seenWholePacket = bytes.size() == 4 + static_cast<std::size_t>(length);
    return Status::pass;
}

} // namespace lockscope::zk::c_client
