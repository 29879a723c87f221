// The limits of a run that is left alone, and how a run ends before its time.
#include "core/engine/engine_thread.h"
#include "core/sim/cut_short.h"
#include "core/sim/work.h"

#include <algorithm>

namespace lockscope::engine {

namespace {

constexpr Duration kLeaveLimit = std::chrono::seconds(5); // for clients to leave

} // namespace

void Engine::Impl::keepLimits()
{
    if (ended || !options.limits || !cut.empty())
        return;
    const MonotonicTime now = hub->now();
    hadContact = hadContact || simulation->hadContact();
    if (simulation->inContact())
        lastContact = now;
    const auto& duration = options.scenario.duration;
    if (now - std::max(lastContact, begun) > options.limits->contact) {
        const std::string limit = sim::durationText(options.limits->contact);
        if (!hadContact)
            return fail(Error{ErrorCode::noServer,
                              "No ZooKeeper answers at " + hosts + ": no session was given in " + limit + ".",
                              "Check the address, or leave --connect out: LockScope starts a ZooKeeper of its own."});
        cutShort(sim::cut_short::kNoContact,
                 "No client has had contact with ZooKeeper for " + limit + ": the run is cut short.");
    } else if (duration && now - begun > *duration && now - begun - *duration > options.limits->grace) {
        cutShort(sim::cut_short::kOverdue,
                 "The run went on for " + sim::durationText(options.limits->grace) +
                     " after its duration and is cut short: " + simulation->whoIsLeft() + ".");
    } else if (const std::string who = simulation->stalled(); !who.empty()) {
        cutShort(sim::cut_short::kStalled,
                 "Nothing goes on by itself any more, and the run is cut short: " + who + ".");
    }
}

// In an orderly way as far as there is anybody to hear it.
void Engine::Impl::cutShort(std::string_view code, const std::string& text)
{
    if (ended || !cut.empty())
        return;
    cut = code;
    if (!text.empty())
        recorder->record(ClientId::none(), LockId::none(), trace::Notice{trace::Severity::error, text, code});
    const bool heard = simulation->inContact();
    simulation->finish();
    hub->after(heard ? kLeaveLimit : Duration{}, [this] {
        if (!ended)
            windUp();
    });
}

} // namespace lockscope::engine
