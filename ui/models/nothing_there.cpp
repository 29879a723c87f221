#include "ui/models/nothing_there.h"

#include "ui/models/run_model.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(NothingThere)
};

} // namespace

QString whyNothing(const RunModel& run)
{
    if (!run.hasRun())
        return Words::tr("Nothing is open: start a scenario or open a trace.");
    const replay::RunState& state = run.state();
    return state.phase == trace::RunPhase::failed && state.clients.empty()
               ? Words::tr("The run could not start.")
               : QString();
}

} // namespace lockscope::ui
