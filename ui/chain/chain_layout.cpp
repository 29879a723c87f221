#include "ui/chain/chain_layout.h"

#include "ui/chain/chain_arrows.h"
#include "ui/chain/chain_cycle.h"
#include "ui/chain/chain_places.h"
#include "ui/chain/chain_star.h"
#include "ui/models/run/short_names.h"
#include "ui/models/style/format.h"
#include "ui/texts/chain_text.h"
#include "ui/texts/client_status.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace lockscope::ui::chain {

using replay::ClientPhase;
using replay::ClientRow;
using replay::LockRow;
using replay::NodePhase;
using replay::NodeRow;
using replay::RunState;

namespace {

// The place of a sentence in the middle: away from the edges.
QRectF inset(const QRectF& room, double unit) { return room.adjusted(20 * unit, 0, -20 * unit, 0); }

constexpr int kNone = -1;

// How many clients can be in the queue at once. The scale depends on this number, not on the current queue.
std::size_t contenders(const RunState& state, LockId lock)
{
    return static_cast<std::size_t>(
        std::count_if(state.clients.begin(), state.clients.end(), [lock](const ClientRow& client) {
            return client.phase != ClientPhase::finished && client.phase != ClientPhase::removed &&
                   (client.lock == lock || !client.lock.valid());
        }));
}

int placeOf(const LockRow& lock, replay::Text node)
{
    const auto found = std::find_if(lock.queue.begin(), lock.queue.end(),
                                    [node](const NodeRow& row) { return row.name == node; });
    return found == lock.queue.end() ? kNone : static_cast<int>(found - lock.queue.begin());
}

// The place of a deleted node's placeholder ("ghost"): its old place in the queue, until the client that its
// deletion woke holds. kNone: there is no placeholder.
int ghostBefore(const ChainQuery& query, const LockRow& lock)
{
    const replay::WakeUp& wake = lock.lastWakeUp;
    const bool fresh = query.wakeAge >= 0 && query.wakeAge < 1 && wake.event.valid();
    if (!query.ghosts || !fresh || query.wakeKind != trace::WatchKind::deleted ||
        placeOf(lock, wake.node) != kNone)
        return kNone;
    const auto woken = std::find_if(lock.queue.begin(), lock.queue.end(),
                                    [&](const NodeRow& row) { return row.owner == wake.to; });
    if (woken == lock.queue.end() || woken->phase == NodePhase::holds)
        return kNone;
    const std::int64_t number = replay::watchKey(wake.node, SessionId::none()).sequence;
    const auto behind = std::find_if(lock.queue.begin(), lock.queue.end(),
                                     [number](const NodeRow& row) { return row.sequence > number; });
    return static_cast<int>(std::min(woken, behind) - lock.queue.begin());
}

// The text boxes below get one more line if no node becomes smaller for it. The test assumes that all clients
// are in the queue, with a deleted node's placeholder and the arrows of stray watches below the nodes.
ChainAreas areasOf(const ChainQuery& query, const LockRow& lock)
{
    constexpr std::size_t kMaxBoxes = 100; // no view has room for more
    const ChainAreas usual = areasFor(query.viewport, query.unit, query.boxes),
                     larger = areasFor(query.viewport, query.unit, query.boxes, 1);
    const std::size_t all = std::max({std::size_t{1}, lock.queue.size(), query.state->clients.size()});
    if (isStar(lock) || usual.explainBox.isNull() || all > kMaxBoxes)
        return usual;
    const auto placesIn = [&](ChainAreas rooms, std::size_t count, double below) {
        rooms.queueArea.setHeight(rooms.queueArea.height() - below);
        return placesFor(count, count, rooms, query.unit);
    };
    for (const std::size_t count : {all, all + 1})
        for (const double below : {0.0, kBelow * query.unit}) {
            const Places before = placesIn(usual, count, below), after = placesIn(larger, count, below);
            if (before.scale == Scale::cells || after.scale != before.scale ||
                after.rects.front().size() != before.rects.front().size())
                return usual;
        }
    return larger;
}

class Builder
{
public:
    Builder(const ChainQuery& query, const LockRow& lock)
        : m_query(query)
        , m_state(*query.state)
        , m_lock(lock)
        , m_rooms(areasOf(query, lock))
    {}

    ChainScene build()
    {
        m_scene.queueArea = m_rooms.queueArea;
        m_scene.explainBox = m_rooms.explainBox;
        m_scene.serverBox = m_rooms.serverBox;
        m_scene.contentHeight = m_rooms.queueArea.height();
        m_scene.outsideRect = m_rooms.outside;
        if (isStar(m_lock)) {
            addStar(m_scene, m_query, m_lock, m_rooms);
        } else {
            addNodes();
            addArrows(m_scene, m_query, m_lock);
            addWake(m_scene, m_query, m_lock);
        }
        addTexts();
        shortenNames();
        addCycle(m_scene, m_query);
        return std::move(m_scene);
    }

private:
    void addNodes();
    void addLegend();
    void addLabels();
    ChainNode makeGhost(const QRectF& rect, Scale as) const;
    void addTexts();
    void shortenNames();

    const ChainQuery& m_query;
    const RunState& m_state;
    const LockRow& m_lock;
    ChainAreas m_rooms;
    ChainScene m_scene;
};

// Of clients with names of several words, cards and circles have room for what tells them apart.
void Builder::shortenNames()
{
    std::optional<ShortNames> names;
    for (ChainNode& box : m_scene.nodes) {
        const ClientRow* owner = m_state.client(box.owner);
        const auto divides = [](QChar one) { return one == u' ' || one == u':' || one == u'.'; };
        if (!owner || std::ranges::none_of(box.ownerName, divides))
            continue;
        if (!names)
            names.emplace(m_state);
        box.ownerName = names->variantsOf(format::plain(owner->name));
    }
}

ChainNode Builder::makeGhost(const QRectF& rect, Scale as) const
{
    const replay::WakeUp& wake = m_lock.lastWakeUp;
    ChainNode box;
    box.rect = rect;
    box.as = as;
    box.node = wake.node;
    box.owner = wake.from;
    box.state = NodeState::gone;
    box.number = format::sequenceNumber(wake.node);
    box.nodeShort = format::nodeShort(wake.node);
    box.pill = ChainText::pill(NodeState::gone, false);
    if (const ClientRow* from = m_state.client(wake.from)) {
        box.ownerName = clientName(m_state, from->id);
        box.colour = from->colour;
    }
    return box;
}

void Builder::addNodes()
{
    ChainAreas rooms = m_rooms;
    if (hasStray(m_lock))
        rooms.queueArea.setHeight(rooms.queueArea.height() - kBelow * m_query.unit);
    const auto placesOf = [&](std::size_t count) {
        return placesFor(std::max(count, contenders(m_state, m_query.lock)), count, rooms, m_query.unit);
    };
    int ghost = ghostBefore(m_query, m_lock);
    std::size_t count = m_lock.queue.size();
    Places places = placesOf(count);
    if (ghost != kNone) {
        Places more = placesOf(count + 1);
        // The placeholder is omitted if it would make all nodes smaller.
        ghost = more.scale == places.scale ? ghost : kNone;
        if (ghost != kNone) {
            places = std::move(more);
            ++count;
        }
    }
    m_scene.scale = places.scale;
    if (places.scale == Scale::empty)
        return;
    m_scene.contentHeight = std::max(places.height, m_rooms.queueArea.height());
    m_scene.moreRect = places.more;
    if (places.scale == Scale::cells)
        m_scene.more =
            ChainText::more(count - places.leading, places.height <= m_rooms.queueArea.height() + 0.5);
    if (places.scale == Scale::cells && isReadWrite(m_lock.kind()))
        m_scene.more += QStringLiteral("   ") + ChainText::kindLegend();
    m_scene.nodes.reserve(count);
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Scale as = places.scale != Scale::cells ? places.scale
                         : i < places.leading         ? Scale::compact
                                                      : Scale::cells;
        if (static_cast<int>(i) == ghost) {
            m_scene.nodes.push_back(makeGhost(places.rects[i], as));
        } else {
            m_scene.nodes.push_back(nodeFor(m_query, m_lock, next++, places.rects[i], as));
        }
    }
    if (places.scale == Scale::cells)
        addLegend();
    if (places.scale == Scale::circles)
        addLabels();
}

// Puts the names below the circles, where the next row or the lower edge leaves room. Where the queue
// turns, the arrow between two rows is in the middle: the name stands beside it.
void Builder::addLabels()
{
    const double unit = m_query.unit, height = 13 * unit, above = 2 * unit, beside = 8 * unit,
                 wide = 40 * unit;
    std::vector<ChainNode>& nodes = m_scene.nodes;
    double gap = m_scene.queueArea.bottom() - nodes.back().rect.bottom();
    for (std::size_t i = 1; i < nodes.size(); ++i)
        if (nodes[i].rect.top() > nodes[i - 1].rect.top())
            gap = std::min(gap, nodes[i].rect.top() - nodes[i - 1].rect.bottom());
    if (gap < above + height)
        return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const QRectF& circle = nodes[i].rect;
        const bool turns = i + 1 < nodes.size() && nodes[i + 1].rect.top() > circle.top();
        const double left = circle.center().x() + (turns ? beside : -wide / 2);
        nodes[i].labelRect = {left, circle.bottom() + above, wide, height};
        nodes[i].labelAtLeft = turns;
    }
}

void Builder::addLegend()
{
    addCellLegend(m_scene);
    const ChainNode* named = nullptr;
    for (const ChainNode& box : m_scene.nodes)
        if (box.as == Scale::cells && box.place >= 0 && (box.pointed || (box.selected && !named)))
            named = &box;
    if (named)
        m_scene.named = ChainText::named(m_state, m_lock, *named);
}

void Builder::addTexts()
{
    m_scene.outside = ChainText::outside(m_state, m_lock, m_query.explainsNext);
    if (m_scene.scale == Scale::empty) {
        m_scene.empty = ChainText::empty(m_state, &m_lock, m_query.explainsNext);
        m_scene.emptyRect = inset(m_rooms.queueArea, m_query.unit);
    }

    std::vector<const ClientRow*> stale;
    for (const ClientRow& client : m_state.clients)
        if (client.isStale && (client.lock == m_query.lock || !client.lock.valid()))
            stale.push_back(&client);
    if (stale.empty())
        return;
    // The boxes are at the right of the line, apart from the queue; in a low view they take its place.
    const double unit = m_query.unit, gap = 12 * unit;
    const double more = stale.size() > 1 ? std::min(170 * unit, m_rooms.stale.width() * 0.35) : 0;
    QRectF rect = m_rooms.stale;
    rect.setWidth(std::min(rect.width() - (more > 0 ? more + gap : 0), 400 * unit));
    const double used = rect.width() + (more > 0 ? more + gap : 0);
    const double left = m_rooms.stale.width() - used - gap;
    if (left >= 140 * unit) {
        rect.moveLeft(m_rooms.stale.right() - used);
        m_scene.outsideRect.setWidth(left);
    } else {
        m_scene.outside.clear();
    }
    m_scene.stale.push_back(
        {rect, stale[0]->id, stale[0]->colour, ChainText::stale(m_state, *stale[0], m_query.now)});
    if (more > 0)
        m_scene.stale.push_back({{rect.right() + gap, rect.top(), more, rect.height()},
                                 stale[1]->id,
                                 stale[1]->colour,
                                 ChainText::staleMore(stale.size() - 1)});
}

} // namespace

ChainNode nodeFor(const ChainQuery& query, const LockRow& lock, std::size_t place, const QRectF& rect,
                  Scale as)
{
    const RunState& state = *query.state;
    const NodeRow& node = lock.queue[place];
    ChainNode box;
    box.rect = rect;
    box.as = as;
    box.place = static_cast<int>(place);
    box.node = node.name;
    box.key = node.createdBy;
    box.owner = node.owner;
    box.state = ChainText::stateOf(state, lock, node);
    if (query.wakes(node.owner) && box.state == NodeState::waits && as != Scale::circles)
        box.state = NodeState::woken; // for a circle, its arrow shows this
    box.next = query.next.valid() && node.owner == query.next;
    box.frozen = node.ownerFrozen;
    box.depth = node.phase == replay::NodePhase::holds ? node.depth : 0; // as in the table of the queue
    if (const ClientRow* owner = state.client(node.owner)) {
        box.colour = owner->colour;
        box.suspended = !box.frozen && owner->session == trace::SessionPhase::suspended;
        box.standing = owner->heldAt.has_value();
        box.inCycle = std::find(state.cycle.begin(), state.cycle.end(), owner->id) != state.cycle.end();
    }
    if (lock.watched && !node.owner.valid()) { // one color for all nodes of a session
        box.ownerless = !node.session.valid();
        box.colour = static_cast<std::uint16_t>(node.session.value & 0xff);
    }
    // A selected client's next node is selected with it: its old one is gone from the queue.
    box.selected = node.owner.valid() ? node.owner == query.selectedClient
                                      : node.name == query.selectedNode.toStdString();
    box.pointed = box.place == query.pointed;
    box.kind = ChainText::kind(lock, node);
    box.writes = !box.kind.isEmpty() && !node.reads;
    if (as == Scale::large || as == Scale::compact)
        ChainText::fill(box, state, lock, node, query.now);
    else if (as == Scale::circles && box.state != NodeState::foreign)
        box.ownerName = lock.watched && !node.owner.valid() ? QString() : clientName(state, node.owner);
    if (as == Scale::circles && node.hasPaddedNumber)
        box.number = format::sequenceNumber(node.name);
    return box;
}

// One entry for each kind of cell in the scene, in the order of the states.
void addCellLegend(ChainScene& scene)
{
    std::set<std::tuple<NodeState, bool, bool>> keys;
    for (const ChainNode& box : scene.nodes)
        if (box.as == Scale::cells)
            keys.insert({box.state, box.frozen, box.suspended});
    for (const auto& [state, frozen, suspended] : keys)
        scene.legend.push_back({state, frozen, suspended, ChainText::pill(state, frozen, suspended)});
}

void beginWake(ChainScene& scene, double age)
{
    constexpr double kArrives = 0.6;
    scene.wake.shown = true;
    scene.wake.travel = std::min(1.0, age / kArrives);
    scene.wake.opacity = age < kArrives ? 1.0 : (1.0 - age) / (1.0 - kArrives);
}

ChainScene layOutChain(const ChainQuery& query)
{
    const LockRow* lock = query.state->lock(query.lock);
    if (lock)
        return Builder(query, *lock).build();
    ChainScene scene;
    const ChainAreas rooms = areasFor(query.viewport, query.unit, query.boxes);
    scene.queueArea = rooms.queueArea;
    scene.contentHeight = rooms.queueArea.height();
    scene.empty = ChainText::empty(*query.state, nullptr);
    scene.emptyRect = inset(QRectF(QPointF(), query.viewport), query.unit);
    return scene;
}

} // namespace lockscope::ui::chain
