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

// Places on an ellipse around the middle, as far from each other along it: equal angles would crowd its flat ends.
// Too many for one round stand in two, the outer and an inner one in turn.
struct Ring
{
    std::vector<QPointF> places;
    QPointF middle;
    double size = 0;

    QRectF place(std::size_t i) const { return {places[i] - QPointF(size / 2, size / 2), QSizeF(size, size)}; }
};

constexpr int kSamples = 720;
constexpr double kInner = 0.76, kPart = 0.62; // of the outer round; of the pitch that a circle fills

Ring ringFor(const ChainQuery& query, const Rooms& rooms, std::size_t count)
{
    const double unit = query.unit;
    const QRectF area = rooms.queueArea.adjusted(kMargin * unit, 30 * unit, -kMargin * unit, -4 * unit);
    // As round as there is room.
    const double rx = (std::min(area.height() * 1.9, area.width()) - kCircle * unit) / 2;
    const double ry = (area.height() - kCircle * unit) / 2;
    const auto at = [&](int sample) {
        const double angle = 2 * std::numbers::pi * sample / kSamples - std::numbers::pi / 2;
        return QPointF(std::cos(angle) * rx, std::sin(angle) * ry);
    };
    std::vector<double> walked{0};
    for (int i = 1; i <= kSamples; ++i) {
        const QPointF step = at(i) - at(i - 1);
        walked.push_back(walked.back() + std::hypot(step.x(), step.y()));
    }
    const double pitch = walked.back() / static_cast<double>(std::max<std::size_t>(1, count));
    const bool two = pitch * kPart < kLeastCircle * 1.5 * unit;
    Ring ring;
    ring.middle = area.center();
    ring.size = std::min(kCircle * unit, pitch * kPart * (two ? 2 * kInner : 1));
    for (std::size_t i = 0; i < count; ++i) {
        const auto sample =
            std::lower_bound(walked.begin(), walked.end(), pitch * static_cast<double>(i)) - walked.begin();
        ring.places.push_back(ring.middle + at(static_cast<int>(sample)) * (two && i % 2 == 1 ? kInner : 1.0));
    }
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
