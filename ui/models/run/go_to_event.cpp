#include "ui/models/run/go_to_event.h"

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"

namespace lockscope::ui {

void goToEvent(RunModel& run, Selection& selection, EventIndex event, ClientId client)
{
    const trace::TraceStore* store = run.store();
    if (!store || !event.valid() || event.value >= store->count())
        return;
    run.goToEvent(event); // first: views describe a selected event by the state after it
    if (const LockId lock = store->at(event).lock; lock.valid() && run.state().lock(lock))
        selection.selectLock(lock);
    selection.selectEvent(event, client);
}

} // namespace lockscope::ui
