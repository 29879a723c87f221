#include "core/trace/node_name.h"

#include <algorithm>
#include <array>

namespace lockscope::trace {

namespace {

constexpr std::size_t kSequenceDigits = 10; // the server appends these to a sequential node's name
constexpr std::size_t kGuidDigits = 32;   // hexadecimal digits of a GUID without hyphens

struct Pattern
{
    Text before; // the text in front of the number
    LockLibrary library;
    NodeKind kind;
};
constexpr std::array kNamePatterns{Pattern{"__rlock__", LockLibrary::kazoo, NodeKind::read},
                               Pattern{"__lock__", LockLibrary::kazoo, NodeKind::lock},
                               Pattern{"lock-", LockLibrary::curator, NodeKind::lock},
                               Pattern{"latch-", LockLibrary::curator, NodeKind::lock},
                               Pattern{"lease-", LockLibrary::curator, NodeKind::lease},
                               Pattern{"__READ__", LockLibrary::curator, NodeKind::read},
                               Pattern{"__WRIT__", LockLibrary::curator, NodeKind::write},
                               Pattern{"-R-", LockLibrary::curator, NodeKind::read},
                               Pattern{"-W-", LockLibrary::curator, NodeKind::write}};

bool isDecimalDigit(char c) { return c >= '0' && c <= '9'; }

bool isHexDigit(char c) { return isDecimalDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool allHexDigits(Text text) { return !text.empty() && std::all_of(text.begin(), text.end(), isHexDigit); }

// "_c_0123456789abcdef0123456789abcdef-lock-"
bool isGoZk(Text front)
{
    constexpr Text kBegin = "_c_", kEnd = "-lock-";
    return front.size() == kBegin.size() + kGuidDigits + kEnd.size() && front.starts_with(kBegin) &&
           front.ends_with(kEnd) && allHexDigits(front.substr(kBegin.size(), kGuidDigits));
}

// "x-1000a2b3c4d0001-"
bool isZooKeeper(Text front)
{
    return front.size() > 3 && front.starts_with("x-") && front.back() == '-' &&
           allHexDigits(front.substr(2, front.size() - 3));
}

} // namespace

NodeName parseNodeName(Text name)
{
    if (name.size() == kGuidDigits && allHexDigits(name))
        return {LockLibrary::kazoo, NodeKind::lease, 0, false};
    if (name.size() <= kSequenceDigits || !std::all_of(name.end() - kSequenceDigits, name.end(), isDecimalDigit))
        return {};
    std::size_t sortKeyOffset = name.size() - kSequenceDigits;
    // overflown: the server's counter has become negative, as in "lock--2147483648".
    for (const bool overflown : {false, true}) {
        if (overflown && (sortKeyOffset == 0 || name[--sortKeyOffset] != '-'))
            break;
        const Text front = name.substr(0, sortKeyOffset);
        for (const Pattern& each : kNamePatterns)
            if (front.ends_with(each.before))
                return {isGoZk(front) ? LockLibrary::goZk : each.library, each.kind, sortKeyOffset, !overflown};
        if (isZooKeeper(front))
            return {LockLibrary::zooKeeper, NodeKind::lock, sortKeyOffset, !overflown};
    }
    return {};
}

} // namespace lockscope::trace
