// The run, its server, locks and clients.
#include "core/replay/fold/fold.h"

#include <algorithm>

namespace lockscope::replay {

namespace {
// Ids are dense; a broken trace with a huge id must not make us allocate that many rows.
constexpr std::size_t kMaxClients = 65'536;
constexpr std::size_t kMaxLocks = 4'096;
constexpr std::size_t kMaxMembers = 64;
} // namespace

void Fold::operator()(const trace::RunPhaseChanged& e)
{
    m_state.pauses.set(e.phase == trace::RunPhase::paused, m_event.at);
    m_state.phase = e.phase;
    m_state.cutShort = e.cutShort;
    if (e.phase == trace::RunPhase::finished)
        m_checker.runAtRest();
}

void Fold::operator()(const trace::ServerState& e)
{
    ServerRow& row = m_state.server;
    row.phase = e.phase;
    row.detail = e.detail;
    // Later events contain only what has changed.
    if (!e.address.empty())
        row.address = e.address;
    if (!e.version.empty())
        row.version = e.version;
    if (!e.mode.empty())
        row.mode = e.mode;
}

void Fold::operator()(const trace::MemberState& e)
{
    std::vector<MemberRow>& members = m_state.server.members;
    auto row = std::ranges::find(members, e.member, &MemberRow::member);
    if (row == members.end() && members.size() < kMaxMembers)
        row = members.insert(row, MemberRow{e.member, e.phase, e.mode});
    if (row == members.end())
        return;
    row->phase = e.phase;
    row->mode = e.mode;
}

void Fold::operator()(const trace::LockAdded& e)
{
    const std::size_t at = m_event.lock.value;
    if (at >= kMaxLocks)
        return;
    while (m_state.locks.size() <= at) {
        LockRow& row = m_state.locks.emplace_back();
        row.id = LockId{static_cast<LockId::Value>(m_state.locks.size() - 1)};
        m_state.book.locks.emplace_back();
    }
    LockRow& row = m_state.locks[at];
    row.path = e.path;
    row.recipe = e.recipe;
    row.handoff = e.handoff;
    row.watched = row.kind() == Recipe::watched;
    m_checker.locksChanged();
}

void Fold::operator()(const trace::LockLimit& e)
{
    if (!m_lock)
        return;
    m_lockBook->limited = true;
    m_lockBook->permitsBefore = m_lock->permits;
    m_lockBook->limitedBy = m_index;
    m_lock->permits = e.permits;
}

void Fold::operator()(const trace::ClientAdded& e)
{
    const std::size_t at = m_event.client.value;
    if (at >= kMaxClients)
        return;
    while (m_state.clients.size() <= at) {
        ClientRow& row = m_state.clients.emplace_back();
        row.id = ClientId{static_cast<ClientId::Value>(m_state.clients.size() - 1)};
        row.phase = ClientPhase::removed;
        m_state.book.clients.emplace_back();
    }
    ClientRow& row = m_state.clients[at];
    const bool away = row.phase == ClientPhase::removed || row.phase == ClientPhase::finished;
    if (!away) { // its name has become known
        row.name = e.name;
        row.lastEvent = m_index;
        return;
    }
    leaveAll(row);
    row.name = e.name;
    row.colour = e.colour;
    row.process = e.process;
    row.trace = e.trace;
    row.addedBy = m_index;
    row.lastEvent = m_index;
    setPhase(row, ClientPhase::connecting);
}

void Fold::operator()(const trace::ClientRemoved&)
{
    leaveRun(ClientPhase::removed);
    if (m_client)
        m_client->frozen = false, m_client->suspendedBy = EventIndex::none();
}

void Fold::operator()(const trace::ClientFinished&) { leaveRun(ClientPhase::finished); }

void Fold::leaveRun(ClientPhase phase)
{
    if (!m_client)
        return;
    m_checker.clientAtRest(m_client->id);
    leaveAll(*m_client);
    removeBelievedWatches(*m_client);
    setPhase(*m_client, phase);
}

void Fold::operator()(const trace::PaceChanged& e) { m_state.pace = e.step; }

void Fold::operator()(const trace::Notice& e) { addNotice(e); }

void Fold::operator()(const trace::LinkState& e)
{
    if (!m_client)
        return;
    m_client->link = e;
    m_client->linkBy = m_index;
}

void Fold::operator()(const trace::StepHeld& e)
{
    if (!m_client)
        return;
    m_client->heldAt = e.step;
    m_client->heldAtBy = m_index;
}

void Fold::operator()(const trace::StepTaken&)
{
    if (!m_client)
        return;
    m_client->heldAt.reset();
    m_client->heldAtBy = m_client->steppedBy = m_index;
}

} // namespace lockscope::replay
