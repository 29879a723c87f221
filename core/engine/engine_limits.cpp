// The limits of a run that is left alone, and how a run ends before its time.
#include "core/engine/engine_thread.h"
#include "core/sim/run/cut_short.h"
#include "core/sim/scenario/work.h"

#include <algorithm>

namespace lockscope::engine {

namespace {

constexpr Duration kLeaveLimit = std::chrono::seconds(5); // for clients to leave

} // namespace

void Engine::Impl::checkLimits()
{
    if (ended || !options.limits || !cut.empty())
        return;
    const MonotonicTime now = hub->now();
    wasConnected = wasConnected || simulation->wasConnected();
    if (simulation->isConnected())
        lastContact = now;
    const auto& duration = options.scenario.duration;
    if (now - std::max(lastContact, begun) > options.limits->contact) {
        const std::string limit = sim::formatDuration(options.limits->contact);
        if (!wasConnected)
            return fail(Error{ErrorCode::noServer,
                              message("No ZooKeeper answers at %1: no session was given in %2.", hosts, limit),
                              message("Check the address, or leave --connect out: LockScope starts a ZooKeeper of its "
                                      "own.")});
        cutShort(sim::cut_short::kNoContact,
                 message("No client has had contact with ZooKeeper for %1: the run is cut short.", limit));
    } else if (duration && now - begun > *duration && now - begun - *duration > options.limits->grace) {
        cutShort(sim::cut_short::kOverdue,
                 message("The run went on for %1 after its duration and is cut short: %2.",
                         sim::formatDuration(options.limits->grace), simulation->describeRemaining()));
    } else if (const Message who = simulation->describeStall(); !who.empty()) {
        cutShort(sim::cut_short::kStalled,
                 message("Nothing goes on by itself any more, and the run is cut short: %1.", who));
    }
}

// In an orderly way as far as there is anybody to hear it.
void Engine::Impl::cutShort(std::string_view code, const Message& text)
{
    if (ended || !cut.empty())
        return;
    cut = code;
    if (!text.empty())
        recorder->record(ClientId::none(), LockId::none(), trace::Notice{trace::Severity::error, text, code});
    const bool heard = simulation->isConnected();
    simulation->finish();
    hub->after(heard ? kLeaveLimit : Duration{}, [this] {
        if (!ended)
            shutDown();
    });
}

} // namespace lockscope::engine
