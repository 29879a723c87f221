#include "ui/protocol/protocol_view.h"

#include "ui/models/run/short_names.h"
#include "ui/models/style/format.h"
#include "ui/texts/protocol_text.h"

#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kMaxColumnNameLength = 24;
constexpr std::size_t kActivity = 512; // events that are read to find the active clients
constexpr int kHandoffTries = 64;      // handoffs checked to find one of the lock shown
constexpr int kMinRowHeight = 9;       // pixels; limits how many rows can fit

constexpr double kZoomStep = 1.25; // of one wheel notch or key
constexpr double kMinZoom = 1.0 / 64, kMaxZoom = 64;
constexpr int kNotch = 120; // of a wheel
constexpr int kRowsPerNotch = 3;
constexpr double kPixelsPerRow = 24; // of a touch pad
constexpr int kRowsBefore = 6;       // above an event that is brought into view
constexpr int kProtocolCaptionMilliseconds = 250;

} // namespace

ProtocolView::ProtocolView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : Canvas(theme, parent, Qt::Horizontal)
    , m_run(run)
    , m_selection(selection)
{
    connect(m_run, &RunModel::runChanged, this, &ProtocolView::onRunChanged);
    connect(m_run, &RunModel::timelineGrew, this, [this] { invalidate(); });
    connect(m_run, &RunModel::cursorMoved, this, [this] { invalidate(); });
    connect(m_run, &RunModel::stateChanged, this, [this] { invalidate(); });
    connect(m_run, &RunModel::jumpedToEnd, this, &ProtocolView::follow);
    connect(m_selection, &Selection::changed, this, &ProtocolView::onSelection);
    m_captionTimer.setSingleShot(true);
    connect(&m_captionTimer, &QTimer::timeout, this, &ProtocolView::updateCaption);
    connect(theme, &Theme::forPrintChanged, this, [this] {
        picture(); // its lanes are others
        updateCaption();
    });
    const auto captionSoon = [this] {
        const bool longAgo = !m_captionAge.isValid() || m_captionAge.hasExpired(kProtocolCaptionMilliseconds);
        if (!m_captionTimer.isActive())
            m_captionTimer.start(longAgo ? 0 : kProtocolCaptionMilliseconds);
    };
    connect(this, &ProtocolView::placeChanged, this, captionSoon);
    connect(this, &ProtocolView::lanesChanged, this, captionSoon);
    addCommands();
    onRetranslate(this, [this] {
        setAccessibleName(tr("Protocol"));
        scrollBar()->setAccessibleName(tr("Clients of the protocol"));
        updateCaption();
    });
}

void ProtocolView::addCommands()
{
    addCommand("protocol.previousEvent", [this] { selectNeighbour(-1); });
    addCommand("protocol.nextEvent", [this] { selectNeighbour(1); });
    addCommand("protocol.columnsLeft", [this] { scrollTo(scrolled() - 1); });
    addCommand("protocol.columnsRight", [this] { scrollTo(scrolled() + 1); });
    addPageCommands([this](int pages) {
        scrollRows(pages * std::max(2, static_cast<int>(picture().eventsInView().size()) - 2));
    });
    addCommand("protocol.zoomIn", [this] { setZoom(m_zoom * kZoomStep); });
    addCommand("protocol.zoomOut", [this] { setZoom(m_zoom / kZoomStep); });
    addCommand("protocol.normalSize", [this] { setZoom(1); });
    addCommand("protocol.none", [this] { m_selection->selectClient(ClientId::none()); });
}

void ProtocolView::onRunChanged()
{
    m_top.reset();
    showScroll({});
    m_lanes = {};
    m_hover = {};
    invalidate();
    emit lanesChanged();
    emit placeChanged();
}

void ProtocolView::onSelection()
{
    invalidate();
    if (isVisible())
        bringEventIntoView(m_selection->selectedEvent());
    announceSelectedItem();
}

QString ProtocolView::nameOf(ClientId client) const
{
    const replay::ClientRow* row = m_run->state().client(client);
    return row ? format::plain(row->name, kMaxColumnNameLength) : format::defaultClientName(client);
}

// With several locks, the selected one, as in the other views; otherwise none().
LockId ProtocolView::lockShown() const
{
    return m_run->state().locks.size() > 1 ? m_selection->lock() : LockId::none();
}

replay::ProtocolQuery ProtocolView::query() const
{
    replay::ProtocolQuery query;
    query.limit = m_run->position();
    query.from = m_top.value_or(0);
    query.backward = !m_top;
    query.rows = static_cast<std::size_t>(std::max(8, room().height() / kMinRowHeight));
    query.lock = lockShown();
    query.clients = m_lanes.shown;
    std::ranges::sort(query.clients);
    return query;
}

// The handoff that the bracket will probably measure; the lanes are not known yet. It is that of the selected
// event, else the last one before the cursor or, after scrolling, the first one after the top.
const replay::Handoff* ProtocolView::shownHandoff() const
{
    const replay::Timeline& timeline = m_run->timeline();
    const trace::TraceStore* store = m_run->store();
    const std::size_t now = timeline.handoffsBefore(m_run->cursorTime() + Duration(1));
    if (!store || now == 0)
        return nullptr;
    const EventIndex selected = m_selection->selectedEvent();
    if (const auto own = selected.valid() ? timeline.handoffAt(selected) : std::nullopt; own && *own < now)
        return &timeline.handoff(*own);
    std::size_t index = now - 1;
    if (m_top && *m_top < store->count())
        index = std::min(index, timeline.handoffsBefore(store->at(*m_top).at));
    const auto other = [&](const replay::Handoff& one) {
        return lockShown().valid() && one.lock != lockShown();
    };
    for (int tries = 0; index > 0 && other(timeline.handoff(index)) && tries < kHandoffTries; ++tries)
        --index;
    const replay::Handoff& shown = timeline.handoff(index);
    return other(shown) ? nullptr : &shown;
}

void ProtocolView::chooseLanes()
{
    const replay::RunState& state = m_run->state();
    ProtocolLaneRequest request;
    request.room = theme()->forPrint() ? ProtocolColumns::mostLanes(width()) : ProtocolColumns::room(width());
    request.skip = static_cast<std::size_t>(scrolled());
    request.shown = m_lanes.shown;
    if (const replay::Handoff* shown = shownHandoff())
        request.first = {shown->from, shown->to};
    if (m_selection->client().valid())
        request.first.push_back(m_selection->client());
    if (const replay::LockRow* lock = state.lock(m_selection->lock()))
        for (const replay::NodeRow& node : lock->queue) {
            if (node.phase != replay::NodePhase::holds)
                break; // holders are in front
            request.first.push_back(node.owner);
        }
    const std::size_t limit = m_top ? std::min(m_run->position(), *m_top + kActivity) : m_run->position();
    if (const trace::TraceStore* store = m_run->store())
        request.active = replay::recentProtocolClients(*store, limit, lockShown(), kActivity);
    std::vector<bool> takesPart(state.clients.size());
    for (const ClientId client : request.active)
        if (client.value < takesPart.size())
            takesPart[client.value] = true;
    for (const replay::ClientRow& client : state.clients)
        if (client.phase != replay::ClientPhase::removed || takesPart[client.id.value])
            request.all.push_back(client.id);
    ProtocolLanes lanes = chooseProtocolLanes(request);
    const bool changed = lanes.shown.size() != m_lanes.shown.size() || lanes.hidden != m_lanes.hidden ||
                         lanes.skip != m_lanes.skip;
    m_lanes = std::move(lanes);
    showScroll({static_cast<int>(m_lanes.skip), static_cast<int>(m_lanes.hidden),
                static_cast<int>(m_lanes.shown.size()), 1});
    if (changed)
        emit lanesChanged();
}

ProtocolInput ProtocolView::input()
{
    ProtocolInput input;
    input.store = m_run->store();
    input.timeline = &m_run->timeline();
    const ShortNames names(m_run->state());
    for (const ClientId client : m_lanes.shown) {
        const replay::ClientRow* row = m_run->state().client(client);
        input.lanes.push_back(
            {client, names.variantsOf(nameOf(client)), row ? row->colour : std::uint16_t{0}});
    }
    if (input.store)
        input.protocol = replay::buildProtocol(*input.store, query());
    m_visited = input.protocol.visited;
    input.size = room().size();
    input.text = theme()->fonts().text;
    input.small = theme()->fonts().small;
    input.mono = theme()->fonts().monoSmall;
    input.zoom = m_zoom;
    input.fromBottom = !m_top;
    input.now = m_run->cursorTime();
    input.upToNow = input.protocol.last >= m_run->position();
    input.selected = m_selection->selectedEvent();
    input.lock = lockShown();
    return input;
}

void ProtocolView::setFilter(const LogFilter& filter, const QString& words)
{
    m_filter = filter;
    m_filterWords = words;
    invalidate();
    updateCaption();
}

void ProtocolView::fade()
{
    const trace::TraceStore* store = m_run->store();
    if (!store || m_filter.matchesAll())
        return;
    const auto passes = [&](EventIndex event) {
        return event.valid() && m_filter.passes(store->at(event), m_run->state());
    };
    for (ProtocolArrow& arrow : m_picture.arrows) {
        const replay::ProtocolMessage& message = m_picture.protocol.messages[arrow.message];
        arrow.faded = !passes(message.event) && !passes(message.second);
    }
    for (ProtocolBox& box : m_picture.boxes) {
        const replay::ProtocolNote& note = m_picture.protocol.notes[box.note];
        box.faded = !passes(note.event) && !passes(note.second);
    }
}

void ProtocolView::build()
{
    chooseLanes();
    m_picture = buildProtocolPicture(input());
    // The user has scrolled down to the cursor: follow it again.
    if (m_top && m_picture.wholeEnd) {
        m_top.reset();
        m_picture = buildProtocolPicture(input());
    }
    fade();
    countBuild();
    m_hover = underMouse() ? hitProtocol(m_picture, mapFromGlobal(QPointF(QCursor::pos()))) : ProtocolHit{};
    emit placeChanged();
}

const ProtocolPicture& ProtocolView::picture()
{
    if (isStale())
        build();
    return m_picture;
}

const ProtocolLanes& ProtocolView::lanes()
{
    picture();
    return m_lanes;
}

// Describes the drawn picture: laying it out only for the caption would be wasted while the view is hidden.
void ProtocolView::updateCaption()
{
    m_captionAge.start();
    const auto& times = m_picture.times;
    // Messages under way at the cursor are drawn up to their later arrival.
    const TraceTime end =
        times.empty() ? m_run->cursorTime() : std::min(times.back().first, m_run->cursorTime());
    QString caption = m_run->hasRun() && !m_lanes.shown.empty()
                          ? ProtocolText::caption(m_lanes.shown.size(), m_lanes.hidden, end,
                                                  m_run->following() && following(), !theme()->forPrint())
                          : QString();
    if (!caption.isEmpty() && !m_filterWords.isEmpty())
        caption = tr("filter: %1 · %2").arg(m_filterWords, caption);
    setAccessibleDescription(tr("One lane for each client and one for the server. Time runs down; "
                                "arrows are requests, replies and watch "
                                "events. %1")
                                 .arg(caption));
    setCaption(caption);
}

QString ProtocolView::emptyText()
{
    const ProtocolPicture& shown = picture();
    if (!m_lanes.shown.empty() && !shown.times.empty())
        return {};
    return ProtocolText::emptyText(*m_run);
}

void ProtocolView::draw(QPainter& painter, const QRegion&)
{
    const ProtocolPicture& shown = picture();
    if (!m_lanes.shown.empty())
        ProtocolPainter(painter, theme()->palette(), theme()->fonts())
            .draw(shown, {m_selection->selectedEvent(), m_selection->client(), m_hover});
}

QString ProtocolView::tipAt(QPointF at) { return tipOf(hitProtocol(picture(), at)); }

QString ProtocolView::tipOf(const ProtocolHit& hit) const
{
    const trace::TraceStore* store = m_run->store();
    if (hit.what == ProtocolHit::What::nothing || !store)
        return {};
    if (hit.what == ProtocolHit::What::head) {
        const ClientId client = m_picture.heads[hit.index].client;
        return client.valid() ? nameOf(client) : ProtocolText::server();
    }
    if (hit.what == ProtocolHit::What::arrow) {
        const ProtocolArrow& arrow = m_picture.arrows[hit.index];
        return ProtocolText::messageTip(*store, m_picture.protocol.messages[arrow.message],
                                        nameOf(arrow.client));
    }
    if (hit.what == ProtocolHit::What::box) {
        const ProtocolBox& box = m_picture.boxes[hit.index];
        return ProtocolText::noteTip(*store, m_picture.protocol.notes[box.note], nameOf(box.client));
    }
    if (hit.what == ProtocolHit::What::bar) {
        const ProtocolBar& bar = m_picture.bars[hit.index];
        return ProtocolText::barTip(bar.span, nameOf(bar.client), m_run->cursorTime());
    }
    const replay::Handoff& handoff = m_picture.bracket->handoff;
    return ProtocolText::handoffTip(handoff, nameOf(handoff.from), nameOf(handoff.to));
}

std::vector<AccessibleItem> ProtocolView::accessibleItems()
{
    std::vector<AccessibleItem> items;
    const EventIndex selected = m_selection->selectedEvent();
    const auto add = [&](ProtocolHit hit, const QRectF& rect, EventIndex event, EventIndex second) {
        const QString text = tipOf(hit);
        items.push_back({hit.what == ProtocolHit::What::arrow ? QAccessible::Graphic : QAccessible::ListItem,
                         rect.toAlignedRect(), text.section(u'\n', 0, 0),
                         selected.valid() && (event == selected || second == selected),
                         [text] { return text; }, [this, event] { select(event); }});
    };
    const ProtocolPicture& shown = picture();
    for (std::size_t i = 0; i < shown.arrows.size(); ++i) {
        const ProtocolArrow& arrow = shown.arrows[i];
        const replay::ProtocolMessage& message = shown.protocol.messages[arrow.message];
        add({ProtocolHit::What::arrow, i}, QRectF(arrow.from, arrow.to).normalized(), message.event,
            message.second);
    }
    for (std::size_t i = 0; i < shown.boxes.size(); ++i)
        add({ProtocolHit::What::box, i}, shown.boxes[i].rect, shown.boxes[i].event,
            shown.protocol.notes[shown.boxes[i].note].second);
    std::ranges::stable_sort(items, {}, [](const AccessibleItem& item) { return item.rect.top(); });
    return items;
}

void ProtocolView::follow()
{
    m_top.reset();
    invalidate();
}

// Positive: down, later. While the cursor is followed, scrolling up stops following it.
void ProtocolView::scrollRows(int rows)
{
    const trace::TraceStore* store = m_run->store();
    if (rows == 0 || !store || (rows > 0 && following()))
        return;
    const std::vector<EventIndex> shown = picture().eventsInView();
    if (rows < 0 && following()) {
        if (shown.empty() || (m_picture.protocol.first == 0 && !m_picture.times.empty() &&
                              m_picture.times.front().second > m_picture.plot.top()))
            return; // there are no earlier rows
    }
    std::size_t at = following() ? shown.front().value : *m_top;
    const replay::ProtocolQuery all = query();
    for (int i = 0; i < std::abs(rows); ++i) {
        const EventIndex next = replay::findProtocolNeighbour(*store, all, at, rows < 0 ? -1 : 1);
        if (!next.valid()) {
            // These clients have no event for a long way: skip it, so that scrolling does not stop there.
            at = rows < 0 ? at - std::min(at, replay::kProtocolMaxEvents)
                          : std::min(at + replay::kProtocolMaxEvents, all.limit);
            break;
        }
        at = next.value;
    }
    m_top = at;
    invalidate();
}

void ProtocolView::scrollPixels(double pixels)
{
    m_wheelRest += pixels;
    const int rows = static_cast<int>(m_wheelRest / kPixelsPerRow);
    m_wheelRest -= rows * kPixelsPerRow;
    scrollRows(rows);
}

void ProtocolView::setZoom(double zoom)
{
    m_zoom = std::clamp(zoom, kMinZoom, kMaxZoom);
    invalidate();
}

void ProtocolView::select(EventIndex event)
{
    const trace::TraceStore* store = m_run->store();
    if (event.valid() && store && event.value < store->count())
        m_selection->selectEvent(event, store->at(event).client);
}

void ProtocolView::bringEventIntoView(EventIndex event)
{
    const trace::TraceStore* store = m_run->store();
    if (!event.valid() || !store)
        return;
    if (event.value >= m_run->position()) {
        follow(); // the cursor moves there, or the event is not shown
        return;
    }
    const std::vector<EventIndex> shown = picture().eventsInView();
    if (!shown.empty() && event >= shown.front() && event <= shown.back())
        return;
    std::size_t top = event.value;
    const replay::ProtocolQuery all = query();
    // No row follows it: the last ones are what leads to it, however few of them a low card has room for.
    if (m_run->position() - top < replay::kProtocolMaxEvents &&
        !replay::findProtocolNeighbour(*store, all, top, 1).valid())
        return follow();
    const int rows = std::min(kRowsBefore, static_cast<int>(shown.size()) / 2);
    for (int i = 0; i < rows; ++i) {
        const EventIndex before = replay::findProtocolNeighbour(*store, all, top, -1);
        if (!before.valid())
            break;
        top = before.value;
    }
    m_top = top;
    invalidate();
}

// Selects the row before or after the selected event; the last one in view if no event is selected.
void ProtocolView::selectNeighbour(int step)
{
    const trace::TraceStore* store = m_run->store();
    const EventIndex now = m_selection->selectedEvent();
    if (!store)
        return;
    if (!now.valid() || now.value >= m_run->position()) {
        selectLastInView();
        return;
    }
    picture();
    select(replay::findProtocolNeighbour(*store, query(), now.value, step));
}

void ProtocolView::selectLastInView()
{
    const std::vector<EventIndex> shown = picture().eventsInView();
    if (!shown.empty())
        select(shown.back());
}

void ProtocolView::hover(std::optional<QPointF> at)
{
    const ProtocolHit hit = at ? hitProtocol(picture(), *at) : ProtocolHit{};
    if (hit == m_hover)
        return;
    m_hover = hit;
    const bool server = hit.what == ProtocolHit::What::head && !m_picture.heads[hit.index].client.valid();
    setCursor(hit.what == ProtocolHit::What::nothing || server ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

bool ProtocolView::selectAt(QPointF at)
{
    const ProtocolHit hit = hitProtocol(picture(), at);
    switch (hit.what) {
    case ProtocolHit::What::head:
        if (m_picture.heads[hit.index].client.valid())
            m_selection->selectClient(m_picture.heads[hit.index].client);
        break;
    case ProtocolHit::What::arrow:
        select(m_picture.arrows[hit.index].event);
        break;
    case ProtocolHit::What::box:
        select(m_picture.boxes[hit.index].event);
        break;
    case ProtocolHit::What::bar: {
        const ProtocolBar& bar = m_picture.bars[hit.index];
        m_selection->selectClient(bar.client, {}, bar.span.beginEvent);
        break;
    }
    case ProtocolHit::What::bracket:
        m_selection->selectHandoff(m_picture.bracket->handoff.acquiredEvent, m_picture.bracket->handoff.to);
        break;
    case ProtocolHit::What::nothing:
        break;
    }
    return true;
}

void ProtocolView::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    const bool sideways =
        std::abs(angle.x()) > std::abs(angle.y()) || event->modifiers().testFlag(Qt::ShiftModifier);
    event->accept();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        setZoom(m_zoom * std::pow(kZoomStep, angle.y() / 120.0));
    } else if (sideways) {
        m_sidewaysRest -= angle.x() != 0 ? angle.x() : angle.y();
        const int columns = m_sidewaysRest / kNotch;
        m_sidewaysRest -= columns * kNotch;
        if (columns != 0)
            scrollTo(scrolled() + columns);
    } else {
        scrollPixels(-angle.y() / 120.0 * kRowsPerNotch * kPixelsPerRow);
    }
}

} // namespace lockscope::ui

#include "moc_protocol_view.cpp"
