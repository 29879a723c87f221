// Formats numbers, and parses texts that contain a number and nothing else. Pure; any thread.
#pragma once

#include "core/base/ids.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace lockscope {

// "0x1f3"
template <class Tag>
std::string hexText(base::StrongId<Tag, std::int64_t> id)
{
    std::array<char, 16> digits{};
    const auto number = static_cast<std::uint64_t>(id.value);
    return "0x" + std::string(digits.data(),
                              std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr);
}

template <class T>
std::optional<T> parseWhole(std::string_view text, int base = 10)
{
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

template <class Id> // Zxid, SessionId
std::optional<Id> parseHex(std::string_view digits)
{
    const auto number = parseWhole<std::uint64_t>(digits, 16);
    return number ? std::optional(Id{static_cast<std::int64_t>(*number)}) : std::nullopt;
}

} // namespace lockscope
