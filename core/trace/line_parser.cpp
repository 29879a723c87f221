#include "core/trace/event_codec.h"
#include "core/trace/event_fields.h"
#include "core/trace/json_line.h"

#include <array>
#include <deque>
#include <stdexcept>

namespace lockscope::trace {

namespace {

// Later times (over 146 years) are refused, so that sums of times cannot overflow.
constexpr std::int64_t kMaxTime = std::int64_t{1} << 62;

// A field that the writer never leaves out.
template <class E, class F>
constexpr bool required()
{
    if constexpr (std::is_same_v<F, Duration>)
        return !std::is_same_v<E, AcquireCalled> && !zeroIsNone<E>;
    else if constexpr (zeroIsNone<E>)
        return false;
    else
        return std::is_enum_v<F> || (std::is_integral_v<F> && !std::is_same_v<F, bool>);
}

// ---- the kinds of events -------------------------------------------------------------------------------

struct Kind
{
    std::string_view name;
    Payload (*make)();
};

template <std::size_t... I>
constexpr auto allKinds(std::index_sequence<I...>)
{
    return std::array<Kind, sizeof...(I)>{{{kindName<std::variant_alternative_t<I, Payload>>,
                                            [] { return Payload(std::in_place_index<I>); }}...}};
}
constexpr auto kKinds = allKinds(std::make_index_sequence<std::variant_size_v<Payload>>{});

// Which fields of an event were read; one bit for each.
class Seen
{
public:
    // False if the field was read before.
    bool add(unsigned bit)
    {
        const bool isNew = !has(bit);
        m_bits |= 1U << bit;
        return isNew;
    }
    bool has(unsigned bit) const { return (m_bits >> bit) & 1U; }

private:
    std::uint32_t m_bits = 0;
};

constexpr std::size_t kSuffixLength = std::string_view(kMessageSuffix).size();

enum CommonField : unsigned { kTime, kKind, kClient, kLock, kCause, kFirstOwn };

} // namespace

void throw_exception_from_error(const LineError& error, const boost::source_location&)
{
    throw std::logic_error(message("found %1, expected %2.", error.found, error.expected).english());
}

struct LineParser::Impl
{
    simdjson::ondemand::parser parser;
    std::deque<Message> messages; // owns the texts of the event's MessageViews
    Event parseEvent(std::string_view text, std::size_t index);
    Header parseHeader(std::string_view text);
};

bool read(value& v, MessageList& field)
{
    simdjson::ondemand::array list;
    if (field.depth > kMaxMessageDepth || v.get_array().get(list) != simdjson::SUCCESS)
        return false;
    std::string source;
    std::vector<Message> arguments;
    bool first = true;
    for (auto each : list) {
        value item;
        if (std::move(each).get(item) != simdjson::SUCCESS)
            return false;
        simdjson::ondemand::json_type type;
        if (item.type().get(type) != simdjson::SUCCESS || arguments.size() == 9)
            return false;
        if (type == simdjson::ondemand::json_type::array) {
            MessageList inner{{}, field.depth + 1};
            if (first || !read(item, inner))
                return false;
            arguments.push_back(std::move(inner.message));
            continue;
        }
        Text text;
        if (!read(item, text))
            return false;
        if (first)
            source = text;
        else
            arguments.emplace_back(text);
        first = false;
    }
    field.message = Message::sentence(source, arguments);
    return !first;
}

namespace {

Payload makeKind(JsonLine& line, std::string_view name)
{
    for (const Kind& kind : kKinds)
        if (kind.name == name)
            return kind.make();
    line.wrongValue(line.valuePlace(),
                    message("the name of an event that this version knows, like \"acquired\""),
                    message("A newer version of LockScope may have written it."));
}

template <class F>
void readInto(JsonLine& line, value& v, F& field, std::deque<Message>&)
{
    line.readField(v, field);
}

void readInto(JsonLine& line, value& v, MessageView& field, std::deque<Message>& messages)
{
    Message text;
    line.readField(v, text);
    if (!field.isSentence()) // its "_message" field may come first, and takes precedence
        field = messages.emplace_back(std::move(text));
}

void readOwnField(JsonLine& line, Payload& what, std::string_view key, value& v, Seen& seen,
                  std::deque<Message>& messages)
{
    bool known = false;
    std::visit(
        [&](auto& event) {
            unsigned bit = kFirstOwn;
            visitFields(event, [&](std::string_view name, auto& field) {
                if (name == key) {
                    known = true;
                    if (!seen.add(bit))
                        line.wrongKey(message("each field once"));
                    readInto(line, v, field, messages);
                }
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, MessageView>) {
                    if (key.ends_with(kMessageSuffix) && key.substr(0, key.size() - kSuffixLength) == name) {
                        known = true;
                        MessageList list;
                        line.readField(v, list);
                        field = messages.emplace_back(std::move(list.message));
                    }
                }
                ++bit;
            });
        },
        what);
    if (!known)
        line.wrongKey(message("a field of this event"));
}

void checkComplete(JsonLine& line, Payload& what, const Seen& seen)
{
    if (!seen.has(kTime))
        line.missing("t");
    if (!seen.has(kKind))
        line.missing("e");
    std::visit(
        [&](auto& event) {
            using E = std::remove_cvref_t<decltype(event)>;
            unsigned bit = kFirstOwn;
            visitFields(event, [&](std::string_view name, auto& field) {
                if (required<E, std::remove_cvref_t<decltype(field)>>() && !seen.has(bit))
                    line.missing(name);
                ++bit;
            });
        },
        what);
}

} // namespace

Event LineParser::Impl::parseEvent(std::string_view text, std::size_t index)
{
    // Ids are dense, and each client has an event that adds it. The limit keeps a short file from naming a
    // client with a huge id, for which the state would grow. The slack is for traces that mention a client
    // before they add it.
    const std::uint64_t mostIds = std::min<std::uint64_t>(index + 1000, kMaxIds);
    messages.clear();
    JsonLine line(text, parser);
    Event event;
    Seen seen;
    const auto once = [&](unsigned bit) {
        if (!seen.add(bit))
            line.wrongKey(message("each field once"));
    };
    bool kindKnown = false;
    line.peekText("e", [&](Text name) {
        event.what = makeKind(line, name);
        kindKnown = true;
    });
    line.forEachField([&](std::string_view key, value& v) {
        if (key == "t") {
            once(kTime);
            std::uint64_t time = 0;
            line.readFieldUpTo(v, time, kMaxTime);
            event.at = TraceTime(static_cast<std::int64_t>(time));
        } else if (key == "e") {
            once(kKind);
            Text name;
            line.readField(v, name);
        } else if (key == "client") {
            once(kClient);
            line.readFieldUpTo(v, event.client.value, mostIds);
        } else if (key == "lock") {
            once(kLock);
            line.readFieldUpTo(v, event.lock.value,
                               std::min<std::uint64_t>(mostIds, LockId::none().value - 1));
        } else if (key == "cause") {
            once(kCause);
            const char* at = line.valuePlace();
            line.readField(v, event.cause);
            if (event.cause.value >= index)
                line.wrongValue(at, message("the number of an event before this one, which is %1", index));
        } else {
            if (!kindKnown)
                line.missing("e");
            readOwnField(line, event.what, key, v, seen, messages);
        }
    });
    checkComplete(line, event.what, seen);
    return event;
}

Header LineParser::Impl::parseHeader(std::string_view text)
{
    JsonLine line(text, parser);
    Header header;
    const std::string first = R"({"schema":"lockscope-trace","version":1,...})";
    bool isSchema = false;
    bool isVersion = false;
    line.peekText("schema", [&](Text) { isSchema = true; });
    if (!isSchema)
        line.wrongLine(message("the first line of a trace: %1", first));
    line.forEachField([&](std::string_view key, value& v) {
        const char* at = line.valuePlace();
        if (key == "schema") {
            Text schema;
            line.readField(v, schema);
            if (schema != "lockscope-trace")
                line.wrongValue(at, "\"lockscope-trace\"");
        } else if (key == "version") {
            std::int64_t version = 0;
            line.readField(v, version);
            if (version != 1)
                line.wrongValue(at, message("version 1"),
                                version > 1 ? message("Open it with a newer version of LockScope.")
                                            : Message());
            isVersion = true;
        } else if (key == "scenario" || key == "title" || key == "scenario_toml") {
            Text value;
            line.readField(v, value);
            (key == "title"      ? header.title
             : key == "scenario" ? header.scenario
                                 : header.scenarioToml) = value;
        } else if (key == "seed") {
            line.readField(v, header.seed);
        } else if (key == "session_ids") {
            line.readField(v, header.sessionIds);
        } else if (key == "time_zero") {
            simdjson::ondemand::object zero;
            if (v.get_object().get(zero) != simdjson::SUCCESS)
                line.wrongValue(at, message("an object with \"wall_ns\" and \"monotonic_ns\""));
            line.forEachFieldOf(zero, [&](std::string_view name, value& number) {
                if (name == "wall_ns")
                    line.readField(number, header.wallNanoseconds);
                else if (name == "monotonic_ns")
                    line.readField(number, header.monotonicNanoseconds);
                else
                    line.wrongKey(message("\"wall_ns\" or \"monotonic_ns\""));
            });
        } else {
            line.wrongKey(message("a field of the first line of a trace"));
        }
    });
    if (!isVersion)
        line.missing("version");
    return header;
}

LineParser::LineParser()
    : m_impl(std::make_unique<Impl>())
{}
LineParser::~LineParser() = default;

LineResult<Header> LineParser::header(std::string_view line)
{
    try {
        return m_impl->parseHeader(line);
    } catch (LineFailure& wrong) {
        return std::move(wrong.error);
    }
}

LineResult<Event> LineParser::event(std::string_view line, std::size_t index)
{
    try {
        return m_impl->parseEvent(line, index);
    } catch (LineFailure& wrong) {
        return std::move(wrong.error);
    }
}

} // namespace lockscope::trace
