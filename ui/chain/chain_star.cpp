#include "ui/chain/chain_star.h"

#include "ui/chain/chain_arrows.h"
#include "ui/chain/chain_star_places.h"
#include "ui/models/style/format.h"
#include "ui/texts/chain_text.h"
#include "ui/texts/client_status.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui::chain {

namespace {

using replay::ClientRow;

constexpr std::size_t kMaxArrows = 200;
constexpr double kLettered = 20; // circles from this size on have a letter

// Where the straight line from outside to the middle of a box meets its edge.
QPointF edgeTowards(const QRectF& box, QPointF from)
{
    const QPointF along = from - box.center();
    const double scale =
        std::max(std::abs(along.x()) / (box.width() / 2), std::abs(along.y()) / (box.height() / 2));
    return scale <= 1 ? box.center() : box.center() + along / scale;
}

// Adds the nodes or clients around the middle, and their arrows. With nodes, there is one box for each node
// of the queue; without, one circle for each waiting client.
class StarBuilder
{
public:
    StarBuilder(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock, bool nodes)
        : m_scene(scene)
        , m_query(query)
        , m_state(*query.state)
        , m_lock(lock)
        , m_nodes(nodes)
        , m_waking(query.wakeAge >= 0 && query.wakeAge < 1)
    {}
    void build(const ChainAreas& rooms);

private:
    std::vector<const ClientRow*> participants() const;
    bool anyWaiter() const;
    void addMiddle(const QRectF& rect);
    void addNodes(const std::vector<const ClientRow*>& ring, const StarPlaces& places);
    void addWaiters(const std::vector<const ClientRow*>& ring, const StarPlaces& places);
    ChainNode waiterNode(const ClientRow& client, const QRectF& rect, Scale as) const;
    void addArrow(bool asleep, bool woken);
    void addBundle(const StarPlaces& places);
    void addWords();

    ChainScene& m_scene;
    const ChainQuery& m_query;
    const replay::RunState& m_state;
    const replay::LockRow& m_lock;
    const bool m_nodes;
    const bool m_waking;
    std::size_t m_asleep = 0, m_woken = 0;
};

std::vector<const ClientRow*> StarBuilder::participants() const
{
    std::vector<const ClientRow*> ring;
    for (const ClientRow& client : m_state.clients)
        if (client.phase != replay::ClientPhase::finished && client.phase != replay::ClientPhase::removed)
            ring.push_back(&client);
    return ring;
}

bool StarBuilder::anyWaiter() const
{
    return !m_lock.queue.empty() ||
           std::any_of(m_state.clients.begin(), m_state.clients.end(),
                       [&](const ClientRow& client) { return client.lock == m_lock.id && client.waits(); });
}

void StarBuilder::build(const ChainAreas& rooms)
{
    if (!anyWaiter())
        return; // the scene has a text for this
    const std::vector<const ClientRow*> ring = participants();
    const auto others = static_cast<std::size_t>(
        m_nodes ? std::count_if(m_lock.queue.begin(), m_lock.queue.end(),
                                [](const replay::NodeRow& node) { return !node.owner.valid(); })
                : 0);
    const StarPlaces places =
        starPlaces(m_query, rooms, std::max<std::size_t>(1, ring.size() + others), m_nodes);
    m_scene.star = true;
    m_scene.scale = places.scale;
    m_scene.contentHeight = places.height;
    addMiddle(places.middle);
    if (m_nodes)
        addNodes(ring, places);
    else
        addWaiters(ring, places);
    if (places.scale == Scale::cells) {
        addBundle(places);
        addCellLegend(m_scene);
    } else if (m_nodes && places.rects.front().width() < kLettered * m_query.unit) {
        m_scene.more = ChainText::shapeLegend();
        m_scene.moreRect = {m_scene.outsideRect.left(), m_scene.queueArea.bottom() - 22 * m_query.unit,
                            300 * m_query.unit, 18 * m_query.unit};
    }
    addWords();
}

void StarBuilder::addMiddle(const QRectF& rect)
{
    if (!m_nodes && !m_lock.queue.empty()) {
        m_scene.nodes.push_back(nodeFor(m_query, m_lock, 0, rect, Scale::compact));
        return;
    }
    ChainNode middle;
    middle.rect = rect;
    middle.as = Scale::compact;
    middle.state = m_nodes ? NodeState::parent : NodeState::gone;
    middle.node = m_nodes ? m_lock.path : m_lock.lastWakeUp.node;
    if (m_nodes)
        middle.number = lockLabel(m_state, m_lock.id);
    if (!m_nodes) // empty before a herd's first node was deleted
        middle.number = format::sequenceNumber(middle.node);
    middle.pill =
        m_nodes || !middle.node.empty() ? ChainText::pill(middle.state, false) : ChainText::noNodeYet();
    m_scene.nodes.push_back(std::move(middle));
}

void StarBuilder::addNodes(const std::vector<const ClientRow*>& ring, const StarPlaces& places)
{
    std::vector<std::size_t> placeOf(m_state.clients.size(), ring.size());
    for (std::size_t i = 0; i < ring.size(); ++i)
        placeOf[ring[i]->id.value] = i;
    std::size_t next = ring.size(); // for the nodes of other programs
    for (std::size_t i = 0; i < m_lock.queue.size(); ++i) {
        const replay::NodeRow& node = m_lock.queue[i];
        const ClientRow* owner = m_state.client(node.owner);
        std::size_t place = owner ? placeOf[owner->id.value] : ring.size();
        if (place >= ring.size())
            place = next++;
        if (place >= places.rects.size())
            continue;
        m_scene.nodes.push_back(nodeFor(m_query, m_lock, i, places.rects[place], places.scale));
        const replay::LockUse* one = owner ? owner->lockUse(m_lock.id, node.name) : nullptr;
        if (one)
            addArrow(one->asleep() && one->watchesList,
                     m_query.wakes(one->asleep() ? node.owner : ClientId::none()) ||
                         (m_waking && one->waits() && !one->asleep()));
    }
}

void StarBuilder::addWaiters(const std::vector<const ClientRow*>& ring, const StarPlaces& places)
{
    const ClientId holder = m_lock.queue.empty() ? ClientId::none() : m_lock.queue.front().owner;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const ClientRow& client = *ring[i];
        if (client.id == holder || client.lock != m_lock.id || !client.waits())
            continue;
        m_scene.nodes.push_back(waiterNode(client, places.rects[i], places.scale));
        if (i < places.labels.size())
            m_scene.nodes.back().labelRect = places.labels[i];
        addArrow(client.asleep(), m_query.wakes(client.id) || (m_waking && !client.asleep()));
    }
}

ChainNode StarBuilder::waiterNode(const ClientRow& client, const QRectF& rect, Scale as) const
{
    ChainNode box;
    box.rect = rect;
    box.as = as;
    box.owner = client.id;
    box.colour = client.colour;
    box.state = m_query.wakes(client.id) && as == Scale::cells ? NodeState::woken
                : client.asleep()                              ? NodeState::waits
                                                               : NodeState::joins;
    box.next = client.id == m_query.next;
    box.frozen = client.frozen;
    box.suspended = !box.frozen && client.session == trace::SessionPhase::suspended;
    box.standing = client.heldAt.has_value();
    box.selected = client.id == m_query.selectedClient;
    box.pill = ChainText::pill(box.state, box.frozen, box.suspended);
    if (rect.width() >= 20 * m_query.unit)
        box.ownerName = clientName(m_state, client.id);
    return box;
}

// Adds the arrow of the box that was added last.
void StarBuilder::addArrow(bool asleep, bool woken)
{
    if (!asleep && !woken)
        return;
    ++(woken ? m_woken : m_asleep);
    const int from = static_cast<int>(m_scene.nodes.size()) - 1;
    const ChainNode& own = m_scene.nodes.back();
    if (own.as == Scale::cells || m_scene.arrows.size() >= kMaxArrows)
        return;
    const QRectF node = m_scene.nodes.front().rect;
    const QPointF along = node.center() - own.rect.center();
    const double length = std::hypot(along.x(), along.y());
    const QPointF near = own.as == Scale::compact ? edgeTowards(own.rect, node.center())
                         : length > 0 ? own.rect.center() + along / length * (own.rect.width() / 2)
                                      : own.rect.center();
    const QPointF far = edgeTowards(node, own.rect.center());
    m_scene.arrows.push_back(woken ? straightArrow(0, from, ArrowKind::wakes, far, near)
                                   : straightArrow(from, 0, ArrowKind::elsewhere, near, far));
}

// Adds one arrow instead of too many to distinguish. It begins and ends at the middle.
void StarBuilder::addBundle(const StarPlaces& places)
{
    const QPointF foot(places.middle.center().x(), places.middle.bottom());
    const QPointF head(foot.x(), places.legend.top() + 2 * m_query.unit);
    const auto add = [&](bool woken, double aside, std::size_t count) {
        if (count == 0)
            return;
        const QPointF shift(aside * m_query.unit, 0);
        const QPointF middle = foot + shift, cells = head + shift;
        m_scene.arrows.push_back(woken ? straightArrow(0, 0, ArrowKind::wakes, middle, cells)
                                       : straightArrow(0, 0, ArrowKind::elsewhere, cells, middle));
    };
    add(false, -8, m_asleep);
    add(true, 8, m_woken);
    QStringList words;
    if (m_asleep > 0)
        words << ChainText::watching(m_asleep);
    if (m_nodes)
        words << ChainText::kindLegend();
    m_scene.more = words.join(QStringLiteral("   "));
    m_scene.moreRect = places.legend;
}

void StarBuilder::addWords()
{
    if (m_query.woken)
        m_scene.wake.travel = 1; // no bead moves
    if (!m_waking || !m_lock.lastWakeUp.event.valid())
        return;
    Wake& wake = m_scene.wake;
    beginWake(m_scene, m_query.wakeAge);
    wake.text = ChainText::wakeOfHerd(m_state, m_lock.lastWakeUp, m_query.wakeKind);
    wake.textRect = {m_scene.outsideRect.left(), 4 * m_query.unit, 320 * m_query.unit, 18 * m_query.unit};
}

} // namespace

bool isStar(const replay::LockRow& lock) { return isHerd(lock.kind()); }

void addStar(ChainScene& scene, const ChainQuery& query, const replay::LockRow& lock, const ChainAreas& rooms)
{
    StarBuilder(scene, query, lock, lock.kind() == Recipe::herdReadWrite).build(rooms);
}

} // namespace lockscope::ui::chain
