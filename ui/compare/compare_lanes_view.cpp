#include "ui/compare/compare_lanes_view.h"

#include "ui/models/format.h"
#include "ui/models/look.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kSide = 18;
constexpr int kTop = 6;
constexpr int kAxis = 22;
constexpr int kLeastRow = 2;
constexpr int kTallestRow = 26;
constexpr qreal kLeastHold = 3; // a hold is never smaller: it must be seen
constexpr qreal kLeastHigh = 2.5;

QColor faded(QColor colour, qreal alpha)
{
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

} // namespace

CompareLanesView::CompareLanesView(ComparedRunPtr run, Look* look, QWidget* parent)
    : QWidget(parent)
    , m_run(std::move(run))
    , m_look(look)
{
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("Click to see the queue at a release; the left and right keys go from one to the next."));
    connect(look, &Look::changed, this, qOverload<>(&QWidget::update));
    showTime(m_run->begin(), m_run->whole().took);
}

void CompareLanesView::showTime(TraceTime begin, Duration length)
{
    m_begin = begin;
    m_length = std::max(length, Duration(1000));
    setAccessibleDescription(caption());
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
    const std::size_t lanes = m_run->timeline().laneCount();
    const QString counted = lanes == 1 ? tr("1 lane") : tr("%1 lanes").arg(format::count(lanes));
    return tr("%1 · %2 · condensed, waits kept visible").arg(counted, format::duration(m_length));
}

QRect CompareLanesView::plot() const { return rect().adjusted(kSide, kTop, -kSide, -kAxis); }

qreal CompareLanesView::xOf(TraceTime at) const
{
    const QRect area = plot();
    return area.left() +
           static_cast<qreal>((at - m_begin).count()) / static_cast<qreal>(m_length.count()) * area.width();
}

// As many rows as there are lanes, or as many as can be told apart: then several lanes share one.
int CompareLanesView::rowCount() const
{
    const auto lanes = static_cast<int>(m_run->timeline().laneCount());
    return std::clamp(lanes, 0, std::max(1, plot().height() / kLeastRow));
}

qreal CompareLanesView::rowHeight() const
{
    return std::min<qreal>(static_cast<qreal>(plot().height()) / std::max(1, rowCount()), kTallestRow);
}

void CompareLanesView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_look->palette().card);
    painter.setClipRect(rect());
    drawHerds(painter);
    drawLanes(painter);
    drawChosen(painter);
    drawAxis(painter);
    if (hasFocus()) {
        painter.setPen(m_look->palette().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

// From the release until the next one has it: that long the woken ones keep the server busy.
void CompareLanesView::drawHerds(QPainter& painter) const
{
    const QRect area = plot();
    const QColor colour = faded(m_look->palette().stale, m_look->palette().dark ? 0.34 : 0.2);
    for (std::size_t i = 0; i < m_run->handoffs(); ++i) {
        const replay::Handoff& handoff = m_run->timeline().handoff(i);
        if (m_run->woken(i) < 2 || handoff.acquired < m_begin || handoff.released > m_begin + m_length) {
            continue;
        }
        const qreal left = std::max<qreal>(xOf(handoff.released), area.left());
        const qreal right = std::min<qreal>(xOf(handoff.acquired), area.right() + 1);
        painter.fillRect(QRectF(left, area.top(), std::max(1.0, right - left), rowCount() * rowHeight()),
                         colour);
    }
}

void CompareLanesView::drawLanes(QPainter& painter) const
{
    const QRect area = plot();
    const int rows = rowCount();
    if (rows == 0) {
        return;
    }
    const Palette& palette = m_look->palette();
    const auto lanes = m_run->timeline().laneCount();
    const qreal tall = rowHeight();
    const Duration resolution(std::max<std::int64_t>(1, m_length.count() / std::max(1, area.width())));
    std::vector<replay::Span> spans;
    std::vector<std::pair<QRectF, QColor>> holds; // over all waits: none hides one
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const auto row = static_cast<qreal>(lane * static_cast<std::size_t>(rows) / lanes);
        const qreal middle = area.top() + (row + 0.5) * tall;
        spans.clear();
        m_run->timeline().spans(ClientId{static_cast<std::uint32_t>(lane)}, m_begin, m_begin + m_length,
                                resolution, spans);
        for (const replay::Span& span : spans) {
            const qreal left = std::max<qreal>(xOf(span.begin), area.left());
            const qreal right = std::min<qreal>(xOf(std::min(span.end, m_run->end())), area.right() + 1);
            if (span.kind == replay::SpanKind::none || left > area.right()) {
                continue;
            }
            const bool waits = span.kind == replay::SpanKind::waiting;
            const qreal high = std::max(1.0, std::floor(tall * (waits ? 0.5 : 0.9)));
            const qreal least = waits ? 1 : kLeastHold;
            const QRectF bar(left, std::round(middle - high / 2), std::max(least, right - left), high);
            if (waits) {
                painter.fillRect(bar.toAlignedRect(), faded(palette.waits, palette.dark ? 0.4 : 0.3));
            } else {
                holds.emplace_back(bar,
                                   span.kind == replay::SpanKind::holding ? palette.holds : palette.stale);
            }
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const auto& [bar, colour] : holds) {
        painter.setBrush(colour);
        const qreal radius = bar.height() < 4 ? 0 : 2;
        const qreal grown = std::max(0.0, kLeastHigh - bar.height()) / 2;
        painter.drawRoundedRect(bar.adjusted(0, -grown, 0, grown), radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
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
    painter.setPen(QPen(m_look->palette().wake, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top() - 3), QPointF(x, area.bottom() + 4));
}

void CompareLanesView::drawAxis(QPainter& painter) const
{
    const QRect area = plot();
    painter.setFont(m_look->fonts().small);
    painter.setPen(m_look->palette().textMuted);
    const QRect line(area.left(), area.bottom() + 3, area.width(), kAxis - 4);
    const TraceTime from = m_begin - m_run->begin();
    const Duration step = m_length / 10; // both ends as fine as that: they must differ
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     format::axisTime(std::max(from, TraceTime::zero()), step));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, format::axisTime(from + m_length, step));
    if (m_chosen) {
        const replay::Handoff& handoff = m_run->timeline().handoff(*m_chosen);
        const QString words =
            tr("release shown above, handed over in %1").arg(format::duration(handoff.latency()));
        painter.setPen(m_look->palette().wake);
        painter.drawText(line, Qt::AlignCenter, words);
    }
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

} // namespace lockscope::ui
