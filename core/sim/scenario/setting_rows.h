// The rows behind settings.h, with their reading from TOML. For the reader and the writer.
#pragma once

#include "core/sim/scenario/settings.h"
#include "core/sim/scenario/toml_reader.h"

#include <functional>

namespace lockscope::sim {

// `Owner`: Scenario, Work or NamedClient. `locks`: the paths of the scenario, which "takes" names.
template <class Owner>
struct SettingRow
{
    using Locks = std::vector<std::string>;
    std::string_view key;
    std::function<void(const TomlReader&, const toml::node&, Owner&, const Locks&)> read;
    std::function<SettingValue(const Owner&, const Locks&)> value;
    std::function<bool(const Owner&, const Owner&)> same; // need not be written when it has the default
};

// In the order of a written file.
const std::vector<SettingRow<Scenario>>& descriptionSettings();
const std::vector<SettingRow<Scenario>>& lockSettings();
const std::vector<SettingRow<Work>>& workSettings();
const std::vector<SettingRow<Scenario>>& runSettings();
const std::vector<SettingRow<NamedClient>>& clientSettings();

// Adds the reading of all rows to `fields`; owner, locks and reader must outlive them.
template <class Owner>
void addFields(const std::vector<SettingRow<Owner>>& rows, const TomlReader& in, Owner& owner,
               const std::vector<std::string>& locks, TomlReader::Fields& fields)
{
    for (const SettingRow<Owner>& row : rows)
        fields[std::string(row.key)] = [&row, &in, &owner, &locks](const toml::node& node) {
            row.read(in, node, owner, locks);
        };
}

} // namespace lockscope::sim
