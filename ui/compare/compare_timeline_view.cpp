#include "ui/compare/compare_timeline_view.h"

#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"
#include "ui/texts/compare_words.h"
#include "ui/timeline/acquisition_order.h"
#include "ui/timeline/timeline_painter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockscope::ui {

namespace {
constexpr int kLowestLane = 3;        // pixels, so that fifty lanes are visible
constexpr std::size_t kAllLanes = 60; // of more, only the holders in the range are shown
} // namespace

CompareTimelineView::CompareTimelineView(ComparedRunPtr run, Theme* theme, QWidget* parent)
    : Canvas(theme, parent)
    , m_run(std::move(run))
{
    m_names.update(m_run->store(), m_run->timeline());
    for (const ComparedRun::Release& release : m_run->herds())
        m_herds.push_back({release.at, std::min(release.taken, m_run->end())});
    addCommand("compareTimeline.previousRelease", [this] { step(-1); });
    addCommand("compareTimeline.nextRelease", [this] { step(1); });
    addPageCommands();
    showRange(m_run->begin(), m_run->whole().took);
}

void CompareTimelineView::showRange(TraceTime begin, Duration length)
{
    m_begin = begin;
    m_length = std::max(length, Duration(1000));
    const replay::Timeline& timeline = m_run->timeline();
    LaneFilter holds;
    holds.state = LaneFilter::State::holds;
    m_rows = timeline.laneCount() <= kAllLanes
                 ? std::make_shared<const LaneRows>(timeline.laneCount())
                 : std::make_shared<const LaneRows>(
                       holds, timeline, m_names, m_begin, m_begin + m_length,
                       byAcquisition(m_run->holders(), timeline, m_run->whole().state, m_begin));
    showScroll({});
    invalidate();
    updateCaption();
}

void CompareTimelineView::choose(std::optional<std::size_t> handoff)
{
    m_chosen = handoff;
    update();
}

void CompareTimelineView::updateCaption()
{
    const std::size_t all = m_run->timeline().laneCount();
    const QString lanes = !m_rows->folded().empty()
                              ? tr("%1 of %2 lanes: the holders in this range")
                                    .arg(format::count(m_rows->shown().size()), format::count(all))
                              : tr("%Ln lanes", nullptr, static_cast<int>(all));
    setAccessibleDescription(lanes);
    setCaption(m_showsLength ? tr("%1 · %2 on both sides").arg(lanes, format::duration(m_length)) +
                                   kVariantSeparator + lanes
                             : lanes);
}

TimelineInput CompareTimelineView::input() const
{
    TimelineInput input;
    input.timeline = &m_run->timeline();
    input.store = &m_run->store();
    input.names = &m_names;
    input.begin = m_begin;
    input.length = m_length;
    input.runEnd = m_run->end();
    input.size = room().size();
    input.scroll = scrolled();
    input.text = theme()->fonts().text;
    input.small = theme()->fonts().small;
    input.rows = m_rows;
    input.holders = &m_run->holders();
    input.compactLanes = true;
    input.lowestLane = kLowestLane;
    input.legend = true;
    input.overview = false;
    input.watchOnly = replay::onlyWatches(m_run->whole().state);
    input.herds = &m_herds;
    input.marksEnd = true;
    return input;
}

int CompareTimelineView::namesWidth() const { return layoutOf(input()).labels.width(); }

const TimelinePicture& CompareTimelineView::picture()
{
    if (!isStale())
        return m_picture;
    TimelineInput now = input();
    now.labelWidth = std::max(namesWidth(), m_sibling ? m_sibling->namesWidth() : 0);
    m_picture = buildTimelinePicture(now);
    countBuild();
    const TimelineLayout& layout = m_picture.layout;
    showScroll({layout.scroll, layout.maxScroll(), layout.plot.height(), layout.laneHeight});
    return m_picture;
}

void CompareTimelineView::resizeEvent(QResizeEvent* event)
{
    Canvas::resizeEvent(event);
    if (m_sibling)
        m_sibling->invalidate(); // the width of its name column may have changed
}

// The latency of the chosen handoff, with the median of all to compare; shorter if necessary. Values as in
// the verdict.
QString CompareTimelineView::chosenText() const
{
    const auto value = [](Duration time) {
        return compare_words::value(replay::Measure::handoffP50, static_cast<double>(time.count()));
    };
    const QString took = value(m_run->timeline().handoff(*m_chosen).latency());
    const QString variants = (m_chosen == m_run->typicalHandoff() ? tr("typical release: %1 (median %2)")
                                                                  : tr("release shown above: %1 (median %2)"))
                                 .arg(took, value(m_run->median())) +
                             kVariantSeparator + tr("shown above: %1").arg(took) + kVariantSeparator +
                             tr("shown above");
    return theme()->texts().fitting(theme()->fonts().small, variants, room().width() / 2.0);
}

void CompareTimelineView::draw(QPainter& painter, const QRegion&)
{
    TimelineHighlights highlights;
    if (m_chosen) {
        highlights.cursor = m_run->timeline().handoff(*m_chosen).released;
        highlights.cursorLabel = chosenText();
        highlights.hoveredHandoff = m_chosen;
    }
    TimelinePainter(painter, *theme()).draw(picture(), highlights);
}

TimelineSource CompareTimelineView::source() const
{
    return {
        &m_run->timeline(), &m_run->holders(), {&m_run->store(), &m_names, m_run->end(), &m_run->timeline()}};
}

QString CompareTimelineView::tipAt(QPointF at)
{
    const QString tip = timelineTip(picture(), source(), hitTimeline(picture(), at.toPoint()), at.toPoint());
    return !tip.isEmpty() ? tip
                          : tr("Click to see the queue at a release. The left and right arrow keys go to the "
                               "previous and next one.");
}

std::vector<AccessibleItem> CompareTimelineView::accessibleItems()
{
    const auto actionOf = [this](const TimelineHit& hit, QPoint) -> std::function<void()> {
        if (hit.what != TimelineHit::What::arrow)
            return {};
        return [this, handoff = m_picture.arrows[hit.index].handoff] { emit handoffChosen(handoff); };
    };
    return timelineItems(picture(), source(), {}, actionOf);
}

// Chooses the handoff at this point, otherwise the one with the nearest release.
bool CompareTimelineView::selectAt(QPointF at)
{
    if (m_run->handoffs() == 0)
        return false;
    const TimelineHit hit = hitTimeline(picture(), at.toPoint());
    std::size_t chosen = hit.what == TimelineHit::What::arrow ? m_picture.arrows[hit.index].handoff : 0;
    if (hit.what != TimelineHit::What::arrow) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < m_run->handoffs(); ++i) {
            const double away = std::abs(m_picture.scale.xAt(m_run->timeline().handoff(i).released) - at.x());
            if (away < least) {
                least = away;
                chosen = i;
            }
        }
    }
    emit handoffChosen(chosen);
    return true;
}

void CompareTimelineView::step(int by)
{
    const auto last = static_cast<std::ptrdiff_t>(m_run->handoffs()) - 1;
    if (last >= 0)
        emit handoffChosen(static_cast<std::size_t>(
            std::clamp(static_cast<std::ptrdiff_t>(m_chosen.value_or(0)) + by, std::ptrdiff_t{0}, last)));
}

} // namespace lockscope::ui

#include "moc_compare_timeline_view.cpp"
