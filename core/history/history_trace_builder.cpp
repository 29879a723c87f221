#include "core/history/history_trace_builder.h"

#include "core/base/jute.h"
#include "core/base/numbers.h"
#include "core/history/history.h"
#include "core/queue/scheme.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace lockscope::history {

namespace {

constexpr std::size_t kMaxParticipants = 65'000;
constexpr std::size_t kMaxAclEntries = 8;
constexpr std::size_t kMinAclEntryBytes = 12;

// "world:cdrwa", "digest:r,world:cd": schemes and permissions. The ids are kept out of the trace.
std::string formatAcl(std::string_view acl)
{
    constexpr std::array<std::pair<int, char>, 5> kPermissions = {
        {{4, 'c'}, {8, 'd'}, {1, 'r'}, {2, 'w'}, {16, 'a'}}};
    jute::Reader in(acl);
    std::string words;
    std::size_t left = std::min(in.count(kMinAclEntryBytes), kMaxAclEntries);
    for (; left > 0 && in.ok(); --left) {
        const std::int32_t permissions = in.int32();
        const std::string_view scheme = in.buffer();
        in.buffer();
        if (!in.ok() || scheme.find_first_of(" =,") != std::string_view::npos)
            break;
        words += words.empty() ? "" : ",";
        words.append(scheme.substr(0, 40)) += ':';
        for (const auto& [bit, letter] : kPermissions)
            if (permissions & bit)
                words += letter;
    }
    return words;
}

trace::CommandVerb verbOf(EndReason reason)
{
    switch (reason) {
    case EndReason::sessionClosed:
        return trace::CommandVerb::sessionClosed;
    case EndReason::sessionExpired:
        return trace::CommandVerb::sessionExpired;
    case EndReason::deletedByOther:
        return trace::CommandVerb::deletedByOther;
    case EndReason::released:
    case EndReason::gaveUp:
    case EndReason::left:
        return trace::CommandVerb::remove;
    case EndReason::unknown:
        break;
    }
    return trace::CommandVerb::unknown;
}

// kazoo writes the identifier that its user chose, which may be any text.
std::string identityIn(const LockNode& node)
{
    constexpr std::size_t kShown = 60;
    std::string identity = identityOf(node.data);
    if (identity.empty() && queue::parse(node.name).library == queue::Library::kazoo)
        identity = node.data.substr(0, kShown);
    return identity;
}

} // namespace

EventIndex HistoryTraceBuilder::append(LockId lock, trace::Payload what, ClientId client, EventIndex cause)
{
    return m_store.append({m_now, cause, client, lock, std::move(what)});
}

void HistoryTraceBuilder::begin(std::int64_t timeMs)
{
    m_begun = true;
    m_zeroMs = m_lastMs = timeMs;
    trace::Header header;
    header.scenario = m_options.scenario;
    header.title = !m_options.title.empty() ? m_options.title
                   : m_options.withData     ? "From ZooKeeper's transaction log, with the data of the nodes"
                                            : "From ZooKeeper's transaction log";
    header.wallNanoseconds = timeMs * 1'000'000;
    header.monotonicNanoseconds = m_options.liveSinceNanoseconds.value_or(0);
    header.sessionIds = m_options.sessionIds;
    m_store.setHeader(std::move(header));
    append(LockId::none(), trace::RunPhaseChanged{trace::RunPhase::running, {}});
}

// The leader's clock may go back; the time of the trace then stands still.
void HistoryTraceBuilder::moveTo(std::int64_t timeMs)
{
    if (!m_begun)
        begin(timeMs);
    m_now = std::max(m_now, TraceTime(std::chrono::milliseconds(timeMs - m_zeroMs)));
    if (timeMs < m_lastMs && !m_options.liveSinceNanoseconds) {
        const std::string argument = fmt::format("back_ms={}", m_lastMs - timeMs);
        append(LockId::none(), trace::Command{toText(trace::CommandVerb::clockWentBack), argument});
    }
    m_lastMs = timeMs;
}

HistoryTraceBuilder::Lock* HistoryTraceBuilder::lockOf(const LockEvent& event)
{
    if (const auto found = m_locks.find(event.lock); found != m_locks.end())
        return &found->second;
    const LockNode& node = event.node;
    Lock* lock =
        newLock(event.lock, std::string(node.parent.empty() ? "/" : node.parent), trace::PathKind::queue);
    if (lock && !node.beforeLog)
        append(lock->id, trace::Observed{0}); // its first node did not exist before
    return lock;
}

// Null if there are too many locks.
HistoryTraceBuilder::Lock* HistoryTraceBuilder::newLock(std::uint32_t queue, const std::string& path,
                                                        trace::PathKind kind)
{
    if (m_locks.size() >= kMaxLocks) {
        m_whole = false;
        return nullptr;
    }
    const LockId id{static_cast<LockId::Value>(m_locks.size())};
    append(id, trace::LockAdded{path, lockscope::nameOf(lockscope::Recipe::watched), {}});
    append(id, trace::PathState{kind, 0, 0});
    return &m_locks.emplace(queue, Lock{id}).first->second;
}

ClientId HistoryTraceBuilder::known(SessionId session) const
{
    const auto found = m_participants.find(session.value);
    return found == m_participants.end() ? ClientId::none() : found->second;
}

// An identity is a host (Curator's), or says more, but is the same for all sessions of a process: the port
// tells which of them it is. It comes last, where names that have much in common differ.
std::string HistoryTraceBuilder::nameOf(SessionId session, const std::string& identity) const
{
    std::string name = m_options.names.of(session, identity);
    if (!m_options.addressOf || (!name.empty() && name != identity))
        return name;
    std::string address = m_options.addressOf(session);
    if (identity.empty() || address.starts_with(identity + ':'))
        return address;
    const bool saysMore = identity.find(' ') != std::string::npos;
    return address.empty() || !saysMore ? identity : identity + ' ' + address.substr(address.rfind(':'));
}

std::string HistoryTraceBuilder::uniqueName(std::string name)
{
    if (const int others = m_named[name]++; others > 0)
        name += fmt::format(" ({})", others + 1);
    return name;
}

void HistoryTraceBuilder::nameParticipants()
{
    std::erase_if(m_withoutAddress, [this](const auto& entry) {
        const auto& [session, known] = entry;
        if (m_options.addressOf(SessionId{session}).empty())
            return false;
        if (const std::string name = nameOf(SessionId{session}, known.identity); name != known.name)
            append(LockId::none(),
                   trace::ClientAdded{uniqueName(name), static_cast<std::uint16_t>(known.client.value)},
                   known.client);
        return true;
    });
}

ClientId HistoryTraceBuilder::participant(SessionId session, const std::string& identity)
{
    if (!session.valid())
        return ClientId::none();
    if (const ClientId client = known(session); client.valid())
        return client;
    const std::string name = nameOf(session, identity);
    const ClientId client =
        addParticipant(name.empty() ? fmt::format("session {}", m_count + 1) : uniqueName(name));
    if (!client.valid())
        return client;
    m_participants.emplace(session.value, client);
    if (m_options.addressOf && name == identity)
        m_withoutAddress.emplace(session.value, Named{client, name, identity});
    return client;
}

// The participant that owns the node; none if it is unknown.
ClientId HistoryTraceBuilder::ownerOf(const LockEvent& event) const
{
    if (!queue::isOfLock(event.node.role))
        return ClientId::none();
    if (event.node.created.valid())
        return known(event.node.session);
    const auto found = m_unread.find({event.lock, std::string(event.node.name)});
    return found == m_unread.end() ? ClientId::none() : found->second;
}

// The participant for a node that was gone before it could be read. Such nodes share a participant unless
// they exist at the same time: a participant for each would be a lane for each.
ClientId HistoryTraceBuilder::participantOfUnread(const LockEvent& event)
{
    ClientId client;
    if (m_free.empty()) {
        client = addParticipant(fmt::format("unknown session {}", m_unknown + 1));
        m_unknown += client.valid() ? 1 : 0;
    } else {
        client = m_free.back();
        m_free.pop_back();
    }
    if (client.valid())
        m_unread.emplace(std::pair(event.lock, std::string(event.node.name)), client);
    return client;
}

ClientId HistoryTraceBuilder::addParticipant(const std::string& name)
{
    if (m_count >= kMaxParticipants) {
        m_whole = false;
        return ClientId::none();
    }
    const auto number = static_cast<ClientId::Value>(m_count++);
    const ClientId client{number};
    append(LockId::none(), trace::ClientAdded{name, static_cast<std::uint16_t>(number)}, client);
    return client;
}

std::string HistoryTraceBuilder::argumentOf(const LockEvent& event) const
{
    std::string words = "zxid=" + hexText(event.zxid);
    if (!m_options.liveSinceNanoseconds)
        words += fmt::format(" cxid={}", event.cxid);
    if (event.kind == LockEvent::Kind::ended || event.kind == LockEvent::Kind::folderDeleted)
        return words;
    words += fmt::format(" data_bytes={}", event.node.data.size());
    if (const std::string acl = formatAcl(event.node.acl); !acl.empty())
        words += " acl=" + acl;
    if (m_options.withData && !event.node.data.empty())
        words.append(" data=").append(event.node.data);
    return words;
}

EventIndex HistoryTraceBuilder::command(const LockEvent& event, const Lock& lock, trace::CommandVerb verb,
                                        ClientId target)
{
    std::string argument = argumentOf(event);
    const bool isWrite = event.kind == LockEvent::Kind::dataSet && event.node.session.valid();
    if (event.reason == EndReason::deletedByOther || event.kind == LockEvent::Kind::folderDeleted ||
        (isWrite && event.by != event.node.session && !m_options.liveSinceNanoseconds)) {
        const ClientId by = participant(event.by, {});
        if (by.valid())
            argument += fmt::format(" by={}", by.value + 1);
    }
    return append(lock.id, trace::Command{toText(verb), argument}, target);
}

// All changes of a transaction are observed together.
void HistoryTraceBuilder::endTransaction()
{
    for (const std::uint32_t queue : m_changed)
        append(m_locks.at(queue).id, trace::Observed{m_locks.at(queue).nodes});
    m_changed.clear();
    m_gone = SessionId::none();
    m_sessionEnd = EventIndex::none();
}

void HistoryTraceBuilder::flush()
{
    if (m_begun)
        endTransaction();
}

void HistoryTraceBuilder::add(const LockEvent& event)
{
    if (event.zxid != m_zxid)
        endTransaction();
    m_zxid = event.zxid;
    moveTo(event.timeMs);
    Lock* lock = lockOf(event);
    if (!lock)
        return;
    switch (event.kind) {
    case LockEvent::Kind::queued:
        queued(event, *lock);
        break;
    case LockEvent::Kind::entitled:
        entitled(event, *lock);
        return;
    case LockEvent::Kind::ended:
        ended(event, *lock);
        break;
    case LockEvent::Kind::dataSet:
        command(event, *lock, trace::CommandVerb::dataSet, known(event.node.session));
        return;
    case LockEvent::Kind::folderDeleted:
        command(event, *lock, trace::CommandVerb::folderDeleted, ClientId::none());
        return;
    }
    if (std::find(m_changed.begin(), m_changed.end(), event.lock) == m_changed.end())
        m_changed.push_back(event.lock);
}

void HistoryTraceBuilder::queued(const LockEvent& event, Lock& lock)
{
    const LockNode& node = event.node;
    ++lock.nodes;
    // When a log first mentions a node at its end, it is unknown how long it existed and which nodes waited
    // for it.
    // Of a node of no known recipe it is not known whether its client waits.
    const ClientId client = !queue::isOfLock(node.role) ? ClientId::none()
                            : node.created.valid()      ? participant(node.session, identityIn(node))
                            : m_options.liveSinceNanoseconds && !node.beforeLog ? participantOfUnread(event)
                                                                                : ClientId::none();
    const EventIndex cause =
        node.beforeLog ? EventIndex::none() : command(event, lock, trace::CommandVerb::create, client);
    const bool isOlder = node.created.valid() && node.createdMs > 0 && node.createdMs < event.timeMs;
    const Duration age = std::chrono::milliseconds(isOlder ? event.timeMs - node.createdMs : 0);
    append(lock.id, trace::NodeSeen{node.name, node.session, node.created, true, age}, client, cause);
}

void HistoryTraceBuilder::entitled(const LockEvent& event, const Lock& lock)
{
    if (m_options.isClaimed && m_options.isClaimed(event.node))
        return;
    if (const ClientId client = ownerOf(event); client.valid())
        append(lock.id, trace::Decided{event.node.name, 0, lock.nodes, {}}, client);
}

void HistoryTraceBuilder::ended(const LockEvent& event, Lock& lock)
{
    const bool withSession =
        event.reason == EndReason::sessionClosed || event.reason == EndReason::sessionExpired;
    const ClientId owner = ownerOf(event);
    EventIndex cause = m_sessionEnd;
    if (!withSession || m_gone != event.by) {
        const trace::CommandVerb verb =
            m_options.liveSinceNanoseconds ? trace::CommandVerb::unknown : verbOf(event.reason);
        cause = verb == trace::CommandVerb::unknown ? EventIndex::none() : command(event, lock, verb, owner);
    }
    if (withSession && m_gone != event.by) {
        m_gone = event.by;
        m_sessionEnd = cause;
        append(LockId::none(), trace::SessionGone{event.by}, ClientId::none(), cause);
    }
    if (lock.nodes > 0)
        --lock.nodes;
    const EventIndex gone = append(lock.id, trace::NodeVanished{event.node.name}, owner, cause);
    if (m_givenUp.erase({event.lock, std::string(event.node.name)}) != 0)
        append(lock.id, trace::Released{event.node.name, 0, OwnerId::none()}, owner, gone);
    if (m_unread.erase({event.lock, std::string(event.node.name)}) != 0)
        m_free.push_back(owner);
}

void HistoryTraceBuilder::addBelief(const ClaimedHolds::Belief& belief)
{
    const ClaimedNode& node = belief.node;
    const auto lock = m_locks.find(node.queue);
    const ClientId client = known(node.session);
    if (lock == m_locks.end() || !client.valid())
        return;
    endTransaction();
    m_now = std::max(m_now, TraceTime(std::chrono::milliseconds(belief.timeMs - m_zeroMs)));
    m_lastMs = std::max(m_lastMs, belief.timeMs);
    const LockId id = lock->second.id;
    if (belief.begins) {
        append(id, trace::Acquired{node.name, node.created, OwnerId::none()}, client);
    } else if (node.endedMs) {
        append(id,
               trace::HoldLost{node.name,
                               node.reason == EndReason::sessionExpired  ? trace::LostReason::sessionExpired
                               : node.reason == EndReason::sessionClosed ? trace::LostReason::closed
                                                                         : trace::LostReason::nodeDeleted,
                               OwnerId::none()},
               client);
    } else {
        append(id, trace::ReleaseCalled{node.name, 1, OwnerId::none()}, client);
        m_givenUp.emplace(node.queue, node.name);
    }
}

void HistoryTraceBuilder::addGap(const Gap& gap)
{
    if (!m_begun)
        return; // the trace has no time before its beginning
    endTransaction();
    std::string argument = "after=" + hexText(gap.after) + " before=" + hexText(gap.before);
    if (!gap.snapshot)
        argument += " unknown"; // what was there is unknown from here on
    append(LockId::none(), trace::Command{toText(gap.unconfirmed ? trace::CommandVerb::unconfirmedTail
                                                                 : trace::CommandVerb::gap),
                                          argument});
}

void HistoryTraceBuilder::addGap(std::int64_t fromMs, std::int64_t toMs)
{
    endTransaction();
    moveTo(toMs);
    append(LockId::none(),
           trace::Command{toText(trace::CommandVerb::gap), fmt::format("ms={}", toMs - fromMs)});
}

void HistoryTraceBuilder::addLock(std::uint32_t queue, const std::string& path, trace::PathKind kind)
{
    if (!m_locks.contains(queue))
        newLock(queue, path, kind);
}

void HistoryTraceBuilder::addServer(trace::ServerPhase phase, const std::string& address, std::int64_t timeMs)
{
    endTransaction();
    moveTo(timeMs);
    append(LockId::none(), trace::ServerState{phase, address, {}, "attached", {}});
}

void HistoryTraceBuilder::finish(std::int64_t timeMs)
{
    endTransaction();
    const bool lasts =
        std::any_of(m_locks.begin(), m_locks.end(), [](const auto& lock) { return lock.second.nodes > 0; });
    moveTo(!m_begun ? timeMs : lasts ? std::max(timeMs, m_lastMs) : m_lastMs);
    append(LockId::none(), trace::RunPhaseChanged{trace::RunPhase::finished, {}});
}

} // namespace lockscope::history
