// Reads scenarios from TOML. A mistake is reported as file:line:column, what was found, what was expected.
#include "core/sim/scenario/scenario_reader.h"
#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/script_reader.h"
#include "core/sim/scenario/setting_rows.h"
#include "core/sim/scenario/toml_reader.h"

#include <filesystem>
#include <set>

namespace lockscope::sim {

namespace {

class Reader
{
public:
    Reader(std::string_view file, Scenario& scenario)
        : m_in(file)
        , m_scenario(scenario)
    {}

    void read(const toml::table& table)
    {
        TomlReader::Fields fields;
        addFields(workSettings(), m_in, m_scenario.work, m_scenario.locks, fields);
        for (const auto* rows : {&descriptionSettings(), &lockSettings(), &runSettings()})
            addFields(*rows, m_in, m_scenario, m_scenario.locks, fields);
        addLists(fields);
        // Clients refer to the locks and inherit the common work, so these are read first, wherever they are
        // in the table.
        readLocks(table);
        m_fewestClients = table.contains("connect") ? 0 : 1; // a watch-only run
        m_in.readTable(table, fields);
        if (const toml::array* clients = m_clients)
            for (const toml::node& client : *clients)
                readClient(client);
        countClients();
        readScriptAndSteps(m_in, {m_script, m_steps}, m_scenario);
    }

private:
    using Node = const toml::node&;

    // Those that are more than one value: which clients there are, scripts and what is expected.
    void addLists(TomlReader::Fields& fields)
    {
        fields["lock"] = fields["locks"] = [](Node) {}; // read by readLocks()
        fields["clients"] = [&](Node node) { readClients(node); };
        fields["client"] = [&](Node node) {
            m_clients = &m_in.list(node, message("tables of clients, each under [[client]]"));
        };
        fields["expect"] = [&](Node node) { readExpectations(m_in, node, m_scenario); };
        fields["expect_violated"] = [&](Node node) { readViolated(m_in, node, m_scenario); };
        // Read last, because scripts and steps name clients.
        fields["script"] = [&](Node node) { m_script = &node; };
        fields["steps"] = [&](Node node) { m_steps = &node; };
    }

    void readLocks(const toml::table& table)
    {
        const toml::node* one = table.get("lock");
        const toml::node* several = table.get("locks");
        if (one && several)
            m_in.wrong(*several, message("either \"lock\" or \"locks\""));
        if (one)
            m_scenario.locks = {m_in.text(*one)};
        if (!several)
            return;
        m_scenario.locks.clear();
        for (Node node :
             m_in.list(*several, message("a list of paths, such as [\"/locks/left\", \"/locks/right\"]")))
            m_scenario.locks.push_back(m_in.text(node));
        if (m_scenario.locks.empty() || m_scenario.locks.size() > 100)
            m_in.wrong(*several, message("1 to 100 paths"));
    }

    // 5 or ["ada", "bo"]
    void readClients(Node node)
    {
        if (!node.is_array()) {
            m_total = m_in.number(node, m_fewestClients, kMaxClients);
            return;
        }
        m_total = 0;
        for (Node name : *node.as_array()) {
            m_named.insert(m_in.name(name));
            m_scenario.named.push_back(NamedClient{m_in.name(name), 1, {}, {}, {}});
        }
        if (m_scenario.named.empty())
            m_in.wrong(node, message("a number, or a list of at least one name"));
        if (m_named.size() != m_scenario.named.size())
            m_in.wrong(node, message("each name once"));
    }

    void readClient(Node node)
    {
        if (!node.is_table())
            m_in.wrong(node, message("a client table"));
        NamedClient client;
        client.work = m_scenario.work;
        TomlReader::Fields fields;
        addFields(workSettings(), m_in, client.work, m_scenario.locks, fields);
        addFields(clientSettings(), m_in, client, m_scenario.locks, fields);
        m_in.readTable(*node.as_table(), fields);
        if (client.name.empty())
            m_in.fail(node.source(), message("a client without a name"), "name = \"ada\"");
        const auto listed = std::find_if(m_scenario.named.begin(), m_scenario.named.end(),
                                         [&](const NamedClient& one) { return one.name == client.name; });
        if (listed == m_scenario.named.end()) {
            m_scenario.named.push_back(client);
        } else if (m_named.erase(client.name) ==
                   1) { // it was in the list, and this table gives it its own work
            *listed = client;
        } else {
            m_in.fail(node.source(), message("the client \"%1\" twice", client.name),
                      message("each name once"));
        }
    }

    void countClients()
    {
        for (NamedClient& client : m_scenario.named)
            if (m_named.contains(client.name))
                client.work = m_scenario.work;
        std::uint32_t named = 0;
        for (const NamedClient& client : m_scenario.named)
            named += client.count;
        if (m_total)
            m_scenario.clients = *m_total > named ? *m_total - named : 0;
        else if (named > 0)
            m_scenario.clients = 0;
    }

    TomlReader m_in;
    Scenario& m_scenario;
    const toml::array* m_clients = nullptr;
    const toml::node* m_script = nullptr;
    const toml::node* m_steps = nullptr;
    std::optional<std::uint32_t> m_total; // clients = 5
    std::uint32_t m_fewestClients = 1;
    std::set<std::string> m_named; // clients = ["ada", "bo"], those without a table
};

} // namespace

Scenario readScenario(const toml::table& table, std::string_view file, const std::string& name)
{
    Scenario scenario;
    scenario.name = name;
    Reader(file, scenario).read(table);
    if (scenario.title.empty())
        scenario.title = name;
    return scenario;
}

Result<Scenario> parseScenario(std::string_view source, std::string_view fileName, MistakePlace& place)
{
    Scenario scenario;
    try {
        const toml::table table = parseToml(source, fileName, message("Expected a scenario in TOML."));
        scenario = readScenario(table, fileName, std::filesystem::path(fileName).stem().string());
    } catch (const TomlError& mistake) {
        place.line = mistake.line;
        return mistake.error;
    }
    scenario.source = std::string(source);
    if (const std::optional<ScenarioMistake> mistake = findMistake(scenario)) {
        place = {0, mistake->key, mistake->client};
        return Error{mistake->error.code, message("%1: %2", fileName, mistake->error.message),
                     mistake->error.hint};
    }
    return scenario;
}

Result<Scenario> parseScenario(std::string_view source, std::string_view fileName)
{
    MistakePlace ignored;
    return parseScenario(source, fileName, ignored);
}

} // namespace lockscope::sim
