// What a command does, by the verb of its trace::Command. Pure; any thread.
#pragma once

#include "core/trace/event.h"

#include <algorithm>
#include <array>

namespace lockscope::trace {

enum class CommandKind : std::uint8_t {
    other,   // adds, removes or repairs something
    routine, // steers the run, or what a transaction log says of every client
    fault,   // harms a client
    freeze,
    thaw,
    endSession,  // a fault: the session ends without the client's doing
    loggedClose, // how a session ended, by the transaction log
    loggedExpiry,
};

struct CommandVerb
{
    Text name;
    CommandKind kind;
};

inline constexpr std::array<CommandVerb, 29> kCommandVerbs{{
    {"pause", CommandKind::routine},
    {"resume", CommandKind::routine},
    {"set_pace", CommandKind::routine},
    {"pace", CommandKind::routine},
    {"step", CommandKind::routine},
    {"hold", CommandKind::routine},
    {"let_go", CommandKind::routine},
    {"finish", CommandKind::routine},
    {"create", CommandKind::routine},
    {"delete", CommandKind::routine},
    {"data_set", CommandKind::routine},
    {"session_closed", CommandKind::loggedClose},
    {"session_expired", CommandKind::loggedExpiry},
    {"kill_session", CommandKind::endSession},
    {"kill_holder", CommandKind::endSession},
    {"close_session", CommandKind::endSession},
    {"freeze", CommandKind::freeze},
    {"thaw", CommandKind::thaw},
    {"delete_node", CommandKind::fault},
    {"write_node", CommandKind::fault},
    {"revoke", CommandKind::fault},
    {"reap", CommandKind::fault},
    {"cut_link", CommandKind::fault},
    {"slow_link", CommandKind::fault},
    {"limit_link", CommandKind::fault},
    {"mute_link", CommandKind::fault},
    {"reset_link", CommandKind::fault},
    {"half_open_link", CommandKind::fault},
    {"lose_reply", CommandKind::fault},
}};

constexpr CommandKind commandKind(Text verb)
{
    const auto* const found = std::find_if(kCommandVerbs.begin(), kCommandVerbs.end(),
                                           [verb](const CommandVerb& each) { return each.name == verb; });
    return found == kCommandVerbs.end() ? CommandKind::other : found->kind;
}

constexpr bool isFault(CommandKind kind)
{
    return kind == CommandKind::fault || kind == CommandKind::freeze || kind == CommandKind::endSession;
}
// Not worth a mark in the timeline.
constexpr bool isRoutine(CommandKind kind)
{
    return kind == CommandKind::routine || kind == CommandKind::loggedClose;
}

} // namespace lockscope::trace
