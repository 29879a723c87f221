#include "ui/models/run_model.h"

#include "ui/models/run_model_impl.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto kFrame = 16ms;
constexpr Duration kBudget = 8ms;          // of a frame, for draining and applying
constexpr Duration kIdleRedraw = 100ms;    // how often time alone moves the live end
constexpr std::size_t kSlice = 256;        // events between two looks at the clock
constexpr std::size_t kOpenAtOnce = 16384; // a trace up to this long is folded without a thread

} // namespace

RunModel::RunModel(QObject* parent)
    : QObject(parent)
    , m_impl(std::make_unique<Impl>())
{
    m_impl->timer.setTimerType(Qt::PreciseTimer);
    m_impl->timer.setInterval(kFrame);
    connect(&m_impl->timer, &QTimer::timeout, this, &RunModel::tick);
}

RunModel::~RunModel() = default;

void RunModel::startLive(engine::Options options)
{
    endRun();
    // The engine's thread tells; an event posted to this object is dropped when the object goes.
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
    show(std::move(store), {});
    m_impl->live = std::move(run);
    m_impl->publishing = true;
    wake();
    emit runChanged();
    emit phaseChanged();
}

void RunModel::openTrace(std::shared_ptr<const trace::TraceStore> store, QString note)
{
    const bool ended = m_impl->live != nullptr;
    endRun();
    const std::size_t count = store ? store->count() : 0;
    show(std::move(store), std::move(note));
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

void RunModel::show(std::shared_ptr<const trace::TraceStore> store, QString note)
{
    Impl& d = *m_impl;
    d.opener.reset();
    d.reading.forget();
    d.timeline = replay::Timeline();
    d.player = store ? std::make_unique<replay::Player>(store) : nullptr;
    d.store = std::move(store);
    d.note = std::move(note);
    d.drained = d.target = d.reached = 0;
    d.wanted.reset();
    d.end = d.endTold = TraceTime::zero();
    d.following = true;
    d.growing = false;
}

void RunModel::setGrowing(bool growing)
{
    m_impl->growing = growing;
    wake();
}

void RunModel::endRun()
{
    if (!m_impl->live)
        return;
    m_impl->ending.end(std::move(m_impl->live));
    wake();
    emit phaseChanged();
}

bool RunModel::isLive() const { return m_impl->live && !m_impl->live->ended(); }
bool RunModel::hasRun() const { return m_impl->store != nullptr; }
bool RunModel::opening() const { return m_impl->opener != nullptr; }
QString RunModel::note() const { return m_impl->note; }
engine::Engine* RunModel::engine() { return m_impl->live ? &m_impl->live->engine() : nullptr; }
const replay::RunState& RunModel::state() const
{
    return m_impl->player ? m_impl->player->state() : m_impl->nothing;
}
const replay::Timeline& RunModel::timeline() const { return m_impl->timeline; }
const replay::Series& RunModel::series() const
{
    return m_impl->player ? m_impl->player->series() : m_impl->noSeries;
}
const trace::TraceStore* RunModel::store() const { return m_impl->store.get(); }
std::size_t RunModel::position() const { return m_impl->player ? m_impl->player->position() : 0; }
std::size_t RunModel::drained() const { return m_impl->drained; }
TraceTime RunModel::endTime() const { return m_impl->end; }
bool RunModel::following() const { return m_impl->following; }
const Reading* RunModel::reading() const { return m_impl->reading.share(); }
Duration RunModel::takeWorstTick() { return std::exchange(m_impl->worst, Duration::zero()); }

// The timer runs while there is, or may come, something to do.
void RunModel::wake()
{
    if (m_impl->store && !m_impl->timer.isActive())
        m_impl->timer.start();
}

bool RunModel::caughtUp() const
{
    const Impl& d = *m_impl;
    const std::size_t goal = d.following ? d.store->count() : d.target;
    return !d.opener && d.drained >= d.store->count() && position() == goal;
}

void RunModel::tick()
{
    Impl& d = *m_impl;
    if (!d.store) {
        d.timer.stop();
        return;
    }
    if (d.opener) {
        takeOpened();
        return;
    }
    // Ended is asked for before the count: what an ended run published is then all counted.
    const bool wasPublishing = d.publishing;
    if (d.publishing)
        d.publishing = isLive() || (!d.live && d.ending.any());
    const std::size_t positionBefore = position();
    const std::size_t drainedBefore = d.drained;
    const MonotonicTime start = monotonicNow();
    drain(start + kBudget);
    d.worst = std::max(d.worst, monotonicNow() - start);

    const bool moved = position() != positionBefore;
    const bool grew = d.drained != drainedBefore;
    const bool later = d.end - d.endTold >= kIdleRedraw;
    if (moved)
        tellState();
    if (grew)
        emit timelineGrew();
    if (moved || grew || later) {
        d.endTold = d.end;
        tellCursor();
    }
    if (d.publishing || d.growing)
        d.reading.tellInTurn(moved || grew);
    else
        settle();
    if (wasPublishing && !d.publishing)
        emit phaseChanged();
    if (!d.publishing && !d.growing && d.store && caughtUp())
        d.timer.stop();
}

// Once the opened trace is there, its values replace the empty ones. Whoever is told may show another run.
void RunModel::takeOpened()
{
    Impl& d = *m_impl;
    emit progress(d.opener->progress());
    if (!d.opener || !d.opener->done())
        return;
    d.player = d.opener->takePlayer();
    d.timeline = d.opener->takeTimeline();
    d.drained = d.reached = d.opener->count();
    d.opener.reset();
    if (!d.following) {
        if (d.wanted)
            d.target = d.player->countAt(*d.wanted);
        d.target = std::min(d.target, d.drained);
        d.player->seek(d.target);
    }
    updateEndTime();
    emit progress(1.0);
    emit timelineGrew();
    tellState();
    tellCursor();
    settle();
}

void RunModel::tellState()
{
    m_impl->reading.noteState();
    emit stateChanged();
}

void RunModel::tellCursor()
{
    m_impl->reading.noteCursor();
    emit cursorMoved();
}

void RunModel::settle() { m_impl->reading.tellAll(); }

void RunModel::tellAgain()
{
    tellState();
    tellCursor();
    settle();
    emit phaseChanged();
}

void RunModel::drain(MonotonicTime deadline)
{
    const MonotonicTime now = monotonicNow();
    advanceCursor(deadline == MonotonicTime::max() ? deadline : now + (deadline - now) / 2);
    growTimeline(deadline);
    advanceCursor(deadline); // what the timeline left of the time
    updateEndTime();
}

void RunModel::advanceCursor(MonotonicTime deadline)
{
    Impl& d = *m_impl;
    const std::size_t goal = d.following ? d.store->count() : d.target;
    if (position() < std::min(goal, d.reached))
        d.player->seek(std::min(goal, d.reached));
    while (position() < goal) {
        d.player->seek(std::min(position() + kSlice, goal));
        d.reached = std::max(d.reached, position());
        if (monotonicNow() >= deadline)
            return;
    }
}

void RunModel::growTimeline(MonotonicTime deadline)
{
    Impl& d = *m_impl;
    const std::size_t goal = d.store->count();
    while (d.drained < goal) {
        for (const std::size_t end = std::min(d.drained + kSlice, goal); d.drained < end; ++d.drained)
            d.timeline.apply(*d.store, d.drained);
        if (monotonicNow() >= deadline)
            return;
    }
}

void RunModel::updateEndTime()
{
    Impl& d = *m_impl;
    d.end = std::max(d.end, d.timeline.end());
    // The header is constant, and ours to read, once there is an event.
    if (d.publishing && d.live && d.drained > 0) {
        const Duration now = monotonicNow().time_since_epoch();
        d.end = std::max(d.end, now - Duration(d.store->header().monotonicNanoseconds));
    }
}

} // namespace lockscope::ui
