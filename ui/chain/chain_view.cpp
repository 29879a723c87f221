#include "ui/chain/chain_view.h"

#include "ui/chain/chain_arrows.h"
#include "ui/chain/chain_items.h"
#include "ui/chain/chain_zoom.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/texts/chain_text.h"
#include "ui/texts/client_explainer.h"
#include "ui/texts/client_status.h"
#include "ui/texts/empty_state.h"
#include "ui/texts/next_step.h"
#include "ui/texts/server_view.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>

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

// The event to explain: the selected one while it is the client's last event, so that its text is still true,
// or the last event of a client that is about to do something. none(): the client's state is explained
// instead.
EventIndex explainedEvent(const RunModel& model, const Selection& selection, const replay::ClientRow* client)
{
    const EventIndex chosen = selection.selectedEvent();
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
    : Canvas(theme, parent)
    , m_model(model)
    , m_selection(selection)
{
    onRetranslate(this, [this] { setAccessibleName(tr("Watch chain")); });
    addCommand("chain.previous", [this] { selectNeighbour(-1); });
    addCommand("chain.next", [this] { selectNeighbour(1); });
    addPageCommands();
    addCommand("chain.none", [this] { m_selection->selectClient(ClientId::none()); });
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
    theme->onChange(this, [this] {
        m_zoom = 0; // the fonts may have changed
        m_boxesDirty = true;
    });
    updateCaption();
}

QSize ChainView::sizeHint() const { return {900, 400}; }

QSize ChainView::minimumSizeHint() const { return {320, 200}; }

void ChainView::updateCaption()
{
    const replay::LockRow* lock = m_model->state().lock(m_selection->lock());
    const QString caption = m_explains ? chain::ChainText::caption(lock)
                            : lock     ? format::plain(lock->path, 60)
                                       : QString();
    setAccessibleDescription(caption);
    setCaption(caption);
}

void ChainView::setExplains(bool explains)
{
    if (std::exchange(m_explains, explains) == explains)
        return;
    invalidateAll();
    updateCaption();
}

void ChainView::setBoxes(bool shown)
{
    m_hasBoxes = shown;
    invalidateAll();
}

void ChainView::forget()
{
    m_scene = {};
    m_slide.stop();
    m_sliding.reset();
    m_wakeSeen = EventIndex::none();
    showScroll({});
    invalidateAll();
    updateCaption();
}

// The boxes are below the moving part.
QRect ChainView::queuePart() const
{
    const QRect all = room();
    if (m_scene.explainBox.isNull())
        return all;
    return all.intersected({0, 0, all.width(), static_cast<int>(m_scene.explainBox.top())});
}

void ChainView::invalidateAll()
{
    m_boxesDirty = true;
    invalidate();
}

const ChainScene& ChainView::scene()
{
    if (isStale())
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

TraceTime ChainView::now() const { return std::max(m_model->state().now, m_model->cursorTime()); }

chain::ChainQuery ChainView::query()
{
    const replay::RunState& state = m_model->state();
    chain::ChainQuery query;
    query.state = &state;
    query.lock = m_selection->lock();
    query.now = now();
    query.viewport = room().size();
    query.unit = chain::unitOf(theme()->fonts());
    query.boxes = m_explains && m_hasBoxes;
    query.explainsNext = m_explains;
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
        m_fonts = theme()->fonts().scaled(zoom);
    }
    return query;
}

void ChainView::layOut()
{
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
    const int page = static_cast<int>(m_scene.queueArea.height());
    const int hidden = m_scene.hiddenHeight();
    countBuild();
    showScroll({std::min(scrolled(), hidden), hidden, page, 24});
    runTimer();
}

void ChainView::runTimer()
{
    const bool moving = live() && (m_scene.wake.shown || m_slide.running(nowMs()));
    if (moving && isVisible()) {
        m_timer.start(kFrameMs, this); // restarts it: a run that continues repaints the view anyway
    } else {
        m_timer.stop();
    }
}

void ChainView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_timer.timerId())
        invalidate(queuePart());
    else
        Canvas::timerEvent(event);
}

void ChainView::showEvent(QShowEvent* event)
{
    Canvas::showEvent(event);
    invalidateAll();
}

void ChainView::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    Canvas::hideEvent(event);
}

void ChainView::draw(QPainter& painter, const QRegion& region)
{
    const QRectF boxes = m_scene.explainBox.united(m_scene.serverBox);
    const ChainScene& target = scene();
    const bool moved = boxes != target.explainBox.united(target.serverBox);
    // Moved boxes reach beyond the part that is painted now. The update is queued: an update during painting
    // may be lost.
    if (moved && !QRegion(room()).subtracted(region).isEmpty())
        QMetaObject::invokeMethod(this, &ChainView::invalidateAll, Qt::QueuedConnection);
    const chain::ChainQuery query = this->query();
    chain::ChainPainter chainPainter(painter, *theme(), m_fonts, query.unit);
    if (region.intersects(queuePart()))
        drawQueue(chainPainter, target, query);
    if (!queuePart().contains(region.boundingRect()))
        chainPainter.drawBoxes(target, m_boxes);
}

void ChainView::drawQueue(chain::ChainPainter& painter, const ChainScene& target,
                          const chain::ChainQuery& query)
{
    const replay::LockRow* lock = m_model->state().lock(query.lock);
    m_sliding.reset();
    if (!lock || !m_slide.running(nowMs())) {
        painter.drawQueue(target, scrolled());
        return;
    }
    ChainScene& moving = m_sliding.emplace(target);
    m_slide.apply(moving, nowMs());
    moving.arrows.clear();
    moving.wake = {};
    addArrows(moving, query, *lock);
    addWake(moving, query, *lock);
    painter.drawQueue(moving, scrolled());
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
    const ChainNode* box = scene().selected();
    if (box && m_scene.contentHeight > m_scene.queueArea.height())
        bringIntoView(box->rect.top(), box->rect.bottom());
}

void ChainView::selectNeighbour(int by)
{
    const auto& boxes = scene().nodes;
    const ChainNode* box = m_scene.selected();
    if (box && box->place >= 0)
        selectPlace(box->place + by);
    else
        selectPlace(by < 0 && !boxes.empty() ? boxes.back().place : 0);
}

void ChainView::selectBox(const ChainNode& box)
{
    if (box.place >= 0)
        selectPlace(box.place);
    else if (!box.node.empty())
        m_selection->selectNode(box.owner, nodeName(box.node)); // the node is gone
    else
        m_selection->selectClient(box.owner);
}

bool ChainView::selectAt(QPointF point)
{
    const ChainScene& shown = scene();
    if (const chain::StaleClient* stale = shown.staleAt(point))
        m_selection->selectClient(stale->client);
    else if (const ClientId caught = shown.cycleAt(point); caught.valid())
        m_selection->selectClient(caught);
    else if (const ChainNode* box = shown.nodeAt(point, scrolled()))
        selectBox(*box);
    else if (shown.queueArea.contains(point))
        m_selection->selectClient(ClientId::none());
    return true;
}

// The menu is that of the client whose box is there or, for a key, of the selected client.
void ChainView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (!byKey)
        selectAt(event->pos());
    const ChainNode* chosen = scene().selected();
    QPoint place = event->globalPos();
    if (byKey && chosen)
        place = mapToGlobal(chosen->rect.center().toPoint() - QPoint(0, chosen->place >= 0 ? scrolled() : 0));
    if (m_selection->client().valid())
        emit clientMenuRequested(place);
}

chain::ChainSource ChainView::source() const { return {&m_model->state(), m_selection->lock(), now()}; }

std::vector<AccessibleItem> ChainView::accessibleItems()
{
    const ChainScene& shown = scene();
    auto items = chain::chainItems(shown, [this] { return source(); }, scrolled(),
                                   {[this](const ChainNode& box) { selectBox(box); },
                                    [this](ClientId client) { m_selection->selectClient(client); }});
    const auto addBox = [&items](const QRectF& rect, const QStringList& texts) {
        if (!rect.isNull())
            items.push_back({QAccessible::StaticText, rect.toAlignedRect(), texts.join(u'\n')});
    };
    addBox(shown.explainBox, {m_boxes.explainTitle, m_boxes.what, m_boxes.why});
    addBox(shown.serverBox, {m_boxes.serverTitle.section(kVariantSeparator, 0, 0), m_boxes.server.verdict});
    return items;
}

QString ChainView::tipAt(QPointF point)
{
    const ChainScene& shown = scene();
    if (shown.explainBox.contains(point))
        return m_boxes.why.isEmpty() ? m_boxes.what : tr("%1\n%2").arg(m_boxes.what, m_boxes.why);
    if (shown.serverBox.contains(point)) {
        const auto view = chain::ServerViewText::compare(m_model->state(), m_selection->lock(), now());
        return view.differences.isEmpty() ? view.verdict
                                          : view.differences.mid(0, 12).join(QLatin1Char('\n'));
    }
    return chain::chainTip(shown, source(), point, scrolled());
}

void ChainView::hover(std::optional<QPointF> at)
{
    const ChainNode* box = at ? scene().nodeAt(*at, scrolled()) : nullptr;
    const int place = box && box->as == chain::Scale::cells ? box->place : -1;
    if (std::exchange(m_pointed, place) != place)
        invalidate(queuePart());
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
    const auto name = [&state](ClientId id) { return clientName(state, id); };
    Explanation text{{}, tr("Select a client to read what it does and why.")};
    m_boxes.explainTitle = client ? tr("Explain · %1").arg(name(client->id))
                                  //: title of a box: says what a client does and why
                                  : tr("Explain");
    if (event.valid()) {
        const trace::Event& shownEvent = m_model->store()->at(event);
        const QString at = format::moment(shownEvent.at);
        text = explain(state, shownEvent);
        if (event == m_selection->selectedEvent())
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
    if (const QString last = server.title.section(QStringLiteral(" · "), -1); last != server.title)
        m_boxes.serverTitle += kVariantSeparator + last; // where there is little room
    m_boxes.server = server;
}

} // namespace lockscope::ui

#include "moc_chain_view.cpp"
