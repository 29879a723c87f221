// What of the ladder is under the mouse.
#include "ui/ladder/ladder_picture.h"

#include <QLineF>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr double kReach = 5; // pixels from an arrow that still hit it

double distance(QPointF at, QPointF from, QPointF to)
{
    const QPointF along = to - from;
    const double length = QPointF::dotProduct(along, along);
    const double share =
        length > 0 ? std::clamp(QPointF::dotProduct(at - from, along) / length, 0.0, 1.0) : 0;
    return QLineF(at, from + along * share).length();
}

} // namespace

LadderHit hitLadder(const LadderPicture& picture, QPointF at)
{
    using What = LadderHit::What;
    for (std::size_t i = 0; i < picture.heads.size(); ++i)
        if (picture.heads[i].rect.contains(at))
            return {What::head, i};
    if (!picture.plot.contains(at))
        return {};
    for (std::size_t i = 0; i < picture.boxes.size(); ++i)
        if (picture.boxes[i].rect.contains(at))
            return {What::box, i};
    double nearest = kReach;
    LadderHit hit;
    for (std::size_t i = 0; i < picture.arrows.size(); ++i) {
        const LadderArrow& arrow = picture.arrows[i];
        double away = distance(at, arrow.from, arrow.to);
        const QPointF shift(0, LadderPicture::kPairShift);
        if (arrow.second)
            away = std::min(away, distance(at, arrow.from + shift, arrow.to + shift));
        const QPointF half(arrow.labelWidth / 2, 0);
        if (!arrow.label.isEmpty() && distance(at, arrow.labelAt - half, arrow.labelAt + half) < 6)
            away = std::min(away, 1.0);
        if (away < nearest) {
            nearest = away;
            hit = {What::arrow, i};
        }
    }
    if (hit.what != What::nothing)
        return hit;
    for (std::size_t i = picture.bars.size(); i-- > 0;)
        if (picture.bars[i].rect.adjusted(-3, 0, 3, 0).contains(at))
            return {What::bar, i};
    if (picture.bracket && at.x() < picture.bracket->x + 8 && at.y() >= picture.bracket->ticks.front() - 4 &&
        at.y() <= picture.bracket->ticks.back() + 4)
        return {What::bracket, 0};
    return {};
}

} // namespace lockscope::ui
