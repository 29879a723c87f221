// The engine's view of a run: one with clients (run.h), or one that only watches (watch_run.h). I/O thread.
#pragma once

#include "core/base/error.h"
#include "core/sim/script/script.h"

#include <functional>
#include <string>

namespace lockscope::sim {

class AbstractRun
{
public:
    virtual ~AbstractRun() = default;

    // Calls `finished` once, when the run is over. Error: limitExceeded when the links cannot be made.
    virtual Result<void> start(bool paused, std::function<void()> finished) = 0;
    virtual void finish() = 0;  // orderly: clients release their locks first
    virtual void abandon() = 0; // at once: every client leaves and its session is closed

    virtual void execute(const Action& action) = 0;
    virtual void execute(const Action& action,
                         ClientId client) = 0; // on this client, whatever the action's target
    virtual void setPace(Duration step) = 0;
    virtual void runUntil(const Trigger& when) = 0; // resumes, and pauses when the trigger fires
    // Called when the run was paused or resumed by its script.
    virtual void onPaused(std::function<void(bool)> callback) = 0;

    // Some session is connected; all sessions that were connected have lost contact. Neither is true while
    // the clients connect for the first time.
    virtual bool isConnected() const = 0;
    virtual bool isDisconnected() const = 0;
    virtual bool wasConnected() const = 0;
    // A client, or an observer of a watch-only run, lacked a right that it needs, and left.
    virtual bool refused() const = 0;
    // Call it several times a second. Once nothing continues by itself: the clients and their states,
    // "ada (held before create), bo (frozen)". Empty before.
    virtual Message describeStall() = 0;
    virtual Message describeRemaining() const = 0; // the same, of all clients that have not ended
};

} // namespace lockscope::sim
