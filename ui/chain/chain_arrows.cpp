#include "ui/chain/chain_arrows.h"

#include "ui/texts/chain_text.h"
#include "ui/texts/watch_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace lockscope::ui::chain {

namespace {

constexpr std::size_t kMaxLongArrows = 200;
constexpr double kRing = 5; // from a box to the outside of its selection ring

const ChainNode& at(const ChainScene& scene, int box) { return scene.nodes[static_cast<std::size_t>(box)]; }

// Between neighbors: a straight arrow across the gap, level with the owner's name on a large box.
Arrow toNeighbour(const ChainScene& scene, int from, int to, double unit)
{
    const QRectF a = at(scene, from).rect, b = at(scene, to).rect;
    const bool overlapsRow = a.top() < b.bottom() && b.top() < a.bottom();
    if (!overlapsRow) {
        const bool up = b.center().y() < a.center().y();
        return straightArrow(from, to, ArrowKind::ahead, {a.center().x(), up ? a.top() : a.bottom()},
                             {b.center().x(), up ? b.bottom() : b.top()});
    }
    const bool left = b.center().x() < a.center().x();
    const double level = (a.center().y() + b.center().y()) / 2;
    const double y = level - (at(scene, from).as == Scale::large ? 13 * unit : 0);
    // A selected box has a ring around it.
    const double out = (left ? 1 : -1) * kRing * unit;
    const double ringA = at(scene, from).selected ? -out : 0, ringB = at(scene, to).selected ? out : 0;
    Arrow arrow = straightArrow(from, to, ArrowKind::ahead, {(left ? a.left() : a.right()) + ringA, y},
                                {(left ? b.right() : b.left()) + ringB, y});
    if (std::abs(arrow.begin.x() - arrow.end.x()) >= 43.9 * unit - kRing * unit) {
        arrow.label = ChainText::watchLabel();
        arrow.labelAt = {(arrow.begin.x() + arrow.end.x()) / 2, y - 11 * unit};
    }
    return arrow;
}

// Past other boxes: a bow below them.
Arrow bowed(const ChainScene& scene, int from, int to, double unit)
{
    const QRectF a = at(scene, from).rect, b = at(scene, to).rect;
    const double sag = std::min(26 * unit, 8 * unit + std::abs(a.center().x() - b.center().x()) * 0.06);
    Arrow arrow =
        straightArrow(from, to, ArrowKind::elsewhere, {a.center().x() - a.width() * 0.2, a.bottom()},
                      {b.center().x() + b.width() * 0.2, b.bottom()});
    arrow.bend1.ry() += sag;
    arrow.bend2.ry() += sag;
    return arrow;
}

// The watched node is not in the queue: a short arrow into the empty gap in front.
Arrow outside(const ChainScene& scene, int from, double unit)
{
    const ChainNode& box = at(scene, from);
    const bool toTheRight = from > 0 && at(scene, from - 1).rect.center().x() > box.rect.center().x() + 1;
    const double reach = (box.as == Scale::circles ? 10 : 15) * unit * (toTheRight ? 1 : -1);
    const QPointF begin(toTheRight ? box.rect.right() : box.rect.left(), box.rect.center().y());
    Arrow arrow = straightArrow(from, -1, ArrowKind::outside, begin, begin + QPointF(reach, 0));
    if (from > 0 && box.as == Scale::large) {
        arrow.label = ChainText::goneLabel();
        arrow.labelAt = arrow.end + QPointF(-4 * unit, -11 * unit);
    }
    return arrow;
}

// From box to box: rises in the lane above them.
void arcBetween(Wake& wake, const QRectF& from, const QRectF& to, double unit)
{
    const double rise = std::clamp(std::min(from.top(), to.top()) - 8 * unit, 0.0, 40 * unit);
    wake.begin = {from.center().x(), from.top() - 4 * unit};
    wake.end = {to.center().x(), to.top() - 2 * unit};
    wake.bend1 = wake.begin - QPointF(0, rise);
    wake.bend2 = wake.end - QPointF(0, rise);
}

// The approximate width of small text at a unit of 1; ideographs are as wide as they are high.
double roughWidth(const QString& text)
{
    return std::accumulate(text.begin(), text.end(), 0.0, [](double sum, QChar each) {
        return sum + (each.unicode() >= 0x2e80 ? 14.0 : 7.0);
    });
}

// The place of the deleted node is empty: a small label in front of the woken box names it.
void arcFromStub(Wake& wake, const ChainNode& woken, double left, double right, double unit)
{
    const double width = std::clamp(roughWidth(wake.stub) + 12, 92.0, 160.0) * unit;
    const double middle = woken.rect.center().x(), beside = 10 * unit;
    wake.stubRect = {std::max(left, woken.rect.left() - 24 * unit),
                     std::max(1 * unit, woken.rect.top() - 34 * unit), width, 18 * unit};
    if (woken.as == Scale::circles) { // from the side of the label: the two are too close for a bow
        const bool after = middle + beside + width <= right;
        wake.stubRect.moveLeft(after ? middle + beside : middle - beside - width);
        wake.begin = {after ? wake.stubRect.left() - 2 * unit : wake.stubRect.right() + 2 * unit,
                      wake.stubRect.center().y()};
        wake.end = {middle, woken.rect.top() - 2 * unit};
        wake.bend1 = wake.bend2 = {middle, wake.begin.y()};
        return;
    }
    if (wake.stubRect.right() + 18 * unit >
        woken.rect.right() - 4 * unit) { // the label is as wide as the box: straight down
        wake.begin = {std::clamp(middle, wake.stubRect.left(), wake.stubRect.right()),
                      wake.stubRect.bottom() + 1 * unit};
        wake.end = {wake.begin.x(), woken.rect.top() - 2 * unit};
        wake.bend1 = wake.begin;
        wake.bend2 = wake.begin;
        return;
    }
    wake.begin = {wake.stubRect.right() + 2 * unit, wake.stubRect.center().y()};
    wake.end = {std::max(woken.rect.center().x(), wake.begin.x() + 18 * unit), woken.rect.top() - 2 * unit};
    wake.end.setX(std::min(wake.end.x(), woken.rect.right() - 4 * unit));
    wake.bend1 = {(wake.begin.x() + wake.end.x()) / 2, wake.begin.y()};
    wake.bend2 = {wake.end.x(), wake.begin.y()};
}

int indexOf(const ChainScene& scene, const ChainNode* box)
{
    return box ? static_cast<int>(box - scene.nodes.data()) : -1;
}

// A short arrow into the gap below the node: the gap in front is for the arrow to the predecessor.
Arrow below(const ChainScene& scene, int from, double unit)
{
    const QRectF box = at(scene, from).rect;
    const QPointF begin(box.left() + box.width() * 0.3, box.bottom());
    const double reach = (at(scene, from).as == Scale::circles ? 10 : 18) * unit;
    return straightArrow(from, -1, ArrowKind::outside, begin, begin + QPointF(0, reach));
}

// Marks the arrows of watches that the clients believe in and the server does not have.
void markMissing(ChainScene& scene, const replay::RunState& state, const replay::LockRow& lock)
{
    for (const replay::BelievedWatch& watch : lock.watches.believed) {
        if (!watch.missing)
            continue;
        for (Arrow& arrow : scene.arrows) {
            const ChainNode& from = at(scene, arrow.from);
            if (from.owner != watch.client || from.place < 0 ||
                lock.queue[static_cast<std::size_t>(from.place)].watches != watch.key.node)
                continue;
            arrow.mark = WatchMark::missing;
            arrow.tip = watchDifference(state, watch.key, watch.client, replay::WatchVerdict::missing);
        }
    }
}

// An arrow for each watch that only the server has, from the node of a client with its session.
void addStrays(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock)
{
    std::size_t count = 0;
    for (const replay::ServerWatch& watch : lock.watches.served) {
        if (!watch.stray || ++count > kMaxLongArrows)
            continue;
        const auto owner =
            std::find_if(query.state->clients.begin(), query.state->clients.end(),
                         [&](const replay::ClientRow& row) { return row.sessionId == watch.key.session; });
        if (owner == query.state->clients.end())
            continue;
        const int from = indexOf(scene, scene.nodeOf(owner->id));
        const int to = indexOf(scene, scene.nodeOf(watch.key.node));
        if (from < 0 || from == to || at(scene, from).as == Scale::cells)
            continue;
        scene.arrows.push_back(to < 0 ? below(scene, from, query.unit) : bowed(scene, from, to, query.unit));
        Arrow& arrow = scene.arrows.back();
        arrow.mark = WatchMark::stray;
        arrow.tip = watchDifference(*query.state, watch.key, owner->id, replay::WatchVerdict::stray);
        if (to < 0 && at(scene, from).as != Scale::circles) {
            arrow.label = ChainText::strayLabel();
            arrow.labelAt = arrow.end + QPointF(26, -4) * query.unit;
        }
    }
}

// Reverses the arrows of woken clients: a wake-up runs from the deleted node to the client that watched it.
void turnWoken(ChainScene& scene, const ChainQuery& query)
{
    for (Arrow& arrow : scene.arrows) {
        if (arrow.to < 0 || arrow.mark != WatchMark::none || !query.wakes(at(scene, arrow.from).owner))
            continue;
        std::swap(arrow.from, arrow.to);
        std::swap(arrow.begin, arrow.end);
        std::swap(arrow.bend1, arrow.bend2);
        arrow.kind = ArrowKind::wakes;
        arrow.label.clear();
    }
    scene.wake.travel = 1; // no bead moves
}

// For a transaction log, which contains no watches: the node that the client watches according to its recipe.
// May be empty. A reader waits for writers only: Curator's watches the first one, kazoo's the nearest one.
replay::Text prescribedWatch(const replay::LockRow& lock, int place)
{
    const replay::NodeRow& own = lock.queue[static_cast<std::size_t>(place)];
    if (!lock.watched || !own.owner.valid() || own.phase != replay::NodePhase::waits)
        return {};
    if (own.reads && queue::watchesFirstWriter(queue::parse(own.name).library)) {
        const auto end = lock.queue.begin() + place;
        const auto writer =
            std::find_if(lock.queue.begin(), end, [](const replay::NodeRow& ahead) { return !ahead.reads; });
        return writer == end ? replay::Text() : writer->name;
    }
    while (--place >= 0) {
        const replay::NodeRow& ahead = lock.queue[static_cast<std::size_t>(place)];
        if (!own.reads || !ahead.reads) // a reader does not block a reader
            return ahead.name;
    }
    return {};
}

} // namespace

Arrow straightArrow(int from, int to, ArrowKind kind, QPointF begin, QPointF end)
{
    Arrow arrow;
    arrow.from = from;
    arrow.to = to;
    arrow.kind = kind;
    arrow.begin = arrow.bend1 = begin;
    arrow.end = arrow.bend2 = end;
    return arrow;
}

bool hasStray(const replay::LockRow& lock)
{
    return std::any_of(lock.watches.served.begin(), lock.watches.served.end(),
                       [](const replay::ServerWatch& watch) { return watch.stray; });
}

void addArrows(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock)
{
    std::unordered_map<std::string_view, int> byName; // made when the first arrow needs it
    std::size_t longOnes = 0;
    for (int i = 0; i < static_cast<int>(scene.nodes.size()); ++i) {
        const ChainNode& box = at(scene, i);
        if (box.place < 0)
            continue;
        const replay::Text prescribed = prescribedWatch(lock, box.place);
        const replay::Text watched =
            prescribed.empty() ? lock.queue[static_cast<std::size_t>(box.place)].watches : prescribed;
        const std::size_t before = scene.arrows.size();
        const auto mark = [&] {
            if (prescribed.empty() || scene.arrows.size() == before)
                return;
            scene.arrows.back().mark = WatchMark::prescribed;
            scene.arrows.back().tip = ChainText::prescribedWatch();
            scene.arrows.back().label.clear(); // no watch was recorded there
        };
        if (watched.empty() || watched == box.node) // a watch on its own node: a holder
            continue;
        const bool drawn = box.as != Scale::cells;
        if (i > 0 && at(scene, i - 1).node == watched) {
            if (drawn) // cells touch: their order shows it
                scene.arrows.push_back(toNeighbour(scene, i, i - 1, query.unit));
            mark();
            continue;
        }
        if (byName.empty())
            for (int k = 0; k < static_cast<int>(scene.nodes.size()); ++k)
                byName.emplace(at(scene, k).node, k);
        const auto found = byName.find(watched);
        if (found == byName.end()) {
            if (drawn)
                scene.arrows.push_back(outside(scene, i, query.unit));
        } else if (longOnes++ < kMaxLongArrows) {
            scene.arrows.push_back(bowed(scene, i, found->second, query.unit));
        }
        mark();
    }
    markMissing(scene, *query.state, lock);
    addStrays(scene, query, lock);
    if (query.woken)
        turnWoken(scene, query);
}

void addWake(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock)
{
    const replay::WakeUp& wake = lock.lastWakeUp;
    if (!wake.event.valid() || query.wakeAge < 0 || query.wakeAge >= 1)
        return;
    const ChainNode* woken = scene.nodeOf(wake.to);
    if (!woken || woken->as == Scale::cells)
        return;
    const double unit = query.unit, left = scene.outsideRect.left();
    Wake& out = scene.wake;
    beginWake(scene, query.wakeAge);
    out.text = ChainText::wake(*query.state, wake, query.wakeKind, query.explainsNext);

    const ChainNode* source = scene.nodeOf(wake.node);
    const QSizeF text(270 * unit, 18 * unit);
    QPointF corner;
    if (source && source != woken) {
        arcBetween(out, source->rect, woken->rect, unit);
        // Above the arc when the lane is high enough, else at its end; where that has no room, at its
        // beginning.
        const double top = std::min(out.bend1.y(), out.bend2.y()) + 10 * unit;
        corner = {out.begin.x() - 8 * unit, top - text.height() - 2 * unit};
        if (corner.y() < 1 * unit) {
            const auto [first, last] = std::minmax({out.begin.x(), out.end.x()});
            const double behind = last + 12 * unit, ahead = first - 12 * unit - text.width();
            const bool fits = behind + text.width() <= scene.queueArea.right() - 4 * unit || ahead < left;
            corner = {fits ? behind : ahead, std::max(1 * unit, top - 4 * unit)};
        }
    } else {
        out.stub = ChainText::goneStub(wake, query.wakeKind);
        arcFromStub(out, *woken, left, scene.queueArea.right(), unit);
        corner = {std::max(out.end.x(), out.stubRect.right()) + 12 * unit, out.stubRect.top()};
    }
    const double most = std::max(left, scene.queueArea.right() - text.width() - 4 * unit);
    // The text is elided rather than drawn over the stub.
    const double least = out.stub.isEmpty() ? left : out.stubRect.right() + 6 * unit;
    corner.setX(std::max(least, std::clamp(corner.x(), left, most)));
    out.textRect = QRectF(corner, text);
    out.textRect.setRight(
        std::max(corner.x(), std::min(out.textRect.right(), scene.queueArea.right() - 4 * unit)));
}

} // namespace lockscope::ui::chain
