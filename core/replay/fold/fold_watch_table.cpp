// The watches on which clients rely, and the server's own watch table.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"

#include <algorithm>

namespace lockscope::replay {

namespace {
constexpr std::size_t kMaxServedWatches = 1'000'000; // a broken trace must not fill the memory
}

void Fold::addBelievedWatch(Text node)
{
    if (!m_lock || !m_client || node.empty())
        return;
    m_lock->watches.addBelieved({watchKey(node, m_client->sessionId), m_client->id, m_index, m_event.at});
}

void Fold::removeBelievedWatch(const ClientRow& row, LockId lock, Text node, EventIndex request)
{
    if (!node.empty() && lock.value < m_state.locks.size())
        m_state.locks[lock.value].watches.removeBelieved(watchKey(node, row.sessionId), row.id, request);
}

void Fold::removeBelievedWatches(const ClientRow& row)
{
    for (LockRow& lock : m_state.locks)
        lock.watches.removeAllBelieved(row.id);
}

// The reply to a request with a watch. Only the outcome ok leaves a watch on which a client relies: the watch
// that exists leaves on a deleted node never notifies a client.
void Fold::watchAnswered(const trace::Reply& e)
{
    const trace::Request* request = causingRequest();
    if (!m_client || !m_lock || e.outcome == trace::Outcome::ok || !request || !request->watch)
        return;
    if (e.op == Operation::getData || e.op == Operation::exists)
        removeBelievedWatch(*m_client, m_lock->id, request->node, m_event.cause);
}

void Fold::operator()(const trace::WatchSeen& e)
{
    if (m_lock && m_lock->watches.served.size() < kMaxServedWatches)
        m_lock->watches.addServed(watchKey(e.node, e.session));
}

void Fold::operator()(const trace::WatchVanished& e)
{
    if (m_lock)
        m_lock->watches.removeServed(watchKey(e.node, e.session));
}

void Fold::operator()(const trace::WatchesRead& e)
{
    WatchReading& reading = m_state.watchReading;
    reading = {m_index, m_event.at, e.took, e.count, e.answered, e.servers, e.refusal};
    if (e.answered == 0)
        return;
    const auto isOurs = [&](SessionId session) {
        return std::ranges::binary_search(m_state.book.sessions, session, {}, &SessionEntry::session);
    };
    for (LockRow& lock : m_state.locks)
        compareWatches(lock.watches, reading, lock, isOurs);
}

} // namespace lockscope::replay
