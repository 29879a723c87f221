// What a long trace costs: writing it, opening it, folding its timeline, jumping in it. A table for people
// and a line of JSON for machines. Usage: trace_bench [EVENTS], 1,000,000 by default. Exit code 1: over a
// budget.
#include "core/base/random.h"
#include "core/replay/fold/trace_cursor.h"
#include "core/trace/trace_file.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace lockscope {
namespace {

constexpr std::uint32_t kClients = 100;

// Clients that take turns on one mutex: per turn the events of a real handoff with the list read again.
class Synthetic
{
public:
    explicit Synthetic(trace::TraceStore& store)
        : m_store(store)
    {}

    void fill(std::size_t events)
    {
        using namespace trace;
        add(ClientId::none(), RunPhaseChanged{RunPhase::running, ""});
        m_store.append({m_at, EventIndex::none(), ClientId::none(), LockId{0},
                        LockAdded{"/locks/well", "mutex", "curator"}});
        for (std::uint32_t i = 0; i < kClients; ++i) {
            const std::string name = fmt::format("client {}", i);
            add(ClientId{i}, ClientAdded{name, static_cast<std::uint16_t>(i % 8)});
            add(ClientId{i},
                SessionState{SessionPhase::connected, SessionId{0x100001 + i}, Duration(10'000'000'000)});
        }
        for (std::uint32_t turn = 0; m_store.count() < events; ++turn)
            addTurn(turn);
    }

private:
    EventIndex add(ClientId client, trace::Payload what, EventIndex cause = EventIndex::none())
    {
        m_at += Duration(20'000 + m_random.uniform(0, 60'000));
        return m_store.append({m_at, cause, client, LockId{0}, what});
    }

    static std::string nodeOf(std::uint32_t turn)
    {
        return fmt::format("_c_258cf713-a5b0-4b6e-8a7e-{:012x}-lock-{:010}", turn * 2654435761U, turn);
    }

    void addTurn(std::uint32_t turn)
    {
        using namespace trace;
        const ClientId client{turn % kClients};
        const ClientId before{(turn + kClients - 1) % kClients};
        const std::string own = nodeOf(turn);
        const std::string ahead = turn == 0 ? "" : nodeOf(turn - 1);
        const Zxid zxid{0x100 + std::int64_t(turn) * 2};
        const OwnerId owner{0};
        const EventIndex asked = add(client, AcquireCalled{owner, kForever});
        const EventIndex create = add(client, Request{Operation::create, own, false, false}, asked);
        add(ClientId::none(), NodeSeen{own, SessionId{0x100001 + client.value}, zxid, false}, create);
        add(client, Reply{Operation::create, Outcome::ok, own, zxid, 0}, create);
        EventIndex cause = asked;
        if (turn > 0) {
            const EventIndex release = add(before, ReleaseCalled{ahead, 1, owner});
            const EventIndex remove = add(before, Request{Operation::remove, ahead, false, false}, release);
            cause = add(client, WatchFired{WatchKind::deleted, ahead}, remove);
            add(before, Reply{Operation::remove, Outcome::ok, ahead, zxid, 0}, remove);
            add(before, Released{ahead, 0, owner}, remove);
            add(ClientId::none(), NodeVanished{ahead}, remove);
        }
        const EventIndex list = add(client, Request{Operation::getChildren, "", false, false}, cause);
        const EventIndex listed = add(client, Reply{Operation::getChildren, Outcome::ok, "", zxid, 1}, list);
        add(client, Decided{own, 0, 1, ""}, listed);
        add(client, Acquired{own, zxid, owner}, listed);
    }

    trace::TraceStore& m_store;
    Random m_random{1};
    TraceTime m_at{};
};

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
    trace::TraceStore store;
    table.time("record", 0, [&] { Synthetic(store).fill(events); });
    const std::size_t count = store.count();
    bool written = false;
    table.time("write", 0, [&] { written = trace::saveTrace(file, store, count).has_value(); });
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
