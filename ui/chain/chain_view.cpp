#include "ui/chain/chain_view.h"

#include "ui/chain/chain_arrows.h"
#include "ui/chain/chain_text.h"
#include "ui/chain/chain_zoom.h"
#include "ui/models/retranslate.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QScrollBar>

#include <algorithm>
#include <variant>

namespace lockscope::ui {

using namespace std::chrono_literals;
using chain::ChainScene;

namespace {

constexpr Duration kWakeShown = 600ms; // or the pace, when that is longer
constexpr Duration kGhostPace = 100ms; // slower steps than this leave time to see the gap that a node left
constexpr int kFrameMs = 33;

qint64 nowMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(MonotonicClock::now().time_since_epoch())
        .count();
}

} // namespace

ChainView::ChainView(RunModel* model, Selection* selection, Theme* theme, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_model(model)
    , m_selection(selection)
    , m_theme(theme)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    onRetranslate(this, [this] { setAccessibleName(tr("Watch chain")); });
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // the card behind it need not be drawn as well
    connect(model, &RunModel::runChanged, this, &ChainView::forget);
    connect(model, &RunModel::stateChanged, this, &ChainView::invalidateAll);
    connect(model, &RunModel::stateChanged, this, &ChainView::updateCaption);
    connect(model, &RunModel::cursorMoved, this, &ChainView::invalidateAll);
    connect(selection, &Selection::changed, this, [this] {
        invalidateAll();
        updateCaption();
        showSelected();
    });
    connect(theme, &Theme::changed, this, [this] {
        m_zoom = 0; // other fonts
        invalidateAll();
    });
    updateCaption();
}

QString ChainView::caption() const { return m_caption; }

QSize ChainView::sizeHint() const { return {900, 400}; }

QSize ChainView::minimumSizeHint() const { return {320, 200}; }

void ChainView::updateCaption()
{
    const QString caption = chain::ChainText::caption(m_model->state().lock(m_selection->lock()));
    if (caption == m_caption)
        return;
    m_caption = caption;
    setAccessibleDescription(caption);
    emit captionChanged();
}

void ChainView::forget()
{
    m_scene = {};
    m_slide.stop();
    m_sliding.reset();
    m_wakeSeen = EventIndex::none();
    verticalScrollBar()->setValue(0);
    invalidateAll();
    updateCaption();
}

// The boxes stand below all that moves.
QRect ChainView::queuePart() const
{
    const QRect all = viewport()->rect();
    if (m_scene.explainBox.isNull())
        return all;
    return all.intersected({0, 0, all.width(), static_cast<int>(m_scene.explainBox.top())});
}

void ChainView::invalidate()
{
    m_dirty = true;
    if (isVisible())
        viewport()->update(queuePart());
}

void ChainView::invalidateAll()
{
    m_dirty = m_boxesDirty = true;
    if (isVisible())
        viewport()->update();
}

const ChainScene& ChainView::scene()
{
    if (m_dirty)
        layOut();
    if (m_boxesDirty)
        fillBoxes();
    return m_scene;
}

const chain::BoxTexts& ChainView::boxTexts()
{
    scene();
    return m_boxes;
}

double ChainView::wakeAge(const replay::LockRow& lock)
{
    const replay::WakeUp& wake = lock.lastWakeUp;
    if (!wake.event.valid())
        return -1;
    const Duration shown = std::max(kWakeShown, m_model->state().pace);
    if (!live()) {
        m_wakeSeen = EventIndex::none();
        return std::chrono::duration<double>(m_model->cursorTime() - wake.at) / shown;
    }
    if (m_wakeSeen != wake.event) {
        m_wakeSeen = wake.event;
        m_wakeClock.start();
    }
    return std::chrono::duration<double>(std::chrono::nanoseconds(m_wakeClock.nsecsElapsed())) / shown;
}

chain::ChainQuery ChainView::query()
{
    const replay::RunState& state = m_model->state();
    chain::ChainQuery query;
    query.state = &state;
    query.lock = m_selection->lock();
    query.now = std::max(state.now, m_model->cursorTime());
    query.viewport = viewport()->size();
    query.unit = std::max(0.8, QFontMetricsF(m_theme->fonts().text).height() / 16.0);
    query.pointed = m_pointed;
    query.selectedClient = m_selection->client();
    query.selectedNode = m_selection->node();
    if (const replay::LockRow* lock = state.lock(query.lock)) {
        query.wakeAge = wakeAge(*lock);
        const trace::TraceStore* store = m_model->store();
        const EventIndex event = lock->lastWakeUp.event;
        if (store && event.valid() && event.value < store->count())
            if (const auto* fired = std::get_if<trace::WatchFired>(&store->at(event).what))
                query.wakeKind = fired->kind;
    }
    // Too fast to see, a gap that opens and closes would only flicker.
    query.ghosts = !live() || state.pace >= kGhostPace;
    const double zoom = chain::zoomFor(query);
    query.unit *= zoom;
    if (zoom != m_zoom) {
        m_zoom = zoom;
        m_fonts = m_theme->fonts().scaled(zoom);
    }
    return query;
}

void ChainView::layOut()
{
    m_dirty = false;
    const chain::ChainQuery query = this->query();
    ChainScene next = chain::layOutChain(query);
    if (live() && isVisible() && !next.star)
        m_slide.begin(m_scene, next, nowMs());
    else
        m_slide.stop();
    m_scene = std::move(next);
    const int hidden = static_cast<int>(m_scene.contentHeight - m_scene.queueArea.height() + 0.5);
    verticalScrollBar()->setPageStep(static_cast<int>(m_scene.queueArea.height()));
    verticalScrollBar()->setSingleStep(24);
    verticalScrollBar()->setRange(0, std::max(0, hidden));
    runTimer();
}

void ChainView::runTimer()
{
    const bool moving = live() && (m_scene.wake.shown || m_slide.running(nowMs()));
    if (moving && isVisible()) {
        m_timer.start(kFrameMs, this); // from now: a run that goes on draws it anyway
    } else {
        m_timer.stop();
    }
}

void ChainView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_timer.timerId())
        invalidate();
    else
        QAbstractScrollArea::timerEvent(event);
}

void ChainView::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    invalidateAll();
}

void ChainView::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QAbstractScrollArea::hideEvent(event);
}

void ChainView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    invalidateAll();
}

void ChainView::scrollContentsBy(int, int) { viewport()->update(); }

void ChainView::paintEvent(QPaintEvent* event)
{
    const QRectF boxes = m_scene.explainBox.united(m_scene.serverBox);
    const ChainScene& target = scene();
    const bool moved = boxes != target.explainBox.united(target.serverBox);
    // A scroll bar that came while it was laid out, or boxes that moved, reach beyond the part that is drawn
    // now. Not at once: what is asked for in the middle of a paint may get lost.
    if (m_dirty || (moved && !QRegion(viewport()->rect()).subtracted(event->region()).isEmpty()))
        QMetaObject::invokeMethod(this, &ChainView::invalidateAll, Qt::QueuedConnection);
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme->palette().card);
    const chain::ChainQuery query = this->query();
    chain::ChainPainter chainPainter(painter, *m_theme, m_fonts, query.unit);
    if (event->region().intersects(queuePart()))
        drawQueue(chainPainter, target, query);
    if (!queuePart().contains(event->rect()))
        chainPainter.drawBoxes(target, m_boxes);
}

void ChainView::drawQueue(chain::ChainPainter& painter, const ChainScene& target,
                          const chain::ChainQuery& query)
{
    const double scrolled = verticalScrollBar()->value();
    const replay::LockRow* lock = m_model->state().lock(query.lock);
    m_sliding.reset();
    if (!lock || !m_slide.running(nowMs())) {
        painter.drawQueue(target, scrolled);
        return;
    }
    ChainScene& moving = m_sliding.emplace(target);
    m_slide.apply(moving, nowMs());
    moving.arrows.clear();
    moving.wake = {};
    addArrows(moving, query, *lock);
    addWake(moving, query, *lock);
    painter.drawQueue(moving, scrolled);
}

} // namespace lockscope::ui
