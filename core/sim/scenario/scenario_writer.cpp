// Writes a scenario as TOML that reads back to the same scenario, without defaults.
#include "core/sim/scenario/scenario_text.h"
#include "core/sim/scenario/setting_rows.h"

namespace lockscope::sim {

namespace {

class Writer
{
public:
    explicit Writer(const Scenario& scenario)
        : m_scenario(scenario)
    {
        m_defaults.title = scenario.name;
    }

    std::string write()
    {
        putAll(descriptionSettings(), m_scenario, m_defaults);
        m_out += "\n";
        writeClientsAndLocks();
        putAll(lockSettings(), m_scenario, m_defaults);
        putAll(workSettings(), m_scenario.work, m_defaults.work);
        putAll(runSettings(), m_scenario, m_defaults);
        for (const std::string_view list : {"steps", "script", "expect"})
            put(list, settingOf(m_scenario, list));
        for (const NamedClient& client : m_scenario.named) {
            if (m_listed && isPlain(client))
                continue;
            m_out += "\n[[client]]\n";
            putAll(clientSettings(), client, NamedClient{});
            putAll(workSettings(), client.work, m_scenario.work);
        }
        return m_out;
    }

private:
    void put(std::string_view key, const SettingValue& value)
    {
        if (const std::string text = tomlValue(value); !text.empty())
            m_out.append(key).append(" = ").append(text).append("\n");
    }
    template <class Owner>
    void putAll(const std::vector<SettingRow<Owner>>& rows, const Owner& owner, const Owner& defaults)
    {
        for (const SettingRow<Owner>& row : rows)
            if (!row.same(owner, defaults))
                put(row.key, row.value(owner, m_scenario.locks));
    }
    bool isPlain(const NamedClient& client) const
    {
        return client.count == 1 && client.process.empty() && !client.start && client.work == m_scenario.work;
    }

    void writeClientsAndLocks()
    {
        std::uint32_t named = 0;
        SettingValue names{{}, true, true};
        for (const NamedClient& client : m_scenario.named) {
            named += client.count;
            names.parts.push_back(client.name);
        }
        // A list of names if that is enough; clients with their own work also have a table.
        m_listed = m_scenario.clients == 0 && named > 0 && named == m_scenario.named.size();
        put("clients", m_listed ? names : SettingValue{{std::to_string(m_scenario.clients + named)}, false});
        if (m_scenario.locks.size() == 1)
            put("lock", {m_scenario.locks});
        else
            put("locks", settingOf(m_scenario, "locks"));
    }

    const Scenario& m_scenario;
    Scenario m_defaults;
    bool m_listed = false;
    std::string m_out;
};

} // namespace

std::string toToml(const Scenario& scenario) { return Writer(scenario).write(); }

} // namespace lockscope::sim
