// Reads one line of a trace file as a flat JSON object, with simdjson's on-demand API. Every error is thrown
// as LineFailure and names its place; LineParser turns it into a result. One instance per line.
#pragma once

#include "core/trace/event_codec.h"
#include "core/trace/json_values.h"

#include <simdjson.h>

#include <string>
#include <string_view>
#include <utility>

namespace lockscope::trace {

struct LineFailure
{
    LineError error;
};

class JsonLine
{
public:
    JsonLine(std::string_view text, simdjson::ondemand::parser& parser);

    // Calls found(text) if the object has this field and its value is a text; then starts over at the first
    // field. Errors in the line are left to forEachField().
    template <class F>
    void peekText(std::string_view name, F&& found)
    {
        value v;
        std::string_view text;
        if (m_doc.find_field_unordered(name).get(v) == simdjson::SUCCESS) {
            m_value = v.raw_json_token().data();
            if (v.get_string().get(text) == simdjson::SUCCESS)
                found(text);
        }
        startOver();
    }

    // Calls field(key, value) for each field in order, and checks that nothing follows the object.
    // `field` must read the value with one of the functions below.
    template <class F>
    void forEachField(F&& field)
    {
        simdjson::ondemand::object object;
        check(m_doc.get_object().get(object));
        forEachFieldOf(object, field);
        checkEnd();
    }
    template <class F>
    void forEachFieldOf(simdjson::ondemand::object& object, F&& field)
    {
        for (auto entry : object) {
            simdjson::ondemand::field pair;
            check(std::move(entry).get(pair));
            m_key = pair.key().raw() - 1;
            std::string_view key;
            check(pair.unescaped_key().get(key));
            value v = pair.value();
            m_value = v.raw_json_token().data();
            field(key, v);
        }
    }

    template <class T>
    void readField(value& v, T& target)
    {
        const char* at = m_value;
        if (!read(v, target))
            wrongValue(at, expected(target));
    }
    template <class T>
    void readFieldUpTo(value& v, T& target, std::uint64_t most)
    {
        const char* at = m_value;
        if (!readUpTo(v, target, most))
            wrongValue(at, expectedUpTo(most));
    }

    // The place of the value that was last passed to `field`.
    const char* valuePlace() const { return m_value; }

    [[noreturn]] void wrongLine(Message expectation);
    [[noreturn]] void wrongKey(Message expectation);
    [[noreturn]] void wrongValue(const char* at, Message expectation, Message hint = {});
    [[noreturn]] void missing(std::string_view name);

private:
    [[noreturn]] void fail(const char* at, Message found, Message expectation, Message hint = {},
                           bool incomplete = false) const;
    [[noreturn]] void notJson(simdjson::error_code error);
    void check(simdjson::error_code error)
    {
        if (error)
            notJson(error);
    }
    void startOver();
    void checkEnd();
    const char* place();
    Message tokenAt(const char* at) const;

    std::string_view m_text;
    simdjson::ondemand::parser& m_parser;
    simdjson::ondemand::document m_doc;
    const char* m_key = nullptr;
    const char* m_value = nullptr;
};

} // namespace lockscope::trace
