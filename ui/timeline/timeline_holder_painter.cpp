#include "ui/timeline/timeline_holder_painter.h"

#include "ui/timeline/timeline_holders.h"

#include <algorithm>
#include <vector>

namespace lockscope::ui {

namespace {
constexpr int kGapFrom = 4; // pixels
constexpr int kEdge = 150;  // percent
constexpr int kHairPitch = 4;

// Merged holds are drawn differently from one long hold.
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

QColor fillOf(const Palette& palette, const TimelineHolder& holder)
{
    return holder.bar.lane.valid() ? palette.client(holder.colour) : palette.holds;
}

void drawName(QPainter& painter, const Theme& theme, const TimelineHolder& holder)
{
    const Palette& palette = theme.palette();
    const QColor fill = fillOf(palette, holder);
    painter.setPen(contrast(palette.text, fill) > contrast(palette.card, fill) ? palette.text : palette.card);
    theme.texts().draw(painter, holder.label, Qt::AlignCenter, holder.name);
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

void drawHolders(QPainter& painter, const Theme& theme, const TimelinePicture& picture, EventIndex selected)
{
    const Palette& palette = theme.palette();
    painter.setFont(theme.fonts().small);
    painter.setPen(palette.textMuted);
    for (const TimelineHolderRow& row : picture.holderRows)
        theme.texts().draw(painter, row.label, Qt::AlignLeft | Qt::AlignVCenter, row.name);
    if (picture.holders.empty())
        return;
    painter.save();
    painter.setClipRect(picture.layout.holders.intersected(picture.layout.columns()));
    for (const TimelineHolder& holder : picture.holders) {
        const QColor fill = fillOf(palette, holder);
        // Without round corners, which are expensive for hundreds of bars. A gap separates adjacent bars,
        // because colors repeat.
        QRect bar = holder.bar.rect;
        if (bar.width() > kGapFrom) {
            painter.fillRect(bar.adjusted(bar.width() - kHolderGap, 0, 0, 0), palette.card);
            bar.adjust(0, 0, -kHolderGap, 0);
        }
        painter.fillRect(bar, fill);
        if (bar.width() > kGapFrom)
            painter.fillRect(QRect(bar.left(), bar.top(), 1, bar.height()), fill.darker(kEdge));
        if (holder.bar.span.merged > 1) {
            drawHairs(painter, holder.bar.rect, picture.layout.columns(), palette.panel);
            painter.fillRect(holder.label, fill);
        }
        if (!holder.label.isEmpty())
            drawName(painter, theme, holder);
        if (selected.valid() && holder.bar.lane.valid() && holder.bar.span.beginEvent == selected) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(palette.text, 2));
            painter.drawRect(holder.bar.rect.adjusted(1, 1, -1, -1));
        }
    }
    painter.restore();
}

void drawHoldersBefore(QPainter& painter, const Theme& theme, const TimelinePicture& picture,
                       const QRect& line)
{
    painter.setFont(theme.fonts().small);
    const QFontMetrics metrics(theme.fonts().small);
    for (const TimelineHolder& holder : picture.holders) {
        QRect words(0, 0, metrics.horizontalAdvance(holder.name) + 4, holder.label.height());
        words.moveCenter(holder.label.center());
        if (holder.label.isEmpty() || !words.intersects(line))
            continue;
        painter.fillRect(words, fillOf(theme.palette(), holder));
        drawName(painter, theme, holder);
    }
}

} // namespace lockscope::ui
