#include "core/trace/session_names.h"

#include "core/base/numbers.h"

#include <algorithm>

#include <fmt/core.h>

namespace lockscope::trace {

namespace {

constexpr std::string_view kSessionBegins = "x-";
constexpr std::size_t kSessionHexDigits = 16; // "x-%016lx-"
constexpr std::size_t kMinSessionDigits = 8;  // a real id has more: it contains the time

bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool isLowerHex(char c) { return isDecimal(c) || (c >= 'a' && c <= 'f'); }
bool isWord(char c) { return isLowerHex(c) || (c >= 'g' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The digits (and sign) of the session id at the beginning of `text`; empty if there is no session id.
std::string_view sessionDigits(std::string_view text)
{
    const std::size_t sign =
        text.starts_with('-') ? 1 : 0; // ids from servers with a number of 128 or more are negative
    const auto end =
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(), isLowerHex);
    const auto length = static_cast<std::size_t>(end - text.begin());
    const bool named = length - sign >= kMinSessionDigits && length < text.size() && text[length] == '-';
    return named ? text.substr(0, length) : std::string_view();
}

// The pseudonym of the session, also decimal or hexadecimal; `digits` unchanged if they exceed 64 bits.
std::string renamedSession(std::string_view digits, const SessionNames& names)
{
    const bool negative = digits.starts_with('-');
    const std::string_view plain = digits.substr(negative ? 1 : 0);
    const bool hex = plain.size() == kSessionHexDigits || !std::all_of(plain.begin(), plain.end(), isDecimal);
    const auto number = parseWhole<std::uint64_t>(plain, hex ? 16 : 10);
    if (!number)
        return std::string(digits);
    const SessionId real{static_cast<std::int64_t>(negative ? 0 - *number : *number)};
    const auto name = static_cast<std::uint64_t>(names.of(real).value);
    return hex ? fmt::format("{:016x}", name) : fmt::format("{}", name);
}

} // namespace

std::string replaceSessionIds(std::string_view text, const SessionNames& names)
{
    std::string out;
    for (std::size_t at = text.find(kSessionBegins); at != std::string_view::npos;
         at = text.find(kSessionBegins)) {
        const bool begins = at == 0 || !isWord(text[at - 1]);
        out += text.substr(0, at + kSessionBegins.size());
        text.remove_prefix(at + kSessionBegins.size());
        if (const std::string_view session = begins ? sessionDigits(text) : std::string_view();
            !session.empty()) {
            out += renamedSession(session, names);
            text.remove_prefix(session.size());
        }
    }
    out += text;
    return out;
}

} // namespace lockscope::trace
