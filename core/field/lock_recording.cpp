#include "core/field/lock_recording.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

namespace lockscope::field {

namespace {

using history::HistoryTraceBuilder;
using history::LockEvent;

constexpr std::size_t kDataRecorded = 128;
constexpr std::uint32_t kFirstPathNumber =
    0x8000'0000; // of paths that are not locks: no queue has such a number

std::int64_t monotonicNanoseconds()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(MonotonicClock::now().time_since_epoch())
        .count();
}

} // namespace

bool LockRecording::isChosen(std::uint32_t queue) const
{
    const auto place = m_places.find(queue);
    return place != m_places.end() && m_chosen.contains(place->second.lockPath);
}

void LockRecording::add(const LockEvent& event)
{
    Place& place = m_places[event.lock];
    if (place.lockPath != event.node.lockPath) // a queue may turn out to be a semaphore's acquire mutex
        place.lockPath = event.node.lockPath;
    if (place.parent.empty())
        place.parent = event.node.parent;
    Kept kept{event, std::string(event.node.name), std::string(event.node.data.substr(0, kDataRecorded)), 0};
    kept.event.node.acl = {};
    if (!m_kept.empty()) // ends are dated by our estimate of the servers' clock, creations by that clock
        kept.event.timeMs = std::max(kept.event.timeMs, m_kept.back().event.timeMs);
    m_kept.push_back(std::move(kept));
    ++place.kept;
    if (m_kept.size() > kMaxEvents) {
        const Kept& oldest = m_kept.front();
        if (const auto dropped = m_places.find(oldest.event.lock);
            oldest.gapFromMs == 0 && dropped != m_places.end())
            if (--dropped->second.kept == 0 && dropped->second.forgotten)
                m_places.erase(dropped);
        m_kept.pop_front();
        m_full = true;
    }
    if (m_run && isChosen(event.lock))
        notify(m_kept.back());
}

void LockRecording::forget(std::uint32_t lock)
{
    const auto place = m_places.find(lock);
    if (place == m_places.end())
        return;
    place->second.forgotten = true;
    if (place->second.kept == 0)
        m_places.erase(place);
}

void LockRecording::endTransaction()
{
    if (m_run)
        m_run->flush();
}

void LockRecording::takeAddresses(const std::map<SessionId, SessionFacts>& sessions)
{
    m_addresses.clear();
    for (const auto& [session, facts] : sessions)
        if (!facts.address.empty())
            m_addresses.emplace(session, facts.address);
    if (m_run)
        m_run->nameParticipants();
}

void LockRecording::outOfContact(std::int64_t ms)
{
    m_outOfContactMs = ms;
    if (m_run)
        m_run->addServer(trace::ServerPhase::down, m_server, ms);
}

void LockRecording::inContactAgain(std::int64_t fromMs, std::int64_t ms)
{
    m_outOfContactMs.reset();
    Kept gap;
    gap.event.timeMs = m_kept.empty() ? ms : std::max(ms, m_kept.back().event.timeMs);
    gap.gapFromMs = fromMs;
    m_kept.push_back(std::move(gap));
    if (m_run)
        notify(m_kept.back());
}

void LockRecording::notify(const Kept& kept)
{
    if (kept.gapFromMs != 0) {
        m_run->addGap(kept.gapFromMs, kept.event.timeMs);
        m_run->addServer(trace::ServerPhase::ready, m_server, kept.event.timeMs);
        return;
    }
    LockEvent event = kept.event;
    const Place& place = m_places[event.lock];
    event.node.lockPath = place.lockPath;
    event.node.parent = place.parent;
    event.node.name = kept.name;
    event.node.data = kept.data;
    m_run->add(event);
}

// Adds the nodes that are older than the kept events: those that the events mention without a creation, and
// those that still exist without being mentioned.
void LockRecording::addNodesBefore(const Source& source, std::int64_t beginMs)
{
    std::unordered_set<std::string> come; // node paths
    std::vector<Kept> before;
    const auto keyOf = [](const std::string& parent, const std::string& name) { return parent + '/' + name; };
    for (const Kept& kept : m_kept) {
        if (kept.gapFromMs != 0 || !isChosen(kept.event.lock))
            continue;
        if (come.insert(keyOf(m_places[kept.event.lock].parent, kept.name)).second &&
            kept.event.kind != LockEvent::Kind::queued)
            before.push_back(kept);
    }
    std::unordered_map<std::string, std::uint32_t> queues; // by parent path
    for (const auto& [queue, place] : m_places)
        if (m_chosen.contains(place.lockPath))
            queues.emplace(place.parent, queue);
    for (const LockStatus& row : source.rows)
        for (const Participant& one : row.participants) {
            const auto queue = queues.find(one.parent);
            if (queue == queues.end() || !come.insert(keyOf(one.parent, one.node)).second)
                continue;
            Kept kept;
            kept.name = one.node;
            kept.data = one.data;
            kept.event.lock = queue->second;
            kept.event.node.session = one.session;
            kept.event.node.created = one.created;
            kept.event.node.createdMs = one.createdMs;
            kept.event.node.entitled = one.holds;
            kept.event.node.entitledMs = one.heldSince ? one.heldSince->latestMs : beginMs;
            before.push_back(std::move(kept));
        }
    std::stable_sort(before.begin(), before.end(), [](const Kept& a, const Kept& b) {
        return a.event.node.created < b.event.node.created;
    });
    for (Kept& kept : before) {
        kept.event.timeMs = beginMs;
        kept.event.node.beforeLog = true;
        const bool held = kept.event.node.entitled && kept.event.kind != LockEvent::Kind::entitled &&
                          kept.event.node.entitledMs <= beginMs;
        kept.event.kind = LockEvent::Kind::queued;
        notify(kept);
        if (held) {
            kept.event.kind = LockEvent::Kind::entitled;
            notify(kept);
        }
    }
    m_run->flush();
}

std::shared_ptr<const trace::TraceStore> LockRecording::beginRun(const Source& source)
{
    endRun(source.nowMs);
    m_chosen = source.locks;
    m_server = source.server;
    std::int64_t beginMs = source.sinceMs;
    if (m_full)
        beginMs = std::max(beginMs, m_kept.front().event.timeMs);
    m_store = std::make_shared<trace::TraceStore>();
    m_store->setWrittenSessionNames(source.written);
    HistoryTraceBuilder::Options options;
    options.sessionIds = trace::SessionIds::real;
    options.liveSinceNanoseconds = monotonicNanoseconds() - (source.nowMs - beginMs) * 1'000'000;
    options.addressOf = [this](SessionId session) {
        const auto known = m_addresses.find(session);
        return known == m_addresses.end() ? std::string() : known->second;
    };
    options.scenario = "watch";
    options.title = "Locks of others, watched live";
    m_run = std::make_unique<HistoryTraceBuilder>(*m_store, std::move(options));
    m_run->addServer(trace::ServerPhase::ready, m_server, beginMs);
    if (source.rows.empty()) // the paths stand in for a lock
        for (std::uint32_t number = kFirstPathNumber; const PathStatus& path : source.paths)
            m_run->addLock(number++, path.path,
                           path.kind == PathStatus::Kind::there ? trace::PathKind::queue
                                                                : trace::PathKind::missing);
    addNodesBefore(source, beginMs);
    for (const Kept& kept : m_kept)
        if (kept.gapFromMs != 0 || isChosen(kept.event.lock))
            notify(kept);
    m_run->flush();
    if (m_outOfContactMs)
        m_run->addServer(trace::ServerPhase::down, m_server, *m_outOfContactMs);
    return m_store;
}

void LockRecording::endRun(std::int64_t nowMs)
{
    if (m_run)
        m_run->finish(nowMs);
    m_run.reset();
    m_store.reset();
}

} // namespace lockscope::field
