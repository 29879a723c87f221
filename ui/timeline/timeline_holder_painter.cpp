#include "ui/timeline/timeline_holder_painter.h"

#include <algorithm>
#include <vector>

namespace lockscope::ui {

namespace {
constexpr int kGapFrom = 4; // pixels
constexpr int kHairPitch = 4;
constexpr Qt::Alignment kLeft = Qt::AlignLeft | Qt::AlignVCenter;

// Several who held it one after the other are not one who held it all the time.
void drawHairs(QPainter& painter, const QRect& bar, const QRect& seen, const QColor& colour)
{
    const int first = bar.left() + (std::max(0, seen.left() - bar.left()) / kHairPitch + 1) * kHairPitch - 1;
    std::vector<QRect> hairs;
    for (int x = first; x < std::min(bar.right(), seen.right()); x += kHairPitch)
        hairs.emplace_back(x, bar.top(), 1, bar.height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRects(hairs.data(), static_cast<int>(hairs.size()));
}
} // namespace

void drawHolderGround(QPainter& painter, const Palette& palette, const TimelineLayout& layout)
{
    if (layout.holders.isEmpty())
        return;
    painter.fillRect(layout.holders, palette.panel);
    painter.setPen(palette.cardBorder);
    painter.drawLine(layout.holders.left(), layout.holders.bottom() + 1, layout.holders.right(),
                     layout.holders.bottom() + 1);
}

void drawHolders(QPainter& painter, const Look& look, const TimelinePicture& picture, EventIndex selected)
{
    const Palette& palette = look.palette();
    painter.setFont(look.fonts().small);
    painter.setPen(palette.textMuted);
    for (const TimelineHolderRow& row : picture.holderRows)
        look.texts().draw(painter, row.label, kLeft, row.name);
    if (picture.holders.empty())
        return;
    painter.save();
    painter.setClipRect(picture.layout.holders.intersected(picture.layout.columns()));
    for (const TimelineHolder& holder : picture.holders) {
        const QColor fill = holder.bar.lane.valid() ? palette.client(holder.colour) : palette.holds;
        // Not round: there may be hundreds, and round corners cost. A gap tells neighbours apart.
        painter.fillRect(holder.bar.rect.adjusted(0, 0, holder.bar.rect.width() > kGapFrom ? -1 : 0, 0),
                         fill);
        if (holder.bar.span.merged > 1) {
            drawHairs(painter, holder.bar.rect, picture.layout.columns(), palette.panel);
            painter.fillRect(holder.label, fill);
        }
        if (!holder.label.isEmpty()) {
            const QColor inks[] = {palette.text, palette.card};
            painter.setPen(contrast(inks[0], fill) > contrast(inks[1], fill) ? inks[0] : inks[1]);
            look.texts().draw(painter, holder.label, Qt::AlignCenter, holder.name);
        }
        if (selected.valid() && holder.bar.lane.valid() && holder.bar.span.beginEvent == selected) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(palette.text, 2));
            painter.drawRect(holder.bar.rect.adjusted(1, 1, -1, -1));
        }
    }
    painter.restore();
}

} // namespace lockscope::ui
