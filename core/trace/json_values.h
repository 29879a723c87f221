// Reads one value of a trace line, for every type that a field of an event can have. read() returns false for
// an invalid value; expected() describes a valid one. Pure; private to the trace reader.
#pragma once

#include "core/base/numbers.h"
#include "core/trace/event_fields.h"

#include <simdjson.h>

#include <concepts>
#include <limits>
#include <string>

namespace lockscope::trace {

using simdjson::ondemand::value;

template <class E>
Message choices()
{
    std::string names;
    for (const std::string_view name : enumNames(E{}))
        names.append(names.empty() ? "\"" : ", \"").append(name).append("\"");
    return message("one of %1", names);
}

inline bool read(value& v, Text& field) { return v.get_string().get(field) == simdjson::SUCCESS; }
inline Message expected(const Text&) { return message("a text in quotes"); }

// A message's English text, without the control marks that Message uses.
inline bool read(value& v, Message& field)
{
    Text text;
    if (!read(v, text))
        return false;
    field = Message(text);
    return true;
}
inline Message expected(const Message&) { return message("a text in quotes"); }

// A sentence with its arguments, read from a list (see appendMessage in event_codec.cpp).
struct MessageList
{
    Message message;
    int depth = 0;
};
bool read(value& v, MessageList& field);
inline Message expected(const MessageList&)
{
    return message("a list of a sentence and up to 9 texts or lists");
}

inline bool read(value& v, bool& field) { return v.get_bool().get(field) == simdjson::SUCCESS; }
inline Message expected(bool) { return message("true or false"); }

inline bool read(value& v, std::int64_t& field) { return v.get_int64().get(field) == simdjson::SUCCESS; }
inline Message expected(std::int64_t) { return message("a whole number"); }

inline bool read(value& v, Duration& field)
{
    std::int64_t count = 0;
    if (!read(v, count))
        return false;
    field = Duration(count);
    return true;
}
inline Message expected(Duration) { return message("a whole number of nanoseconds"); }

template <std::unsigned_integral T>
bool readUpTo(value& v, T& field, std::uint64_t most)
{
    std::uint64_t number = 0;
    if (v.get_uint64().get(number) != simdjson::SUCCESS || number > most)
        return false;
    field = static_cast<T>(number);
    return true;
}

template <std::unsigned_integral T>
bool read(value& v, T& field)
{
    return readUpTo(v, field, std::numeric_limits<T>::max());
}
inline Message expectedUpTo(std::uint64_t most) { return message("a whole number from %1 to %2", 0, most); }
template <std::unsigned_integral T>
Message expected(T)
{
    return expectedUpTo(std::numeric_limits<T>::max());
}

template <class Tag, class T>
bool read(value& v, base::StrongId<Tag, T>& field)
{
    if constexpr (std::is_unsigned_v<T>) {
        return readUpTo(v, field.value, base::StrongId<Tag, T>::kNone - 1);
    } else {
        using Id = base::StrongId<Tag, T>;
        Text text;
        const bool hex = read(v, text) && text.starts_with("0x");
        field = hex ? parseHex<Id>(text.substr(2)).value_or(Id::none()) : Id::none();
        return field.valid();
    }
}
template <class Tag, class T>
Message expected(base::StrongId<Tag, T>)
{
    if constexpr (std::is_unsigned_v<T>)
        return expectedUpTo(base::StrongId<Tag, T>::kNone - 1);
    else
        return message("a hexadecimal number in quotes like \"0x1f3\"");
}

template <class E>
requires std::is_enum_v<E>
bool read(value& v, E& field)
{
    Text text;
    const std::optional<E> known = read(v, text) ? enumFrom<E>(text) : std::nullopt;
    field = known.value_or(field);
    return known.has_value();
}
template <class E>
requires std::is_enum_v<E> Message expected(E) { return choices<E>(); }

} // namespace lockscope::trace
