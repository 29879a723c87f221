#include "tests/bench/lock_bench_results.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockscope::bench {

namespace {

const std::vector<std::string> kContestants = {"announced", "curator policy", "Curator", "kazoo"};
// Each thing that a user may ask for, beside the same lock without it.
const std::vector<std::string> kAsked = {
    "announced, a write",          "announced, a fenced write", "BlockingMutex",
    "BlockingMutex, who holds it", "BlockingMutex, safe time",  "BlockingMutex, options",
    "BlockingMutex, spans"};

std::string line(const std::vector<std::string>& cells)
{
    std::string text = "|";
    for (const std::string& cell : cells)
        text += " " + cell + " |";
    return text + "\n";
}

std::string header(const std::vector<std::string>& cells)
{
    std::string text = line(cells) + "|";
    for (std::size_t i = 0; i < cells.size(); ++i)
        text += "---|";
    return text + "\n";
}

std::string judged(bool met) { return met ? ": met" : ": MISSED"; }

} // namespace

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double percentile(std::vector<Duration> values, double percent)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto last = static_cast<double>(values.size() - 1);
    return static_cast<double>(values[static_cast<std::size_t>(last * percent / 100)].count()) / 1000;
}

std::optional<double> Results::find(const std::string& measure, const std::string& contestant, int clients,
                                    double holdMs) const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(), [&](const Measurement& each) {
        return each.measure == measure && each.contestant == contestant && each.clients == clients &&
               each.holdMs == holdMs;
    });
    return found == m_all.end() ? std::nullopt : std::optional(found->value);
}

std::string Results::uncontendedTable() const
{
    const auto bare = find("uncontended_per_s", "bare");
    if (!bare)
        return {};
    std::string text =
        header({"uncontended acquire+release", "a second", "bare create+delete = 1", "budget"});
    text += line({"bare", fmt::format("{:.0f}", *bare), "1", ""});
    std::vector<std::string> names = kContestants;
    names.insert(names.begin(), kAsked.begin(), kAsked.end());
    names.insert(names.begin(), {"bare with list", "bare, awake", "announced, asleep"});
    for (const std::string& name : names)
        if (const auto rate = find("uncontended_per_s", name)) {
            const double ratio = find("uncontended_ratio", name).value_or(0);
            const bool ours = name == "announced" || name == "curator policy";
            text += line({name, fmt::format("{:.0f}", *rate), fmt::format("{:.2f}", ratio),
                          ours ? ">= 0.95" + judged(ratio >= 0.95) : ""});
        }
    return text + "\n";
}

std::string Results::handoffCell(const std::string& contestant, int clients, double holdMs) const
{
    const auto p50 = find("handoff_p50_us", contestant, clients, holdMs);
    const auto p99 = find("handoff_p99_us", contestant, clients, holdMs);
    const auto bare = find("handoff_p50_us", "bare", clients, holdMs);
    if (!p50 || !p99 || !bare)
        return "-";
    if (contestant == "bare")
        return fmt::format("{:.0f} / {:.0f} us", *p50, *p99);
    return fmt::format("{:.2f} ({:.0f} / {:.0f})", *p50 / *bare, *p50, *p99);
}

std::string Results::handoffTable() const
{
    std::string text =
        header({"handoff p50, bare delete-to-event = 1 (p50 / p99 in us)", "bare C client", "queue alone",
                "queue and list", "announced", "curator policy", "Curator", "kazoo", "budget"});
    bool any = false;
    for (const double hold : {2.0, 0.0})
        for (const int clients : {10, 100, 1000}) {
            const auto bare = find("handoff_p50_us", "bare", clients, hold);
            const auto ours = find("handoff_p50_us", "announced", clients, hold);
            const auto exact = find("handoff_p50_us", "curator policy", clients, hold);
            const auto curator = find("handoff_p50_us", "Curator", clients, hold);
            if (!bare || !ours || !exact)
                continue;
            any = true;
            std::string budget = hold > 0 ? "announced <= 1.15" + judged(*ours <= 1.15 * *bare) : "";
            const auto queue = find("handoff_p50_us", "queue alone", clients, hold);
            const auto sure = find("handoff_p50_us", "queue and list", clients, hold);
            if (queue && sure && hold == 0)
                budget = fmt::format("announced {:.2f} of queue and list <= 1.5", *ours / *sure) +
                         judged(*ours <= 1.5 * *sure) +
                         fmt::format(" ({:.2f} of queue alone)", *ours / *queue);
            if (curator)
                budget += (budget.empty() ? "" : "; ") + std::string("curator policy <= Curator") +
                          judged(*exact <= *curator);
            std::vector<std::string> cells{fmt::format("{} clients, hold {:.0f} ms", clients, hold)};
            for (const char* name :
                 {"bare", "queue alone", "queue and list", "announced", "curator policy", "Curator", "kazoo"})
                cells.push_back(handoffCell(name, clients, hold));
            cells.push_back(budget);
            text += line(cells);
        }
    return any ? text + "\n" : std::string();
}

std::string Results::threadsTable() const
{
    std::string text = header(
        {"4 processes of 8 threads, one lock", "acquisitions a second", "handoff p50 / p99", "budget"});
    bool any = false;
    for (const double hold : {0.0, 1.0})
        for (const char* name : {"BlockingMutex", "BlockingMutex, options", "CohortMutex", "Curator"}) {
            const auto rate = find("threads_per_s", name, 8, hold);
            const auto p50 = find("threads_p50_us", name, 8, hold);
            const auto p99 = find("threads_p99_us", name, 8, hold);
            if (!rate || !p50 || !p99)
                continue;
            any = true;
            const bool judges = std::string(name) == "CohortMutex" && hold == 0;
            text += line({fmt::format("{}, hold {:.0f} ms", name, hold), fmt::format("{:.0f}", *rate),
                          fmt::format("{:.1f} / {:.0f} us", *p50, *p99),
                          judges ? "p50 <= 5 us" + judged(*p50 <= 5) : ""});
        }
    return any ? text + "\n" : std::string();
}

std::string Results::electionTable() const
{
    std::string text = header({"leadership passes on, 10 candidates", "p50 / p99", "p50, Curator = 1"});
    const auto curator = find("election_p50_us", "Curator", 10);
    bool any = false;
    for (const char* name : {"LeaderLatch", "Curator"}) {
        const auto p50 = find("election_p50_us", name, 10);
        const auto p99 = find("election_p99_us", name, 10);
        if (!p50 || !p99)
            continue;
        any = true;
        text += line({name, fmt::format("{:.0f} / {:.0f} us", *p50, *p99),
                      curator ? fmt::format("{:.2f}", *p50 / *curator) : ""});
    }
    return any ? text + "\n" : std::string();
}

// As the server counted them. Who uses no option sends no request more than before there were any.
std::string Results::requestsTable() const
{
    std::string text = header({"requests for each acquisition", "uncontended", "10 clients, hold 0 ms",
                               "4 processes of 8 threads, hold 0 ms"});
    bool any = false;
    std::vector<std::string> names = kContestants;
    names.insert(names.begin(), kAsked.begin(), kAsked.end());
    names.insert(names.begin(), {"bare", "queue and list"});
    names.push_back("CohortMutex");
    for (const std::string& name : names) {
        const std::vector<std::optional<double>> figures{find("requests", name), find("requests", name, 10),
                                                         find("threads_requests", name, 8)};
        std::vector<std::string> cells{name};
        for (const std::optional<double>& figure : figures)
            cells.push_back(figure ? fmt::format("{:.2f}", *figure) : "");
        const bool some = std::ranges::any_of(figures, [](const auto& figure) { return figure.has_value(); });
        any = any || some;
        if (some)
            text += line(cells);
    }
    return any ? text + "\n" : std::string();
}

// Memory that grows with sessions costs about the same for each of them, however many there are.
std::string Results::growth(const std::string& name, int clients, double peakMb) const
{
    const auto fewer = find("peak_mb", name, 1000);
    if (!fewer)
        return fmt::format("; {:.0f} KB a session", peakMb * 1024 / clients);
    const double ratio = peakMb / clients / (*fewer / 1000);
    return fmt::format("; {:.1f} times the memory of 1,000 a session, <= 2", ratio) + judged(ratio <= 2);
}

std::string Results::sizeTable() const
{
    std::string text =
        header({"sessions in one process", "connected in", "threads", "peak memory", "budget"});
    bool any = false;
    for (const std::string& name : kContestants)
        for (const int clients : {1000, 5000}) {
            const auto seconds = find("connect_s", name, clients);
            const auto threads = find("threads", name, clients);
            const auto peak = find("peak_mb", name, clients);
            if (!seconds || !threads || !peak)
                continue;
            any = true;
            std::string budget;
            if (name == "announced" && clients == 1000)
                budget = "1 I/O thread and the closer, <= 80 MB, <= 1 s" +
                         judged(*threads <= 2 && *peak <= 80 && *seconds <= 1);
            if (const auto completed = find("contest_s", name, clients))
                budget = fmt::format("completes (in {:.0f} s)", *completed) + growth(name, clients, *peak);
            text += line({fmt::format("{}, {}", name, clients), fmt::format("{:.2f} s", *seconds),
                          fmt::format("{:.0f}", *threads), fmt::format("{:.0f} MB", *peak), budget});
        }
    return any ? text + "\n" : std::string();
}

std::string Results::tracingTable() const
{
    const auto without = find("handoffs_per_s", "without trace", 10);
    const auto with = find("handoffs_per_s", "traced", 10);
    const auto ratio = find("traced_ratio", "traced", 10);
    if (!without || !with || !ratio)
        return {};
    return header({"tracing, 10 clients, no hold", "handoffs a second", "ratio of pairs, median", "budget"}) +
           line({"off", fmt::format("{:.0f}", *without), "1", ""}) +
           line({"on", fmt::format("{:.0f}", *with), fmt::format("{:.3f}", *ratio),
                 ">= 0.95" + judged(*ratio >= 0.95)}) +
           "\n";
}

std::string Results::table() const
{
    std::string text = uncontendedTable() + handoffTable() + threadsTable() + electionTable() +
                       requestsTable() + sizeTable() + tracingTable();
    for (const std::string& each : m_skipped)
        text += "Left out: " + each + "\n";
    return text;
}

std::string Results::json() const
{
    std::string text = "{\"measurements\": [\n";
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        const Measurement& each = m_all[i];
        text +=
            fmt::format("  {{\"measure\": \"{}\", \"contestant\": \"{}\", \"clients\": {}, \"hold_ms\": {}, "
                        "\"value\": {:.6g}}}{}\n",
                        each.measure, each.contestant, each.clients, each.holdMs, each.value,
                        i + 1 < m_all.size() ? "," : "");
    }
    text += "], \"left_out\": [";
    for (std::size_t i = 0; i < m_skipped.size(); ++i)
        text += (i ? ", \"" : "\"") + m_skipped[i] + "\"";
    return text + "]}\n";
}

} // namespace lockscope::bench
