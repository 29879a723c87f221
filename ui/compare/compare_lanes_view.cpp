#include "ui/compare/compare_lanes_view.h"

#include "ui/canvas/ticks.h"
#include "ui/compare/compare_words.h"
#include "ui/models/format.h"
#include "ui/models/text_cache.h"
#include "ui/models/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kMinNamedRowHeight = 12;
constexpr int kMinRowHeight = 2;
constexpr int kTickSpacing = 110;
constexpr int kMinEndTextWidth = 90;
constexpr qreal kMinHoldWidth = 3; // a hold is never smaller: it must be seen
constexpr qreal kMinBarHeight = 2.5;
constexpr qreal kMaxBarHeight = 30;

QColor faded(QColor colour, qreal alpha)
{
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

// Not see-through: waits that share a row must not darken each other.
QColor pale(const Palette& palette, const QColor& colour, qreal share)
{
    const auto mixed = [share](int one, int other) {
        return static_cast<int>(std::lround(one * share + other * (1 - share)));
    };
    return {mixed(colour.red(), palette.card.red()), mixed(colour.green(), palette.card.green()),
            mixed(colour.blue(), palette.card.blue())};
}

QColor waitColour(const Palette& palette) { return pale(palette, palette.waits, palette.dark ? 0.4 : 0.3); }

QColor herdColour(const Palette& palette) { return faded(palette.stale, palette.dark ? 0.28 : 0.2); }

} // namespace

CompareLanesView::CompareLanesView(ComparedRunPtr run, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_run(std::move(run))
    , m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("Click to see the queue at a release. The left and right arrow keys go to the previous and "
                  "next one."));
    connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    showRange(m_run->begin(), m_run->whole().took);
}

void CompareLanesView::showRange(TraceTime begin, Duration length)
{
    m_begin = begin;
    m_length = std::max(length, Duration(1000));
    m_lanes = lanesOf(*m_run, m_begin, m_length, (height() - kTop - kAxis) / kMinRowHeight);
    setAccessibleDescription(caption().section(kVariantSeparator, 0, 0));
    update();
    emit captionChanged();
}

void CompareLanesView::choose(std::optional<std::size_t> handoff)
{
    m_chosen = handoff;
    update();
}

QString CompareLanesView::caption() const
{
    if (!m_showsLength) {
        return m_lanes.words();
    }
    return tr("%1 · %2 on both sides").arg(m_lanes.words(), format::duration(m_length)) + kVariantSeparator +
           m_lanes.words();
}

void CompareLanesView::resizeEvent(QResizeEvent*) { chooseLanes(); }

void CompareLanesView::chooseLanes()
{
    const QString before = caption();
    m_lanes = lanesOf(*m_run, m_begin, m_length, (height() - kTop - kAxis) / kMinRowHeight);
    if (caption() != before) {
        setAccessibleDescription(caption().section(kVariantSeparator, 0, 0));
        emit captionChanged();
    }
}

bool CompareLanesView::hasNames() const { return rowHeight() >= kMinNamedRowHeight && !m_lanes.shared(); }

QRect CompareLanesView::plot() const
{
    const bool names = hasNames() || (m_sibling && m_sibling->hasNames());
    return rect().adjusted(kSide + (names ? kNames : 0), kTop, -kSide, -kAxis);
}

qreal CompareLanesView::xOf(TraceTime at) const
{
    const QRect area = plot();
    return area.left() +
           static_cast<qreal>((at - m_begin).count()) / static_cast<qreal>(m_length.count()) * area.width();
}

qreal CompareLanesView::rowHeight() const
{
    const auto high = static_cast<qreal>(height() - kTop - kAxis);
    return high / std::max(1, m_lanes.rows);
}

Duration CompareLanesView::tickInterval() const
{
    return roundStep(m_length / std::max(2, plot().width() / kTickSpacing));
}

// Counted from the start of the trace, as in every other view.
std::vector<TraceTime> CompareLanesView::ticks() const
{
    return ticksWithin(m_begin, m_begin + m_length, tickInterval());
}

void CompareLanesView::mousePressEvent(QMouseEvent* event)
{
    if (m_run->handoffs() == 0 || event->button() != Qt::LeftButton) {
        return;
    }
    std::size_t nearest = 0;
    qreal least = 1e9;
    for (std::size_t i = 0; i < m_run->handoffs(); ++i) {
        const qreal away = std::abs(xOf(m_run->timeline().handoff(i).released) - event->position().x());
        if (away < least) {
            least = away;
            nearest = i;
        }
    }
    emit handoffChosen(nearest);
}

void CompareLanesView::keyPressEvent(QKeyEvent* event)
{
    const std::size_t count = m_run->handoffs();
    if (count == 0 || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t now = m_chosen.value_or(0);
    if (event->key() == Qt::Key_Left) {
        emit handoffChosen(now > 0 ? now - 1 : 0);
    } else {
        emit handoffChosen(std::min(now + 1, count - 1));
    }
}

void CompareLanesView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->palette().card);
    painter.setClipRect(rect());
    drawLegend(painter);
    drawEnd(painter);
    drawLanes(painter);
    drawChosen(painter);
    drawAxis(painter);
    if (hasFocus()) {
        painter.setPen(m_theme->palette().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

void CompareLanesView::drawLegend(QPainter& painter) const
{
    const Palette& palette = m_theme->palette();
    std::vector<std::pair<QColor, QString>> entries{{palette.holds, tr("holds")},
                                                    {waitColour(palette), tr("waits")}};
    if (m_run->wakesHerds()) {
        entries.emplace_back(herdColour(palette),
                             tr("a release that woke several clients, until one has the lock"));
    }
    painter.setFont(m_theme->fonts().small);
    int x = kSide;
    for (const auto& [colour, words] : entries) {
        painter.fillRect(QRect(x, kTop / 2 - 5, 14, 8), colour);
        painter.setPen(palette.textMuted);
        const int wide = painter.fontMetrics().horizontalAdvance(words) + 2;
        painter.drawText(QRect(x + 19, 0, wide, kTop - 2), Qt::AlignLeft | Qt::AlignVCenter, words);
        x += 19 + wide + 18;
    }
    drawChosenKey(painter, x);
}

// The dashed line's, with the median of all to hold it against: shorter, or not at all, where there is no
// room beside the others.
void CompareLanesView::drawChosenKey(QPainter& painter, int x) const
{
    if (!m_chosen) {
        return;
    }
    const auto inWords = [](Duration time) { // as in the verdict
        return compare_words::value(replay::Measure::handoffP50, static_cast<double>(time.count()));
    };
    const QString took = inWords(m_run->timeline().handoff(*m_chosen).latency());
    const QString words = (m_chosen == m_run->typicalHandoff() ? tr("typical release: %1 (median %2)")
                                                               : tr("release shown above: %1 (median %2)"))
                              .arg(took, inWords(m_run->median())) +
                          kVariantSeparator + tr("shown above: %1").arg(took) + kVariantSeparator +
                          tr("shown above");
    const int room = width() - kSide - x - 19;
    const QString fitting = m_theme->texts().fitting(painter.font(), words, room);
    if (m_theme->texts().width(painter.font(), fitting) > room) {
        return;
    }
    painter.setPen(chosenPen());
    painter.drawLine(QPointF(x + 7, 3), QPointF(x + 7, kTop - 5));
    painter.setPen(m_theme->palette().wake);
    painter.drawText(QRect(x + 19, 0, room, kTop - 2), Qt::AlignLeft | Qt::AlignVCenter, fitting);
}

QPen CompareLanesView::chosenPen() const { return {m_theme->palette().wake, 1, Qt::DashLine}; }

// What lies after the end of the run is not a time without waits.
void CompareLanesView::drawEnd(QPainter& painter) const
{
    const QRect area = plot();
    const qreal x = xOf(m_run->end());
    if (x >= area.right()) {
        return;
    }
    const QRectF after(x, area.top(), area.right() + 1 - x, m_lanes.rows * rowHeight());
    painter.fillRect(after, m_theme->palette().panel);
    if (after.width() >= kMinEndTextWidth) {
        painter.setFont(m_theme->fonts().small);
        painter.setPen(m_theme->palette().textMuted);
        painter.drawText(after, Qt::AlignCenter, tr("the run has ended"));
    }
}

// From the release until the next one has it: that long the woken ones keep the server busy.
void CompareLanesView::drawHerds(QPainter& painter) const
{
    const QRect area = plot();
    const QColor colour = herdColour(m_theme->palette());
    for (const ComparedRun::Release& release : m_run->herds(m_begin, m_begin + m_length)) {
        const TraceTime taken = std::min(release.taken, m_run->end());
        if (taken < m_begin) {
            continue;
        }
        const qreal left = std::max<qreal>(xOf(release.at), area.left());
        const qreal right = std::min<qreal>(xOf(taken), area.right() + 1);
        painter.fillRect(QRectF(left, area.top(), std::max(1.0, right - left), m_lanes.rows * rowHeight()),
                         colour);
    }
}

void CompareLanesView::drawLanes(QPainter& painter) const
{
    const QRect area = plot();
    const Palette& palette = m_theme->palette();
    const qreal tall = rowHeight();
    const Duration resolution(std::max<std::int64_t>(1, m_length.count() / std::max(1, area.width())));
    if (!m_lanes.shared()) { // below them: waits keep their colour
        drawHerds(painter);
    }
    std::vector<replay::Span> spans;
    std::vector<std::pair<QRectF, QColor>> holds; // over all waits: none hides one
    for (std::size_t place = 0; place < m_lanes.shown.size(); ++place) {
        const qreal middle = area.top() + (m_lanes.rowOf(place) + 0.5) * tall;
        drawName(painter, m_lanes.shown[place], middle);
        spans.clear();
        m_run->timeline().spans(m_lanes.shown[place], m_begin, m_begin + m_length, resolution, spans);
        for (const replay::Span& span : spans) {
            const qreal left = std::max<qreal>(xOf(span.begin), area.left());
            const qreal right = std::min<qreal>(xOf(std::min(span.end, m_run->end())), area.right() + 1);
            if (span.kind == replay::SpanKind::none || left > area.right()) {
                continue;
            }
            const bool waits = span.kind == replay::SpanKind::waiting;
            const qreal share = !waits ? 0.9 : m_lanes.shared() ? 1.0 : 0.5;
            const qreal high = std::max(1.0, std::floor(std::min(tall, kMaxBarHeight) * share));
            const qreal least = waits ? 1 : kMinHoldWidth;
            const QRectF bar(left, std::round(middle - high / 2), std::max(least, right - left), high);
            if (waits) {
                painter.fillRect(bar.toAlignedRect(), waitColour(palette));
            } else {
                holds.emplace_back(bar,
                                   span.kind == replay::SpanKind::holding ? palette.holds : palette.stale);
            }
        }
    }
    if (m_lanes.shared()) { // nothing is free between the waits
        drawHerds(painter);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const auto& [bar, colour] : holds) {
        painter.setBrush(colour);
        const qreal radius = bar.height() < 4 ? 0 : 2;
        const qreal grown = std::max(0.0, kMinBarHeight - bar.height()) / 2;
        painter.drawRoundedRect(bar.adjusted(0, -grown, 0, grown), radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void CompareLanesView::drawName(QPainter& painter, ClientId client, qreal middle) const
{
    const replay::RunState& state = m_run->whole().state;
    if (!hasNames() || client.value >= state.clients.size()) {
        return;
    }
    const QRectF line(kSide, middle - 8, kNames - 6, 16);
    painter.setFont(m_theme->fonts().small);
    painter.setPen(m_theme->palette().textMuted);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(format::plain(state.clients[client.value].name, 24),
                                                      Qt::ElideRight, static_cast<int>(line.width())));
}

void CompareLanesView::drawChosen(QPainter& painter) const
{
    if (!m_chosen) {
        return;
    }
    const qreal x = xOf(m_run->timeline().handoff(*m_chosen).released);
    const QRect area = plot();
    if (x < area.left() || x > area.right() + 1) {
        return;
    }
    painter.setPen(chosenPen());
    painter.drawLine(QPointF(x, area.top() - 3), QPointF(x, area.bottom() + 4));
}

void CompareLanesView::drawAxis(QPainter& painter) const
{
    const QRect area = plot();
    const Palette& palette = m_theme->palette();
    painter.setFont(m_theme->fonts().small);
    const int top = area.bottom() + 3;
    painter.setPen(palette.textMuted);
    const Duration step = tickInterval();
    for (const TraceTime tick : ticks()) {
        const QString text = format::axisTime(tick, step);
        const int wide = painter.fontMetrics().horizontalAdvance(text) + 4;
        const qreal most = width() - wide - 2; // the last one stands left of its mark
        const QRectF line(std::clamp(xOf(tick) - wide / 2.0, 2.0, std::max(2.0, most)), top, wide, kAxis - 4);
        painter.drawLine(QPointF(xOf(tick), top - 2), QPointF(xOf(tick), top + 1));
        painter.drawText(line, Qt::AlignCenter, text);
    }
}

} // namespace lockscope::ui
