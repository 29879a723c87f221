// The number that a server puts at the end of a sequential node's name (%010d of the parent's count of
// creations), and whether it can be the server's: ten digits may also be a clock's or an id of the program.
// Pure; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace lockscope::queue {

inline constexpr std::size_t kDigits = 10;

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

// The parts before and after the last '/'; the parent of "/a" is "".
constexpr std::string_view parentOf(std::string_view path) { return path.substr(0, path.rfind('/')); }
constexpr std::string_view nameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

constexpr bool endsInDigits(std::string_view name)
{
    return name.size() >= kDigits && std::all_of(name.end() - kDigits, name.end(), isDigit);
}

struct Number
{
    std::int32_t value = 0;
    std::size_t at = 0; // where its text begins: at the minus, if there is one

    // Most clients compare the numbers as text (see orderOf()): those after an overflow come first, and a
    // lower one after a higher one.
    constexpr std::int64_t order() const
    {
        constexpr std::int64_t kWrapped = -(std::int64_t{1} << 40);
        return value >= 0 ? value : kWrapped - std::int64_t{value};
    }
};

// None if the name does not end in ten digits, or if they are no 32-bit number. In "-lock--2147483648" and
// "__WRIT__-2147483648" a minus precedes the digits: the server's counter has overflowed. The "-" at the end
// of a lock's name is none: it follows a letter ("lock-").
constexpr std::optional<Number> numberOf(std::string_view name)
{
    if (!endsInDigits(name))
        return std::nullopt;
    Number number{0, name.size() - kDigits};
    std::int64_t value = 0;
    for (const char c : name.substr(number.at))
        value = value * 10 + (c - '0');
    if (number.at >= 2 && name[number.at - 1] == '-' &&
        (name[number.at - 2] == '-' || name[number.at - 2] == '_')) {
        value = -value;
        --number.at;
    }
    using Limits = std::numeric_limits<std::int32_t>;
    if (value < Limits::min() || value > Limits::max())
        return std::nullopt;
    number.value = static_cast<std::int32_t>(value);
    return number;
}

// What is known about where a number comes from.
enum class Given : std::uint8_t {
    notByServer, // the parent has not had that many children
    possibly,    // no creation was seen, and nothing is known about the parent
    allowed,     // the parent has had that many children: the server can have given it
    byServer,    // the creation was seen: it is the number that the server was to give
};

// `creations`: of children of the parent so far, this node included. After 2^31 - 1 they count on from -2^31.
constexpr Given givenTo(std::int32_t number, std::optional<std::int32_t> creations)
{
    // No folder has had so many children that the number could be a time in seconds since 1970.
    constexpr std::int32_t kLikeAClock = 1'000'000'000;
    if (!creations)
        return number >= kLikeAClock ? Given::notByServer : Given::possibly;
    return static_cast<std::uint32_t>(number) < static_cast<std::uint32_t>(*creations) ? Given::allowed
                                                                                       : Given::notByServer;
}

// The same for a creation that was seen: the number of a sequential node is the last one.
constexpr Given givenAtCreation(std::int32_t number, std::optional<std::int32_t> creations)
{
    if (!creations)
        return givenTo(number, creations);
    const bool last = static_cast<std::uint32_t>(*creations) - 1 == static_cast<std::uint32_t>(number);
    return last ? Given::byServer : givenTo(number, creations);
}

// A Stat on the wire has twice the creations less the children that there are (DataNode.copyStat).
constexpr std::int32_t creationsFrom(std::int32_t cversion, std::int32_t children)
{
    return static_cast<std::int32_t>(
        (static_cast<std::uint32_t>(cversion) + static_cast<std::uint32_t>(children)) / 2);
}

} // namespace lockscope::queue
