#include "ui/ladder/ladder_clipping.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr double kMinVisibleLength = 40; // pixels of an arrow that began above
}

QRectF labelBounds(const LadderArrow& arrow, const QFont& mono)
{
    const double half = QFontMetricsF(mono).height() / 2 - 1.5; // as drawn
    const double turned = arrow.angle * M_PI / 180, along = std::cos(turned), up = std::abs(std::sin(turned));
    const QPointF corner(along * arrow.labelWidth / 2 + up * half, up * arrow.labelWidth / 2 + along * half);
    return {arrow.labelAt - corner, arrow.labelAt + corner};
}

void clipToView(LadderPicture& picture, const QFont& mono)
{
    const double top = picture.plot.top(), bottom = picture.plot.bottom();
    const auto outside = [&](double from, double to) { return to < top || from > bottom; };
    const auto cut = [&](const QRectF& rect) { return rect.top() < top || rect.bottom() > bottom; };
    std::erase_if(picture.arrows, [&](const LadderArrow& arrow) {
        return outside(std::min(arrow.from.y(), arrow.to.y()), std::max(arrow.from.y(), arrow.to.y()));
    });
    for (LadderArrow& arrow : picture.arrows)
        if (cut(labelBounds(arrow, mono)))
            arrow.label.clear();
    // The end of an arrow without its words says nothing.
    std::erase_if(picture.arrows, [&](const LadderArrow& arrow) {
        return arrow.label.isEmpty() && arrow.from.y() < top && arrow.to.y() < top + kMinVisibleLength;
    });
    std::erase_if(picture.bars,
                  [&](const LadderBar& bar) { return outside(bar.rect.top(), bar.rect.bottom()); });
    for (LadderBar& bar : picture.bars)
        if (cut(bar.label))
            bar.label = {};
    std::erase_if(picture.boxes, [&](const LadderBox& box) { return cut(box.rect); });
    std::erase_if(picture.folds, [&](const LadderFold& fold) { return cut(fold.band); });
    if (picture.bracket && outside(picture.bracket->ticks.front(), picture.bracket->ticks.back()))
        picture.bracket.reset();
}

} // namespace lockscope::ui
