// Actions on a run, from a scenario's script or from the user, and the triggers of a script. Plain values.
#pragma once

#include "core/base/time.h"
#include "core/trace/command_verb.h"
#include "core/trace/event.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockscope::sim {

struct Trigger
{
    enum class Kind : std::uint8_t { at, handoffs, waits, holds, released, lost, stands, away, happens };
    Kind kind = Kind::at;
    Duration time{};         // at: since the start of the run
    std::uint32_t count = 0; // handoffs
    std::string client;      // for the other kinds; empty = any client
    GateStep step{};         // stands: before this step
    std::string event;       // happens: the kind of an event, as in traces
    bool operator==(const Trigger&) const = default;
};

struct Action
{
    // As the trace names the command that records it; only the kinds that a script has words for
    // (script_text.cpp). killSession: by a second connection. killServer: a single server restarts
    // automatically, a member of an ensemble by restartServer. cutLink: connections are reset and refused;
    // muteLink: all bytes in `direction` are dropped, and the connection stays; halfOpenLink: only the
    // server's end is closed. hold, letGo: before each step, or before `step`.
    using Kind = trace::CommandVerb;
    enum class Target : std::uint8_t { unspecified, named, holder, firstWaiter, everyone, nextInTurn };
    enum class Direction : std::uint8_t { toServer, fromServer };
    enum class Member : std::uint8_t { single, numbered, leader };

    // A span of zero means none.
    static Action of(Kind kind, Target target = Target::unspecified, Duration span = {})
    {
        Action action;
        action.kind = kind;
        action.target = target;
        if (span > Duration{})
            action.span = span;
        return action;
    }

    Kind kind = Kind::killSession;
    Target target = Target::unspecified;
    std::string client; // named
    // Of a node that a person has chosen, its path: an action on a node then needs no client. Not in scripts.
    std::string node;
    std::optional<Duration> span; // undone after this; kill: the client does not learn of it for this time
    Duration delay{};
    Duration jitter{};
    std::uint64_t amount = 0; // setLeases: the size of a semaphore; limitLink: bytes a second
    Direction direction = Direction::fromServer;
    std::optional<Operation> op; // none = any
    std::optional<GateStep> step;
    Member member = Member::single;
    std::uint32_t number = 0; // of a server, from 1
    bool withData = true;     // restartServer: keeps its data
    bool operator==(const Action&) const = default;
};

struct ScriptLine
{
    Trigger when;
    Action action;
    std::string text; // "after 3 handoffs: freeze the holder for 4s"
    bool operator==(const ScriptLine&) const = default;
};

// A manual step: "ada create".
struct TakenStep
{
    std::string client;
    GateStep step{};
    bool operator==(const TakenStep&) const = default;
};

bool concernsLinks(const Action& action);
inline trace::CommandVerb verbOf(const Action& action) // of the trace::Command that records it
{
    const bool holder = action.kind == Action::Kind::killSession && action.target == Action::Target::holder;
    return holder ? trace::CommandVerb::killHolder : action.kind;
}

} // namespace lockscope::sim
