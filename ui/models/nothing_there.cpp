#include "ui/models/nothing_there.h"

#include "ui/models/run_model.h"
#include "ui/models/watched_words.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {

struct NothingThereWords
{
    Q_DECLARE_TR_FUNCTIONS(NothingThere)
};

} // namespace

QString whyNothing(const RunModel& run)
{
    if (!run.hasRun())
        return NothingThereWords::tr("Nothing is open: start a scenario or open a trace.");
    const replay::RunState& state = run.state();
    if (run.opening())
        return NothingThereWords::tr("The trace is being opened.");
    if (state.phase == trace::RunPhase::failed && state.clients.empty())
        return NothingThereWords::tr("The run could not start: the message says why.");
    if (run.position() == 0 && run.drained() > 0)
        return NothingThereWords::tr(
            "This is the moment before the first event. The End key goes to the end of the run.");
    return replay::onlyWatches(state) ? watchedUnknown() : QString();
}

} // namespace lockscope::ui
