// Where the cursor of a run is, and the ways to move it.
#include "ui/models/run_model_impl.h"

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr Duration kSeekBudget = std::chrono::milliseconds(40); // of a seek, at once
} // namespace

TraceTime RunModel::cursorTime() const
{
    const Impl& d = *m_impl;
    if (d.following)
        return d.end;
    return d.wanted.value_or(state().now);
}

void RunModel::follow()
{
    m_impl->wanted.reset();
    if (m_impl->store)
        goTo(m_impl->store->count(), true);
}

void RunModel::seekTime(TraceTime time)
{
    Impl& d = *m_impl;
    if (!d.store)
        return;
    if (!d.opener && time >= d.end) {
        follow();
        return;
    }
    d.wanted = std::max(time, TraceTime::zero());
    goTo(d.player->countAt(*d.wanted), false);
}

void RunModel::seekEvent(std::size_t count)
{
    Impl& d = *m_impl;
    if (!d.store)
        return;
    d.wanted.reset();
    goTo(std::min(count, d.store->count()), count >= d.store->count());
}

void RunModel::goToEvent(EventIndex event)
{
    Impl& d = *m_impl;
    if (!d.store || !event.valid() || event.value >= d.store->count())
        return;
    d.wanted.reset();
    const std::size_t count = event.value + std::size_t{1};
    goTo(count, !canGrow() && count == d.store->count());
    emit jumpedTo(d.store->at(event).at);
}

void RunModel::stepEvents(int delta)
{
    if (!m_impl->store)
        return;
    const auto from = static_cast<std::int64_t>(position());
    seekEvent(static_cast<std::size_t>(std::max<std::int64_t>(0, from + delta)));
}

EventIndex RunModel::stepToEventOf(ClientId client, bool forward)
{
    const trace::TraceStore* store = m_impl->store.get();
    if (!store || !client.valid())
        return EventIndex::none();
    const auto isOwn = [&](std::size_t event) { return store->at(event).client == client; };
    std::size_t at = position(); // the event that is shown last is the one before it
    if (forward) {
        while (at < drained() && !isOwn(at))
            ++at;
        if (at == drained())
            return EventIndex::none();
    } else {
        at -= std::min<std::size_t>(at, 1);
        do {
            if (at == 0)
                return EventIndex::none();
            --at;
        } while (!isOwn(at));
    }
    seekEvent(at + 1);
    return EventIndex{static_cast<std::uint32_t>(at)};
}

void RunModel::seekAhead(std::size_t goal)
{
    const MonotonicTime deadline = monotonicNow() + kSeekBudget;
    skipKnown(goal);
    while (position() < goal && monotonicNow() < deadline)
        advanceCursor(std::min(position() + kSlice, goal));
}

void RunModel::goTo(std::size_t count, bool follow)
{
    Impl& d = *m_impl;
    d.following = follow;
    d.target = count;
    if (!d.opener) {
        const std::size_t before = position();
        if (count < before)
            d.player->seek(count);
        else
            seekAhead(std::min(count, d.drained)); // the timeline comes along to what is after it
        if (position() != before)
            emit stateChanged();
    }
    wake();
    emit cursorMoved();
    if (follow)
        emit followed();
}

} // namespace lockscope::ui
