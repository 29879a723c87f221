#include "core/exports/text_format.h"

#include "core/trace/event_codec.h"
#include "core/trace/phrase.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace lockscope::exports {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

unsigned char byteAt(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// How many bytes of well-formed UTF-8 the text begins with; 0 when it does not.
std::size_t lengthOf(std::string_view text, char32_t& code)
{
    const unsigned char first = byteAt(text, 0);
    const std::size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || text.size() < length)
        return 0;
    code = length == 1 ? first : first & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byteAt(text, i) & 0xc0) != 0x80)
            return 0;
        code = (code << 6) | (byteAt(text, i) & 0x3fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

// Characters that are not seen themselves but change how others look.
bool misleads(char32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
           (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) == 0xfffe ||
           (code >= 0xe0000 && code <= 0xe0fff);
}

} // namespace

std::string plain(std::string_view text, std::size_t most)
{
    std::string shown;
    while (!text.empty()) {
        char32_t code = 0;
        const std::size_t length = lengthOf(text, code);
        const std::string_view next = length == 0 || misleads(code) ? kReplacement : text.substr(0, length);
        if (shown.size() + next.size() > most)
            return shown.append(kEllipsis);
        shown.append(next);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return shown;
}

std::string csvCell(std::string_view text)
{
    std::string cell = plain(text);
    if (!cell.empty() && std::string_view("=+-@").find(cell.front()) != std::string_view::npos)
        cell.insert(cell.begin(), '\'');
    if (cell.find_first_of(",\"") == std::string::npos && (cell.empty() || (cell.front() != ' ' && cell.back() != ' ')))
        return cell;
    std::string quoted = "\"";
    for (const char c : cell)
        quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

std::string html(std::string_view text)
{
    std::string escaped;
    for (const char c : plain(text)) {
        switch (c) {
        case '&': escaped += "&amp;"; break;
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '"': escaped += "&quot;"; break;
        case '\'': escaped += "&#39;"; break;
        default: escaped += c;
        }
    }
    return escaped;
}

std::string jsonText(std::string_view text)
{
    std::string out;
    trace::appendJsonString(out, plain(text));
    return out;
}

std::string microseconds(Duration value)
{
    const std::int64_t ns = value.count();
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", (ns < 0 ? -ns : ns) / 1000, (ns < 0 ? -ns : ns) % 1000);
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = (group << 8) | (at + i < bytes.size() ? byteAt(bytes, at + i) : 0u);
        for (std::size_t i = 0; i < 4; ++i)
            text += at + i > bytes.size() ? '=' : kDigits[(group >> (18 - 6 * i)) & 63u];
    }
    return text;
}

std::string clientName(const replay::RunState& state, ClientId client)
{
    if (!client.valid())
        return {};
    const replay::ClientRow* row = state.client(client);
    return row && !row->name.empty() ? plain(row->name) : trace::defaultClientName(client);
}

std::string lockPath(const replay::RunState& state, LockId lock)
{
    const replay::LockRow* row = lock.valid() ? state.lock(lock) : nullptr;
    return row ? plain(row->path) : std::string();
}

} // namespace lockscope::exports
