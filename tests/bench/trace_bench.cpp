// What a long trace costs: writing it, opening it, folding its timeline, jumping in it. A table for people
// and a line of JSON for machines. Usage: trace_bench [EVENTS], 1,000,000 by default. Exit code 1: over a
// budget.
#include "core/base/random.h"
#include "core/replay/fold/trace_cursor.h"
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace lockscope {
namespace {

constexpr std::uint32_t kClients = 100;

class Table
{
public:
    template <class F>
    double time(const char* name, double budget, F&& work)
    {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        row(name, seconds, "s", budget);
        return seconds;
    }
    void row(const char* name, double value, const char* unit, double budget)
    {
        fmt::print("{:<28} {:>12.4f} {:<6} {}\n", name, value, unit,
                   budget > 0 ? fmt::format("budget {}{}", budget, value > budget ? "  OVER" : "") : "");
        m_json += fmt::format("{}\"{}\":{:.6f}", m_json.empty() ? "" : ",", name, value);
        m_over = m_over || (budget > 0 && value > budget);
    }
    void printJson(std::size_t events) const { fmt::print("{{\"events\":{},{}}}\n", events, m_json); }
    bool over() const { return m_over; }

private:
    std::string m_json;
    bool m_over = false;
};

double perEvent(std::size_t bytes, std::size_t events) { return double(bytes) / double(events); }

int run(std::size_t events)
{
    std::string name = (std::filesystem::temp_directory_path() / "lockscope-bench-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        return 2;
    const std::filesystem::path folder = name;
    const std::filesystem::path file = folder / "bench.jsonl";
    const double million = double(events) / 1e6;

    Table table;
    tests::SampleOptions options;
    options.clients = kClients;
    options.events = static_cast<std::uint32_t>(events);
    std::shared_ptr<trace::TraceStore> store;
    table.time("record", 0, [&] { store = tests::sampleRun(options); });
    const std::size_t count = store->count();
    bool written = false;
    table.time("write", 0, [&] { written = trace::saveTrace(file, *store, count).has_value(); });
    table.row("file_bytes_per_event", written ? perEvent(std::filesystem::file_size(file), count) : 0,
              "bytes", 0);

    std::shared_ptr<const trace::TraceStore> opened;
    table.time("open", 3.0 * million, [&] {
        if (const auto loaded = trace::loadTrace(file))
            opened = loaded->store;
    });
    std::filesystem::remove_all(folder);
    if (!written || !opened || opened->count() != count) {
        fmt::print(stderr, "The trace could not be written and opened again.\n");
        return 2;
    }
    table.row("memory_bytes_per_event", perEvent(opened->memoryBytes(), count), "bytes", 300);

    replay::TraceCursor cursor(opened);
    table.time("fold", 0, [&] { cursor.seek(count); });
    const replay::Timeline& timeline = cursor.timeline();
    table.row("timeline_bytes_per_event", perEvent(timeline.memoryBytes(), count), "bytes", 0);
    std::vector<replay::Span> spans;
    table.time("query_all_lanes_1000_steps", 0, [&] {
        for (std::uint32_t lane = 0; lane < kClients; ++lane)
            timeline.spans(ClientId{lane}, TraceTime(0), timeline.end(), timeline.end() / 1000, spans);
    });
    table.time("overview_1000_steps", 0, [&] { spans.reserve(timeline.overview(1000).size()); });

    Random random(7);
    double worst = 0;
    for (int i = 0; i < 40; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        cursor.seek(static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(count))));
        worst =
            std::max(worst, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    table.row("worst_seek", worst, "s", 0.05);
    table.printJson(count);
    return table.over() ? 1 : 0;
}

} // namespace
} // namespace lockscope

int main(int argc, char** argv)
{
    const long events = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1'000'000;
    if (argc > 2 || events < 1) {
        fmt::print(stderr, "Usage: trace_bench [EVENTS]\n");
        return 2;
    }
    return lockscope::run(static_cast<std::size_t>(events));
}
