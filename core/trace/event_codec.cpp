#include "core/trace/event_codec.h"

#include "core/trace/event_fields.h"
#include "core/trace/plain_text.h"
#include "core/trace/trace_file.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <concepts>
#include <iterator>

namespace lockscope::trace {

namespace {

// Bytes that are copied unchanged; all others take the slow path.
constexpr auto kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x7f; ++c)
        plain[c] = c != '"' && c != '\\';
    return plain;
}();

unsigned byteAt(std::string_view text, std::size_t index) { return static_cast<unsigned char>(text[index]); }

// The characters with a short escape, and the letters of these escapes.
constexpr std::string_view kShortEscaped = "\"\\\n\t\r";
constexpr std::string_view kShortLetters = "\"\\ntr";

void appendEscaped(std::string& out, char32_t code)
{
    const std::size_t known = code < 0x80 ? kShortEscaped.find(static_cast<char>(code)) : Text::npos;
    if (known != Text::npos) {
        out += '\\';
        out += kShortLetters[known];
        return;
    }
    if (code > 0xffff) { // two escapes: a surrogate pair
        appendEscaped(out, 0xd800 + ((code - 0x10000) >> 10));
        code = 0xdc00 + (code & 0x3ff);
    }
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", std::uint32_t{code});
}

template <std::integral T>
void appendNumber(std::string& out, T value)
{
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
}

void appendHex(std::string& out, std::int64_t value)
{
    std::array<char, 24> digits;
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<std::uint64_t>(value), 16)
            .ptr;
    out += "\"0x";
    out.append(digits.data(), end);
    out += '"';
}

void appendName(std::string& out, std::string_view name)
{
    out += ",\"";
    out += name;
    out += "\":";
}

// Writes a sentence as a list, ["%1 holds %2.","ada",["node %1","7"]], and a plain text as a text.
void appendMessage(std::string& out, MessageView message, int depth = 0)
{
    if (!message.isSentence() || depth > kMaxMessageDepth)
        return appendJsonString(out, message.english());
    out += '[';
    appendJsonString(out, message.source());
    for (const MessageView each : message.arguments()) {
        out += ',';
        appendMessage(out, each, depth + 1);
    }
    out += ']';
}

// Writes the fields of one event; fields without a value are left out.
struct FieldWriter
{
    std::string& out;
    const SessionNames* sessions; // null: session ids are written unchanged
    bool foreverIsNone;           // kForever is the default of this event's durations
    bool zeroIsNone;              // zeroIsNone<E> of this kind of event

    void operator()(std::string_view name, const Text& field) const
    {
        if (field.empty())
            return;
        appendName(out, name);
        if (sessions && field.find("x-") != Text::npos)
            appendJsonString(out, replaceSessionIds(field, *sessions));
        else
            appendJsonString(out, field);
    }
    // Writes the English text ("why") and, for a sentence, its source and arguments ("why_message").
    void operator()(std::string_view name, MessageView field) const
    {
        if (field.empty())
            return;
        const Message renamedField(sessions && field.encoded().find("x-") != Text::npos
                                       ? MessageView(replaceSessionIds(field.encoded(), *sessions))
                                       : field);
        appendName(out, name);
        appendJsonString(out, renamedField.english());
        if (!field.isSentence())
            return;
        appendName(out, std::string(name) + kMessageSuffix);
        appendMessage(out, renamedField);
    }
    void operator()(std::string_view name, bool field) const
    {
        if (!field)
            return;
        appendName(out, name);
        out += "true";
    }
    void operator()(std::string_view name, Duration field) const
    {
        if ((foreverIsNone && field == kForever) || (zeroIsNone && field == Duration{}))
            return;
        appendName(out, name);
        appendNumber(out, field.count());
    }
    void operator()(std::string_view name, SessionId field) const
    {
        if (!field.valid())
            return;
        appendName(out, name);
        appendHex(out, sessions ? sessions->of(field).value : field.value);
    }
    void operator()(std::string_view name, Zxid field) const
    {
        if (!field.valid())
            return;
        appendName(out, name);
        appendHex(out, field.value);
    }
    template <class Tag, class T>
    void operator()(std::string_view name, base::StrongId<Tag, T> field) const
    {
        if (!field.valid())
            return;
        appendName(out, name);
        appendNumber(out, field.value);
    }
    template <class E>
    requires std::is_enum_v<E>
    void operator()(std::string_view name, E field) const
    {
        appendName(out, name);
        out += '"';
        out += nameOf(field);
        out += '"';
    }
    template <std::unsigned_integral T>
    void operator()(std::string_view name, T field) const
    {
        if (zeroIsNone && field == 0)
            return;
        appendName(out, name);
        appendNumber(out, field);
    }
};

} // namespace

void appendEventLine(std::string& out, const Event& event, const SessionNames* sessions)
{
    out += "{\"t\":";
    appendNumber(out, event.at.count());
    std::visit(
        [&](const auto& what) {
            using Kind = std::remove_cvref_t<decltype(what)>;
            out += ",\"e\":\"";
            out += kindName<Kind>;
            out += '"';
            const FieldWriter write{out, sessions, std::is_same_v<Kind, AcquireCalled>, zeroIsNone<Kind>};
            write("client", event.client);
            write("lock", event.lock);
            write("cause", event.cause);
            visitFields(what, write);
        },
        event.what);
    out += '}';
}

void appendJsonString(std::string& out, std::string_view text)
{
    out += '"';
    while (!text.empty()) {
        std::size_t plain = 0;
        while (plain < text.size() && kPlain[byteAt(text, plain)])
            ++plain;
        out.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty())
            break;
        const auto [code, length] = firstCharacter(text);
        if (length == 0) {
            out += "\\ufffd";
            text.remove_prefix(1);
            continue;
        }
        if (code < 0x80 || isMisleading(code))
            appendEscaped(out, code);
        else
            out.append(text.substr(0, length));
        text.remove_prefix(length);
    }
    out += '"';
}

std::string headerLine(const Header& header)
{
    std::string out = R"({"schema":"lockscope-trace","version":1)";
    const auto text = [&](std::string_view name, const std::string& value) {
        appendName(out, name);
        appendJsonString(out, value);
    };
    text("scenario", header.scenario);
    text("title", header.title);
    appendName(out, "seed");
    appendNumber(out, header.seed);
    out += R"(,"time_zero":{"wall_ns":)";
    appendNumber(out, header.wallNanoseconds);
    appendName(out, "monotonic_ns");
    appendNumber(out, header.monotonicNanoseconds);
    out += '}';
    if (header.sessionIds == SessionIds::real)
        text("session_ids", "real");
    text("scenario_toml", header.scenarioToml);
    out += '}';
    return out;
}

} // namespace lockscope::trace
