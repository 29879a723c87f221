// The engine's view of a run: one with clients (run.h), or one that only watches (engine/watch_run.h). I/O
// thread.
#pragma once

#include "core/base/error.h"
#include "core/sim/script/script.h"
#include "core/zk/session.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lockscope::sim {

class AbstractRun
{
public:
    virtual ~AbstractRun() = default;

    // Calls `finished` once, when the run is over. Errors as those of LinkFactory.
    virtual Result<void> start(bool paused, std::function<void()> finished) = 0;
    virtual void finish() = 0;  // orderly: clients release their locks first
    virtual void abandon() = 0; // at once: every client leaves and its session is closed

    virtual void execute(const Action& action) = 0;
    virtual void execute(const Action& action,
                         ClientId client) = 0; // on this client, whatever the action's target
    virtual void setPace(Duration step) = 0;
    virtual void runUntil(const Trigger& when) = 0; // resumes, and pauses when the trigger fires
    // Called whenever the run was paused or resumed.
    virtual void onPaused(std::function<void(bool)> callback) = 0;

    // isConnected(): some session is connected. isDisconnected(): none is, and at least one has lost contact.
    // Both are false while the clients connect for the first time.
    bool isConnected() const { return anySessionIs(zk::SessionPhase::connected); }
    bool isDisconnected() const
    {
        const bool lost = anySessionIs(zk::SessionPhase::suspended) || anySessionIs(zk::SessionPhase::lost);
        return lost && !isConnected();
    }
    // Some client or observer takes part, and none is connected.
    bool isWithoutContact() const { return !sessionPhases().empty() && !isConnected(); }
    virtual bool wasConnected() const = 0;
    // A client, or an observer of a watch-only run, lacked a right that it needs, and left.
    virtual bool refused() const = 0;
    // Call it several times a second. Empty until no client can continue on its own; then the clients and
    // their states: "ada (held before create), bo (frozen)".
    virtual Message describeStall() = 0;
    virtual Message describeRemaining() const = 0; // the same, of all clients that have not ended

private:
    virtual std::vector<zk::SessionPhase> sessionPhases() const = 0; // of its clients or observers
    bool anySessionIs(zk::SessionPhase phase) const
    {
        const std::vector<zk::SessionPhase> all = sessionPhases();
        return std::find(all.begin(), all.end(), phase) != all.end();
    }
};

} // namespace lockscope::sim
