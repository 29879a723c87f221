// What a trace::Command did: its verb, and the verb's kind. Pure; any thread.
#pragma once

#include "core/trace/event.h"

#include <algorithm>
#include <array>

namespace lockscope::trace {

enum class CommandKind : std::uint8_t {
    other,   // adds, removes or repairs something
    routine, // steers the run, or is an entry that a transaction log has for every client
    fault,   // harms a client
    freeze,
    thaw,
    endSession,  // a fault: the session ends, and the client did not end it
    loggedClose, // how a session ended, according to the transaction log
    loggedExpiry,
};

enum class CommandVerb : std::uint8_t {
    // The run
    pause,
    resume,
    setPace,
    pace, // in older traces
    step,
    hold,
    letGo,
    finish,
    // Clients and their sessions
    addClient,
    removeClient,
    rejoinClient,
    killSession,
    killHolder,
    closeSession,
    freeze,
    thaw,
    // Nodes
    deleteNode,
    writeNode,
    revoke,
    reap,
    setLeases,
    // Servers and links
    stopServer,
    continueServer,
    killServer,
    restartServer,
    cutLink,
    slowLink,
    limitLink,
    muteLink,
    resetLink,
    halfOpenLink,
    loseReply,
    healLink,
    // From a transaction log
    create,
    remove,
    deletedByOther,
    dataSet,
    folderDeleted,
    sessionClosed,
    sessionExpired,
    gap,
    unconfirmedTail,
    clockWentBack,
    unknown // a verb that a later version wrote
};

namespace detail {

struct NamedVerb
{
    CommandVerb verb;
    Text name; // as written in traces
    CommandKind kind;
};

// In the order of the enum.
inline constexpr std::array<NamedVerb, static_cast<std::size_t>(CommandVerb::unknown)> kCommandVerbs{{
    {CommandVerb::pause, "pause", CommandKind::routine},
    {CommandVerb::resume, "resume", CommandKind::routine},
    {CommandVerb::setPace, "set_pace", CommandKind::routine},
    {CommandVerb::pace, "pace", CommandKind::routine},
    {CommandVerb::step, "step", CommandKind::routine},
    {CommandVerb::hold, "hold", CommandKind::routine},
    {CommandVerb::letGo, "let_go", CommandKind::routine},
    {CommandVerb::finish, "finish", CommandKind::routine},
    {CommandVerb::addClient, "add_client", CommandKind::other},
    {CommandVerb::removeClient, "remove_client", CommandKind::other},
    {CommandVerb::rejoinClient, "rejoin_client", CommandKind::other},
    {CommandVerb::killSession, "kill_session", CommandKind::endSession},
    {CommandVerb::killHolder, "kill_holder", CommandKind::endSession},
    {CommandVerb::closeSession, "close_session", CommandKind::endSession},
    {CommandVerb::freeze, "freeze", CommandKind::freeze},
    {CommandVerb::thaw, "thaw", CommandKind::thaw},
    {CommandVerb::deleteNode, "delete_node", CommandKind::fault},
    {CommandVerb::writeNode, "write_node", CommandKind::fault},
    {CommandVerb::revoke, "revoke", CommandKind::fault},
    {CommandVerb::reap, "reap", CommandKind::fault},
    {CommandVerb::setLeases, "set_leases", CommandKind::other},
    {CommandVerb::stopServer, "stop_server", CommandKind::other},
    {CommandVerb::continueServer, "continue_server", CommandKind::other},
    {CommandVerb::killServer, "kill_server", CommandKind::other},
    {CommandVerb::restartServer, "restart_server", CommandKind::other},
    {CommandVerb::cutLink, "cut_link", CommandKind::fault},
    {CommandVerb::slowLink, "slow_link", CommandKind::fault},
    {CommandVerb::limitLink, "limit_link", CommandKind::fault},
    {CommandVerb::muteLink, "mute_link", CommandKind::fault},
    {CommandVerb::resetLink, "reset_link", CommandKind::fault},
    {CommandVerb::halfOpenLink, "half_open_link", CommandKind::fault},
    {CommandVerb::loseReply, "lose_reply", CommandKind::fault},
    {CommandVerb::healLink, "mend_link", CommandKind::other},
    {CommandVerb::create, "create", CommandKind::routine},
    {CommandVerb::remove, "delete", CommandKind::routine},
    {CommandVerb::deletedByOther, "deleted_by_other", CommandKind::other},
    {CommandVerb::dataSet, "data_set", CommandKind::routine},
    {CommandVerb::folderDeleted, "folder_deleted", CommandKind::other},
    {CommandVerb::sessionClosed, "session_closed", CommandKind::loggedClose},
    {CommandVerb::sessionExpired, "session_expired", CommandKind::loggedExpiry},
    {CommandVerb::gap, "gap", CommandKind::other},
    {CommandVerb::unconfirmedTail, "unconfirmed_tail", CommandKind::other},
    {CommandVerb::clockWentBack, "clock_went_back", CommandKind::other},
}};

static_assert(std::is_sorted(kCommandVerbs.begin(), kCommandVerbs.end(),
                             [](const NamedVerb& a, const NamedVerb& b) { return a.verb < b.verb; }));

} // namespace detail

constexpr CommandVerb commandVerb(Text name)
{
    const auto* const found =
        std::find_if(detail::kCommandVerbs.begin(), detail::kCommandVerbs.end(),
                     [name](const detail::NamedVerb& each) { return each.name == name; });
    return found == detail::kCommandVerbs.end() ? CommandVerb::unknown : found->verb;
}

// The name in traces; empty for CommandVerb::unknown.
constexpr Text toText(CommandVerb verb)
{
    return verb == CommandVerb::unknown ? Text() : detail::kCommandVerbs[static_cast<std::size_t>(verb)].name;
}

constexpr CommandKind commandKind(CommandVerb verb)
{
    return verb == CommandVerb::unknown ? CommandKind::other
                                        : detail::kCommandVerbs[static_cast<std::size_t>(verb)].kind;
}

constexpr CommandKind commandKind(Text name) { return commandKind(commandVerb(name)); }

constexpr bool isFault(CommandKind kind)
{
    return kind == CommandKind::fault || kind == CommandKind::freeze || kind == CommandKind::endSession;
}
// Whether the timeline shows no mark for the command.
constexpr bool isRoutine(CommandKind kind)
{
    return kind == CommandKind::routine || kind == CommandKind::loggedClose;
}

} // namespace lockscope::trace
