#include "ui/chain/algorithm_view.h"

#include "ui/chain/chain_zoom.h"
#include "ui/models/run/breakpoints.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/texts/chain_text.h"
#include "ui/texts/client_status.h"
#include "ui/texts/watched_lock_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr double kLineDot = 5;
constexpr int kOverhang = 2; // pixels by which letters exceed a low line

bool isKeyword(QStringView word)
{
    static constexpr std::array<std::u16string_view, 4> kWords{u"if", u"return", u"loop", u"continue"};
    return std::find(kWords.begin(), kWords.end(),
                     std::u16string_view(word.utf16(), static_cast<std::size_t>(word.size()))) !=
           kWords.end();
}

} // namespace

AlgorithmView::AlgorithmView(RunModel* model, Selection* selection, Breakpoints* breakpoints, Theme* theme,
                             QWidget* parent)
    : Canvas(theme, parent)
    , m_model(model)
    , m_selection(selection)
    , m_breakpoints(breakpoints)
{
    //: name of a card for screen readers: the lock recipe as lines of pseudocode
    onRetranslate(this, [this] { setAccessibleName(tr("Algorithm")); });
    connect(breakpoints, &Breakpoints::changed, this, [this] { invalidate(); });
    connect(model, &RunModel::runChanged, this, [this] {
        m_line = -1;
        invalidate();
        updateCaption();
    });
    connect(model, &RunModel::stateChanged, this, &AlgorithmView::follow);
    connect(selection, &Selection::changed, this, [this] {
        m_marked = nullptr;
        invalidate();
        updateCaption();
    });
    connect(theme, &Theme::languageChanged, this, &AlgorithmView::updateCaption);
    addCommand("algorithm.previous", [this] { moveLine(-1); });
    addCommand("algorithm.next", [this] { moveLine(1); });
    addCommand("algorithm.breakpoint", [this] { toggleChosen(); });
    addPageCommands();
    updateCaption();
}

QSize AlgorithmView::sizeHint() const { return {440, 310}; }

QSize AlgorithmView::minimumSizeHint() const { return {260, 200}; }

void AlgorithmView::follow()
{
    updateCaption();
    if (isStale() || !isVisible()) { // the whole view will be redrawn
        invalidate();
        return;
    }
    itemsChanged();
    const std::vector<Row> before = m_rows;
    layOut();
    if (before.size() != m_rows.size())
        update();
    else
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (m_rows[i] != before[i])
                update(m_rows[i]
                           .rect.united(before[i].rect)
                           .toAlignedRect()
                           .adjusted(0, -kOverhang, 0, kOverhang));
}

void AlgorithmView::updateCaption()
{
    QString caption;
    if (const replay::ClientRow* client = m_model->state().client(m_selection->client()))
        caption = client->heldAt ? tr("%1: %2").arg(clientName(m_model->state(), client->id),
                                                    stoppedAtText(*client->heldAt))
                  : client->step == replay::Step::none
                      ? tr("%1 is not using the lock").arg(clientName(m_model->state(), client->id))
                      : tr("following %1").arg(clientName(m_model->state(), client->id));
    setAccessibleDescription(caption);
    setCaption(caption);
}

const std::vector<AlgorithmView::Row>& AlgorithmView::rows()
{
    if (isStale())
        layOut();
    return m_rows;
}

QPointF AlgorithmView::dotAt(const Row& row, std::size_t dot) const
{
    // From the right edge or, if there are more clients, from the "+12" that stands there.
    double right = row.rect.right() - 18 * m_unit;
    if (row.more > 0)
        right -= theme()->texts().width(theme()->fonts().small, tr("+%1").arg(format::count(row.more))) +
                 5 * m_unit;
    return {right - static_cast<double>(dot) * kDotPitch * m_unit, row.rect.center().y()};
}

void AlgorithmView::drawCode(QPainter& painter, const Row& row, double left, double right) const
{
    const Palette& c = theme()->palette();
    const QFont font = fontOf(row);
    const QString code = codeOf(*row.line);
    double x = left + row.line->indent * kIndent * m_unit;
    painter.setFont(font);
    const QString shown = theme()->texts().width(font, code) <= right - x
                              ? code
                              : QFontMetricsF(font).elidedText(code, Qt::ElideRight, right - x);
    const qsizetype commentFrom = shown.indexOf(QLatin1String("  # "));
    for (qsizetype at = 0; at < shown.size();) {
        qsizetype end = at + 1;
        if (commentFrom >= 0 && at >= commentFrom)
            end = shown.size();
        else if (shown[at].isLetter())
            while (end < shown.size() && (shown[end].isLetterOrNumber() || shown[end] == u'_'))
                ++end;
        const QString word = shown.mid(at, end - at);
        if (commentFrom >= 0 && at >= commentFrom)
            painter.setPen(c.textMuted);
        else
            painter.setPen(row.line->title || isKeyword(word) ? c.wake : c.text);
        const double width = theme()->texts().width(font, word);
        theme()->texts().draw(painter, {x, row.rect.top(), width, row.rect.height()}, Qt::AlignVCenter, word);
        x += width;
        at = end;
    }
}

void AlgorithmView::drawDots(QPainter& painter, const Row& row) const
{
    const Palette& c = theme()->palette();
    for (std::size_t i = 0; i < row.dots.size(); ++i) {
        const Dot& dot = row.dots[i];
        const QColor colour = c.client(dot.colour);
        const double size = std::min(kLineDot * m_unit, row.rect.height() * 0.36);
        painter.setPen(QPen(dot.frozen ? c.frozen : colour, 1.6 * m_unit));
        painter.setBrush(dot.frozen ? c.card : colour); // a frozen client's dot is hollow
        const double radius = size - (dot.frozen ? 0.5 : 0);
        painter.drawEllipse(dotAt(row, i), radius, radius);
        if (dot.held) { // two strokes, as on a pause button
            painter.setPen(QPen(c.card, 1.4 * m_unit));
            const QPointF middle = dotAt(row, i);
            for (const double x : {-1.6 * m_unit, 1.6 * m_unit})
                painter.drawLine(middle + QPointF(x, -2.6 * m_unit), middle + QPointF(x, 2.6 * m_unit));
        }
    }
    if (row.more > 0) {
        painter.setFont(theme()->fonts().small);
        painter.setPen(c.textMuted);
        theme()->texts().draw(painter, row.rect.adjusted(0, 0, -12 * m_unit, 0),
                              Qt::AlignRight | Qt::AlignVCenter, tr("+%1").arg(format::count(row.more)));
    }
}

QString AlgorithmView::emptyText() { return rows().empty() ? watchedUnknownText() : QString(); }

void AlgorithmView::draw(QPainter& painter, const QRegion& region)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& c = theme()->palette();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        if (!region.intersects(row.rect.toAlignedRect().adjusted(0, -kOverhang, 0, kOverhang)))
            continue;
        if (row.marked)
            painter.fillRect(row.rect, c.selection);
        drawStop(painter, row, m_pointed == static_cast<int>(i));
        if (row.marked) {
            const double x = 9 * m_unit, y = row.rect.center().y(),
                         d = std::min(5 * m_unit, row.rect.height() * 0.3);
            painter.setPen(Qt::NoPen);
            painter.setBrush(c.accent);
            painter.drawPolygon(QPolygonF{QPointF(x, y - d), QPointF(x + d * 1.7, y), QPointF(x, y + d)});
        }
        const double right = row.dots.empty() ? room().width() - 10 * m_unit
                                              : dotAt(row, row.dots.size() - 1).x() - 10 * m_unit;
        drawCode(painter, row, kCodeLeft * m_unit, right);
        drawDots(painter, row);
        if (hasFocus() && m_line == static_cast<int>(i)) {
            painter.setPen(QPen(c.accent, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(row.rect.adjusted(2.5, 0.5, -2.5, -0.5));
        }
    }
}

void AlgorithmView::resizeEvent(QResizeEvent* event)
{
    m_marked = nullptr; // scroll to it again after the resize
    Canvas::resizeEvent(event);
}

ClientId AlgorithmView::clientAt(QPointF point)
{
    for (const Row& row : rows()) {
        if (!row.rect.contains(point))
            continue;
        for (std::size_t i = 0; i < row.dots.size(); ++i)
            if (std::abs(dotAt(row, i).x() - point.x()) <= kDotPitch * m_unit / 2)
                return row.dots[i].client;
    }
    return ClientId::none();
}

bool AlgorithmView::selectAt(QPointF point)
{
    const int row = gutterAt(point);
    const ClientId client = clientAt(point);
    if (row >= 0)
        toggleBreakpoint(row);
    else if (client.valid())
        m_selection->selectClient(client);
    return row >= 0 || client.valid();
}

QString AlgorithmView::dotsText(const Row& row) const
{
    QStringList names;
    for (const Dot& dot : row.dots)
        names << clientName(m_model->state(), dot.client);
    const QString list = names.join(QStringLiteral(", "));
    return row.more > 0 ? tr("%1 and %2 more").arg(list, format::count(row.more)) : list;
}

std::vector<AccessibleItem> AlgorithmView::accessibleItems()
{
    std::vector<AccessibleItem> items;
    for (std::size_t i = 0; i < rows().size(); ++i) {
        const Row& row = m_rows[i];
        const QString line = codeOf(*row.line).trimmed();
        const QString clients = dotsText(row);
        items.push_back({QAccessible::ListItem, row.rect.toAlignedRect(),
                         clients.isEmpty() ? line : tr("%1: %2").arg(line, clients), row.marked});
        if (!chain::gatesOf(*row.line).empty()) {
            items.back().describe = [tip = gutterTip(row)] { return tip; };
            items.back().choose = [this, i] { toggleBreakpoint(static_cast<int>(i)); };
        }
    }
    return items;
}

QString AlgorithmView::tipAt(QPointF point)
{
    const replay::RunState& state = m_model->state();
    if (const ClientId client = clientAt(point); client.valid())
        return clientName(state, client);
    for (const Row& row : rows()) {
        if (row.rect.contains(point) && point.x() < kCodeLeft * m_unit && !chain::gatesOf(*row.line).empty())
            return gutterTip(row);
        if (row.rect.contains(point) && !row.dots.empty())
            return dotsText(row);
    }
    return {};
}

void AlgorithmView::layOut()
{
    countBuild();
    m_unit = chain::unitOf(theme()->fonts());
    const replay::RunState& state = m_model->state();
    const replay::LockRow* lock = state.lock(m_selection->lock());
    if (lock && lock->watched) { // its recipe is unknown
        m_rows.clear();
        showScroll({});
        return;
    }
    const auto& lines = lock ? chain::algorithmLines(lock->kind(), lock->announcesHandoff())
                             : chain::algorithmLines(Recipe::unknown, false);
    const auto count = static_cast<double>(lines.size());
    m_zoom = zoomFor(lines);
    m_unit *= m_zoom;
    const double pitch =
        std::clamp((height() - 2 * kMargin * m_unit) / count, kMinLineHeight * m_unit, kLine * m_unit);
    m_rows.assign(lines.size(), {});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        m_rows[i].line = &lines[i];
        m_rows[i].rect = {0, kMargin * m_unit + static_cast<double>(i) * pitch,
                          static_cast<double>(room().width()), pitch};
    }
    std::array<int, 16> lineOfStep{};
    for (std::size_t step = 0; step < lineOfStep.size(); ++step)
        lineOfStep[step] = chain::lineOf(lines, static_cast<replay::Step>(step));
    for (const replay::ClientRow& client : state.clients) {
        const replay::Step step = client.heldAt ? chain::stepOf(*client.heldAt) : client.step;
        const int line = lineOfStep[static_cast<std::size_t>(step) % lineOfStep.size()];
        if (line < 0 || (client.lock.valid() && client.lock != m_selection->lock()))
            continue;
        Row& row = m_rows[static_cast<std::size_t>(line)];
        const bool selected = client.id == m_selection->client();
        const Dot dot{client.id, client.colour, client.frozen, client.heldAt.has_value()};
        row.marked = row.marked || selected;
        if (selected)
            row.dots.insert(row.dots.begin(), dot);
        else if (row.dots.size() <= kMaxDots)
            row.dots.push_back(dot);
        else
            ++row.more;
    }
    for (Row& row : m_rows) {
        if (row.more == 0 && row.dots.size() <= kMaxDots)
            continue;
        row.more += row.dots.size() - (kMaxDots - 1);
        row.dots.resize(kMaxDots - 1);
    }
    fitDots();
    markStops();
    scroll();
}

// A larger view gets larger type, as long as the longest line fits beside its dots.
double AlgorithmView::zoomFor(const std::vector<chain::AlgorithmLine>& lines) const
{
    constexpr double kMaxZoom = 1.35, kStep = 0.05, kDotsBeside = 4;
    QFont bold = theme()->fonts().mono;
    bold.setBold(true);
    double widest = 1;
    for (const chain::AlgorithmLine& line : lines)
        widest = std::max(widest, kCodeLeft * m_unit + line.indent * kIndent * m_unit +
                                      theme()->texts().width(bold, codeOf(line)));
    const double high = static_cast<double>(lines.size()) * kLine * m_unit + 2 * kMargin * m_unit;
    const double zoom =
        std::min(height() / high, width() / (widest + (18 + kDotsBeside * kDotPitch) * m_unit));
    return std::clamp(std::floor(zoom / kStep) * kStep, 1.0, kMaxZoom);
}

// In a view too low for all lines: scrolls to the marked line and the next one when the marked line changes.
void AlgorithmView::scroll()
{
    const double hidden = m_rows.empty() ? 0 : m_rows.back().rect.bottom() + kMargin * m_unit - height();
    const auto marked = std::find_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.marked; });
    Scroll scroll{scrolled(), std::max(0, static_cast<int>(std::ceil(hidden))), height(),
                  static_cast<int>(kMinLineHeight * m_unit)};
    if (marked != m_rows.end() && std::exchange(m_marked, marked->line) != marked->line)
        scroll.value = static_cast<int>(std::ceil(marked->rect.bottom() + marked->rect.height() - height()));
    scroll.value = std::clamp(scroll.value, 0, scroll.hidden);
    showScroll(scroll);
    for (Row& row : m_rows)
        row.rect.translate(0, -scroll.value);
}

// The code must stay readable: shows as many dots as leave room for it.
void AlgorithmView::fitDots()
{
    for (Row& row : m_rows) {
        const double code = kCodeLeft * m_unit + row.line->indent * kIndent * m_unit +
                            theme()->texts().width(fontOf(row), codeOf(*row.line)) + 10 * m_unit;
        while (row.dots.size() > 1 && dotAt(row, row.dots.size() - 1).x() - 8 * m_unit < code) {
            row.dots.pop_back();
            ++row.more;
        }
    }
}

QFont AlgorithmView::fontOf(const Row& row) const
{
    QFont font = theme()->fonts().mono;
    font.setPointSizeF(font.pointSizeF() * m_zoom);
    // A low view gets smaller type.
    if (row.rect.height() < 18 * m_unit)
        font.setPointSizeF(font.pointSizeF() * row.rect.height() / (18 * m_unit));
    font.setBold(row.marked);
    return font;
}

QString AlgorithmView::codeOf(const chain::AlgorithmLine& line) const
{
    const QString comment = chain::commentOf(line);
    const QString code = QString::fromLatin1(line.code);
    return comment.isEmpty() ? code : code + QStringLiteral("  # ") + comment;
}

std::vector<ClientId> AlgorithmView::breakpointClients() const
{
    if (m_selection->client().valid())
        return {m_selection->client()};
    std::vector<ClientId> all;
    for (const replay::ClientRow& client : m_model->state().clients)
        if (client.id.valid() && client.phase != replay::ClientPhase::removed)
            all.push_back(client.id);
    return all;
}

void AlgorithmView::markStops()
{
    if (!m_breakpoints->any())
        return;
    const ClientId selected = m_selection->client();
    for (Row& row : m_rows)
        for (const GateStep gate : chain::gatesOf(*row.line)) {
            const std::set<ClientId> clients = m_breakpoints->at(gate);
            if (!clients.empty() && (!selected.valid() || clients.contains(selected)))
                row.stop = Stop::here;
            else if (!clients.empty() && row.stop == Stop::none)
                row.stop = Stop::others;
        }
}

int AlgorithmView::gutterAt(QPointF point)
{
    if (point.x() >= kCodeLeft * m_unit)
        return -1;
    const auto found = std::find_if(rows().begin(), rows().end(),
                                    [point](const Row& row) { return row.rect.contains(point); });
    return found == m_rows.end() || chain::gatesOf(*found->line).empty()
               ? -1
               : static_cast<int>(found - m_rows.begin());
}

void AlgorithmView::hover(std::optional<QPointF> at)
{
    const int row = at && m_breakpoints->isAvailable() ? gutterAt(*at) : -1;
    if (std::exchange(m_pointed, row) == row)
        return;
    setCursor(row < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

int AlgorithmView::chosenLine()
{
    if (m_line >= 0 && m_line < static_cast<int>(rows().size()))
        return m_line;
    const auto marked = std::find_if(rows().begin(), rows().end(), [](const Row& row) { return row.marked; });
    return marked == m_rows.end() ? -1 : static_cast<int>(marked - m_rows.begin());
}

// Moves to the next line in this direction at which a client can be stopped.
void AlgorithmView::moveLine(int by)
{
    const int count = static_cast<int>(rows().size());
    if (m_line < 0 || m_line >= count) {
        const int chosen = chosenLine();
        m_line = chosen < 0 ? -by : chosen - by;
    }
    for (int line = m_line + by; line >= 0 && line < count; line += by)
        if (!chain::gatesOf(*m_rows[static_cast<std::size_t>(line)].line).empty()) {
            m_line = line;
            break;
        }
    m_line = std::clamp(m_line, 0, std::max(0, count - 1));
    if (!m_rows.empty()) {
        const QRectF rect = m_rows[static_cast<std::size_t>(m_line)].rect.translated(0, scrolled());
        bringIntoView(rect.top(), rect.bottom());
    }
    update();
}

void AlgorithmView::toggleBreakpoint(int row)
{
    if (row < 0 || row >= static_cast<int>(rows().size()))
        return;
    const Row& line = m_rows[static_cast<std::size_t>(row)];
    const bool wanted = line.stop != Stop::here;
    const auto gates = wanted ? chain::breakpointsOf(*line.line) : chain::gatesOf(*line.line);
    for (const ClientId client : breakpointClients())
        for (const GateStep gate : gates)
            m_breakpoints->set(client, gate, wanted);
}

void AlgorithmView::toggleChosen()
{
    const int row = chosenLine();
    const bool stops = row >= 0 && !chain::gatesOf(*m_rows[static_cast<std::size_t>(row)].line).empty();
    if (stops && m_breakpoints->isAvailable())
        return toggleBreakpoint(row);
    const QString why = !m_breakpoints->isAvailable()
                            ? tr("A breakpoint can be set here while a run is live.")
                        : row < 0 ? tr("Choose a line with Up and Down first, or select a client.")
                                  : tr("No client can be stopped at this line.");
    const double y = row < 0 ? 0 : m_rows[static_cast<std::size_t>(row)].rect.bottom();
    QToolTip::showText(mapToGlobal(QPoint(8, static_cast<int>(y))), format::toolTip(why), this);
}

QString AlgorithmView::gutterTip(const Row& row) const
{
    if (!m_breakpoints->isAvailable())
        return tr("A breakpoint can be set here while a run is live.");
    const replay::ClientRow* client = m_model->state().client(m_selection->client());
    const QString who = client ? clientName(m_model->state(), client->id) : tr("every client");
    QStringList places;
    for (const GateStep gate : chain::breakpointsOf(*row.line))
        places << gatePositionText(gate);
    const QString where = places.join(tr(" and "));
    return row.stop == Stop::here ? tr("Click or F9: remove the breakpoint of %1 %2").arg(who, where)
                                  : tr("Click or F9: set a breakpoint of %1 %2").arg(who, where);
}

// Draws a breakpoint as a disc. A ring marks a breakpoint of clients that are not selected, and the place
// where a click would set one.
void AlgorithmView::drawStop(QPainter& painter, const Row& row, bool pointed) const
{
    if (row.stop == Stop::none && !pointed)
        return;
    const Palette& c = theme()->palette();
    const double radius = std::min(6 * m_unit, row.rect.height() * 0.38);
    painter.setPen(QPen(c.stale, 1.4 * m_unit));
    painter.setBrush(row.stop == Stop::here ? QBrush(c.stale) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QPointF(13 * m_unit, row.rect.center().y()), radius, radius);
}

} // namespace lockscope::ui

#include "moc_algorithm_view.cpp"
