#include "core/replay/timeline/timeline_fold.h"

#include "core/replay/state/node_queue.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

using trace::Text;

void Timeline::Impl::apply(const trace::TraceStore& from, std::size_t index)
{
    store = &from;
    event = &from.at(index);
    at = std::max(at, event->at);
    self = EventIndex{static_cast<std::uint32_t>(index)};
    std::visit([this](const auto& what) { on(what); }, event->what);
}

// The lane of the event's client, created if necessary; null if the event has no client.
Lane* Timeline::Impl::currentLane()
{
    if (!event->client.valid())
        return nullptr;
    const std::size_t index = event->client.value;
    if (index >= lanes.size())
        lanes.resize(index + 1);
    if (!lanes[index])
        lanes[index] = std::make_unique<Lane>(event->client);
    return lanes[index].get();
}

void Timeline::Impl::update(Lane& lane)
{
    const auto count = [&](std::size_t& lanesDoing, CoverageTrack& track, SpanKind kind) {
        const bool does = lane.does(kind);
        if (bool& counted = lane.counted(kind); counted != does) {
            counted = does;
            lanesDoing += does ? 1 : std::size_t(-1);
        }
        track.set(lanesDoing > 0, at);
    };
    count(holding, held, SpanKind::holding);
    count(waiting, awaited, SpanKind::waiting);
    count(stale, wrong, SpanKind::stale);
    lane.update(at, self);
}

void Timeline::Impl::endWait(Lane& lane, LockId lock, OwnerId owner)
{
    if (const Activity* wait = lane.wait(lock, owner))
        lane.erase(wait);
}

void Timeline::Impl::endHold(Lane& lane, Activity& hold)
{
    giveUp(lane, hold);
    const auto holder = holders.find({hold.lock, hold.node});
    if (holder != holders.end() && holder->second == &lane)
        holders.erase(holder);
    lane.erase(&hold);
}

void Timeline::Impl::endAll(Lane& lane)
{
    while (!lane.activities().empty()) {
        Activity& last = lane.activities().back();
        if (last.isHold())
            endHold(lane, last);
        else
            lane.erase(&last);
    }
}

void Timeline::Impl::giveUp(const Lane& lane, Activity& hold)
{
    if (!std::exchange(hold.givenUp, true))
        finder.ended(hold.lock, {lane.client(), hold.node, at, self});
}

void Timeline::Impl::markStale(Lane& lane, Activity& hold)
{
    if (hold.givenUp || hold.kind == SpanKind::stale)
        return;
    giveUp(lane, hold);
    hold.kind = SpanKind::stale;
    hold.begin = at;
    hold.beginEvent = self;
    update(lane);
}

void Timeline::Impl::nodeGone(Text node)
{
    const auto holder = holders.find({event->lock, node});
    if (holder != holders.end()) {
        Lane& lane = *holder->second;
        Activity* hold = lane.hold(event->lock, node, OwnerId::none());
        // A name without a number is reused: an event about the previous node may arrive when the next one
        // holds.
        const bool meant = hold && (node_queue::sequenceOf(node) >= 0 ||
                                    (event->cause.valid() && event->cause > hold->beginEvent));
        if (meant)
            markStale(lane, *hold);
    }
    finder.nodeGone(event->lock, node, at, self);
}

void Timeline::Impl::on(const trace::ServerState& state)
{
    const bool down = !outages.empty() && outages.back().end == kForever;
    if (state.phase == trace::ServerPhase::down && !down) {
        mark(Mark::Kind::serverDown, ClientId::none());
        outages.push_back({at});
    }
    if (state.phase == trace::ServerPhase::ready && down) {
        mark(Mark::Kind::serverReady, ClientId::none());
        outages.back().end = at;
    }
}

void Timeline::Impl::on(const trace::ClientRemoved&)
{
    Lane* lane = currentLane();
    if (!lane)
        return;
    endAll(*lane);
    lane->setFrozen(EventIndex::none());
    lane->setSuspended(EventIndex::none());
    update(*lane);
}

void Timeline::Impl::on(const trace::RunPhaseChanged& state)
{
    pauses.change(at, state.phase == trace::RunPhase::paused);
}

void Timeline::Impl::on(const trace::AcquireCalled& call)
{
    Lane* lane = currentLane();
    if (!lane)
        return;
    endWait(*lane, event->lock, call.owner);
    lane->activities().push_back({event->lock, call.owner, {}, SpanKind::waiting, 0, false, at, self});
    update(*lane);
}

void Timeline::Impl::on(const trace::Acquired& acquired)
{
    Lane* lane = currentLane();
    if (!lane)
        return;
    const Activity* wait = lane->wait(event->lock, acquired.owner);
    if (auto handoff = finder.acquired(*store, self.value, wait ? wait->begin : kForever)) {
        handoff->paused = pauses.since(handoff->released);
        handoffs.push_back(*handoff);
    }
    if (wait)
        lane->erase(wait);
    // A hold with the same node that has not ended: its end is missing from the trace.
    Activity* before = lane->hold(event->lock, acquired.node, acquired.owner);
    if (before && before->node == acquired.node)
        endHold(*lane, *before);
    lane->activities().push_back(
        {event->lock, acquired.owner, acquired.node, SpanKind::holding, 1, false, at, self});
    if (!acquired.node.empty())
        holders[{event->lock, acquired.node}] = lane;
    finder.held(event->lock);
    update(*lane);
}

void Timeline::Impl::on(const trace::Reentered& reentered)
{
    Lane* lane = currentLane();
    if (!lane)
        return;
    endWait(*lane, event->lock, reentered.owner);
    if (Activity* hold = lane->hold(event->lock, {}, reentered.owner))
        hold->depth = reentered.depth;
    update(*lane);
}

void Timeline::Impl::on(const trace::AcquireFailed& failed)
{
    if (Lane* lane = currentLane()) {
        endWait(*lane, event->lock, failed.owner);
        update(*lane);
    }
}

void Timeline::Impl::on(const trace::ReleaseCalled& call)
{
    Lane* lane = currentLane();
    if (!lane || call.depth > 1)
        return;
    Activity* hold = lane->hold(event->lock, call.node, call.owner);
    if (!hold || hold->givenUp)
        return;
    giveUp(*lane, *hold);
    hold->kind = SpanKind::releasing;
    hold->begin = at;
    hold->beginEvent = self;
    update(*lane);
}

void Timeline::Impl::on(const trace::Released& released)
{
    Lane* lane = currentLane();
    Activity* hold = lane ? lane->hold(event->lock, released.node, released.owner) : nullptr;
    if (!hold)
        return;
    if (released.depth == 0)
        endHold(*lane, *hold);
    else
        hold->depth = released.depth;
    update(*lane);
}

void Timeline::Impl::on(const trace::HoldLost& lost)
{
    Lane* lane = currentLane();
    if (!lane)
        return;
    if (Activity* hold = lane->hold(event->lock, lost.node, lost.owner))
        endHold(*lane, *hold);
    else
        endWait(*lane, event->lock, lost.owner);
    update(*lane);
}

void Timeline::Impl::on(const trace::Request& request)
{
    if (request.op == Operation::remove)
        finder.deleteSent(event->lock, request.node, at, self);
}

void Timeline::Impl::on(const trace::Reply& reply)
{
    const bool gone = reply.outcome == trace::Outcome::ok || reply.outcome == trace::Outcome::noNode;
    if (reply.op == Operation::remove && gone)
        finder.nodeGone(event->lock, reply.node, at, self);
}

void Timeline::Impl::on(const trace::WatchFired& fired)
{
    const bool went = fired.kind == trace::WatchKind::deleted;
    if (went)
        nodeGone(fired.node);
    if (went || fired.kind == trace::WatchKind::childrenChanged)
        finder.woken(event->lock, fired.node, event->cause, event->client);
}

// An event with a client is from a transaction log, which names the owner of each node.
void Timeline::Impl::on(const trace::NodeSeen& seen)
{
    Lane* lane = currentLane();
    if (!lane) {
        if (seen.foreign)
            finder.foreignNode(event->lock, seen.node);
        return;
    }
    lane->activities().push_back(
        {event->lock, OwnerId::none(), seen.node, SpanKind::waiting, 0, false, at, self});
    update(*lane);
}

// The client is first in the server's queue. Only a wait from the server's log has a node that can match.
void Timeline::Impl::on(const trace::Decided& decided)
{
    Lane* lane = decided.position == 0 && !decided.node.empty() ? currentLane() : nullptr;
    Activity* wait = lane ? lane->findByNode(event->lock, decided.node) : nullptr;
    if (!wait || wait->isHold())
        return;
    if (const auto handoff = finder.acquired(*store, self.value, wait->begin))
        handoffs.push_back(*handoff);
    *wait = {event->lock, OwnerId::none(), decided.node, SpanKind::holding, 1, false, at, self};
    finder.held(event->lock);
    update(*lane);
}

void Timeline::Impl::on(const trace::NodeVanished& vanished)
{
    if (Lane* lane = currentLane()) {
        if (Activity* one = lane->findByNode(event->lock, vanished.node)) {
            if (one->isHold())
                giveUp(*lane, *one);
            lane->erase(one);
            update(*lane);
        }
    }
    nodeGone(vanished.node);
}

} // namespace lockscope::replay
