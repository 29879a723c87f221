#include "core/history/lock_order.h"

#include <algorithm>
#include <utility>

namespace lockscope::history {

namespace {

constexpr std::size_t kMostSessions = 100'000;
constexpr std::size_t kMostWitnesses = 4; // of a pair, of different sessions or under different locks
// Nodes that end within this time may have ended with their session, in any order.
constexpr std::int64_t kEndedTogetherMs = 50;

} // namespace

void LockOrder::add(const LockEvent& event)
{
    const LockNode& node = event.node;
    if (!node.session.valid() || !isContender(node.role))
        return;
    if (event.kind == LockEvent::Kind::ended)
        return ended(event);
    if (m_withThreads.contains(node.session.value))
        return;
    if (event.kind == LockEvent::Kind::entitled) {
        if (const auto session = m_live.find(node.session.value); session != m_live.end())
            for (Node& one : session->second.nodes)
                if (one.queue == event.lock && one.name == node.name)
                    one.entitled = true;
        return;
    }
    if (event.kind != LockEvent::Kind::queued)
        return;
    Session& session = m_live[node.session.value];
    for (const auto& [inner, outer] : std::exchange(session.unsure, {}))
        nested(inner, outer, node.session);
    if (m_live.size() > kMostSessions) // of sessions that never came back
        std::erase_if(m_live,
                      [](const auto& one) { return one.second.nodes.empty() && !one.second.unsure.empty(); });
    std::vector<Node>& live = session.nodes;
    Node asked{std::string(node.lockPath),   std::string(node.name), event.lock, event.timeMs, event.zxid,
               node.role == NodeRole::reader};
    for (const Node& one : live) {
        if (one.lock == asked.lock)
            continue; // again, or in two roles
        if (node.beforeLog)
            continue; // its place in time is not known
        if (!one.entitled)
            return hasThreads(node.session); // who waits asks for nothing
        asked.held.push_back({one.lock, one.name, one.shared});
    }
    live.push_back(std::move(asked));
}

void LockOrder::ended(const LockEvent& event)
{
    const auto session = m_live.find(event.node.session.value);
    if (session == m_live.end())
        return;
    std::vector<Node>& live = session->second.nodes;
    const auto place = std::find_if(live.begin(), live.end(), [&](const Node& one) {
        return one.queue == event.lock && one.name == event.node.name;
    });
    if (place == live.end())
        return;
    const Node node = std::move(*place);
    live.erase(place);
    const bool bySession =
        event.reason == EndReason::sessionClosed || event.reason == EndReason::sessionExpired;
    const bool released = event.reason == EndReason::released && node.entitled;
    const bool crossed = node.outerReleasedMs != 0 && event.timeMs - node.outerReleasedMs > kEndedTogetherMs;
    if (released && !crossed)
        for (const Inside& outer : node.held)
            if (!outer.released) {
                if (event.zxid.value > 0) // of a log, which says that the session did it
                    nested(node, outer, event.node.session);
                else
                    session->second.unsure.emplace_back(node, outer);
            }
    for (Node& inner : live)
        for (Inside& outer : inner.held)
            if (outer.lock == node.lock && outer.node == node.name) {
                outer.released = true;
                if (!bySession && inner.entitled)
                    inner.outerReleasedMs = event.timeMs;
            }
    if (live.empty() && session->second.unsure.empty())
        m_live.erase(session);
    if (released && crossed)
        hasThreads(event.node.session);
}

void LockOrder::hasThreads(SessionId session)
{
    m_live.erase(session.value);
    if (m_withThreads.size() < kMostSessions)
        m_withThreads.insert(session.value);
    for (auto& [pair, witnesses] : m_pairs)
        std::erase_if(witnesses, [&](const Witness& one) { return one.taken.session == session; });
    std::erase_if(m_found, [&](const OrderInversion& found) {
        const bool ofThem = found.one.session == session || found.other.session == session;
        if (ofThem)
            m_inverted.erase(std::minmax(found.one.outer, found.one.inner));
        return ofThem;
    });
}

bool LockOrder::canBlock(const Witness& one, const Witness& other)
{
    if (one.taken.session == other.taken.session || (one.outerShared && other.innerShared) ||
        (one.innerShared && other.outerShared))
        return false;
    return std::none_of(one.gates.begin(), one.gates.end(),
                        [&](const std::string& gate) { return other.gates.contains(gate); });
}

void LockOrder::nested(const Node& inner, const Inside& outer, SessionId session)
{
    const Pair pair(outer.lock, inner.lock);
    if (m_pairs.size() >= kMostPairs && !m_pairs.contains(pair))
        return;
    Witness witness{{outer.lock, inner.lock, outer.node, inner.name, session, inner.askedMs, inner.zxid},
                    outer.shared,
                    inner.shared};
    for (const Inside& gate : inner.held)
        if (!gate.shared && !gate.released && gate.lock != outer.lock)
            witness.gates.insert(gate.lock);
    std::vector<Witness>& known = m_pairs[pair];
    const bool isNew = std::none_of(known.begin(), known.end(), [&](const Witness& one) {
        return one.taken.session == session && one.gates == witness.gates &&
               one.outerShared == witness.outerShared && one.innerShared == witness.innerShared;
    });
    if (!isNew || m_found.size() >= kMostFound)
        return;
    const Pair both = std::minmax(pair.first, pair.second);
    if (const auto reverse = m_pairs.find({pair.second, pair.first});
        reverse != m_pairs.end() && !m_inverted.contains(both))
        for (const Witness& other : reverse->second)
            if (canBlock(other, witness)) {
                m_inverted.insert(both);
                m_found.push_back({other.taken, witness.taken});
                ++m_foundEver;
                break;
            }
    if (known.size() >= kMostWitnesses)
        known.erase(known.begin());
    known.push_back(std::move(witness));
}

void LockOrder::addGap() { m_live.clear(); }

void LockOrder::resetCounts()
{
    m_pairs.clear();
    m_inverted.clear();
    m_found.clear();
}

} // namespace lockscope::history
