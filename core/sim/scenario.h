// A scenario: who contends on which lock, how, and what is expected. Read from TOML (built-in or file) or
// made in code. A plain value.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::sim {

struct Range // uniform, both ends included
{
    Duration low{};
    Duration high{};
    bool operator==(const Range&) const = default;
};

enum class Recipe { mutex, readWrite, herd, herdReadWrite, existsMutex, unprotectedMutex };
enum class Handoff { curator, announced };

// ---- the script: what happens to a run by itself ----

struct When
{
    enum class Kind { at, handoffs, waits, holds, lost };
    Kind kind = Kind::at;
    Duration time{};          // at: since the start of the run
    std::uint32_t count = 0;  // handoffs
    std::string client;       // waits, holds, lost; empty = anybody
};
struct Deed
{
    enum class Kind { kill, freeze, thaw, remove, addClient, pause, resume, deleteNode, writeNode, stopServer, killServer };
    Kind kind = Kind::kill;
    enum class Target { named, holder, firstWaiter };
    Target target = Target::named;
    std::string client;            // named
    std::optional<Duration> span;  // freeze, stopServer: undone after this
};
struct ScriptLine
{
    When when;
    Deed deed;
    std::string text; // "after 3 handoffs: freeze the holder for 4s"
};

struct Scenario
{
    std::string name;                 // "five-clients" or the file's stem
    std::string title;                // one line for a person
    std::string text;                 // a paragraph for a person
    std::uint32_t clients = 5;
    std::vector<std::string> clientNames; // for the first ones; the others get the house's names
    std::uint32_t cycles = 50;        // per client; 0 = without end (duration must be set, or it is stopped by hand)
    std::optional<Duration> duration; // stop starting new cycles after this
    Range think{};
    Range hold{};
    std::uint32_t reenterMin = 0;     // re-entries per hold, uniform
    std::uint32_t reenterMax = 0;
    std::uint64_t seed = 1;
    std::string lockPath = "/locks/well";
    Recipe recipe = Recipe::mutex;
    std::uint32_t writePercent = 10;  // of the cycles of a read/write lock, drawn with the seed
    Handoff handoff = Handoff::curator;
    Duration sessionTimeout = std::chrono::seconds(10);
    std::optional<Duration> acquireTimeout;
    bool fencedResource = true;       // the resource refuses tokens older than the newest it saw
    Duration pace{};                  // delay before every protocol step
    std::vector<std::string> expectViolated; // findings that this scenario is expected to violate
    std::vector<ScriptLine> script;   // each line is carried out once, when its moment comes
    std::string source;               // the TOML it was read from, empty for one made in code
};

inline constexpr std::uint32_t kMaxClients = 10'000;

struct BuiltIn
{
    std::string_view name;
    std::string_view toml;
};
const std::vector<BuiltIn>& builtIns();

// Errors: badUsage with "file:line:column: found ..., expected ...".
Result<Scenario> parseScenario(std::string_view toml, std::string_view fileName);
// A built-in's name or a path to a .toml file.
Result<Scenario> loadScenario(const std::string& nameOrPath);
// Checks what no parser sees (counts in range, a valid lock path). badUsage.
Result<void> validate(const Scenario& scenario);

std::string_view toString(Recipe recipe);    // "mutex", "read-write", ...
std::string recipeNames();                   // all of them: "\"mutex\", \"read-write\", ..."
std::string_view toString(Handoff handoff);  // "curator", "announced"
std::optional<Recipe> recipeFrom(std::string_view text);
std::optional<Handoff> handoffFrom(std::string_view text);
// "250ms", "2s", "100us", "1m", "0"; empty when it is none of these.
std::optional<Duration> durationFrom(std::string_view text);

// The n-th client's name: ada, bo, cyd, dee, eli, fay, gus, hal, ... then c27, c28, ...
std::string clientName(const Scenario& scenario, std::uint32_t index);

} // namespace lockscope::sim
