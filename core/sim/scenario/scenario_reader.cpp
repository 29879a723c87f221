// Reads scenarios from TOML. A mistake is reported as file:line:column, what was found, what was expected.
#include "core/sim/scenario/scenario_reader.h"
#include "core/sim/scenario/scenario.h"
#include "core/sim/scenario/scenario_text.h"
#include "core/sim/scenario/script_reader.h"
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
        TomlReader::Fields fields = workFields(m_scenario.work);
        addTexts(fields);
        addLocks(fields);
        addRun(fields);
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

    TomlReader::Fields workFields(Work& work)
    {
        return {
            {"cycles", [&](Node node) { work.cycles = m_in.number(node, 0, 1'000'000'000); }},
            {"think", [&](Node node) { work.think = m_in.range(node); }},
            {"hold", [&](Node node) { work.hold = m_in.range(node); }},
            {"reenter", [&](Node node) { m_in.pair(node, 0, 100, work.reenterMin, work.reenterMax); }},
            {"takes", [&](Node node) { readTakes(node, work); }},
            {"give_back",
             [&](Node node) {
                 work.releaseOrder =
                     m_in.choice<ReleaseOrder>(node, parseReleaseOrder, "\"last first\" or \"first first\"");
             }},
            {"write_percent", [&](Node node) { work.writePercent = m_in.number(node, 0, 100); }},
            {"permits", [&](Node node) { m_in.pair(node, 1, 1'000, work.permitsMin, work.permitsMax); }},
            {"acquire_timeout", [&](Node node) { work.acquireTimeout = m_in.duration(node); }},
            {"tries", [&](Node node) { work.tries = m_in.number(node, 1, 1'000); }},
            {"revocable", [&](Node node) { work.revocable = m_in.flag(node); }},
        };
    }

    void addTexts(TomlReader::Fields& fields)
    {
        fields["title"] = [&](Node node) { m_scenario.title = m_in.text(node); };
        fields["text"] = [&](Node node) { m_scenario.text = m_in.text(node); };
        fields["title_zh"] = [&](Node node) { m_scenario.titleZh = m_in.text(node); };
        fields["text_zh"] = [&](Node node) { m_scenario.textZh = m_in.text(node); };
        fields["expect"] = [&](Node node) { readExpectations(m_in, node, m_scenario); };
        fields["expect_violated"] = [&](Node node) { readViolated(m_in, node, m_scenario); };
        fields["script"] = [&](Node node) {
            m_script = &node;
        }; // read last, because scripts and steps name clients
        fields["steps"] = [&](Node node) { m_steps = &node; };
    }

    void addLocks(TomlReader::Fields& fields)
    {
        fields["lock"] = fields["locks"] = [](Node) {}; // read by readLocks()
        fields["recipe"] = [&](Node node) {
            m_scenario.recipe = m_in.choice<Recipe>(node, parseRecipe, message("one of %1", recipeNames()));
        };
        fields["leases"] = [&](Node node) { m_scenario.leases = m_in.number(node, 1, 10'000); };
        fields["handoff"] = [&](Node node) {
            m_scenario.handoff =
                m_in.choice<HandoffPolicy>(node, enumFrom<HandoffPolicy>, "\"curator\" or \"announced\"");
        };
        fields["resource"] = [&](Node node) {
            m_scenario.resource =
                m_in.choice<ResourceContent>(node, parseResourceContent, resourceContentForms());
        };
        fields["fenced"] = [&](Node node) { m_scenario.fencedResource = m_in.flag(node); };
    }

    void addRun(TomlReader::Fields& fields)
    {
        fields["clients"] = [&](Node node) { readClients(node); };
        fields["workers"] = [&](Node node) { m_scenario.workers = m_in.number(node, 1, kMaxClients); };
        fields["client"] = [&](Node node) {
            m_clients = &m_in.list(node, message("tables of clients, each under [[client]]"));
        };
        fields["arrival"] = [&](Node node) {
            m_scenario.arrival = m_in.choice<Arrival>(node, parseArrival, arrivalForms());
        };
        fields["duration"] = [&](Node node) {
            m_scenario.duration = m_in.duration(node);
            if (*m_scenario.duration == Duration{})
                m_in.wrong(node, message("a time longer than 0"));
        };
        fields["seed"] = [&](Node node) { m_scenario.seed = m_in.number<std::uint64_t>(node, 0, INT64_MAX); };
        fields["session_timeout"] = [&](Node node) { m_scenario.sessionTimeout = m_in.duration(node); };
        fields["pace"] = [&](Node node) { m_scenario.pace = m_in.duration(node); };
        fields["servers"] = [&](Node node) {
            m_scenario.servers = m_in.number(node, 1, 3);
            if (m_scenario.servers == 2)
                m_in.wrong(node, message("1 or 3: two servers cannot outvote one that fails"));
        };
        fields["connect"] = [&](Node node) { m_scenario.connect = m_in.text(node); };
        fields["join_foreign"] = [&](Node node) { m_scenario.joinForeign = m_in.flag(node); };
        fields["links"] = [&](Node node) { m_scenario.links = m_in.flag(node); };
        fields["stepping"] = [&](Node node) { m_scenario.stepping = m_in.flag(node); };
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

    // ["left", "book:write"]
    void readTakes(Node node, Work& work) const
    {
        work.takes.clear();
        for (Node entry : m_in.list(node, message("a list of locks, such as [\"left\", \"right\"]"))) {
            const std::optional<Take> take = parseTake(m_in.text(entry), m_scenario.locks);
            if (!take)
                m_in.wrong(entry, message("one of %1", takeForms(m_scenario.locks)));
            work.takes.push_back(*take);
        }
        if (work.takes.size() > 100)
            m_in.wrong(node, message("at most 100 locks"));
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
        TomlReader::Fields fields = workFields(client.work);
        fields["name"] = [&](Node entry) { client.name = m_in.name(entry); };
        fields["count"] = [&](Node entry) { client.count = m_in.number(entry, 1, kMaxClients); };
        fields["process"] = [&](Node entry) { client.process = m_in.name(entry); };
        fields["start"] = [&](Node entry) { client.start = m_in.duration(entry); };
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

Result<Scenario> parseScenario(std::string_view source, std::string_view fileName)
{
    Scenario scenario;
    try {
        const toml::table table = parseToml(source, fileName);
        scenario = readScenario(table, fileName, std::filesystem::path(fileName).stem().string());
    } catch (const toml::parse_error& error) {
        return Error{ErrorCode::badUsage,
                     message("%1: %2", TomlReader::place(fileName, error.source()),
                             std::string(error.description()) + "."),
                     message("Expected a scenario in TOML.")};
    } catch (const TomlError& mistake) {
        return mistake.error;
    }
    scenario.source = std::string(source);
    if (const Result<void> valid = validate(scenario); !valid)
        return Error{valid.error().code, message("%1: %2", fileName, valid.error().message),
                     valid.error().hint};
    return scenario;
}

} // namespace lockscope::sim
