// Taking words off the ends of a phrase. Private to the parsing of scenarios; pure.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::sim {

inline bool take(std::string_view& text, std::string_view word)
{
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

inline bool drop(std::string_view& text, std::string_view ending)
{
    if (!text.ends_with(ending))
        return false;
    text.remove_suffix(ending.size());
    return true;
}

// Takes what follows the last `word` from the end.
inline std::optional<std::string_view> takeLast(std::string_view& text, std::string_view word)
{
    const std::size_t at = text.rfind(word);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(at + word.size());
    text = text.substr(0, at);
    return rest;
}

inline std::optional<std::uint64_t> parseNumber(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && number <= 1'000'000'000'000 ? std::optional(number) : std::nullopt;
}

inline bool isName(std::string_view text) { return !text.empty() && text.size() <= 40; }

} // namespace lockscope::sim
