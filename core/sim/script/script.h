// The script of a scenario: what happens to a run by itself, and what somebody at the window may do to it.
// Plain values.
#pragma once

#include "core/base/time.h"
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
    std::string client;      // the others; empty = anybody
    trace::GateStep step{};  // stands: before this step
    std::string event;       // happens: the kind of an event, as traces name it
    bool operator==(const Trigger&) const = default;
};

struct Action
{
    enum class Kind : std::uint8_t {
        kill,   // its session, by a second connection
        close,  // it closes its session itself and makes a new one
        freeze, // it takes no step and sends no heartbeat; undone after `span`
        thaw,
        remove,
        rejoin, // one that was removed comes back
        addClient,
        pause,
        resume,
        deleteNode, // as an administrator would
        writeNode,
        revoke,     // asks the holder to give up (Curator's Revoker)
        reap,       // deletes the lock's container, which must be empty, as the server does with unused ones
        setLeases,  // `amount`: the most of a semaphore
        stopServer, // SIGSTOP; continued after `span`
        killServer, // kill -9; a single server is started again by itself, a member by restartServer
        restartServer,
        cutLink,      // connections are reset and refused; undone after `span`
        slowLink,     // `delay` and `jitter` each way
        limitLink,    // `amount` bytes a second
        muteLink,     // nothing arrives any more in `direction`; the connection stays
        resetLink,    // connections are reset, once
        halfOpenLink, // the server forgets the connection, the client's end stays open
        loseReply,    // exactly the next reply to `op` is lost with its connection
        healLink,
        holdSteps, // the client stands before its next step, or before `step`, until it is let go
        step,      // lets it take the one step it stands before
        resumeSteps,     // free again, or no longer held before `step`
        finish
    };
    enum class Target : std::uint8_t { unspecified, named, holder, firstWaiter, everyone, nextInTurn };
    enum class Direction : std::uint8_t { toServer, fromServer };
    enum class Member : std::uint8_t { single, numbered, leader };

    // A span of zero is none.
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
    std::string client;           // named
    std::optional<Duration> span; // undone after this; of a kill: so long its victim hears nothing
    Duration delay{};
    Duration jitter{};
    std::uint64_t amount = 0;
    Direction direction = Direction::fromServer;
    std::optional<trace::Op> op; // none = any
    std::optional<trace::GateStep> step;
    Member member = Member::single;
    std::uint32_t number = 0; // of a server, from 1
    bool withData = true;     // of a restart
    bool operator==(const Action&) const = default;
};

struct ScriptLine
{
    Trigger when;
    Action action;
    std::string text; // "after 3 handoffs: freeze the holder for 4s"
    bool operator==(const ScriptLine&) const = default;
};

// A step that was taken by hand: "ada create".
struct TakenStep
{
    std::string client;
    trace::GateStep step{};
    bool operator==(const TakenStep&) const = default;
};

bool concernsLinks(const Action& action);
std::string_view verbOf(const Action& action); // as in trace::Command: "kill_session"

} // namespace lockscope::sim
