#include "ui/compare/compare_lanes_view.h"

#include "ui/models/format.h"
#include "ui/models/theme.h"
#include "ui/models/text_cache.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kMinNamedRowHeight = 12;
constexpr int kMinRowHeight = 2;
constexpr int kTickSpacing = 110;

} // namespace

CompareLanesView::CompareLanesView(ComparedRunPtr run, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_run(std::move(run))
    , m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(tr("Click to see the queue at a release; the left and right keys go from one to the next."));
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
    return tickStep(m_length, std::max(2, plot().width() / kTickSpacing));
}

// Counted from the start of the trace, as in every other view.
std::vector<TraceTime> CompareLanesView::ticks() const
{
    const Duration step = tickInterval();
    std::vector<TraceTime> at;
    for (auto tick = (m_begin.count() + step.count() - 1) / step.count() * step; tick < m_begin + m_length;
         tick += step) {
        at.emplace_back(tick);
    }
    return at;
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
