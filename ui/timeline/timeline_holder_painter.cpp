#include "ui/timeline/timeline_holder_painter.h"

namespace lockscope::ui {

namespace {
constexpr int kGapFrom = 4; // pixels
constexpr Qt::Alignment kLeft = Qt::AlignLeft | Qt::AlignVCenter;
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
        if (!holder.label.isEmpty()) {
            const QColor inks[] = {palette.text, palette.card};
            painter.setPen(contrast(inks[0], fill) > contrast(inks[1], fill) ? inks[0] : inks[1]);
            look.texts().draw(painter, holder.label, holder.bar.lane.valid() ? Qt::AlignCenter : kLeft,
                              holder.name);
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
