#include "ui/timeline/timeline_outages.h"

#include "ui/timeline/timeline_text.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr std::size_t kMaxOutages = 200; // in one picture
constexpr int kInset = 8;          // of the words, from the edge of the plot

// Where the beginning is out of sight its mark is, too: the words stand at the edge then.
QRect labelOf(const QRect& ground, const TimelinePicture& picture, const QFont& font)
{
    const QRect& band = picture.layout.band;
    if (ground.left() > picture.layout.plot.left())
        return {};
    const QFontMetrics metrics(font);
    const QRect label(picture.layout.plot.left() + kInset, band.top() + 4,
                      metrics.horizontalAdvance(TimelineText::outage()) + 2, metrics.height());
    const bool free = std::none_of(picture.marks.begin(), picture.marks.end(), [&](const TimelineMark& mark) {
        return mark.label.adjusted(-kInset, 0, kInset, 0).intersects(label);
    });
    return free && label.right() <= ground.right() ? label : QRect();
}

} // namespace

void addOutages(const TimelineInput& input, TimelinePicture& picture)
{
    std::vector<replay::Outage> outages;
    input.timeline->outages(picture.scale.begin(), picture.scale.end(), kMaxOutages, outages);
    picture.queriedSpans += outages.size();
    const QRect& plot = picture.layout.plot;
    for (const replay::Outage& outage : outages) {
        const auto [left, right] = barColumns(input, picture.scale, outage.begin, outage.end);
        const QRect ground = QRect(left, plot.top(), right - left, plot.height()).intersected(plot);
        if (!ground.isEmpty())
            picture.outages.push_back({ground, labelOf(ground, picture, input.small)});
    }
}

void drawOutages(QPainter& painter, const Theme& theme, const TimelinePicture& picture)
{
    const Palette& palette = theme.palette();
    painter.setFont(theme.fonts().small);
    for (const TimelineOutage& outage : picture.outages) {
        painter.fillRect(outage.ground, withAlpha(palette.textFaint, 28));
        painter.fillRect(outage.ground, QBrush(withAlpha(palette.textFaint, 80), Qt::BDiagPattern));
        painter.setPen(palette.staleText);
        theme.texts().draw(painter, outage.label, Qt::AlignLeft | Qt::AlignVCenter, TimelineText::outage());
    }
}

} // namespace lockscope::ui
