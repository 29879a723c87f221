// The settings of a scenario: each is described once, in settings.cpp, with its key in a file. The reader,
// the writer and the code that shows a scenario go through these rows. Pure.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::sim {

// The value of a setting as a file has it, in parts: {"5ms"}, {"0ms", "100ms"}, {"left", "right"}. Without
// parts: not set.
struct SettingValue
{
    std::vector<std::string> parts;
    bool quoted = true; // texts; numbers and flags stand without quotes
    bool list = false;  // in brackets even with one part
};
std::string tomlString(std::string_view text);    // in quotes, with escapes
std::string tomlValue(const SettingValue& value); // empty without parts

// `key` is one of a file: "seed", "recipe", "locks" and so on. No parts for an unknown key, and for the
// clients.
SettingValue settingOf(const Scenario& scenario, std::string_view key);
SettingValue settingOf(const NamedClient& client, std::string_view key);
SettingValue settingOf(const Work& work, const std::vector<std::string>& locks, std::string_view key);
// The keys of all settings but the names of clients with a table of their own.
std::vector<std::string_view> settingKeys();

// Where a mistake of a scenario is.
struct MistakePlace
{
    int line = 0;              // of the file, from 1; 0: none, because the mistake is between settings
    std::string_view key;      // with line 0: the setting to change
    std::optional<int> client; // with line 0: index in Scenario::named; none: the setting of all clients
};
// parseScenario() of scenario.h; `place` is set when there is an error.
Result<Scenario> parseScenario(std::string_view toml, std::string_view fileName, MistakePlace& place);

struct ScenarioMistake
{
    Error error;
    std::string_view key;
    std::optional<int> client;
};
// The first mistake between settings; none: the scenario is valid.
std::optional<ScenarioMistake> findMistake(const Scenario& scenario);

} // namespace lockscope::sim
