#include "ui/chain/chain_star.h"

#include "ui/chain/chain_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockscope::ui::chain {

namespace {

using replay::ClientRow;

constexpr double kCircle = 30, kLeastCircle = 8, kMiddleWidth = 138, kMiddleHeight = 60, kMargin = 26;
constexpr std::size_t kMostArrows = 200;

// Where the straight line from outside to the middle of a card meets its edge.
QPointF edgeTowards(const QRectF& card, QPointF from)
{
    const QPointF along = from - card.center();
    const double scale = std::max(std::abs(along.x()) / (card.width() / 2), std::abs(along.y()) / (card.height() / 2));
    return scale <= 1 ? card.center() : card.center() + along / scale;
}

// Places on an ellipse around the middle; more than fit in one round stand in two, the outer and an inner one.
struct Ring
{
    QPointF middle;
    double rx = 0, ry = 0, size = 0;
    std::size_t count = 0;

    QRectF place(std::size_t i) const
    {
        const bool inner = size < kCircle * 0.6 && i % 2 == 1;
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count) -
                             std::numbers::pi / 2;
        const double part = inner ? 0.8 : 1.0;
        const QPointF at = middle + QPointF(std::cos(angle) * rx * part, std::sin(angle) * ry * part);
        return {at.x() - size / 2, at.y() - size / 2, size, size};
    }
};

Ring ringFor(const ChainQuery& query, const Rooms& rooms, std::size_t count)
{
    const double unit = query.unit;
    QRectF area = rooms.queueArea.adjusted(kMargin * unit, 26 * unit, -kMargin * unit, -4 * unit);
    Ring ring;
    ring.count = std::max<std::size_t>(1, count);
    ring.middle = area.center();
    // As round as there is room: a flat ellipse crowds its ends.
    const double most = std::min(area.height() * 1.9, area.width());
    const double around = std::numbers::pi * (most + area.height()) / 2;
    ring.size = std::clamp(around / static_cast<double>(ring.count) * 0.72, kLeastCircle * unit, kCircle * unit);
    ring.rx = (most - ring.size) / 2;
    ring.ry = (area.height() - ring.size) / 2;
    return ring;
}

Card waiterCard(const ChainQuery& query, const ClientRow& client, const QRectF& rect)
{
    Card card;
    card.rect = rect;
    card.as = Scale::circles;
    card.owner = client.id;
    card.colour = client.colour;
    card.state = client.asleep() ? CardState::waits : CardState::joins;
    card.frozen = client.frozen;
    card.standing = client.heldAt.has_value();
    card.selected = client.id == query.selectedClient;
    card.pill = ChainText::pill(card.state, card.frozen);
    if (rect.width() >= 20 * query.unit)
        card.ownerName = ChainText::clientName(*query.state, client.id);
    return card;
}

void addStarArrow(ChainScene& scene, int from, QPointF middle, bool woken)
{
    const QRectF own = scene.cards[static_cast<std::size_t>(from)].rect;
    const QRectF node = scene.cards.front().rect;
    const QPointF along = middle - own.center();
    const double length = std::hypot(along.x(), along.y());
    const QPointF near = length > 0 ? own.center() + along / length * (own.width() / 2) : own.center();
    const QPointF far = edgeTowards(node, own.center());
    Arrow arrow{from, woken ? from : 0, woken ? ArrowKind::wakes : ArrowKind::elsewhere, {}, {}, {}, {}, {}, {}};
    arrow.begin = woken ? far : near;
    arrow.end = woken ? near : far;
    arrow.bend1 = arrow.begin;
    arrow.bend2 = arrow.end;
    scene.arrows.push_back(arrow);
}

} // namespace

bool isStar(const replay::LockRow& lock) { return lock.recipe == "herd"; }

void addStar(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock, const Rooms& rooms)
{
    const replay::RunState& state = *query.state;
    std::vector<const ClientRow*> ring;
    for (const ClientRow& client : state.clients)
        if (client.phase != replay::ClientPhase::finished && client.phase != replay::ClientPhase::removed)
            ring.push_back(&client);
    const bool anybody = !lock.queue.empty() || std::any_of(ring.begin(), ring.end(), [&](const ClientRow* client) {
        return client->lock == lock.id && client->waits();
    });
    if (!anybody)
        return; // the scene says that nobody is there
    scene.star = true;
    scene.scale = Scale::circles;
    const Ring places = ringFor(query, rooms, ring.size());
    const QSizeF size(kMiddleWidth * query.unit, kMiddleHeight * query.unit);
    const QRectF middle(places.middle - QPointF(size.width() / 2, size.height() / 2), size);
    if (!lock.queue.empty()) {
        scene.cards.push_back(cardFor(query, lock, 0, middle, Scale::compact));
    } else {
        Card gone;
        gone.rect = middle;
        gone.as = Scale::compact;
        gone.state = CardState::gone;
        gone.node = lock.lastWakeUp.node;
        gone.pill = ChainText::pill(CardState::gone, false);
        scene.cards.push_back(std::move(gone));
    }
    const bool waking = query.wakeAge >= 0 && query.wakeAge < 1;
    const ClientId holder = lock.queue.empty() ? ClientId::none() : lock.queue.front().owner;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const ClientRow& client = *ring[i];
        if (client.id == holder || client.lock != lock.id || !client.waits())
            continue;
        scene.cards.push_back(waiterCard(query, client, places.place(i)));
        const bool woken = waking && !client.asleep();
        if (scene.arrows.size() < kMostArrows && (client.asleep() || woken))
            addStarArrow(scene, static_cast<int>(scene.cards.size()) - 1, places.middle, woken);
    }
    if (waking && lock.lastWakeUp.event.valid()) {
        scene.wake.shown = true;
        scene.wake.opacity = query.wakeAge < 0.6 ? 1.0 : (1.0 - query.wakeAge) / 0.4;
        scene.wake.text = ChainText::wake(state, lock.lastWakeUp, query.wakeKind);
        scene.wake.textRect = {scene.outsideRect.left(), 4 * query.unit, 320 * query.unit, 18 * query.unit};
    }
}

} // namespace lockscope::ui::chain
