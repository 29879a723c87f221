#include "core/replay/state/node_queue.h"

#include "core/queue/scheme.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::replay::node_queue {

namespace {

// The texts that the recipes put in front of the number.
constexpr std::array<Text, 6> kLockNames = {"lock-", "__READ__", "__WRIT__", "lease-", "-R-", "-W-"};
constexpr std::array<Text, 2> kReaderNames = {"__READ__", "-R-"};
constexpr std::size_t kPaddedDigits = 10; // the server appends these to a sequential node's name
constexpr std::size_t kFew = 3;           // nodes whose names are compared at once
constexpr std::size_t kMaxDigits = 18;    // of a number that fits into std::int64_t

struct Key
{
    Text text;
    std::int64_t sequence = -1;
    bool hasPaddedNumber = false;
};

std::int64_t numberOf(Text digits)
{
    std::int64_t number = 0;
    for (const char digit : digits)
        number = number * 10 + (digit - '0');
    return number;
}

Key watchedKeyOf(Text name)
{
    const queue::NodeName known = queue::parse(name);
    const Text text = name.substr(known.keyOffset);
    return {text, known.numbered ? numberOf(text) : -1, known.numbered};
}

Key keyOf(Text name, bool watched)
{
    if (watched)
        return watchedKeyOf(name);
    std::size_t digitsAt = name.size();
    std::int64_t number = 0;
    for (std::int64_t unit = 1; digitsAt > 0 && name.size() - digitsAt < kMaxDigits; unit *= 10) {
        const int digit = name[digitsAt - 1] - '0';
        if (digit < 0 || digit > 9)
            break;
        number += digit * unit;
        --digitsAt;
    }
    Key key;
    if (digitsAt < name.size())
        key.sequence = number;
    std::size_t sortKeyOffset = digitsAt;
    const Text front = name.substr(0, digitsAt);
    if (std::none_of(kLockNames.begin(), kLockNames.end(),
                     [&](Text known) { return front.ends_with(known); })) {
        const std::size_t found = name.rfind(kLockNames.front());
        sortKeyOffset = found == Text::npos ? 0 : found + kLockNames.front().size();
    }
    key.text = name.substr(sortKeyOffset);
    key.hasPaddedNumber = sortKeyOffset == digitsAt && key.text.size() == kPaddedDigits;
    return key;
}

// Ten digits sort as a number as they do as text; everything else is compared as text.
bool before(const NodeRow& row, const Key& key)
{
    if (row.hasPaddedNumber && key.hasPaddedNumber)
        return row.sequence < key.sequence;
    return row.name.substr(row.sortKeyOffset) < key.text;
}

bool before(const Key& key, const NodeRow& row)
{
    if (row.hasPaddedNumber && key.hasPaddedNumber)
        return key.sequence < row.sequence;
    return key.text < row.name.substr(row.sortKeyOffset);
}

Key keyOf(const NodeRow& row)
{
    return {row.name.substr(row.sortKeyOffset), row.sequence, row.hasPaddedNumber};
}

} // namespace

bool isReader(Text name)
{
    return std::any_of(kReaderNames.begin(), kReaderNames.end(),
                       [name](Text known) { return name.find(known) != Text::npos; });
}

bool isLease(Text name) { return name.find("lease-") != Text::npos; }

std::int64_t sequenceOf(Text name) { return keyOf(name, false).sequence; }

NodeRow makeRow(Text name, bool watched)
{
    const Key key = keyOf(name, watched);
    NodeRow row;
    row.name = name;
    row.sequence = key.sequence;
    row.sortKeyOffset = static_cast<std::uint32_t>(name.size() - key.text.size());
    row.hasPaddedNumber = key.hasPaddedNumber;
    row.reads = isReader(name);
    if (watched) {
        const queue::Role role = queue::parse(name).role;
        row.kind = queue::isOfLock(role) ? role : queue::Role::none;
        row.reads = role == queue::Role::reader;
    }
    return row;
}

std::size_t find(const std::vector<NodeRow>& queue, Text name, bool watched)
{
    if (queue.empty())
        return kNotFound;
    // The holder's node, which most events are about, and short queues need no parsing.
    const auto few = queue.begin() + static_cast<std::ptrdiff_t>(std::min(queue.size(), kFew));
    const auto known =
        std::find_if(queue.begin(), few, [name](const NodeRow& row) { return sameName(row.name, name); });
    if (known != few)
        return static_cast<std::size_t>(known - queue.begin());
    if (queue.size() <= kFew)
        return kNotFound;
    const Key key = keyOf(name, watched);
    auto row = std::lower_bound(queue.begin(), queue.end(), key,
                                [](const NodeRow& a, const Key& b) { return before(a, b); });
    for (; row != queue.end() && !before(key, *row); ++row) {
        if (sameName(row->name, name))
            return static_cast<std::size_t>(row - queue.begin());
    }
    return kNotFound;
}

std::size_t insert(std::vector<NodeRow>& queue, const NodeRow& row)
{
    const Key key = keyOf(row);
    if (queue.empty() || !before(key, queue.back())) { // the usual case, because sequence numbers grow
        queue.push_back(row);
        return queue.size() - 1;
    }
    const auto place = std::upper_bound(queue.begin(), queue.end(), key,
                                        [](const Key& a, const NodeRow& b) { return before(a, b); });
    const std::ptrdiff_t at = place - queue.begin();
    queue.insert(place, row);
    return static_cast<std::size_t>(at);
}

std::size_t orderEqual(std::vector<NodeRow>& queue, std::size_t own, std::size_t ahead)
{
    const auto equal = [&queue](std::size_t earlier, std::size_t later) {
        return !before(queue[earlier], keyOf(queue[later]));
    };
    if (ahead != kNotFound) {
        for (; ahead + 1 < own && equal(ahead, ahead + 1); ++ahead)
            std::swap(queue[ahead], queue[ahead + 1]);
        if (own < ahead && equal(own, ahead)) {
            std::rotate(queue.begin() + static_cast<std::ptrdiff_t>(own),
                        queue.begin() + static_cast<std::ptrdiff_t>(own) + 1,
                        queue.begin() + static_cast<std::ptrdiff_t>(ahead) + 1);
            own = std::exchange(ahead, ahead - 1);
        }
    }
    for (; own > 0 && own - 1 != ahead && equal(own - 1, own); --own)
        std::swap(queue[own - 1], queue[own]);
    return own;
}

} // namespace lockscope::replay::node_queue
