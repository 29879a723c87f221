#include "core/replay/findings/wording.h"

#include "core/replay/state/run_state.h"

#include <fmt/core.h>

namespace lockscope::replay::wording {

namespace {
constexpr std::size_t kMaxNameBytes = 60;
constexpr std::size_t kMaxClientNameBytes = 40;

std::string threeDigits(double value, std::string_view unit)
{
    const int decimals = value < 1 ? 2 : value < 10 ? 1 : 0;
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return text.append(" ").append(unit);
}
} // namespace

std::string counted(std::uint64_t number, std::string_view one, std::string_view many)
{
    return groupDigits(number).append(" ").append(number == 1 ? one : many);
}

std::string duration(Duration value)
{
    const double ms = static_cast<double>(value.count()) / 1e6;
    return ms < 999.5 ? threeDigits(ms, "ms") : threeDigits(ms / 1e3, "s");
}

std::string cappedName(std::string_view name) { return trace::plainText(name, kMaxNameBytes); }

Message node(std::string_view name, std::int64_t sequence)
{
    return sequence >= 0 ? message("node %1", sequence) : Message(cappedName(name));
}

Message client(const RunState& state, ClientId id)
{
    const ClientRow* row = state.client(id);
    if (row && !row->name.empty())
        return trace::plainText(row->name, kMaxClientNameBytes);
    return id.valid() ? message("client %1", std::uint64_t{id.value} + 1) : message("an unknown client");
}

} // namespace lockscope::replay::wording
