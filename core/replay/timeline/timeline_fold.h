// The data of the timeline, and its update by events: one overload of on() for each kind of event that
// changes the lanes, handoffs or marks. Private to the timeline; one thread; texts point into the TraceStore.
#pragma once

#include "core/replay/state/pauses.h"
#include "core/replay/timeline/coverage_track.h"
#include "core/replay/timeline/handoff_finder.h"
#include "core/replay/timeline/lane.h"
#include "core/replay/timeline/timeline.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockscope::replay {

struct Timeline::Impl
{
    void apply(const trace::TraceStore& store, std::size_t index);

    template <class E>
    void on(const E&)
    {}
    void on(const trace::RunPhaseChanged& state);
    void on(const trace::ServerState& state);
    void on(const trace::ClientAdded&)
    {
        if (currentLane())
            clientsAdded.push_back(self);
    }
    void on(const trace::ClientRemoved&);
    void on(const trace::Command& command);
    void on(const trace::SessionState& state);
    void on(const trace::SessionGone& gone);
    void on(const trace::AcquireCalled& call);
    void on(const trace::Acquired& acquired);
    void on(const trace::Reentered& reentered);
    void on(const trace::AcquireFailed& failed);
    void on(const trace::ReleaseCalled& call);
    void on(const trace::Released& released);
    void on(const trace::HoldLost& lost);
    void on(const trace::Request& request);
    void on(const trace::Reply& reply);
    void on(const trace::WatchFired& fired);
    void on(const trace::NodeSeen& seen);
    void on(const trace::Decided& decided);
    void on(const trace::NodeVanished& vanished);

    // An empty lane if the client has none.
    const Lane& laneOf(ClientId client) const
    {
        static const Lane none{ClientId::none()};
        return client.value < lanes.size() && lanes[client.value] ? *lanes[client.value] : none;
    }
    Lane* currentLane();
    void mark(Mark::Kind kind, ClientId client, trace::Text verb = {})
    {
        marks.push_back({at, self, client, kind, verb});
    }
    void update(Lane& lane);
    void endWait(Lane& lane, LockId lock, OwnerId owner);
    void endHold(Lane& lane, Activity& hold);
    void endAll(Lane& lane);
    void giveUp(const Lane& lane, Activity& hold);
    void markStale(Lane& lane, Activity& hold);
    void nodeGone(trace::Text node);
    bool isRecordedByLog() const; // whether the session's end is
    template <class F>
    void forEachOf(SessionId session, F&& what); // the lanes that have this session now

    // The event that is being applied.
    const trace::TraceStore* store = nullptr;
    const trace::Event* event = nullptr;
    TraceTime at{};
    EventIndex self;

    std::vector<std::unique_ptr<Lane>> lanes; // index = ClientId
    std::vector<EventIndex> clientsAdded;
    std::map<std::pair<LockId, trace::Text>, Lane*> holders;       // by node
    std::unordered_map<SessionId, std::vector<ClientId>> sessions; // the workers of a process share one
    HandoffFinder finder;
    std::deque<Handoff> handoffs;
    std::vector<Mark> marks;
    std::vector<Outage> outages;
    Pauses pauses;

    std::size_t holding = 0, waiting = 0, stale = 0; // number of lanes with this activity
    CoverageTrack held, awaited, wrong;
};

} // namespace lockscope::replay
