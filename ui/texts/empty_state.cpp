#include "ui/texts/empty_state.h"

#include "ui/models/run/run_model.h"
#include "ui/texts/texts.h"
#include "ui/texts/watched_lock_text.h"

namespace lockscope::ui {

QString emptyStateText(const RunModel& run)
{
    if (!run.hasRun() && run.connecting())
        return Texts::tr("Connecting to ZooKeeper…");
    if (!run.hasRun())
        return Texts::tr("Nothing is open: start a scenario, open a trace, or choose a lock from a history.");
    const replay::RunState& state = run.state();
    if (run.opening())
        return Texts::tr("The trace is being opened.");
    if (state.phase == trace::RunPhase::failed && state.clients.empty())
        return Texts::tr("The run could not start: the message says why.");
    if (run.position() == 0 && run.drained() > 0)
        return Texts::tr(
            "This is the moment before the first event. The End key goes to the end of the run.");
    return replay::onlyWatches(state) ? watchedUnknownText() : QString();
}

} // namespace lockscope::ui
