#include "core/trace/link_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace lockscope::trace {

namespace {

struct Unit
{
    std::string_view name;
    std::int64_t nanoseconds;
};
constexpr std::array kUnits{Unit{"ns", 1},
                            Unit{"us", 1'000},
                            Unit{"ms", 1'000'000},
                            Unit{"s", 1'000'000'000},
                            Unit{"m", 60'000'000'000},
                            Unit{"h", 3'600'000'000'000}};
constexpr std::int64_t kLongest = 9'000'000'000'000'000'000; // nanoseconds

// The number at the beginning of `text`, which it takes off there.
std::optional<std::uint64_t> takeNumber(std::string_view& text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{})
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<Duration> durationOf(std::string_view text)
{
    if (text == "0")
        return Duration{};
    const std::optional<std::uint64_t> number = takeNumber(text);
    if (text.starts_with(' '))
        text.remove_prefix(1);
    for (const Unit& unit : kUnits)
        if (number && unit.name == text && *number <= static_cast<std::uint64_t>(kLongest / unit.nanoseconds))
            return Duration(static_cast<std::int64_t>(*number) * unit.nanoseconds);
    return {};
}

template <class T>
bool assign(T& field, const std::optional<T>& value)
{
    field = value.value_or(T{});
    return value.has_value();
}

bool takePart(LinkState& link, std::string_view part)
{
    constexpr std::string_view kSlower = " slower each way", kBytes = " bytes a second", kVaries = "+- ";
    if (part == "cut")
        return link.cut = true;
    if (part == "nothing reaches the server")
        return link.mutedToServer = true;
    if (part == "nothing comes from the server")
        return link.mutedToClient = true;
    if (part == "half-open")
        return link.halfOpen = true;
    if (part.ends_with(kSlower))
        return assign(link.delay, durationOf(part.substr(0, part.size() - kSlower.size())));
    if (part.starts_with(kVaries))
        return assign(link.jitter, durationOf(part.substr(kVaries.size())));
    return part.ends_with(kBytes) && assign(link.bytesPerSecond, takeNumber(part)) && part == kBytes;
}

} // namespace

void takeApart(LinkState& link)
{
    if (link.words.empty())
        return;
    LinkState fields;
    std::string_view rest = link.words;
    while (!rest.empty()) {
        constexpr std::string_view kBetween = ", ";
        const std::size_t end = std::min(rest.find(kBetween), rest.size());
        if (!takePart(fields, rest.substr(0, end)))
            return;
        rest.remove_prefix(std::min(end + kBetween.size(), rest.size()));
    }
    link = fields;
}

} // namespace lockscope::trace
