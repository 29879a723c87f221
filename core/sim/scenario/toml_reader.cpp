#include "core/sim/scenario/toml_reader.h"

#include "core/trace/plain_text.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace lockscope::sim {

namespace {

// The value on one line, cut when it is long.
std::string shown(const toml::node& node)
{
    constexpr std::size_t kMaxBytes = 60;
    std::ostringstream text;
    text << toml::node_view<const toml::node>(&node);
    std::string value;
    for (const char letter : text.str()) {
        const bool blank = letter == '\n' || letter == '\r' || letter == '\t' || letter == ' ';
        if (!blank)
            value += letter;
        else if (!value.empty() && value.back() != ' ')
            value += ' ';
    }
    return trace::plainText(value, kMaxBytes);
}

// Refuses characters that TOML does not permit: control characters, and non-ASCII characters outside quotes
// and comments. toml++ 3.3 has undefined behavior for some of both.
class CharacterCheck
{
public:
    CharacterCheck(std::string_view source, std::string_view file)
        : m_source(source)
        , m_file(file)
    {}

    void run()
    {
        if (m_source.starts_with("\xEF\xBB\xBF")) // a byte order mark
            m_at = 3;
        for (; m_at < m_source.size(); step()) {
            const auto letter = static_cast<unsigned char>(m_source[m_at]);
            const bool endsLine = letter == '\n' || rest().starts_with("\r\n");
            if ((letter < 0x20 && letter != '\t' && !endsLine) || letter == 0x7F)
                refuse(letter);
            if (letter >= 0x80 && (m_closing.empty() || (m_continues && isMisread())))
                refuse(letter);
            if (m_closing.empty())
                open();
            else if (m_continues && (endsLine || letter == '\r' || letter == ' ' || letter == '\t'))
                continue;
            else if (m_closing.front() == '"' && letter == '\\')
                escape();
            else if (m_continues = false; m_closing != "\n" && rest().starts_with(m_closing))
                close();
        }
    }

private:
    std::string_view rest() const { return m_source.substr(m_at); }
    // U+FB00 to U+FEFF at the start of a continued line: toml++ 3.3 has undefined behavior for most of them.
    bool isMisread() const
    {
        const std::string_view letters = rest();
        return letters.size() > 1 && letters[0] == '\xEF' && letters[1] >= '\xAC' && letters[1] <= '\xBB';
    }
    void open()
    {
        for (const std::string_view quote : {"\"\"\"", "'''", "\"", "'", "#"})
            if (rest().starts_with(quote)) {
                m_closing = quote == "#" ? "\n" : quote;
                for (std::size_t i = 1; i < quote.size(); ++i)
                    step();
                return;
            }
    }
    void escape()
    {
        const char next = m_at + 1 < m_source.size() ? m_source[m_at + 1] : '\0';
        m_continues = m_closing.size() == 3 && (next == ' ' || next == '\t' || next == '\r' || next == '\n');
        if (next == '"' || next == '\\')
            step();
    }
    void close()
    {
        for (std::size_t i = 1; i < m_closing.size(); ++i)
            step();
        m_closing = {};
    }
    void step()
    {
        const auto letter = static_cast<unsigned char>(m_source[m_at++]);
        if (letter == '\n')
            m_place = {m_place.line + 1, 1};
        else if ((letter & 0xC0) != 0x80) // not a continuation byte of UTF-8
            ++m_place.column;
        if (letter == '\n' && m_closing.size() == 1) // comments and short strings end with their line
            m_closing = {};
    }
    [[noreturn]] void refuse(unsigned char letter) const
    {
        const TomlReader reader(m_file);
        if (letter >= 0x80)
            reader.fail({m_place, m_place, {}}, message("a non-ASCII character"),
                        m_closing.empty() ? message("it in quotes")
                                          : message("it after another character on a continued line"));
        std::ostringstream code;
        code << "U+" << std::hex << std::uppercase << std::setw(4) << std::setfill('0') << int(letter);
        reader.fail({m_place, m_place, {}}, message("the control character %1", code.str()),
                    message("text, tabs and newlines"));
    }

    std::string_view m_source, m_file;
    std::size_t m_at = 0;
    std::string_view m_closing; // ends the open string or comment; empty: none is open
    bool m_continues = false;   // after a backslash at the end of a line
    toml::source_position m_place{1, 1};
};

std::string place(std::string_view file, const toml::source_region& region)
{
    std::ostringstream text;
    text << file << ":" << region.begin.line << ":" << region.begin.column;
    return text.str();
}

} // namespace

toml::table parseToml(std::string_view source, std::string_view file, const Message& hint)
{
    CharacterCheck(source, file).run();
    try {
        return toml::parse(source, file);
    } catch (const toml::parse_error& error) {
        throw TomlError{
            Error{ErrorCode::badUsage,
                  message("%1: %2", place(file, error.source()), std::string(error.description()) + "."),
                  hint},
            static_cast<int>(error.source().begin.line)};
    }
}

void TomlReader::fail(const toml::source_region& at, const Message& found, const Message& expected) const
{
    throw TomlError{
        Error{ErrorCode::badUsage,
              message("%1: %2", place(m_file, at), message("found %1, expected %2.", found, expected)),
              {}},
        static_cast<int>(at.begin.line)};
}

void TomlReader::wrong(const toml::node& node, const Message& expected) const
{
    fail(node.source(), shown(node), expected);
}

void TomlReader::readTable(const toml::table& table, const Fields& fields) const
{
    for (const auto& [key, node] : table) {
        const auto field = fields.find(key.str());
        if (field == fields.end()) {
            std::string names;
            for (const auto& [name, known] : fields)
                names += (names.empty() ? "" : ", ") + name;
            fail(key.source(), message("the unknown field \"%1\"", key.str()), message("one of %1", names));
        }
        field->second(node);
    }
}

std::string TomlReader::text(const toml::node& node) const
{
    if (!node.is_string())
        wrong(node, message("a text in quotes"));
    return node.as_string()->get();
}

std::string TomlReader::name(const toml::node& node) const
{
    const std::string name = text(node);
    const bool plain = std::none_of(name.begin(), name.end(), [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
    });
    if (name.empty() || name.size() > 40 || !plain)
        wrong(node, message("a name of 1 to 40 characters"));
    return name;
}

bool TomlReader::flag(const toml::node& node) const
{
    if (!node.is_boolean())
        wrong(node, message("true or false"));
    return node.as_boolean()->get();
}

std::int64_t TomlReader::whole(const toml::node& node, std::int64_t low, std::int64_t high) const
{
    const auto* integer = node.as_integer();
    if (!integer || integer->get() < low || integer->get() > high)
        wrong(node, message("a whole number from %1 to %2", low, high));
    return integer->get();
}

Duration TomlReader::duration(const toml::node& node) const
{
    const std::optional<Duration> value =
        node.is_string() ? parseDuration(node.as_string()->get()) : std::nullopt;
    if (!value)
        wrong(node, message("a time such as \"250ms\", \"2s\" or \"1m\""));
    return *value;
}

const toml::array& TomlReader::list(const toml::node& node, const Message& expected) const
{
    if (!node.is_array())
        wrong(node, expected);
    return *node.as_array();
}

Range TomlReader::range(const toml::node& node) const
{
    static constexpr std::string_view kExponential = "exponential ";
    if (node.is_string() && node.as_string()->get().starts_with(kExponential)) {
        const auto mean =
            parseDuration(std::string_view(node.as_string()->get()).substr(kExponential.size()));
        if (!mean)
            wrong(node, message("\"exponential \" and its mean, such as \"exponential 20ms\""));
        return Range{*mean, *mean, true};
    }
    if (!node.is_array()) {
        const Duration fixed = duration(node);
        return Range{fixed, fixed};
    }
    const toml::array& ends = *node.as_array();
    if (ends.size() != 2)
        wrong(node, message("one time, or two in brackets: [\"0ms\", \"100ms\"]"));
    const Range both{duration(*ends.get(0)), duration(*ends.get(1))};
    if (both.low > both.high)
        wrong(node, message("the smaller time first"));
    return both;
}

void TomlReader::pair(const toml::node& node, std::int64_t min, std::int64_t max, std::uint32_t& low,
                      std::uint32_t& high) const
{
    if (!node.is_array()) {
        low = high = number(node, min, max);
        return;
    }
    const toml::array& ends = *node.as_array();
    if (ends.size() != 2)
        wrong(node, message("one number, or two in brackets: [%1, 2]", min));
    low = number(*ends.get(0), min, max);
    high = number(*ends.get(1), min, max);
    if (low > high)
        wrong(node, message("the smaller number first"));
}

} // namespace lockscope::sim
