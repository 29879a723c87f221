// When a line of a script is carried out, and what its deeds are called in a trace.
#include "core/sim/script/script_text.h"

#include "core/sim/script/text_scan.h"
#include "core/sim/scenario/scenario_text.h"
#include "core/trace/event_fields.h"

#include <array>

namespace lockscope::sim {

namespace {

template <std::size_t... I>
bool isKindOf(std::string_view name, std::index_sequence<I...>)
{
    return ((name == trace::kindName<std::variant_alternative_t<I, trace::Payload>>) || ...);
}

bool isEventKind(std::string_view name)
{
    return isKindOf(name, std::make_index_sequence<std::variant_size_v<trace::Payload>>{});
}

} // namespace

std::optional<Trigger> parseTrigger(std::string_view text)
{
    using Kind = Trigger::Kind;
    Trigger when;
    if (take(text, "at ")) {
        const std::optional<Duration> time = parseDuration(text);
        when.time = time.value_or(Duration{});
        return time ? std::optional(when) : std::nullopt;
    }
    if (take(text, "after ")) {
        when.kind = Kind::handoffs;
        if (!drop(text, " handoffs") && !drop(text, " handoff"))
            return std::nullopt;
        const auto count = parseNumber(text);
        when.count = static_cast<std::uint32_t>(count.value_or(0));
        return count && *count > 0 && *count <= UINT32_MAX ? std::optional(when) : std::nullopt;
    }
    if (!take(text, "when "))
        return std::nullopt;
    if (drop(text, " happens")) { // "hold_lost happens", "hold_lost to ada happens"
        when.kind = Kind::happens;
        const std::size_t of = text.find(" to ");
        if (of != std::string_view::npos)
            when.client = std::string(text.substr(of + 4));
        when.event = std::string(text.substr(0, of));
        return isEventKind(when.event) && when.client.size() <= 40 ? std::optional(when) : std::nullopt;
    }
    if (const auto before = takeLast(text, " stands before ")) {
        const auto step = parseStep(*before);
        if (!step)
            return std::nullopt;
        when.kind = Kind::stands;
        when.step = *step;
    } else if (drop(text, " waits")) {
        when.kind = Kind::waits;
    } else if (drop(text, " holds")) {
        when.kind = Kind::holds;
    } else if (drop(text, " has released")) {
        when.kind = Kind::released;
    } else if (drop(text, " is lost")) {
        when.kind = Kind::lost;
    } else if (drop(text, " is away")) {
        when.kind = Kind::away;
    } else {
        return std::nullopt;
    }
    if (text != "anybody")
        when.client = std::string(text);
    return isName(text) ? std::optional(when) : std::nullopt;
}

std::string triggerForms()
{
    return "\"at 2s\", \"after 3 handoffs\", or \"when\" and one of \"ada waits\", \"anybody holds\", \"ada "
           "has "
           "released\", \"ada is lost\", \"ada is away\", \"ada stands before watch\", \"hold_lost "
           "happens\", "
           "\"hold_lost to ada happens\" (any kind of event of a trace)";
}

// ---- for the record ----

bool concernsLinks(const Action& action)
{
    const bool unseen = action.kind == Action::Kind::kill && action.span;
    return unseen || (action.kind >= Action::Kind::cutLink && action.kind <= Action::Kind::healLink);
}

std::string_view verbOf(const Action& action)
{
    // In the order of the enum.
    static constexpr std::array<std::string_view, 29> verbs = {
        "kill_session", "close_session", "freeze",      "thaw",        "remove_client",  "rejoin_client",
        "add_client",   "pause",         "resume",      "delete_node", "write_node",     "revoke",
        "reap",         "set_leases",    "stop_server", "kill_server", "restart_server", "cut_link",
        "slow_link",    "limit_link",    "mute_link",   "reset_link",  "half_open_link", "lose_reply",
        "mend_link",    "hold",          "step",        "let_go",      "finish"};
    static_assert(static_cast<std::size_t>(Action::Kind::finish) == 28);
    if (action.kind == Action::Kind::kill && action.target == Action::Target::holder)
        return "kill_holder";
    return verbs[static_cast<std::size_t>(action.kind)];
}

} // namespace lockscope::sim
