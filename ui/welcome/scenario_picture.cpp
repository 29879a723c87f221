#include "ui/welcome/scenario_picture.h"

#include "ui/models/style/palette.h"
#include "ui/welcome/picture_sketch.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockscope::ui {

namespace {

using Effect = PicturePlan::Effect;
using Shape = PicturePlan::Shape;
using Sketch = PictureSketch;

constexpr qreal kBox = Sketch::kBox;
constexpr qreal kArrowGap = 25;
constexpr qreal kClose = 8;
constexpr qreal kMoreWidth = 38; // for "+995"
constexpr qreal kLockSetWidth = 350;

QString moreText(std::uint32_t more) { return QStringLiteral("+%1").arg(more); }

// The geometry of a queue: holders stand close together, waiters have arrows.
struct QueueShape
{
    explicit QueueShape(const PicturePlan& plan)
        : holders(std::min<std::size_t>(std::max(plan.holders, 1U), plan.nodes.size()))
        , arrows(plan.shape != Shape::unlocked)
        , fenced(plan.fence != PicturePlan::Fence::hidden)
        , width(plan.more > 0 ? kMoreWidth : 0)
    {
        for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
            width += gapBefore(i) + kBox;
        }
    }
    qreal gapBefore(std::size_t i) const { return i == 0 ? 0 : i < holders || !arrows ? kClose : kArrowGap; }

    std::size_t holders;
    bool arrows;
    bool fenced;
    qreal width; // of the boxes
};

constexpr qreal kFence = 46; // to the left of the queue

// The stale token of the frozen holder reaches the resource if `open`, and is refused before it otherwise.
void fence(Sketch& sketch, QPointF first, bool open)
{
    const auto& palette = sketch.palette();
    const QPointF post = first + QPointF(-kFence / 2, 0);
    const qreal high = kBox / 2 + 4;
    const QColor colour = open ? palette.textFaint : palette.holds;
    if (open) {
        sketch.bar(post + QPointF(0, -high), post + QPointF(0, -8), colour);
        sketch.bar(post + QPointF(0, 8), post + QPointF(0, high), colour);
    } else {
        sketch.bar(post + QPointF(0, -high), post + QPointF(0, high), colour);
    }
    sketch.arrow(first + QPointF(-2, 0), post + QPointF(open ? -kFence / 2 + 2 : 3, 0), palette.stale);
}

void queue(Sketch& sketch, QPointF centre, const PicturePlan& plan)
{
    const QueueShape shape(plan);
    const qreal left = centre.x() - shape.width / 2 + (shape.fenced ? kFence / 2 : 0);
    qreal x = left;
    if (shape.fenced) {
        fence(sketch, {left, centre.y()}, plan.fence == PicturePlan::Fence::open);
    }
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        x += shape.gapBefore(i);
        if (shape.arrows && i >= shape.holders) {
            sketch.arrow({x, centre.y()}, {x - kArrowGap + 1, centre.y()}, sketch.palette().waits);
        }
        sketch.box({x + kBox / 2, centre.y()}, plan.nodes[i], i < shape.holders);
        x += kBox;
    }
    if (plan.more > 0) {
        sketch.text({x + 4, centre.y() - kBox / 2, kMoreWidth, kBox}, moreText(plan.more),
                    sketch.palette().textMuted);
    }
    if (plan.shape == Shape::leases) {
        const qreal width = static_cast<qreal>(shape.holders) * (kBox + kClose) - kClose;
        sketch.frame({left - 6, centre.y() - kBox / 2 - 6, width + 12, kBox + 12}, sketch.palette().holds,
                     Qt::SolidLine);
    }
}

// Every waiter watches the holder.
void star(Sketch& sketch, const QRectF& area, const PicturePlan& plan)
{
    const QPointF centre = area.center();
    const qreal high = area.height() / 2 - 9;
    const qreal wide = std::min(high * 1.75, area.width() / 2 - 12);
    const std::size_t around = plan.nodes.size() - 1;
    for (std::size_t i = 0; i < around; ++i) {
        const double angle =
            2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(around);
        const QPointF away(std::cos(angle) * wide, std::sin(angle) * high);
        const qreal length = std::hypot(away.x(), away.y());
        sketch.arrow(centre + away * ((length - 9) / length), centre + away * (30 / length),
                     sketch.palette().wake);
        sketch.dot(centre + away, plan.nodes[i + 1], 5);
    }
    sketch.box(centre, plan.nodes.front(), true);
}

// Two clients hold one lock together, and each waits for the other to release it.
void shared(Sketch& sketch, QPointF centre, const PicturePlan& plan)
{
    const auto& palette = sketch.palette();
    for (const double side : {-1.0, 1.0}) {
        const QPointF client = centre + QPointF(side * 70, 0);
        sketch.arrow(centre + QPointF(side * 18, -7), client + QPointF(side * -12, -7), palette.holds);
        sketch.arrow(client + QPointF(side * -12, 7), centre + QPointF(side * 18, 7), palette.waits);
        sketch.dot(client, side < 0 ? plan.nodes.front() : plan.nodes.back(), 8);
    }
    sketch.lock(centre, palette.text);
}

// Two clients, each of which holds one lock and waits for the other's.
void ring(Sketch& sketch, QPointF centre, const PicturePlan& plan)
{
    const QPointF left = centre + QPointF(-62, 0);
    const QPointF right = centre + QPointF(62, 0);
    const QPointF above = centre + QPointF(0, -25);
    const QPointF below = centre + QPointF(0, 25);
    const auto& palette = sketch.palette();
    sketch.arrow(left + QPointF(16, -8), above + QPointF(-12, 2), palette.holds);
    sketch.arrow(above + QPointF(12, 2), right + QPointF(-16, -8), palette.waits);
    sketch.arrow(right + QPointF(-16, 8), below + QPointF(12, -2), palette.holds);
    sketch.arrow(below + QPointF(-12, -2), left + QPointF(16, 8), palette.waits);
    sketch.lock(left, palette.text);
    sketch.lock(right, palette.text);
    sketch.dot(above, plan.nodes.front(), 8);
    sketch.dot(below, plan.nodes.back(), 8);
}

// Several locks that count as one, and the queue before them.
void lockSet(Sketch& sketch, QPointF centre, const PicturePlan& plan)
{
    const auto locks = static_cast<qreal>(std::min<std::uint32_t>(plan.locks, 3));
    PicturePlan waiting = plan;
    waiting.nodes.resize(std::min<std::size_t>(plan.nodes.size(), 3));
    waiting.more = plan.more + static_cast<std::uint32_t>(plan.nodes.size() - waiting.nodes.size());
    const qreal width = locks * 32 + 8;
    const QPointF first = centre + QPointF(-112, 0);
    sketch.frame({first.x() - width / 2, first.y() - 24, width, 48}, sketch.palette().holds, Qt::SolidLine);
    for (int i = 0; i < static_cast<int>(locks); ++i) {
        sketch.lock(first + QPointF((i - (locks - 1) / 2) * 32, 2), sketch.palette().holds);
    }
    queue(sketch, centre + QPointF(70, 0), waiting);
}

void servers(Sketch& sketch, const QRectF& area, const PicturePlan& plan)
{
    for (std::uint32_t i = 0; i < plan.servers; ++i) {
        const qreal along = (static_cast<qreal>(i) - (plan.servers - 1) / 2.0) * 42;
        sketch.server({area.center().x() + along, area.top() + 17}, i == 0 ? plan.server : Effect::none);
    }
}

} // namespace

void paintScenario(QPainter& painter, const QRectF& area, const PicturePlan& plan, const Palette& palette,
                   const QFont& font)
{
    if (plan.nodes.empty()) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    Sketch sketch(painter, palette, font);
    servers(sketch, area, plan);
    const QPointF middle = area.center() + QPointF(0, plan.servers > 0 ? 14 : 0);
    // A card may be narrower than its picture.
    const qreal wanted = (plan.shape == Shape::lockSet ? kLockSetWidth : QueueShape(plan).width) + 32 +
                         (plan.fence != PicturePlan::Fence::hidden ? kFence : 0);
    if (plan.shape != Shape::star && wanted > area.width()) {
        painter.translate(middle);
        painter.scale(area.width() / wanted, area.width() / wanted);
        painter.translate(-middle);
    }
    switch (plan.shape) {
    case Shape::star:
        star(sketch, area, plan);
        break;
    case Shape::ring:
        plan.locks == 1 ? shared(sketch, middle, plan) : ring(sketch, middle, plan);
        break;
    case Shape::lockSet:
        lockSet(sketch, middle, plan);
        break;
    case Shape::chain:
    case Shape::readers:
    case Shape::leases:
    case Shape::unlocked:
        queue(sketch, middle, plan);
        break;
    }
    painter.restore();
}

} // namespace lockscope::ui
