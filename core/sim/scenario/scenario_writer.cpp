// Writes a scenario as TOML that reads back to the same scenario, without defaults.
#include "core/sim/scenario/scenario_text.h"

#include <cstdio>
#include <sstream>

namespace lockscope::sim {

namespace {

std::string tomlString(std::string_view text)
{
    std::string out = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\')
            out.append(1, '\\').append(1, letter);
        else if (letter == '\n')
            out += "\\n";
        else if (letter == '\t')
            out += "\\t";
        else if (code < 0x20 || code == 0x7F) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04X", code);
            out += escaped;
        } else
            out += letter;
    }
    return out + "\"";
}

std::string formatRange(const Range& range)
{
    if (range.exponential)
        return tomlString("exponential " + formatDuration(range.low));
    if (range.low == range.high)
        return tomlString(formatDuration(range.low));
    return "[" + tomlString(formatDuration(range.low)) + ", " + tomlString(formatDuration(range.high)) + "]";
}

std::string formatPair(std::uint32_t least, std::uint32_t most)
{
    return least == most ? std::to_string(least)
                         : "[" + std::to_string(least) + ", " + std::to_string(most) + "]";
}

class Writer
{
public:
    explicit Writer(const Scenario& scenario)
        : m_scenario(scenario)
    {}

    std::string write()
    {
        writeTexts();
        writeClients();
        writeLocks();
        writeWork(m_scenario.work, Work{});
        writeRun();
        writeLists();
        for (const NamedClient& client : m_scenario.named)
            if (!m_listed || !isPlain(client))
                writeClient(client);
        return m_out.str();
    }

private:
    void put(std::string_view key, const std::string& value) { m_out << key << " = " << value << "\n"; }
    void putText(std::string_view key, std::string_view text)
    {
        if (!text.empty())
            put(key, tomlString(text));
    }
    template <class List, class ToText>
    void putList(std::string_view key, const List& list, ToText toText)
    {
        if (list.empty())
            return;
        m_out << key << " = [";
        for (std::size_t i = 0; i < list.size(); ++i)
            m_out << (list.size() > 2 ? "\n    "
                      : i > 0         ? " "
                                      : "")
                  << tomlString(toText(list[i])) << (i + 1 < list.size() ? "," : "");
        m_out << (list.size() > 2 ? "\n]\n" : "]\n");
    }

    bool isPlain(const NamedClient& client) const
    {
        return client.count == 1 && client.process.empty() && !client.start && client.work == m_scenario.work;
    }

    void writeTexts()
    {
        if (m_scenario.title != m_scenario.name)
            putText("title", m_scenario.title);
        putText("text", m_scenario.text);
        putText("title_zh", m_scenario.titleZh);
        putText("text_zh", m_scenario.textZh);
        m_out << "\n";
    }

    void writeClients()
    {
        std::uint32_t named = 0;
        bool single = true;
        for (const NamedClient& client : m_scenario.named) {
            named += client.count;
            single = single && client.count == 1;
        }
        // A list of names if that is enough; clients with their own work also have a table.
        m_listed = m_scenario.clients == 0 && single && !m_scenario.named.empty();
        if (m_listed)
            putList("clients", m_scenario.named, [](const NamedClient& client) { return client.name; });
        else
            put("clients", std::to_string(m_scenario.clients + named));
        if (m_scenario.workers != 1)
            put("workers", std::to_string(m_scenario.workers));
    }
    void writeLocks()
    {
        if (m_scenario.locks.size() == 1)
            put("lock", tomlString(m_scenario.locks.front()));
        else
            putList("locks", m_scenario.locks, [](const std::string& path) { return path; });
        put("recipe", tomlString(nameOf(m_scenario.recipe)));
        if (m_scenario.leases != 1)
            put("leases", std::to_string(m_scenario.leases));
        if (m_scenario.handoff != HandoffPolicy::curator)
            put("handoff", tomlString(nameOf(m_scenario.handoff)));
        if (m_scenario.resource != ResourceContent{})
            put("resource", tomlString(formatResourceContent(m_scenario.resource)));
        if (!m_scenario.fencedResource)
            put("fenced", "false");
    }

    void writeWork(const Work& work, const Work& defaults)
    {
        if (work.cycles != defaults.cycles)
            put("cycles", std::to_string(work.cycles));
        if (work.think != defaults.think)
            put("think", formatRange(work.think));
        if (work.hold != defaults.hold)
            put("hold", formatRange(work.hold));
        if (work.reenterMin != defaults.reenterMin || work.reenterMax != defaults.reenterMax)
            put("reenter", formatPair(work.reenterMin, work.reenterMax));
        if (work.takes.empty() && !defaults.takes.empty())
            put("takes", "[]");
        else if (work.takes != defaults.takes)
            putList("takes", work.takes,
                    [this](const Take& take) { return formatTake(take, m_scenario.locks); });
        if (work.releaseOrder != defaults.releaseOrder)
            put("give_back", tomlString(toString(work.releaseOrder)));
        if (work.writePercent != defaults.writePercent)
            put("write_percent", std::to_string(work.writePercent));
        if (work.permitsMin != defaults.permitsMin || work.permitsMax != defaults.permitsMax)
            put("permits", formatPair(work.permitsMin, work.permitsMax));
        if (work.acquireTimeout && work.acquireTimeout != defaults.acquireTimeout)
            put("acquire_timeout", tomlString(formatDuration(*work.acquireTimeout)));
        if (work.tries != defaults.tries)
            put("tries", std::to_string(work.tries));
        if (work.revocable != defaults.revocable)
            put("revocable", work.revocable ? "true" : "false");
    }

    void writeRun()
    {
        const Scenario defaults;
        if (m_scenario.arrival != defaults.arrival)
            put("arrival", tomlString(formatArrival(m_scenario.arrival)));
        if (m_scenario.duration)
            put("duration", tomlString(formatDuration(*m_scenario.duration)));
        put("seed", std::to_string(m_scenario.seed));
        if (m_scenario.sessionTimeout != defaults.sessionTimeout)
            put("session_timeout", tomlString(formatDuration(m_scenario.sessionTimeout)));
        if (m_scenario.pace != defaults.pace)
            put("pace", tomlString(formatDuration(m_scenario.pace)));
        if (m_scenario.servers != defaults.servers)
            put("servers", std::to_string(m_scenario.servers));
        putText("connect", m_scenario.connect);
        if (m_scenario.joinForeign)
            put("join_foreign", "true");
        if (m_scenario.links)
            put("links", *m_scenario.links ? "true" : "false");
        if (m_scenario.stepping)
            put("stepping", "true");
    }

    void writeLists()
    {
        putList("steps", m_scenario.steps,
                [](const TakenStep& step) { return step.client + " " + std::string(stepName(step.step)); });
        putList("script", m_scenario.script, [](const ScriptLine& line) { return line.text; });
        putList("expect", m_scenario.expect, [](const Expectation& one) { return formatExpectation(one); });
    }

    void writeClient(const NamedClient& client)
    {
        m_out << "\n[[client]]\n";
        put("name", tomlString(client.name));
        if (client.count != 1)
            put("count", std::to_string(client.count));
        putText("process", client.process);
        if (client.start)
            put("start", tomlString(formatDuration(*client.start)));
        writeWork(client.work, m_scenario.work);
    }

    const Scenario& m_scenario;
    bool m_listed = false;
    std::ostringstream m_out;
};

} // namespace

std::string toToml(const Scenario& scenario) { return Writer(scenario).write(); }

} // namespace lockscope::sim
