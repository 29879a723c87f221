// Reads values of TOML for scenarios and lessons. A mistake is thrown as TomlError with file:line:column,
// what was found and what was expected; parseScenario() and parseLesson() catch it.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario/work.h"

// toml++ 3.3 asserts that a table header begins like a key; without the assertion its next lines report the
// error.
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace lockscope::sim {

struct TomlError
{
    Error error;
    int line; // from 1
};

// `hint`: "Expected a lesson in TOML." Throws TomlError, also for control characters, and for non-ASCII
// outside quotes and comments.
toml::table parseToml(std::string_view source, std::string_view file, const Message& hint);

class TomlReader
{
public:
    explicit TomlReader(std::string_view file)
        : m_file(file)
    {}

    using Field = std::function<void(const toml::node&)>;
    using Fields = std::map<std::string, Field, std::less<>>;
    // Calls the function in `fields` for every key of the table. An unknown key is a mistake.
    void readTable(const toml::table& table, const Fields& fields) const;

    std::string text(const toml::node& node) const;
    std::string name(const toml::node& node) const; // 1 to 40 characters, no control characters
    bool flag(const toml::node& node) const;
    Duration duration(const toml::node& node) const;
    Range range(const toml::node& node) const; // "5ms", ["0ms", "100ms"] or "exponential 20ms"
    const toml::array& list(const toml::node& node, const Message& expected) const;
    template <class Number = std::uint32_t>
    Number number(const toml::node& node, std::int64_t low, std::int64_t high) const
    {
        return static_cast<Number>(whole(node, low, high));
    }
    // 2 or [0, 3]
    void pair(const toml::node& node, std::int64_t min, std::int64_t max, std::uint32_t& low,
              std::uint32_t& high) const;
    template <class Enum>
    Enum choice(const toml::node& node, std::optional<Enum> (*parse)(std::string_view),
                const Message& expected) const
    {
        const std::optional<Enum> value = node.is_string() ? parse(node.as_string()->get()) : std::nullopt;
        if (!value)
            wrong(node, expected);
        return *value;
    }

    [[noreturn]] void fail(const toml::source_region& at, const Message& found,
                           const Message& expected) const;
    [[noreturn]] void wrong(const toml::node& node, const Message& expected) const;

private:
    std::int64_t whole(const toml::node& node, std::int64_t low, std::int64_t high) const;

    std::string_view m_file;
};

} // namespace lockscope::sim
