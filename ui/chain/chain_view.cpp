#include "ui/chain/chain_view.h"

#include "ui/canvas/canvas.h"
#include "ui/chain/chain_arrows.h"
#include "ui/chain/chain_text.h"
#include "ui/chain/chain_zoom.h"
#include "ui/chain/client_explainer.h"
#include "ui/chain/next_step.h"
#include "ui/chain/server_view.h"
#include "ui/models/empty_state.h"
#include "ui/models/format.h"
#include "ui/models/retranslate.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QScrollBar>

#include <algorithm>
#include <utility>
#include <variant>

namespace lockscope::ui {

using namespace std::chrono_literals;
using chain::ChainNode;
using chain::ChainScene;

namespace {

constexpr Duration kWakeShown = 600ms; // or the pace, when that is longer
constexpr Duration kGhostPace = 100ms; // slower steps show the gap of a deleted node
constexpr int kFrameMs = 33;

qint64 nowMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(MonotonicClock::now().time_since_epoch())
        .count();
}

QString nodeName(replay::Text node)
{
    return QString::fromUtf8(node.data(), static_cast<qsizetype>(node.size()));
}

// The event to explain: the selected one while it is the client's last event, so that its text is still true;
// the last event of a client that is about to do something. none(): the client's state is explained instead.
EventIndex explainedEvent(const RunModel& model, const Selection& selection, const replay::ClientRow* client)
{
    const EventIndex chosen = selection.event();
    const EventIndex last =
        selection.client().valid() || !chosen.valid()
            ? (client ? client->lastEvent : EventIndex::none())
            : EventIndex{static_cast<EventIndex::Value>(model.position()) - 1}; // an event without a client
    const bool passed =
        model.store() && last.valid() && last.value < model.store()->count() && last.value < model.position();
    if (!passed)
        return EventIndex::none();
    const bool onItsWay = client && client->lastEvent == last && !isSettled(*client) && !client->heldAt;
    return last == chosen || onItsWay ? last : EventIndex::none();
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
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // the box behind it need not be drawn as well
    connect(model, &RunModel::runChanged, this, &ChainView::forget);
    connect(model, &RunModel::stateChanged, this, &ChainView::invalidateAll);
    connect(model, &RunModel::stateChanged, this, &ChainView::updateCaption);
    connect(model, &RunModel::cursorMoved, this, &ChainView::invalidateAll);
    connect(selection, &Selection::changed, this, [this] {
        invalidateAll();
        updateCaption();
        showSelected();
        announceSelectedItem();
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

// The boxes are below the moving part.
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
    itemsChanged();
    if (isVisible())
        viewport()->update(queuePart());
}

void ChainView::invalidateAll()
{
    m_dirty = m_boxesDirty = true;
    itemsChanged();
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
    // At a fast pace, gaps that open and close would flicker.
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
    if (const QString why = emptyStateText(*m_model);
        !query.state->lock(query.lock) && !why.isEmpty() && !replay::onlyWatches(*query.state))
        next.empty = why;
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

void ChainView::scrollContentsBy(int, int)
{
    itemsChanged();
    viewport()->update();
}

void ChainView::paintEvent(QPaintEvent* event)
{
    const QRectF boxes = m_scene.explainBox.united(m_scene.serverBox);
    const ChainScene& target = scene();
    const bool moved = boxes != target.explainBox.united(target.serverBox);
    // A new scroll bar, or moved boxes, reach beyond the part that is painted now. The update is queued: an
    // update during painting may be lost.
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

void ChainView::selectPlace(int place)
{
    const replay::LockRow* lock = m_model->state().lock(m_selection->lock());
    if (!lock || lock->queue.empty())
        return;
    place = std::clamp(place, 0, static_cast<int>(lock->queue.size()) - 1);
    const replay::NodeRow& node = lock->queue[static_cast<std::size_t>(place)];
    m_selection->selectNode(node.owner, nodeName(node.name));
}

void ChainView::showSelected()
{
    const auto& boxes = scene().nodes;
    const auto found =
        std::find_if(boxes.begin(), boxes.end(), [](const ChainNode& box) { return box.selected; });
    if (found == boxes.end() || m_scene.contentHeight <= m_scene.queueArea.height())
        return;
    QScrollBar* bar = verticalScrollBar();
    if (found->rect.top() < bar->value())
        bar->setValue(static_cast<int>(found->rect.top()) - 8);
    else if (found->rect.bottom() > bar->value() + m_scene.queueArea.height())
        bar->setValue(static_cast<int>(found->rect.bottom() - m_scene.queueArea.height()) + 8);
}

void ChainView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        QAbstractScrollArea::mousePressEvent(event);
        return;
    }
    selectAt(event->position());
}

void ChainView::selectBox(const ChainNode& box)
{
    if (box.place >= 0)
        selectPlace(box.place);
    else if (!box.node.empty())
        m_selection->selectNode(box.owner, nodeName(box.node)); // it is gone
    else
        m_selection->selectClient(box.owner);
}

void ChainView::selectAt(QPointF point)
{
    const ChainScene& shown = scene();
    if (const chain::StaleClient* stale = shown.staleAt(point))
        m_selection->selectClient(stale->client);
    else if (const ClientId caught = shown.cycleAt(point); caught.valid())
        m_selection->selectClient(caught);
    else if (const ChainNode* box = shown.nodeAt(point, verticalScrollBar()->value()))
        selectBox(*box);
    else if (shown.queueArea.contains(point))
        m_selection->selectClient(ClientId::none());
}

// Of the client whose box is there; of the selected one when a key asked.
void ChainView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (!byKey)
        selectAt(event->pos());
    const auto& boxes = scene().nodes;
    const auto chosen =
        std::find_if(boxes.begin(), boxes.end(), [](const ChainNode& box) { return box.selected; });
    QPoint place = event->globalPos();
    if (byKey && chosen != boxes.end())
        place = viewport()->mapToGlobal(chosen->rect.center().toPoint() -
                                        QPoint(0, chosen->place >= 0 ? verticalScrollBar()->value() : 0));
    if (m_selection->client().valid())
        emit clientMenuRequested(place);
}

void ChainView::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) {
        event->ignore(); // a command of the window
        return;
    }
    const auto& boxes = scene().nodes;
    const auto found =
        std::find_if(boxes.begin(), boxes.end(), [](const ChainNode& box) { return box.selected; });
    const int last = boxes.empty() ? 0 : std::max(0, boxes.back().place);
    const int place = found == boxes.end() ? -1 : found->place;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        selectPlace(place < 0 ? last : place - 1);
        break;
    case Qt::Key_Right:
    case Qt::Key_Down:
        selectPlace(place + 1);
        break;
    case Qt::Key_Escape:
        m_selection->selectClient(ClientId::none());
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

QString ChainView::tipOf(const ChainNode& box)
{
    const replay::RunState& state = m_model->state();
    const replay::LockRow* lock = state.lock(m_selection->lock());
    if (!lock)
        return {};
    return box.state == chain::NodeState::parent ? tr("%1\nEverybody who waits watches the list of its "
                                                      "children: each change wakes them all.")
                                                       .arg(format::plain(lock->path))
           : box.place >= 0 ? chain::ChainText::toolTip(state, *lock, box.place, query().now)
           : box.state == chain::NodeState::gone
               ? tr("%1\ndeleted").arg(format::plain(box.node))
               : tr("%1 · %2\nhas no node of its own: it watches the node that all waiters watch")
                     .arg(chain::ChainText::clientName(state, box.owner), box.pill);
}

QString ChainView::nameOf(const ChainNode& box) const
{
    QStringList parts;
    if (box.owner.valid())
        parts << chain::ChainText::clientName(m_model->state(), box.owner);
    if (box.state != chain::NodeState::parent)
        parts << chain::ChainText::pill(box.state, box.frozen);
    parts << format::plain(box.node);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString ChainView::nameOf(const chain::Arrow& arrow) const
{
    const auto endOf = [this](int index) {
        const ChainNode& box = m_scene.nodes[static_cast<std::size_t>(index)];
        return box.owner.valid() ? chain::ChainText::clientName(m_model->state(), box.owner)
                                 : format::plain(box.node);
    };
    if (arrow.to < 0)
        return tr("%1 watches a node outside of the queue").arg(endOf(arrow.from));
    return (arrow.kind == chain::ArrowKind::wakes ? tr("%1 wakes %2") : tr("%1 watches %2"))
        .arg(endOf(arrow.from), endOf(arrow.to));
}

std::vector<AccessibleItem> ChainView::accessibleItems()
{
    const ChainScene& shown = scene();
    const double scrolled = verticalScrollBar()->value();
    std::vector<AccessibleItem> items;
    for (const ChainNode& box : shown.nodes) // a copy in the functions: the scene may be another one by then
        items.push_back({QAccessible::ListItem, box.rect.translated(0, -scrolled).toAlignedRect(),
                         nameOf(box), box.selected, [this, box] { return tipOf(box); },
                         [this, box] { selectBox(box); }});
    for (const chain::Arrow& arrow : shown.arrows) {
        const QRectF rect = QRectF(arrow.begin, arrow.end).normalized().translated(0, -scrolled);
        items.push_back({QAccessible::Graphic, rect.toAlignedRect(), nameOf(arrow), false,
                         [tip = arrow.tip] { return tip; }});
    }
    for (const chain::StaleClient& stale : shown.stale)
        items.push_back({QAccessible::ListItem,
                         stale.rect.toAlignedRect(),
                         stale.text,
                         false,
                         {},
                         [this, client = stale.client] { m_selection->selectClient(client); }});
    const auto addText = [&items](const QRectF& rect, const QString& text) {
        if (!text.isEmpty())
            items.push_back({QAccessible::StaticText, rect.toAlignedRect(), text});
    };
    addText(shown.wake.textRect.translated(0, -scrolled), shown.wake.text);
    addText(shown.emptyRect, shown.empty);
    addText(shown.cycle.rect, shown.cycle.title);
    addText(shown.outsideRect, shown.outside);
    if (!shown.explainBox.isNull())
        addText(shown.explainBox, QStringList{m_boxes.explainTitle, m_boxes.what, m_boxes.why}.join(u'\n'));
    if (!shown.serverBox.isNull())
        addText(shown.serverBox, QStringList{m_boxes.serverTitle, m_boxes.server.verdict}.join(u'\n'));
    return items;
}

QString ChainView::toolTipAt(QPoint point)
{
    const ChainScene& shown = scene();
    const replay::RunState& state = m_model->state();
    if (const chain::StaleClient* stale = shown.staleAt(point))
        return stale->text;
    if (const chain::Arrow* arrow = shown.markedArrowAt(point, verticalScrollBar()->value()))
        return arrow->tip;
    if (const ChainNode* box = shown.nodeAt(point, verticalScrollBar()->value()))
        return tipOf(*box);
    if (shown.cycle.rect.contains(point) && !state.cycle.empty())
        return chain::ChainText::cycleWhy(state);
    if (shown.explainBox.contains(point))
        return m_boxes.why.isEmpty() ? m_boxes.what : tr("%1\n%2").arg(m_boxes.what, m_boxes.why);
    if (shown.serverBox.contains(point)) {
        const auto view = chain::ServerViewText::compare(state, m_selection->lock(), query().now);
        return view.differences.isEmpty() ? view.verdict
                                          : view.differences.mid(0, 12).join(QLatin1Char('\n'));
    }
    return {};
}

void ChainView::point(int place)
{
    if (std::exchange(m_pointed, place) != place)
        invalidate();
}

void ChainView::mouseMoveEvent(QMouseEvent* event)
{
    const ChainNode* box = scene().nodeAt(event->position(), verticalScrollBar()->value());
    point(box && box->as == chain::Scale::cells ? box->place : -1);
    QAbstractScrollArea::mouseMoveEvent(event);
}

bool ChainView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        point(-1);
    return showToolTip(event, viewport(), [this](QPoint at) { return toolTipAt(at); }) ||
           QAbstractScrollArea::viewportEvent(event);
}

const replay::ClientRow* ChainView::explained() const
{
    const replay::RunState& state = m_model->state();
    if (m_selection->client().valid())
        return state.client(m_selection->client());
    // Without a selection: the client that takes the next step, else the first in the queue.
    if (const replay::ClientRow* next = state.nextInTurn())
        return next;
    const replay::LockRow* lock = state.lock(m_selection->lock());
    if (!lock)
        return nullptr;
    for (const replay::NodeRow& node : lock->queue)
        if (node.owner.valid())
            return state.client(node.owner);
    return nullptr;
}

void ChainView::fillBoxes()
{
    m_boxesDirty = false;
    m_boxes = {};
    const replay::RunState& state = m_model->state();
    const replay::ClientRow* client = explained();
    const EventIndex event = explainedEvent(*m_model, *m_selection, client);
    const auto name = [&state](ClientId id) { return chain::ChainText::clientName(state, id); };
    Explanation text{{}, tr("Select a client to read what it does and why.")};
    m_boxes.explainTitle = client ? tr("Explain · %1").arg(name(client->id)) : tr("Explain");
    if (event.valid()) {
        const trace::Event& shownEvent = m_model->store()->at(event);
        const QString at = format::moment(shownEvent.at);
        text = explain(state, shownEvent);
        if (event == m_selection->event())
            m_boxes.explainTitle = shownEvent.client.valid()
                                       ? tr("Explain · %1 at %2").arg(name(shownEvent.client), at)
                                       : tr("Explain · at %1").arg(at);
    } else if (client && client->heldAt) {
        text = explainNextStep(state, *client, *client->heldAt);
        if (const replay::ClientRow* next = state.nextInTurn(); next == client)
            m_boxes.explainTitle = tr("Explain · %1 is next in turn").arg(name(client->id));
        else
            text.why = tr("%1 Next in turn: %2.").arg(text.why, name(next->id));
    } else if (client) {
        text = explainClient(state, *client, m_selection->lock(), m_model->cursorTime());
    }
    m_boxes.what = text.what;
    m_boxes.why = text.why;
    if (client && std::find(state.cycle.begin(), state.cycle.end(), client->id) != state.cycle.end())
        m_boxes.why = chain::ChainText::cycleWhy(state);
    const chain::ServerView server =
        chain::ServerViewText::compare(state, m_selection->lock(), m_model->cursorTime());
    m_boxes.serverTitle = server.title.isEmpty() ? tr("Server's own view") : server.title;
    m_boxes.server = server;
}

} // namespace lockscope::ui
