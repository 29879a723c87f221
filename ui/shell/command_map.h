// What can be done to a run from the window, and what each does: texts, whether it can be done now (and why
// not), what it asks for first, and the engine's command for it. Pure functions over the state; no widget, any
// thread.
#pragma once

#include "core/engine/engine.h"
#include "core/replay/run_state.h"

#include <QKeySequence>
#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace lockscope::ui {

enum class WhatIf {
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
    mendLink,
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
inline constexpr std::array kWhatIfs{
    WhatIf::killHolder,   WhatIf::killSelected,   WhatIf::closeSelected,   WhatIf::freezeSelected,
    WhatIf::removeSelected, WhatIf::rejoin,       WhatIf::addClient,       WhatIf::removeClient,
    WhatIf::slowLink,     WhatIf::cutLink,        WhatIf::muteFromServer,  WhatIf::muteToServer,
    WhatIf::limitLink,    WhatIf::resetLink,      WhatIf::halfOpenLink,    WhatIf::loseReply,
    WhatIf::loseCreateReply, WhatIf::mendLink,    WhatIf::stopServer,      WhatIf::killServer,
    WhatIf::restartServer, WhatIf::restartEmpty,  WhatIf::killLeader,      WhatIf::stopLeader,
    WhatIf::killMember,   WhatIf::stopMember,     WhatIf::deleteNode,      WhatIf::writeNode,
    WhatIf::revoke,       WhatIf::reap,           WhatIf::setLeases};

enum class WhatIfGroup { session, link, server, data };
WhatIfGroup groupOf(WhatIf what);

// Whether the clients' connections can be harmed, or why not.
enum class Links { there, tooManyClients, foreignServer, notWanted };
inline constexpr std::size_t kMostLinks = 200;
// For a run of this scenario; `foreign`: on a server that LockScope did not start.
Links linksFor(const sim::Scenario& scenario, bool foreign);

// The run as far as a command depends on it.
struct Circumstances
{
    const replay::RunState* state = nullptr; // null: there is no run
    bool live = false;                       // an engine takes commands
    bool atEnd = true;                       // the cursor is at the live end: the state is the present
    ClientId selected = ClientId::none();
    Links links = Links::there;
    bool ownServer = true;
    bool watches = false; // it only watches: nothing can be done to it
};

// Why something cannot be done now, in whatever language it is asked for.
struct Obstacle
{
    const char* words = nullptr; // null: nothing is in the way
    QString who{};               // or how many: the place in the words
    QString text() const;
    bool operator==(const Obstacle&) const = default;
};

// Of everything that would change something, while a run only watches.
Obstacle watchingObstacle();

struct Offer
{
    QString text;        // the menu's words
    QString consequence; // what will happen, a sentence
    Obstacle obstacle;
    QKeySequence shortcut;
    bool possible() const { return !obstacle.words; }
    bool operator==(const Offer&) const = default;
};

Offer offer(WhatIf what, const Circumstances& circumstances);

// A number that a what-if asks for before it is done.
struct Parameter
{
    QString label, suffix;
    int value = 0, least = 0, most = 0, step = 1;
    QString atLeast{}; // what the least value means, if something else
};
std::vector<Parameter> parameters(WhatIf what, const Circumstances& circumstances);

// Empty when it cannot be done now. `values`: of its parameters, in their order; without them their defaults.
std::optional<engine::EngineCommand> command(WhatIf what, const Circumstances& circumstances,
                                             std::vector<int> values = {});
// Neither removed nor through with its cycles.
bool takesPart(const replay::ClientRow& client);
std::uint32_t clientsTakingPart(const replay::RunState& state);

} // namespace lockscope::ui
