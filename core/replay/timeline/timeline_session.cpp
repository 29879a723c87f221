// Sessions in the timeline, and the commands on them. The workers of a process share one session: events of
// the session are shown in the lanes of all of them.
#include "core/replay/timeline/timeline_fold.h"
#include "core/trace/command_verb.h"

#include <algorithm>

namespace lockscope::replay {

using trace::Text;

template <class F>
void Timeline::Impl::forEachOf(SessionId session, F&& what)
{
    const auto found = sessions.find(session);
    if (found == sessions.end())
        return;
    for (const ClientId client : found->second)
        if (Lane& lane = *lanes[client.value]; lane.session == session)
            what(lane);
}

void Timeline::Impl::on(const trace::Command& command)
{
    const trace::CommandKind kind = trace::commandKind(command.verb);
    if (!trace::isRoutine(kind))
        mark(Mark::Kind::command, event->client, command.verb);
    Lane* lane = currentLane();
    const bool thaws = kind == trace::CommandKind::thaw;
    if (!lane || (kind != trace::CommandKind::freeze && !thaws))
        return;
    const auto apply = [&](Lane& one) {
        if (one.frozen() != thaws)
            return;
        one.setFrozen(thaws ? EventIndex::none() : self);
        update(one);
    };
    apply(*lane);
    forEachOf(lane->session, apply); // clients that share its session are frozen or thawed too
}

void Timeline::Impl::on(const trace::SessionState& state)
{
    using trace::SessionPhase;
    Lane* lane = currentLane();
    if (!lane)
        return;
    if (state.session.valid()) {
        lane->session = state.session;
        std::vector<ClientId>& clients = sessions[state.session];
        if (std::find(clients.begin(), clients.end(), event->client) == clients.end())
            clients.push_back(event->client);
    }
    const bool over = state.phase == SessionPhase::lost || state.phase == SessionPhase::closed;
    lane->sessionClosed = state.phase == SessionPhase::closed;
    if (state.phase == SessionPhase::suspended) {
        if (!lane->suspended())
            lane->setSuspended(self);
    } else if (over || state.phase == SessionPhase::connected) {
        lane->setSuspended(EventIndex::none());
    }
    if (over) {
        endAll(*lane);
        lane->setFrozen(EventIndex::none());
    }
    update(*lane);
}

// Whether a transaction log recorded the session's end; it then has its own mark, or needs none.
bool Timeline::Impl::isRecordedByLog() const
{
    if (!event->cause.valid() || event->cause >= self)
        return false;
    const auto* command = std::get_if<trace::Command>(&store->at(event->cause).what);
    const auto kind = command ? trace::commandKind(command->verb) : trace::CommandKind::other;
    return kind == trace::CommandKind::loggedClose || kind == trace::CommandKind::loggedExpiry;
}

void Timeline::Impl::on(const trace::SessionGone& gone)
{
    const auto found = sessions.find(gone.session);
    ClientId client = event->client;
    if (found != sessions.end() && found->second.size() == 1)
        client = found->second.front();
    bool closedByAll = true;
    bool any = false;
    forEachOf(gone.session, [&](Lane& lane) {
        any = true;
        closedByAll = closedByAll && lane.sessionClosed;
        for (Activity& one : lane.activities())
            if (one.isHold())
                markStale(lane, one);
    });
    if (!isRecordedByLog() && (!any || !closedByAll))
        mark(Mark::Kind::sessionGone, client);
}

} // namespace lockscope::replay
