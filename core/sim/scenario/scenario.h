// A scenario: who contends on which locks, how, and what is expected. Read from TOML (built-in or file) or
// made in code. A plain value.
#pragma once

#include "core/base/error.h"
#include "core/sim/script/script.h"
#include "core/sim/scenario/work.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::sim {

// A client with a work of its own.
struct NamedClient
{
    std::string name;
    std::uint32_t count = 1;       // several of the same: name-1, name-2, ...
    std::string process;           // shares its session with the others of this process; empty: has its own
    std::optional<Duration> start; // after the start of the run, instead of the arrival
    Work work;
    bool operator==(const NamedClient&) const = default;
};

// When the clients begin their first cycle.
struct Arrival
{
    enum class Kind : std::uint8_t { atOnce, together, staggered, poisson };
    Kind kind = Kind::atOnce;
    std::uint32_t party = 0; // together: a barrier lets so many through at a time; 0 = all
    Duration gap{};          // staggered: between two; poisson: the mean of it
    bool operator==(const Arrival&) const = default;
};

// What the lock protects.
struct ResourceContent
{
    enum class Kind : std::uint8_t { section, stock, orderNumbers };
    Kind kind = Kind::section;
    std::uint32_t start = 0; // stock: what is there at first; each holder takes one
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
    std::uint32_t clients = 5; // without names of their own; nobody at all only watches, on a server of others
    std::uint32_t workers = 1; // of each of these; they share its session, as the threads of a process do
    std::vector<NamedClient> named;
    std::optional<Duration> duration; // stop starting new cycles after this
    Work work;                        // of all who have no other
    std::uint64_t seed = 1;
    std::vector<std::string> locks{"/locks/well"};
    Recipe recipe = Recipe::mutex;
    std::uint32_t leases = 1; // of a semaphore
    Handoff handoff = Handoff::curator;
    Duration sessionTimeout = std::chrono::seconds(10);
    Arrival arrival;
    ResourceContent resource;
    bool fencedResource = true;   // the resource refuses tokens older than the newest it saw
    Duration pace{};              // delay before every protocol step
    std::uint32_t servers = 1;    // of our own: 1 or 3
    std::string connect;          // somebody else's instead: "127.0.0.1:2181,..."
    std::optional<bool> links;    // every client behind a link that can fail; none = when the script needs it
    bool stepping = false;        // everybody is held before every step, from the start
    std::vector<TakenStep> steps; // taken in this order, each when the one before has had its effect
    std::vector<Expectation> expect; // what is not named is expected to hold
    std::vector<ScriptLine> script;  // each line is carried out once, when its moment comes
    std::string source;              // the TOML it was read from, empty for one made in code
};

// One simulated client, as it runs.
struct Participant
{
    std::string name;
    std::string process; // empty when its session is its own
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
// The text of the built-in of that name, or else of that file. Error: badUsage with `notFound`, or with `sizeHint` for a
// file larger than a megabyte.
Result<TomlText> loadToml(const std::string& nameOrPath, const std::vector<BuiltIn>& builtIns, const Message& notFound,
                          const Message& sizeHint);

// Errors: badUsage with "file:line:column: found ..., expected ...".
Result<Scenario> parseScenario(std::string_view toml, std::string_view fileName);
// A built-in's name or a path to a .toml file.
Result<Scenario> loadScenario(const std::string& nameOrPath);
// Checks what no parser sees (counts in range, valid lock paths, locks that the recipe has). badUsage.
Result<void> validate(const Scenario& scenario);
// As TOML, which reads back to the same scenario: what is as by default is left out.
std::string toToml(const Scenario& scenario);

// Everybody who takes part from the start, in the order of their ids.
std::vector<Participant> participants(const Scenario& scenario);
// Nobody takes part: what others do on their server is looked at.
bool onlyWatches(const Scenario& scenario);
// How many sessions these make.
std::size_t sessionCount(const std::vector<Participant>& all);
// The name of the n-th client when nothing else is said: ada, bo, cyd, dee, eli, fay, gus, hal, ... then c27,
// c28, ...
std::string clientName(std::uint32_t index);
// The last part of a lock's path: how it is called in `takes`.
std::string_view lockName(std::string_view path);
// Everybody works alike in this respect, also those with a work of their own.
template <class Change>
void forEachWork(Scenario& scenario, Change change)
{
    change(scenario.work);
    for (NamedClient& client : scenario.named)
        change(client.work);
}
// So many clients in all (not counting workers): the named ones first, then others.
void setClientCount(Scenario& scenario, std::uint32_t count);
// Whether the clients need links that can fail.
bool needsLinks(const Scenario& scenario);
ExpectedOutcome expected(const Scenario& scenario, std::string_view finding);
inline bool isAsExpected(ExpectedOutcome verdict, bool holds)
{
    return verdict == ExpectedOutcome::either || holds == (verdict == ExpectedOutcome::holds);
}

} // namespace lockscope::sim
