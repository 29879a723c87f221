#include "ui/timeline/timeline_annotations.h"

#include "ui/canvas/ticks.h"
#include "ui/models/style/format.h"
#include "ui/texts/timeline_text.h"

#include <QDateTime>
#include <QFontMetrics>
#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockscope::ui {

namespace {

constexpr std::size_t kMaxCandidates = 2048; // handoffs examined; of more, every 2nd, 4th, 8th ...
constexpr int kArrowSpacing = 12;            // pixels for each arrow, on average
constexpr std::size_t kMaxCondensed = 6;     // lines within kArrowSpacing pixels
constexpr double kMinHeadedLength = 5;       // pixels of an arrow; a shorter one is a line
constexpr int kTickSpacing = 90;
constexpr int kFlashRoom = 14;     // from the mark's line to its text
constexpr int kBeforeLine = 6;     // from text before the line to the line
constexpr int kMinLabelWidth = 60; // a narrower label is useless
constexpr int kLeastBracket = 3;   // pixels
constexpr int kBracketHeight = 5;
constexpr int kMarkGap = 8;      // between the texts of two marks
constexpr int kMarkWidth = 4;    // marks closer than this are drawn as one
constexpr int kLabelReach = 320; // a label may reach into view from a mark this far to the left

// Smallest power of two that brings `count` down to `most`. Taking indices that are multiples of it
// selects the same items while the picture glides.
std::size_t strideFor(std::size_t count, std::size_t most)
{
    std::size_t stride = 1;
    while (count / stride > most)
        stride *= 2;
    return stride;
}

std::size_t roundUp(std::size_t value, std::size_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

// Moves the invisible end of an arrow to the edge. The rest of the arrow is useful only if it leaves its
// lane.
bool cutAtPlot(QPointF& outside, const QPointF& inside, const TimelineLayout& layout)
{
    const double y = outside.y() < inside.y() ? layout.plot.top() : layout.plot.bottom() + 1;
    const double share = (y - inside.y()) / (outside.y() - inside.y());
    outside = {inside.x() + (outside.x() - inside.x()) * share, y};
    return std::abs(y - inside.y()) > layout.laneHeight;
}

// Whether the hold is drawn as part of a merged block.
bool isMerged(const TimelinePicture& picture, ClientId lane, double x)
{
    for (const TimelineBar& bar : picture.barsOf(lane))
        if (bar.span.merged > 1 && bar.span.kind == replay::SpanKind::holding && bar.rect.left() <= x &&
            x <= bar.rect.right() + 1)
            return true;
    return false;
}

bool arrowFor(const replay::Handoff& handoff, const TimelinePicture& picture, TimelineArrow& arrow)
{
    const TimelineLayout& layout = picture.layout;
    if (!handoff.from.valid() || !handoff.to.valid() || handoff.from == handoff.to)
        return false;
    const int fromRow = picture.rows->rowOf(handoff.from);
    const int toRow = picture.rows->rowOf(handoff.to);
    if (fromRow < 0 || toRow < 0 || fromRow == toRow)
        return false;
    const int from = layout.laneCentre(fromRow);
    const int centre = layout.laneCentre(toRow);
    const int edge = layout.holdHeight() / 2;
    const int to = from < centre ? centre - edge : centre + edge;
    // An arrow with both ends invisible concerns no visible lane.
    const auto outside = [&](int y) { return y < layout.plot.top() || y > layout.plot.bottom(); };
    if (outside(from) && outside(to))
        return false;
    arrow.from = QPointF(picture.scale.pixelAt(handoff.released), from);
    arrow.to = QPointF(picture.scale.pixelAt(handoff.acquired) + 1, to);
    arrow.head = QLineF(arrow.from, arrow.to).length() >= kMinHeadedLength;
    if (outside(from))
        return cutAtPlot(arrow.from, arrow.to, layout);
    arrow.head = arrow.head && !outside(to);
    return !outside(to) || cutAtPlot(arrow.to, arrow.from, layout);
}

// Lines for the handoffs without an arrow: one for each pair of lanes within a block of pixels. Blocks are
// counted from time zero, so that they stay the same while the picture glides.
class CondensedArrows
{
public:
    explicit CondensedArrows(TimelinePicture& picture)
        : m_picture(picture)
    {}
    void add(TimelineArrow arrow) // in the order of their heads
    {
        const auto block = static_cast<qint64>(
            std::floor((arrow.to.x() - m_picture.scale.left + m_picture.scale.firstPixel) / kArrowSpacing));
        if (block != m_block) {
            m_block = block;
            m_first = m_picture.condensed.size();
        }
        const auto begin = m_picture.condensed.begin() + static_cast<std::ptrdiff_t>(m_first);
        const bool known = std::any_of(begin, m_picture.condensed.end(), [&](const TimelineArrow& each) {
            return each.from.y() == arrow.from.y() && each.to.y() == arrow.to.y();
        });
        if (known || m_picture.condensed.size() - m_first >= kMaxCondensed)
            return;
        arrow.head = false;
        m_picture.condensed.push_back(arrow);
    }

private:
    TimelinePicture& m_picture;
    qint64 m_block = std::numeric_limits<qint64>::min();
    std::size_t m_first = 0; // of this block
};

void addArrows(const TimelineInput& input, TimelinePicture& picture)
{
    const replay::Timeline& timeline = *input.timeline;
    const std::size_t first = timeline.handoffsBefore(picture.scale.begin());
    // Includes the next handoff after those acquired in view: its arrow leaves at the right edge.
    const std::size_t last =
        std::min(timeline.handoffCount(), timeline.handoffsBefore(picture.scale.end()) + 1);
    const std::size_t stride = strideFor(last - first, kMaxCandidates);
    std::vector<TimelineArrow> candidates;
    for (std::size_t i = roundUp(first, stride); i < last; i += stride) {
        TimelineArrow arrow;
        ++picture.queriedSpans;
        if (!arrowFor(timeline.handoff(i), picture, arrow))
            continue;
        arrow.handoff = i;
        candidates.push_back(arrow);
    }
    const std::size_t most = static_cast<std::size_t>(std::max(8, picture.scale.width / kArrowSpacing));
    const std::size_t keep = stride * strideFor(candidates.size(), most);
    CondensedArrows condensed(picture);
    for (const TimelineArrow& arrow : candidates) {
        const replay::Handoff& handoff = timeline.handoff(arrow.handoff);
        const bool isShown = arrow.handoff % keep == 0 && !isMerged(picture, handoff.from, arrow.from.x()) &&
                             !isMerged(picture, handoff.to, arrow.to.x());
        if (isShown)
            picture.arrows.push_back(arrow);
        else
            condensed.add(arrow);
    }
}

// Of the marks that tell what the resource did, or of the others, where these leave room.
void placeLabels(std::vector<TimelineMark>& marks, bool ofResource, const QRect& band,
                 const QFontMetrics& metrics)
{
    int taken = band.left() - kLabelReach;
    for (TimelineMark& item : marks) {
        // Most marks of a whole run are closer: measuring a text is slow.
        if (item.mark.isOfResource() != ofResource || item.x - kBeforeLine <= taken)
            continue;
        const int textWidth = metrics.horizontalAdvance(item.text);
        QRect label(item.x + kFlashRoom, band.top() + 4, textWidth + 2, metrics.height());
        if (label.right() > band.right()) // no room at the right edge: the text goes before the line
            label.moveRight(item.x - kBeforeLine);
        if (item.x < band.left()) // out of view: its text stays in view while there is room
            label.setLeft(std::max(label.left(), band.left() + kFlashRoom));
        const bool isCut = label.width() < std::min(kMinLabelWidth, textWidth);
        const bool meets = std::ranges::any_of(marks, [&](const TimelineMark& other) {
            return other.label.intersects(label.adjusted(-kMarkGap, 0, kFlashRoom, 0));
        });
        if (label.left() > taken && !meets && !isCut &&
            (label.left() >= band.left() || label.left() > item.x)) {
            item.label = label;
            taken = std::max(label.right(), item.x + kFlashRoom) + kMarkGap;
        }
    }
}

void addMarks(const TimelineInput& input, TimelinePicture& picture, const QFontMetrics& metrics)
{
    std::vector<replay::Mark> marks;
    const auto most = static_cast<std::size_t>(std::max(16, picture.scale.width / 4));
    input.timeline->marks(picture.scale.timeAt(picture.scale.left - kLabelReach), picture.scale.end(), most,
                          marks);
    picture.queriedSpans += marks.size();
    std::vector<TimelineMark> items;
    for (const replay::Mark& mark : marks) {
        TimelineMark item{picture.scale.pixelAt(mark.at), {}, TimelineText::mark(mark, *input.names), mark};
        // An immediate consequence of a mark, such as the end of its session, is at the same place: one line
        // suffices. What the resource did says more than its cause.
        if (items.empty() || item.x - items.back().x >= kMarkWidth)
            items.push_back(item);
        else if (mark.isOfResource() && !items.back().mark.isOfResource())
            items.back() = item;
    }
    placeLabels(items, true, picture.layout.band, metrics);
    placeLabels(items, false, picture.layout.band, metrics);
    for (const TimelineMark& item : items)
        if (item.x >= picture.scale.left || !item.label.isEmpty())
            picture.marks.push_back(item);
}

Duration offsetFromUtc(format::WallTime zero)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(zero.time_since_epoch()).count();
    return std::chrono::seconds(QDateTime::fromSecsSinceEpoch(seconds).offsetFromUtc());
}

QString dateOf(TraceTime at, format::WallTime zero)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>((zero + at).time_since_epoch()).count();
    return QDateTime::fromSecsSinceEpoch(seconds).toString(QStringLiteral("yyyy-MM-dd"));
}

void addTicks(const TimelineInput& input, TimelinePicture& picture, const QFontMetrics& metrics)
{
    const auto& zero = input.wallZero;
    const int wallSpacing = zero ? metrics.horizontalAdvance(QStringLiteral("00:00:00.000")) + 20 : 0;
    const Duration step = zero ? wallTickStep(picture.scale, std::max(kTickSpacing, wallSpacing))
                               : niceTickStep(picture.scale, kTickSpacing);
    const Duration offset = zero ? offsetFromUtc(*zero) : Duration{}; // local hours and days begin there
    QString day;
    const QRect& axis = picture.layout.axis;
    int taken = std::max(axis.left(), picture.uncertainty.label.right());
    for (const TraceTime at : ticksWithin(picture.scale.begin(), picture.scale.end(), step,
                                          zero ? zero->time_since_epoch() + offset : Duration{})) {
        TimelineTick tick{picture.scale.pixelAt(at),
                          {},
                          zero ? format::axisWallTime(at, step, *zero) : format::axisTime(at, step)};
        if (const QString date = zero && step >= std::chrono::seconds(1) ? dateOf(at, *zero) : QString();
            date != day) {
            tick.text = step >= std::chrono::hours(24) ? date : date + u' ' + tick.text;
            day = date;
        }
        const int width = metrics.horizontalAdvance(tick.text) + 2;
        const QRect label(tick.x - width / 2, axis.top() + (axis.height() - metrics.height()) / 2, width,
                          metrics.height());
        if (label.left() > taken && label.right() <= axis.right()) {
            tick.label = label;
            taken = label.right() + 12;
        }
        picture.ticks.push_back(tick);
    }
}

// Before the ticks: the axis has room for it below the names of the lanes.
void addUncertainty(const TimelineInput& input, TimelinePicture& picture, const QFontMetrics& metrics)
{
    const MergedClocks& clocks = input.names->clocks();
    if (clocks.traces.empty())
        return;
    const TimelineLayout& layout = picture.layout;
    picture.uncertainty.text = TimelineText::uncertainty(clocks.certainAfter);
    picture.uncertainty.label =
        QRect(TimelineLayout::kDotLeft, layout.axis.top() + (layout.axis.height() - metrics.height()) / 2,
              metrics.horizontalAdvance(picture.uncertainty.text) + 2, metrics.height());
    const int wide = static_cast<int>(std::min<double>(
        layout.plot.width(), static_cast<double>(clocks.certainAfter / picture.scale.resolution())));
    if (wide >= kLeastBracket)
        picture.uncertainty.bracket = QRect(layout.plot.left(), layout.axis.top(), wide, kBracketHeight);
}

constexpr int kFlagWidth = 14;      // a flag without its text
constexpr int kFlagWordsInset = 12; // from the moment to the text
constexpr int kApart = 4;           // flags closer than this are drawn as one

constexpr std::size_t kMaxGrounds = 200; // in one picture
constexpr int kInset = 8;                // from the edge of the plot to the text

// The label of a ground, where it begins or at the edge of the view.
QRect labelOf(const QRect& ground, const QString& text, const TimelinePicture& picture, const QFont& font)
{
    const QFontMetrics metrics(font);
    const QRect label(ground.left() + kInset, picture.layout.band.top() + 4,
                      metrics.horizontalAdvance(text) + 2, metrics.height());
    const bool free = std::ranges::none_of(picture.marks, [&](const TimelineMark& mark) {
        return mark.label.adjusted(-kInset, 0, kInset, 0).intersects(label);
    });
    return free && label.right() <= ground.right() ? label : QRect();
}

// A flag for each visible bookmark; its text ends before the next flag.
void addFlags(const TimelineInput& input, TimelinePicture& picture)
{
    if (!input.notes)
        return;
    const QFontMetrics metrics(input.small);
    const QRect& row = picture.layout.flags;
    const TraceTime begin = picture.scale.timeAt(picture.scale.left - kLabelReach);
    const auto first = std::ranges::lower_bound(*input.notes, begin, {}, &Bookmark::at);
    for (auto note = first; note != input.notes->end() && note->at <= picture.scale.end(); ++note) {
        const int x = std::min(picture.scale.pixelAt(note->at), row.right());
        if (!picture.flags.empty()) {
            if (x - picture.flags.back().x < kApart)
                continue; // drawn as one: zooming in separates them
            if (picture.flags.back().rect.right() > x - 4)
                picture.flags.back().rect.setRight(x - 4);
        }
        const int width = note->text.isEmpty() ? 0 : metrics.horizontalAdvance(note->text) + 4;
        QRect rect(x, row.top(), std::min(kFlagWidth + width, kLabelReach), row.height());
        const bool isLeft = x + kFlagWidth > row.right();
        if (isLeft) {
            rect.moveRight(x);
            if (!picture.flags.empty()) {
                TimelineFlag& before = picture.flags.back();
                rect.setLeft(std::max(rect.left(), std::min(x - kFlagWidth, before.x + kFlagWidth)));
                before.rect.setRight(std::min(before.rect.right(), rect.left() - 4));
            }
        }
        picture.flags.push_back(
            {x, rect, isLeft, note->text, static_cast<std::size_t>(note - input.notes->begin())});
    }
    for (TimelineFlag& flag : picture.flags) {
        flag.rect.setRight(std::min(flag.rect.right(), row.right()));
        // The text of a flag that is out of view stays in view.
        flag.rect.setLeft(std::max(flag.rect.left(), row.left() + kInset - kFlagWordsInset));
        flag.text = flag.rect.width() > kFlagWidth + 12
                        ? metrics.elidedText(flag.text, Qt::ElideRight, flag.rect.width() - kFlagWidth)
                        : QString();
    }
    std::erase_if(picture.flags, [&](const TimelineFlag& flag) {
        return flag.rect.right() < row.left() || (flag.x + kFlagWidth < row.left() && flag.text.isEmpty());
    });
}

void addMatches(const TimelineInput& input, TimelinePicture& picture)
{
    if (!input.search || !input.search->active())
        return;
    const EventSearch& search = *input.search;
    for (std::size_t i = search.firstAt(picture.scale.begin()); i < search.count();) {
        const int x = picture.scale.pixelAt(search.timeOf(i));
        if (x >= picture.scale.right())
            return;
        if (picture.matches.empty() || picture.matches.back() < x)
            picture.matches.push_back(x);
        i = std::max(i + 1, search.firstAt(picture.scale.timeAt(x + 1)));
    }
}

void addGrounds(const TimelineInput& input, TimelinePicture& picture)
{
    const QRect& plot = picture.layout.plot;
    std::vector<replay::Stretch> found;
    const auto add = [&](const QString& text, bool isMarked, std::vector<TimelineGround>& out) {
        picture.queriedSpans += found.size();
        for (const replay::Stretch& each : found) {
            const auto [left, right] = barColumns(input, picture.scale, each.begin, each.end);
            const QRect ground = QRect(left, plot.top(), right - left, plot.height()).intersected(plot);
            const bool said = isMarked && ground.left() > plot.left();
            if (!ground.isEmpty())
                out.push_back({ground, said ? QRect() : labelOf(ground, text, picture, input.small), each});
        }
        found.clear();
    };
    input.timeline->outages(picture.scale.begin(), picture.scale.end(), kMaxGrounds, found);
    add(TimelineText::outage(), true, picture.outages);
    input.timeline->pauses(picture.scale.begin(), picture.scale.end(), kMaxGrounds, found);
    add(TimelineText::paused(), false, picture.pauses);
}

void addHerds(const TimelineInput& input, TimelinePicture& picture)
{
    const QRect& plot = picture.layout.plot;
    if (input.herds)
        for (const TimelineStretch& herd : *input.herds) {
            const auto [left, right] = barColumns(input, picture.scale, herd.begin, herd.end);
            const QRect ground = QRect(left, plot.top(), std::max(1, right - left), plot.height()) & plot;
            if (!ground.isEmpty() && (picture.herds.empty() || picture.herds.back() != ground))
                picture.herds.push_back(ground);
        }
    if (input.marksEnd)
        picture.ended = plot & plot.translated(picture.endX - plot.left(), 0);
}

} // namespace

QRect markLabel(const TimelinePicture& picture, std::size_t mark, const QRect& pill)
{
    const TimelineMark& item = picture.marks[mark];
    const auto meets = [](const QRect& label, const QRect& other) {
        return label.adjusted(-kFlashRoom, 0, kBeforeLine, 0).intersects(other);
    };
    if (item.label.isEmpty() || !meets(item.label, pill))
        return item.label;
    QRect before = item.label;
    const bool covered = pill.left() <= item.x && item.x <= pill.right();
    before.moveRight(covered ? pill.left() - kFlashRoom : item.x - kBeforeLine);
    const bool free = before.left() - kFlashRoom >= picture.layout.band.left() && !meets(before, pill) &&
                      std::ranges::none_of(picture.marks, [&](const TimelineMark& other) {
                          return &other != &item && !other.label.isEmpty() && meets(before, other.label);
                      });
    if (free)
        return before;
    QRect cut = item.label;
    cut.setRight(pill.left() - kFlashRoom / 2);
    return item.x < item.label.left() && cut.width() >= kMinLabelWidth ? cut : QRect();
}

void addAnnotations(const TimelineInput& input, TimelinePicture& picture)
{
    const QFontMetrics metrics(input.small);
    addUncertainty(input, picture, metrics);
    addTicks(input, picture, metrics);
    addArrows(input, picture);
    addMarks(input, picture, metrics);
    addGrounds(input, picture);
    addHerds(input, picture);
    addFlags(input, picture);
    addMatches(input, picture);
}

} // namespace lockscope::ui
