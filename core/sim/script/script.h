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
    enum class Kind : std::uint8_t {
        kill,   // the session, by a second connection
        close,  // the client closes its session and makes a new one
        freeze, // no steps and no heartbeats; undone after `span`
        thaw,
        remove,
        rejoin, // a removed client returns
        addClient,
        pause,
        resume,
        deleteNode, // by an administrator
        writeNode,
        revoke,     // asks the holder to release (Curator's Revoker)
        reap,       // deletes the lock's empty container, as the server does after a while
        setLeases,  // `amount`: the size of a semaphore
        stopServer, // SIGSTOP; continued after `span`
        killServer, // SIGKILL; a single server restarts automatically, a member of an ensemble by
                    // restartServer
        restartServer,
        cutLink,      // connections are reset and refused; undone after `span`
        slowLink,     // `delay` and `jitter` each way
        limitLink,    // `amount` bytes a second
        muteLink,     // drops all bytes in `direction`; the connection stays
        resetLink,    // connections are reset, once
        halfOpenLink, // the server's end is closed, the client's end stays open
        loseReply,    // the next reply to `op` is dropped and its connection reset
        healLink,
        holdSteps,   // holds the client before each step, or before `step`
        step,        // the client takes the step before which it is held
        resumeSteps, // ends holdSteps, or only the breakpoint before `step`
        finish
    };
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

    Kind kind = Kind::kill;
    Target target = Target::unspecified;
    std::string client; // named
    // Of a node that a person has chosen, its path: an action on a node then needs no client. Not in scripts.
    std::string node;
    std::optional<Duration> span; // undone after this; kill: the client does not learn of it for this time
    Duration delay{};
    Duration jitter{};
    std::uint64_t amount = 0;
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
trace::CommandVerb verbOf(const Action& action); // of the trace::Command that records it

} // namespace lockscope::sim
