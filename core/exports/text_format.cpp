#include "core/exports/text_format.h"

#include "core/trace/event_codec.h"
#include "core/trace/plain_text.h"

#include <fmt/core.h>

#include <array>
#include <cstdint>

namespace lockscope::exports {

namespace {

unsigned char byteAt(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

} // namespace

std::string plain(std::string_view text, std::size_t most) { return trace::plainText(text, most); }

std::string csvCell(std::string_view text)
{
    std::string cell = plain(text);
    if (!cell.empty() && std::string_view("=+-@").find(cell.front()) != std::string_view::npos)
        cell.insert(cell.begin(), '\'');
    if (cell.find_first_of(",\"") == std::string::npos &&
        (cell.empty() || (cell.front() != ' ' && cell.back() != ' ')))
        return cell;
    std::string quoted = "\"";
    for (const char c : cell)
        quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

std::string html(std::string_view text, std::size_t most)
{
    std::string escaped;
    for (const char c : plain(text, most)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += c;
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
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", (ns < 0 ? -ns : ns) / 1000,
                       (ns < 0 ? -ns : ns) % 1000);
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
