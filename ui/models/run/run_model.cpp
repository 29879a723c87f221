#include "ui/models/run/run_model.h"

#include "core/sim/scenario/scenario.h"
#include "core/trace/pseudonymized_copy.h"
#include "ui/models/run/live_run.h"
#include "ui/models/run/trace_opener.h"
#include "ui/models/style/preferences.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto kFrame = 16ms;
constexpr auto kLiveFrame = 32ms;          // of a run that can grow: all views follow it in the same frame
constexpr Duration kFrameBudget = 8ms;     // of a frame, for draining and applying
constexpr Duration kIdleRedraw = 100ms;    // how often time alone moves the live end
constexpr std::size_t kOpenAtOnce = 16384; // a trace up to this long is folded without a thread

constexpr Duration kSeekBudget = std::chrono::milliseconds(40); // of a seek, at once

constexpr std::size_t kSlice = 256; // events between two checks of the clock

using ExpectedViolations = std::array<bool, replay::kFindingKinds>;

ExpectedViolations expectedViolations(const trace::TraceStore& store)
{
    ExpectedViolations expected{};
    const auto scenario = sim::parseScenario(store.header().scenarioToml, "scenario.toml");
    for (std::size_t i = 0; scenario && i < expected.size(); ++i)
        expected[i] =
            sim::expected(*scenario, trace::findingRules()[i].name()) != sim::ExpectedOutcome::holds;
    return expected;
}

} // namespace

struct RunModel::Impl
{
    QTimer timer;
    EndingRuns ending;
    std::unique_ptr<LiveRun> live;
    std::unique_ptr<TraceOpener> opener;
    std::shared_ptr<const trace::TraceStore> store;
    std::unique_ptr<replay::TraceCursor> cursor;
    // The pseudonymized copy of the run, made on demand. Views point into it, so it lives as long as the run.
    // While it is shown, `other` keeps the original.
    struct Shown
    {
        std::shared_ptr<const trace::TraceStore> store;
        std::unique_ptr<replay::TraceCursor> cursor;
    };
    std::unique_ptr<trace::PseudonymizedCopy> written;
    Shown other;
    bool showsWritten = false;
    replay::RunState emptyState;
    replay::Series emptySeries;
    replay::Timeline emptyTimeline;
    ExpectedViolations expected{};
    std::size_t target = 0;                 // where the cursor is going when it does not follow
    std::optional<TraceTime> requestedTime; // a time of the cursor between two events
    TraceTime end{};
    TraceTime endNotified{};
    bool following = true;
    bool growing = false;
    bool connecting = false;
    bool publishing = false; // the live run may still publish
    Duration worst{};
};

RunModel::RunModel(QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>())
{
    m_impl->timer.setTimerType(Qt::PreciseTimer);
    connect(&m_impl->timer, &QTimer::timeout, this, &RunModel::tick);
}

RunModel::~RunModel() = default;

void RunModel::startLive(engine::Options options)
{
    endRun();
    // Called in the engine's thread. An event posted to this object is dropped when the object is destroyed.
    auto run = std::make_unique<LiveRun>(std::move(options), [this] {
        QMetaObject::invokeMethod(
            this,
            [this] {
                wake();
                emit phaseChanged();
            },
            Qt::QueuedConnection);
    });
    auto store = run->trace();
    show(std::move(store));
    m_impl->live = std::move(run);
    m_impl->publishing = true;
    wake();
    emit runChanged();
    emit phaseChanged();
}

void RunModel::openTrace(std::shared_ptr<const trace::TraceStore> store)
{
    const bool ended = m_impl->live != nullptr;
    endRun();
    const std::size_t count = store ? store->count() : 0;
    show(std::move(store));
    m_impl->publishing = false;
    if (count > kOpenAtOnce)
        m_impl->opener = std::make_unique<TraceOpener>(m_impl->store, count);
    else if (count > 0)
        drain(MonotonicTime::max());
    wake();
    emit runChanged();
    if (ended)
        emit phaseChanged();
}

void RunModel::show(std::shared_ptr<const trace::TraceStore> store)
{
    Impl& d = *m_impl;
    d.opener.reset();
    d.showsWritten = false;
    d.other = {};
    d.written.reset();
    d.cursor = store ? std::make_unique<replay::TraceCursor>(store) : nullptr;
    d.store = std::move(store);
    d.expected = d.store ? expectedViolations(*d.store) : ExpectedViolations{};
    d.target = 0;
    d.requestedTime.reset();
    d.end = d.endNotified = TraceTime::zero();
    d.following = true;
    d.growing = false;
}

void RunModel::setGrowing(bool growing)
{
    if (m_impl->growing == growing)
        return;
    m_impl->growing = growing;
    wake();
    emit phaseChanged();
}

void RunModel::setConnecting(bool connecting)
{
    if (std::exchange(m_impl->connecting, connecting) != connecting)
        emit stateChanged();
}

bool RunModel::connecting() const { return m_impl->connecting; }

void RunModel::endRun()
{
    if (!m_impl->live)
        return;
    m_impl->ending.end(std::move(m_impl->live));
    wake();
    emit phaseChanged();
}

bool RunModel::isLive() const
{
    const Impl& d = *m_impl;
    return d.live ? !d.live->ended()
                  : d.growing && drained() > 0 && d.store->header().monotonicNanoseconds != 0;
}
bool RunModel::canGrow() const { return m_impl->publishing || m_impl->growing; }
bool RunModel::hasRun() const { return m_impl->store != nullptr; }
bool RunModel::opening() const { return m_impl->opener != nullptr; }
engine::Engine* RunModel::engine() { return m_impl->live ? &m_impl->live->engine() : nullptr; }
const replay::RunState& RunModel::state() const
{
    return m_impl->cursor ? m_impl->cursor->state() : m_impl->emptyState;
}
const replay::Timeline& RunModel::timeline() const
{
    return m_impl->cursor ? m_impl->cursor->timeline() : m_impl->emptyTimeline;
}
const replay::Series& RunModel::series() const
{
    return m_impl->cursor ? m_impl->cursor->series() : m_impl->emptySeries;
}
bool RunModel::expectsViolation(replay::FindingKind kind) const
{
    return m_impl->expected[static_cast<std::size_t>(kind)];
}

const trace::TraceStore* RunModel::store() const { return m_impl->store.get(); }

std::shared_ptr<const trace::TraceStore> RunModel::written()
{
    Impl& d = *m_impl;
    const auto& original = d.showsWritten ? d.other.store : d.store;
    if (!original || !original->writtenSessionNames())
        return original;
    if (!d.written)
        d.written = std::make_unique<trace::PseudonymizedCopy>(original);
    return d.written->update();
}

void RunModel::showWritten(bool on)
{
    Impl& d = *m_impl;
    if (d.showsWritten == on || (on && (!d.store || d.opener || !d.store->writtenSessionNames())))
        return;
    if (on) {
        if (!d.other.cursor) {
            d.other.store = written();
            d.other.cursor = std::make_unique<replay::TraceCursor>(d.other.store);
        } else {
            written(); // updates the copy, which grows
        }
        d.other.cursor->fold(drained());
        d.other.cursor->seek(position());
    }
    std::swap(d.store, d.other.store);
    std::swap(d.cursor, d.other.cursor);
    d.showsWritten = on;
    emit timelineGrew();
    emit stateChanged();
    emit cursorMoved();
}
std::size_t RunModel::position() const { return m_impl->cursor ? m_impl->cursor->position() : 0; }
// The header of a live run is complete once there is an event.
std::optional<std::chrono::sys_time<Duration>> RunModel::wallZero() const
{
    const Impl& d = *m_impl;
    if (!d.store || drained() == 0 || d.store->header().wallNanoseconds == 0)
        return std::nullopt;
    return std::chrono::sys_time<Duration>(Duration(d.store->header().wallNanoseconds));
}
std::size_t RunModel::drained() const { return m_impl->cursor ? m_impl->cursor->folded() : 0; }
TraceTime RunModel::beginTime() const
{
    const std::vector<EventIndex>& added = timeline().clientsAdded();
    return m_impl->store && !added.empty() ? m_impl->store->at(added.front()).at : TraceTime::zero();
}
TraceTime RunModel::endTime() const { return m_impl->end; }
bool RunModel::following() const { return m_impl->following; }
Duration RunModel::takeWorstTick() { return std::exchange(m_impl->worst, Duration::zero()); }

// The timer runs while there is something to do or may be soon.
void RunModel::wake()
{
    Impl& d = *m_impl;
    const int chosen = property(kRunUpdates).toInt();
    const std::chrono::milliseconds live = chosen > 0 ? std::chrono::milliseconds(1000 / chosen) : kLiveFrame;
    const std::chrono::milliseconds frame = d.publishing || d.growing ? live : kFrame;
    if (d.timer.intervalAsDuration() != frame)
        d.timer.setInterval(frame);
    if (d.store && !d.timer.isActive())
        d.timer.start();
}

bool RunModel::caughtUp() const
{
    const Impl& d = *m_impl;
    const std::size_t goal = d.following ? d.store->count() : d.target;
    return !d.opener && drained() >= d.store->count() && position() == goal;
}

void RunModel::tick()
{
    Impl& d = *m_impl;
    if (!d.store) {
        d.timer.stop();
        return;
    }
    if (d.showsWritten)
        return; // the run does not advance meanwhile
    if (d.opener) {
        takeOpened();
        return;
    }
    // Tests for the end before reading the count, so that all events of an ended run are counted.
    const bool wasPublishing = d.publishing;
    if (d.publishing)
        d.publishing = d.live ? !d.live->over() : d.ending.any();
    const std::size_t positionBefore = position();
    const std::size_t drainedBefore = drained();
    const MonotonicTime start = monotonicNow();
    drain(start + kFrameBudget);
    d.worst = std::max(d.worst, monotonicNow() - start);

    const bool moved = position() != positionBefore;
    const bool grew = drained() != drainedBefore;
    const bool later = d.end - d.endNotified >= kIdleRedraw;
    if (moved)
        emit stateChanged();
    if (grew)
        emit timelineGrew();
    if (moved || grew || later) {
        d.endNotified = d.end;
        emit cursorMoved();
    }
    if (wasPublishing && !d.publishing)
        emit phaseChanged();
    if (!d.publishing && !d.growing && d.store && caughtUp())
        d.timer.stop();
}

// Replaces the empty values once the trace is folded. A listener of progress() may open another run.
void RunModel::takeOpened()
{
    Impl& d = *m_impl;
    emit progress(d.opener->progress());
    if (!d.opener || !d.opener->done())
        return;
    d.cursor = d.opener->takeCursor();
    d.opener.reset();
    if (!d.following) {
        if (d.requestedTime)
            d.target = d.cursor->countAt(*d.requestedTime);
        d.target = std::min(d.target, drained());
        d.cursor->seek(d.target);
    }
    updateEndTime();
    emit progress(1.0);
    emit timelineGrew();
    emit stateChanged();
    emit cursorMoved();
}

void RunModel::notifyAll()
{
    emit stateChanged();
    emit cursorMoved();
    emit phaseChanged();
}

// While following, the cursor is at the end of what is folded: when the budget is used up, state and timeline
// show the same moment.
void RunModel::drain(MonotonicTime deadline)
{
    Impl& d = *m_impl;
    const std::size_t count = d.store->count();
    const std::size_t goal = d.following ? count : d.target;
    skipKnown(goal);
    while (position() < goal || drained() < count) {
        if (position() < goal)
            d.cursor->seek(std::min(position() + kSlice, goal));
        if (!d.following)
            d.cursor->fold(drained() + kSlice);
        if (monotonicNow() >= deadline)
            break;
    }
    updateEndTime();
}

// Seeks by keyframes, which exist for the events that are folded.
void RunModel::skipKnown(std::size_t goal)
{
    if (const std::size_t known = std::min(goal, drained()); position() < known)
        m_impl->cursor->seek(known);
}

void RunModel::updateEndTime()
{
    Impl& d = *m_impl;
    d.end = std::max(d.end, timeline().end());
    // Once there is an event, the header is constant and safe to read. While the run is paused, its time
    // stands still until the next event.
    if (isLive() && drained() > 0 && !(d.live && d.live->paused())) {
        const Duration now = monotonicNow().time_since_epoch();
        d.end = std::max(d.end, now - Duration(d.store->header().monotonicNanoseconds));
    }
}

TraceTime RunModel::cursorTime() const
{
    const Impl& d = *m_impl;
    if (d.following)
        return d.end;
    return d.requestedTime.value_or(state().now);
}

void RunModel::follow()
{
    m_impl->requestedTime.reset();
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
    d.requestedTime = std::max(time, TraceTime::zero());
    goTo(d.cursor->countAt(*d.requestedTime), false);
}

void RunModel::seekBegin()
{
    if (const TraceTime begin = beginTime(); begin > TraceTime::zero())
        seekTime(begin);
    else
        seekEvent(0);
}

void RunModel::seekEvent(std::size_t count)
{
    Impl& d = *m_impl;
    if (!d.store)
        return;
    d.requestedTime.reset();
    goTo(std::min(count, d.store->count()), count >= d.store->count());
}

void RunModel::goToEvent(EventIndex event)
{
    Impl& d = *m_impl;
    if (!d.store || !event.valid() || event.value >= d.store->count())
        return;
    d.requestedTime.reset();
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
    std::size_t at = position(); // the last event shown is the one before it
    if (forward) {
        while (at < drained() && !isOwn(at))
            ++at;
        if (at >= drained())
            return EventIndex::none();
    } else {
        at -= std::min<std::size_t>(at, 1);
        do {
            if (at == 0)
                return EventIndex::none();
            --at;
        } while (!isOwn(at));
    }
    m_impl->requestedTime.reset();
    goTo(at + 1, !canGrow() && at + 1 == store->count());
    return EventIndex{static_cast<std::uint32_t>(at)};
}

void RunModel::seekAhead(std::size_t goal)
{
    const MonotonicTime deadline = monotonicNow() + kSeekBudget;
    skipKnown(goal);
    while (position() < goal && monotonicNow() < deadline)
        m_impl->cursor->seek(std::min(position() + kSlice, goal));
}

void RunModel::goTo(std::size_t count, bool follow)
{
    Impl& d = *m_impl;
    d.following = follow;
    d.target = count;
    if (!d.opener) {
        const std::size_t before = position();
        if (count < before)
            d.cursor->seek(count);
        else
            seekAhead(std::min(count, drained())); // drain() moves it on from there
        if (position() != before)
            emit stateChanged();
    }
    wake();
    emit cursorMoved();
    if (follow)
        emit jumpedToEnd();
}

} // namespace lockscope::ui

#include "moc_run_model.cpp"
