// Small steps of parsing the phrases of scenarios and lessons: each consumes a part of `text`. Pure.
#pragma once

#include "core/base/numbers.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::sim {

inline bool consumePrefix(std::string_view& text, std::string_view word)
{
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

inline bool consumeSuffix(std::string_view& text, std::string_view ending)
{
    if (!text.ends_with(ending))
        return false;
    text.remove_suffix(ending.size());
    return true;
}

// Cuts `text` off before the last `word` and returns what follows it.
inline std::optional<std::string_view> splitAtLast(std::string_view& text, std::string_view word)
{
    const std::size_t at = text.rfind(word);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(at + word.size());
    text = text.substr(0, at);
    return rest;
}

// A whole number up to a trillion.
inline std::optional<std::uint64_t> parseNumber(std::string_view text)
{
    const auto number = parseWhole<std::uint64_t>(text);
    return number && *number <= 1'000'000'000'000 ? number : std::nullopt;
}

inline bool isName(std::string_view text) { return !text.empty() && text.size() <= 40; }

} // namespace lockscope::sim
