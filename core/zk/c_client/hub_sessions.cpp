// The hub's sessions: their slots, their turns to connect, their deadlines and their end.
#include "core/zk/c_client/hub_impl.h"

#include <boost/asio/post.hpp>

#include <utility>

namespace lockscope::zk::c_client {

namespace {

constexpr std::size_t kMaxConcurrentConnects = 128; // the server's listen backlog and its handshakes set the pace

} // namespace

std::shared_ptr<CSession> HubImpl::connect(ConnectOptions options, std::optional<clientid_t> identity)
{
    auto session = std::make_shared<CSession>(shared_from_this(), std::move(options), identity);
    if (isOver()) {
        session->onHubShutDown();
        return session;
    }
    if (m_freeSlots.empty()) {
        m_freeSlots.push_back(m_slots.size());
        m_slots.push_back({});
    }
    session->slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    Slot& slot = m_slots[session->slot];
    slot.session = session.get();
    session->generation = slot.generation;
    ++m_open;
    m_connectQueue.push_back(session);
    post([this] { startConnecting(); });
    return session;
}

void HubImpl::startConnecting()
{
    while (m_connecting < kMaxConcurrentConnects && !m_connectQueue.empty()) {
        const auto session = m_connectQueue.front().lock();
        m_connectQueue.pop_front();
        if (!session || session->phase() != SessionPhase::connecting)
            continue;
        ++m_connecting;
        session->beginConnecting();
    }
}

void HubImpl::freeConnectSlot()
{
    --m_connecting;
    post([this] { startConnecting(); });
}

void HubImpl::remove(CSession& session, bool heldConnectSlot)
{
    if (isOver())
        return;
    if (heldConnectSlot)
        freeConnectSlot();
    Slot& slot = m_slots[session.slot];
    slot.session = nullptr;
    ++slot.generation;
    m_freeSlots.push_back(session.slot);
    --m_open;
}

void HubImpl::scheduleUpdate(CSession& session)
{
    if (isOver() || std::exchange(session.updateScheduled, true))
        return;
    m_updateQueue.emplace_back(session.slot, session.generation);
    if (!m_running)
        post([] {}); // settle() looks after it
}

void HubImpl::scheduleDeadline(CSession& session)
{
    if (isOver() || session.deadline() >= session.queuedDeadline)
        return; // an earlier entry will look again
    session.queuedDeadline = session.deadline();
    m_due.push(Due{session.deadline(), 0, session.slot, session.generation});
    if (!m_running)
        armTimer();
}

void HubImpl::closeHandle(std::unique_ptr<Handle> handle, UniqueFunction<void()> closed)
{
    if (handle->fd >= 0)
        unregisterFd(handle->fd);
    m_closer->submit([handle = std::move(handle), back = callbackOnHubThread(std::move(closed))](bool skipWaiting) mutable {
        handle->close(skipWaiting);
        handle.reset();
        back();
    });
}

void HubImpl::whenClosed(UniqueFunction<void()> done)
{
    if (isOver())
        return;
    m_closer->submit([back = callbackOnHubThread(std::move(done))](bool) mutable { back(); });
}

// For the closing thread: has `done` called on ours. An empty one is nothing to do.
UniqueFunction<void()> HubImpl::callbackOnHubThread(UniqueFunction<void()> done)
{
    if (!done || isOver())
        return [] {};
    return [&io = m_asio->io, self = shared_from_this(), done = std::move(done)]() mutable {
        boost::asio::post(io, [self, done = std::move(done)]() mutable { self->post(std::move(done)); });
    };
}

} // namespace lockscope::zk::c_client
