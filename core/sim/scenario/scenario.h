// A scenario: the clients, the locks they contend for, their work and the expected findings. Read from TOML
// (built-in or file) or made in code. A plain value.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario/work.h"
#include "core/sim/script/script.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::sim {

// A client with its own work.
struct NamedClient
{
    std::string name;
    std::uint32_t count = 1;       // clients with this work: name-1, name-2, ...
    std::string process;           // clients of the same process share a session; empty: its own session
    std::optional<Duration> start; // after the start of the run; none: by the arrival
    Work work;
    bool operator==(const NamedClient&) const = default;
};

// When the clients start their first cycles.
struct Arrival
{
    enum class Kind : std::uint8_t { atOnce, together, staggered, poisson };
    Kind kind = Kind::atOnce;
    std::uint32_t party = 0; // together: clients released by the barrier at a time; 0 = all
    Duration gap{};          // between two starts; poisson: the mean
    bool operator==(const Arrival&) const = default;
};

// The content of the resource that the lock protects.
struct ResourceContent
{
    enum class Kind : std::uint8_t { section, stock, orderNumbers };
    Kind kind = Kind::section;
    std::uint32_t start = 0; // stock: the initial amount; each holder takes one
    bool operator==(const ResourceContent&) const = default;
};

enum class ExpectedOutcome : std::uint8_t { holds, violated, either };
struct Expectation
{
    std::string finding;
    ExpectedOutcome verdict = ExpectedOutcome::holds;
    bool operator==(const Expectation&) const = default;
};

struct Scenario
{
    std::string name;  // "five-clients" or the file's stem
    std::string title; // one line for a person
    std::string text;  // a paragraph for a person
    std::string titleZh;
    std::string textZh;
    std::uint32_t clients =
        5; // not counting `named`; without any client, the run only watches the servers of `connect`
    std::uint32_t workers = 1; // threads of each client, which share its session
    std::vector<NamedClient> named;
    std::optional<Duration> duration; // no new cycles after this
    Work work;                        // of all clients without their own
    std::uint64_t seed = 1;
    std::vector<std::string> locks{"/locks/well"};
    Recipe recipe = Recipe::mutex;
    std::uint32_t leases = 1; // of a semaphore
    HandoffPolicy handoff = HandoffPolicy::curator;
    Duration sessionTimeout = std::chrono::seconds(10);
    Arrival arrival;
    ResourceContent resource;
    bool fencedResource = true;  // the resource refuses tokens older than the newest it has seen
    Duration pace{};             // delay before every protocol step
    std::uint32_t servers = 1;   // of our own: 1 or 3
    std::string connect;         // foreign servers instead: "127.0.0.1:2181,..."
    bool joinForeign = false;    // also where nodes of other programs are
    bool replaceWorkers = false; // of a run of several workers: a spare one takes the place of one that died
    std::optional<bool> links; // clients connect through links that can fail; none: if the script needs them
    bool stepping = false;     // all clients are held before every step, from the start
    std::vector<TakenStep> steps;    // taken in this order, each after the previous step has had its effect
    std::vector<Expectation> expect; // a finding that is not listed is expected to hold
    std::vector<ScriptLine> script;  // each line runs once, when its trigger fires
    std::string source;              // the TOML it was read from; empty if made in code
};

// One simulated client of a run.
struct Participant
{
    std::string name;
    std::string process; // empty: its own session
    Work work;
    std::optional<Duration> start;
};

inline constexpr std::uint32_t kMaxClients = 10'000;

struct BuiltIn
{
    std::string_view name;
    std::string_view toml;
};
const std::vector<BuiltIn>& builtIns();

struct TomlText
{
    std::string text;
    std::string fileName;
};
// The text of the built-in with that name, otherwise of the file with that path. Error: badUsage with
// `notFound`, or with `sizeHint` for a file larger than a megabyte.
Result<TomlText> loadToml(const std::string& nameOrPath, const std::vector<BuiltIn>& builtIns,
                          const Message& notFound, const Message& sizeHint);

// Errors: badUsage with "file:line:column: found ..., expected ...".
Result<Scenario> parseScenario(std::string_view toml, std::string_view fileName);
// Loads a built-in by its name, or a .toml file by its path.
Result<Scenario> loadScenario(const std::string& nameOrPath);
// Checks across fields: counts, lock paths, locks that fit the recipe. Error: badUsage.
Result<void> validate(const Scenario& scenario);
// TOML that reads back to the same scenario. Defaults are left out.
std::string toToml(const Scenario& scenario);

// The clients from the start, in the order of their ids.
std::vector<Participant> participants(const Scenario& scenario);
// The scenario has no clients: its run only watches locks of other programs.
bool onlyWatches(const Scenario& scenario);
// The number of sessions of these clients.
std::size_t sessionCount(const std::vector<Participant>& all);
// The default name of the n-th client: ada, bo, cyd, ... zoe, c27, c28, ...
std::string clientName(std::uint32_t index);
// The last part of a lock's path, its name in `takes`.
std::string_view lockName(std::string_view path);
// Changes the work of all clients.
template <class Change>
void forEachWork(Scenario& scenario, Change change)
{
    change(scenario.work);
    for (NamedClient& client : scenario.named)
        change(client.work);
}
// Sets the total number of clients, not counting workers. Named clients are kept before others.
void setClientCount(Scenario& scenario, std::uint32_t count);
// The clients connect through links that can fail.
bool needsLinks(const Scenario& scenario);
ExpectedOutcome expected(const Scenario& scenario, std::string_view finding);
inline bool isAsExpected(ExpectedOutcome verdict, bool holds)
{
    return verdict == ExpectedOutcome::either || holds == (verdict == ExpectedOutcome::holds);
}

} // namespace lockscope::sim
