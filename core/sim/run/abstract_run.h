// What the engine asks of a run: of one with clients (run.h), and of one that only watches (watch_run.h). I/O thread.
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

    // Error limitExceeded when the links cannot be made.
    virtual Result<void> start(bool paused,
                               std::function<void()> finished) = 0; // `finished` once, when it is over
    virtual void finish() = 0;                                      // in an orderly way
    virtual void abandon() = 0; // at once: every client leaves and its session is closed

    virtual void execute(const Action& action) = 0;                  // by somebody, or by the script
    virtual void execute(const Action& action, ClientId client) = 0; // to this client, whatever the deed's target
    virtual void setPace(Duration step) = 0;
    virtual void runUntil(const Trigger& when) = 0; // goes on, and pauses when that happens
    // Called when the run was paused or resumed by its script.
    virtual void onPaused(std::function<void(bool)> callback) = 0;

    // Whether some session has contact with the server; whether those that had it have all lost it. Neither is
    // true while everybody connects for the first time.
    virtual bool isConnected() const = 0;
    virtual bool isDisconnected() const = 0;
    virtual bool wasConnected() const = 0;
    // Whether a client, or who only watches, was refused what it needs, and left.
    virtual bool refused() const = 0;
    // Ask some times a second. Who stands still, and how, once nothing goes on by itself any more:
    // "ada (held before create), bo (frozen)". Empty while something does.
    virtual Message describeStall() = 0;
    virtual Message describeRemaining() const = 0; // the same of all who have not ended
};

} // namespace lockscope::sim
