// Scenarios from TOML. Every mistake is reported with its place: file:line:column, what was found, what was expected.
#include "core/sim/scenario.h"
#include "core/sim/script_text.h"

#include <toml++/toml.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace lockscope::sim {

namespace {

std::string place(std::string_view file, const toml::source_region& region)
{
    std::ostringstream text;
    text << file << ":" << region.begin.line << ":" << region.begin.column;
    return text.str();
}

std::string shown(const toml::node& node)
{
    std::ostringstream text;
    text << toml::node_view<const toml::node>(&node);
    std::string value = text.str();
    if (value.size() > 60)
        value = value.substr(0, 57) + "...";
    return value;
}

// Thrown inside this file only, caught by parseScenario.
struct Mistake
{
    Error error;
};

class Reader
{
public:
    Reader(std::string_view file, Scenario& scenario) : m_file(file), m_scenario(scenario) {}

    void read(const toml::table& table)
    {
        using Field = std::function<void(const toml::node&)>;
        const std::map<std::string_view, Field> fields = {
            {"title", [&](const toml::node& node) { m_scenario.title = text(node); }},
            {"text", [&](const toml::node& node) { m_scenario.text = text(node); }},
            {"clients", [&](const toml::node& node) { readClients(node); }},
            {"cycles", [&](const toml::node& node) { m_scenario.cycles = number(node, 0, 1'000'000'000); }},
            {"duration", [&](const toml::node& node) { m_scenario.duration = duration(node); }},
            {"think", [&](const toml::node& node) { m_scenario.think = range(node); }},
            {"hold", [&](const toml::node& node) { m_scenario.hold = range(node); }},
            {"reenter", [&](const toml::node& node) { readReenter(node); }},
            {"seed", [&](const toml::node& node) { m_scenario.seed = number(node, 0, INT64_MAX); }},
            {"lock", [&](const toml::node& node) { m_scenario.lockPath = text(node); }},
            {"recipe", [&](const toml::node& node) {
                 m_scenario.recipe = choice<Recipe>(node, recipeFrom, "one of " + recipeNames());
             }},
            {"write_percent", [&](const toml::node& node) { m_scenario.writePercent = number(node, 0, 100); }},
            {"handoff", [&](const toml::node& node) {
                 m_scenario.handoff = choice<Handoff>(node, handoffFrom, "\"curator\" or \"announced\"");
             }},
            {"session_timeout", [&](const toml::node& node) { m_scenario.sessionTimeout = duration(node); }},
            {"acquire_timeout", [&](const toml::node& node) { m_scenario.acquireTimeout = duration(node); }},
            {"fenced", [&](const toml::node& node) { m_scenario.fencedResource = flag(node); }},
            {"pace", [&](const toml::node& node) { m_scenario.pace = duration(node); }},
            {"script", [&](const toml::node& node) { readScript(node); }},
            {"expect_violated", [&](const toml::node& node) { readExpectations(node); }},
        };
        for (const auto& [key, node] : table) {
            const auto field = fields.find(key.str());
            if (field == fields.end())
                fail(key.source(), "the unknown field \"" + std::string(key.str()) + "\"", "one of " + names(fields));
            field->second(node);
        }
    }

private:
    [[noreturn]] void fail(const toml::source_region& at, const std::string& found, const std::string& expected) const
    {
        throw Mistake{Error{ErrorCode::badUsage, place(m_file, at) + ": found " + found + ", expected " + expected + ".", ""}};
    }
    [[noreturn]] void wrong(const toml::node& node, const std::string& expected) const
    {
        fail(node.source(), shown(node), expected);
    }

    template <class Map>
    static std::string names(const Map& fields)
    {
        std::string list;
        for (const auto& [name, field] : fields)
            list += (list.empty() ? "" : ", ") + std::string(name);
        return list;
    }

    std::string text(const toml::node& node) const
    {
        if (!node.is_string())
            wrong(node, "a text in quotes");
        return node.as_string()->get();
    }

    bool flag(const toml::node& node) const
    {
        if (!node.is_boolean())
            wrong(node, "true or false");
        return node.as_boolean()->get();
    }

    template <class Number = std::uint32_t>
    Number number(const toml::node& node, std::int64_t low, std::int64_t high) const
    {
        const auto* integer = node.as_integer();
        if (!integer || integer->get() < low || integer->get() > high)
            wrong(node, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
        return static_cast<Number>(integer->get());
    }

    Duration duration(const toml::node& node) const
    {
        const std::optional<Duration> value = node.is_string() ? durationFrom(node.as_string()->get()) : std::nullopt;
        if (!value)
            wrong(node, "a time such as \"250ms\", \"2s\" or \"1m\"");
        return *value;
    }

    // "5ms" or ["0ms", "100ms"]
    Range range(const toml::node& node) const
    {
        const toml::array* pair = node.as_array();
        if (!pair) {
            const Duration fixed = duration(node);
            return Range{fixed, fixed};
        }
        if (pair->size() != 2)
            wrong(node, "one time, or two in brackets: [\"0ms\", \"100ms\"]");
        const Range both{duration(*pair->get(0)), duration(*pair->get(1))};
        if (both.low > both.high)
            wrong(node, "the smaller time first");
        return both;
    }

    template <class Enum>
    Enum choice(const toml::node& node, std::optional<Enum> (*parse)(std::string_view), const std::string& expected) const
    {
        const std::optional<Enum> value = node.is_string() ? parse(node.as_string()->get()) : std::nullopt;
        if (!value)
            wrong(node, expected);
        return *value;
    }

    // 5 or ["ada", "bo"]
    void readClients(const toml::node& node)
    {
        const toml::array* list = node.as_array();
        if (!list) {
            m_scenario.clients = number(node, 1, kMaxClients);
            return;
        }
        for (const toml::node& name : *list) {
            const std::string client = text(name);
            if (client.empty() || client.size() > 40)
                wrong(name, "a name of 1 to 40 characters");
            m_scenario.clientNames.push_back(client);
        }
        if (m_scenario.clientNames.empty())
            wrong(node, "a number, or a list of at least one name");
        m_scenario.clients = static_cast<std::uint32_t>(m_scenario.clientNames.size());
    }

    // 2 or [0, 3]
    void readReenter(const toml::node& node)
    {
        const toml::array* pair = node.as_array();
        if (!pair) {
            m_scenario.reenterMin = m_scenario.reenterMax = number(node, 0, 100);
            return;
        }
        if (pair->size() != 2)
            wrong(node, "one number, or two in brackets: [0, 2]");
        m_scenario.reenterMin = number(*pair->get(0), 0, 100);
        m_scenario.reenterMax = number(*pair->get(1), 0, 100);
        if (m_scenario.reenterMin > m_scenario.reenterMax)
            wrong(node, "the smaller number first");
    }

    // ["after 3 handoffs: freeze the holder for 4s", ...]
    void readScript(const toml::node& node)
    {
        const toml::array* list = node.as_array();
        if (!list)
            wrong(node, "a list of lines, such as [\"when bo waits: kill ada\"]");
        for (const toml::node& entry : *list) {
            const std::string line = text(entry);
            const std::size_t colon = line.find(": ");
            if (colon == std::string::npos)
                wrong(entry, "a moment, a colon and what happens then, such as \"when bo waits: kill ada\"");
            const std::optional<When> when = whenFrom(std::string_view(line).substr(0, colon));
            if (!when)
                wrong(entry, "before the colon " + whenForms());
            const std::optional<Deed> deed = deedFrom(std::string_view(line).substr(colon + 2));
            if (!deed)
                wrong(entry, "after the colon " + deedForms());
            m_scenario.script.push_back({*when, *deed, line});
        }
    }

    void readExpectations(const toml::node& node)
    {
        static constexpr std::array<std::string_view, 7> known = {
            "one_holder", "order_kept", "no_herd", "no_orphan_node", "no_lost_wakeup", "tokens_increase",
            "belief_matches_server"};
        const toml::array* list = node.as_array();
        if (!list)
            wrong(node, "a list of findings, such as [\"no_herd\"]");
        for (const toml::node& name : *list) {
            const std::string finding = text(name);
            if (std::find(known.begin(), known.end(), finding) == known.end())
                wrong(name, "one of one_holder, order_kept, no_herd, no_orphan_node, no_lost_wakeup, tokens_increase, "
                            "belief_matches_server");
            m_scenario.expectViolated.push_back(finding);
        }
    }

    std::string_view m_file;
    Scenario& m_scenario;
};

Error notFound(const std::string& nameOrPath)
{
    std::string known;
    for (const BuiltIn& builtIn : builtIns())
        known += (known.empty() ? "" : ", ") + std::string(builtIn.name);
    return Error{ErrorCode::badUsage, "There is no scenario \"" + nameOrPath + "\".",
                 "Expected a .toml file that can be read, or one of the built-in ones: " + known + "."};
}

} // namespace

Result<Scenario> parseScenario(std::string_view source, std::string_view fileName)
{
    Scenario scenario;
    scenario.source = std::string(source);
    scenario.name = std::filesystem::path(fileName).stem().string();
    try {
        const toml::table table = toml::parse(source, fileName);
        Reader(fileName, scenario).read(table);
    } catch (const toml::parse_error& error) {
        return Error{ErrorCode::badUsage,
                     place(fileName, error.source()) + ": " + std::string(error.description()) + ".",
                     "Expected a scenario in TOML."};
    } catch (const Mistake& mistake) {
        return mistake.error;
    }
    if (scenario.title.empty())
        scenario.title = scenario.name;
    if (const Result<void> valid = validate(scenario); !valid)
        return Error{valid.error().code, std::string(fileName) + ": " + valid.error().message, valid.error().hint};
    return scenario;
}

Result<Scenario> loadScenario(const std::string& nameOrPath)
{
    for (const BuiltIn& builtIn : builtIns())
        if (builtIn.name == nameOrPath)
            return parseScenario(builtIn.toml, std::string(builtIn.name) + ".toml");
    std::error_code error;
    if (!std::filesystem::is_regular_file(nameOrPath, error))
        return notFound(nameOrPath);
    if (std::filesystem::file_size(nameOrPath, error) > 1024 * 1024)
        return Error{ErrorCode::badUsage, nameOrPath + " is larger than a megabyte.", "A scenario is a short TOML file."};
    std::ifstream file(nameOrPath, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file)
        return Error{ErrorCode::badUsage, nameOrPath + " cannot be read.", "Check the permissions."};
    return parseScenario(content.str(), nameOrPath);
}

} // namespace lockscope::sim
