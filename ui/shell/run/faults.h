// What can be done to a run from the window, and what each does: texts, whether it can be done now (and why
// not), what it asks for first, and the engine's command for it. Pure functions over the state; no widget, any
// thread.
#pragma once

#include "core/engine/engine.h"
#include "core/replay/state/run_state.h"

#include <QKeySequence>
#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace lockscope::ui {

enum class Fault {
    killHolder,
    killSelected,
    closeSelected,
    freezeSelected,
    removeSelected,
    rejoin,
    addClient,
    removeClient,
    slowLink,
    cutLink,
    muteFromServer,
    muteToServer,
    limitLink,
    resetLink,
    halfOpenLink,
    loseReply,
    loseCreateReply,
    healLink,
    stopServer,
    killServer,
    restartServer,
    restartEmpty,
    killLeader,
    stopLeader,
    killMember,
    stopMember,
    deleteNode,
    writeNode,
    revoke,
    reap,
    setLeases
};
inline constexpr std::array kFaults{
    Fault::killHolder,   Fault::killSelected,   Fault::closeSelected,   Fault::freezeSelected,
    Fault::removeSelected, Fault::rejoin,       Fault::addClient,       Fault::removeClient,
    Fault::slowLink,     Fault::cutLink,        Fault::muteFromServer,  Fault::muteToServer,
    Fault::limitLink,    Fault::resetLink,      Fault::halfOpenLink,    Fault::loseReply,
    Fault::loseCreateReply, Fault::healLink,    Fault::stopServer,      Fault::killServer,
    Fault::restartServer, Fault::restartEmpty,  Fault::killLeader,      Fault::stopLeader,
    Fault::killMember,   Fault::stopMember,     Fault::deleteNode,      Fault::writeNode,
    Fault::revoke,       Fault::reap,           Fault::setLeases};

enum class FaultGroup { session, link, server, data };
FaultGroup groupOf(Fault what);

// Whether the clients' connections can be harmed, or why not.
enum class LinkSupport { available, tooManyClients, externalServer, disabled };
inline constexpr std::size_t kMaxLinks = 200;
// For a run of this scenario; `foreign`: on a server that LockScope did not start.
LinkSupport linkSupportFor(const sim::Scenario& scenario, bool isExternal);

// The run as far as a command depends on it.
struct CommandContext
{
    const replay::RunState* state = nullptr; // null: there is no run
    bool live = false;                       // an engine takes commands
    bool atEnd = true;                       // the cursor is at the live end: the state is the present
    ClientId selected = ClientId::none();
    LinkSupport links = LinkSupport::available;
    bool ownServer = true;
    bool watches = false; // it only watches: nothing can be done to it
};

// Why something cannot be done now, in whatever language it is asked for.
struct DisabledReason
{
    const char* words = nullptr; // null: nothing is in the way
    QString who{};               // or how many: the place in the words
    QString text() const;
    bool operator==(const DisabledReason&) const = default;
};

// Of everything that would change something, while a run only watches.
DisabledReason watchOnlyReason();

struct CommandState
{
    QString text;        // the menu's words
    QString consequence; // what will happen, a sentence
    DisabledReason disabledReason;
    QKeySequence shortcut;
    bool isEnabled() const { return !disabledReason.words; }
    bool operator==(const CommandState&) const = default;
};

CommandState commandState(Fault what, const CommandContext& commandContext);

// A number that a what-if asks for before it is done.
struct Parameter
{
    QString label, suffix;
    int value = 0, min = 0, max = 0, step = 1;
    QString minText{}; // what the least value means, if something else
};
std::vector<Parameter> parameters(Fault what, const CommandContext& commandContext);

// Empty when it cannot be done now. `values`: of its parameters, in their order; without them their defaults.
std::optional<engine::EngineCommand> command(Fault what, const CommandContext& commandContext,
                                             std::vector<int> values = {});
// Neither removed nor through with its cycles.
bool isActiveClient(const replay::ClientRow& client);
std::uint32_t activeClientCount(const replay::RunState& state);

} // namespace lockscope::ui
