// The hub's sessions: their slots, their turns to connect, their deadlines and their end.
#include "core/zk/c_client/hub_impl.h"

#include <boost/asio/post.hpp>

#include <utility>

namespace lockscope::zk::c_client {

namespace {

constexpr std::size_t kConnectAtOnce = 128; // the server's listen backlog and its handshakes set the pace

} // namespace

std::shared_ptr<HubSession> HubImpl::connect(ConnectOptions options)
{
    return connectAs(std::move(options), std::nullopt);
}

std::shared_ptr<CSession> HubImpl::connectAs(ConnectOptions options, std::optional<clientid_t> identity)
{
    auto session = std::make_shared<CSession>(*this, std::move(options), identity);
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
    while (m_connecting < kConnectAtOnce && !m_connectQueue.empty()) {
        const auto session = m_connectQueue.front().lock();
        m_connectQueue.pop_front();
        if (!session || session->phase() != SessionPhase::connecting)
            continue;
        ++m_connecting;
        session->beginConnecting();
    }
}

void HubImpl::connectTurnOver()
{
    --m_connecting;
    post([this] { startConnecting(); });
}

void HubImpl::remove(CSession& session, bool heldConnectTurn)
{
    if (!*m_alive)
        return;
    if (heldConnectTurn)
        connectTurnOver();
    Slot& slot = m_slots[session.slot];
    slot.session = nullptr;
    ++slot.generation;
    m_freeSlots.push_back(session.slot);
    --m_open;
}

void HubImpl::touch(CSession& session)
{
    if (std::exchange(session.touched, true))
        return;
    m_touched.emplace_back(session.slot, session.generation);
    if (!m_running)
        post([] {}); // settle() looks after it
}

void HubImpl::wantDeadline(CSession& session)
{
    if (session.deadline() >= session.queuedDeadline)
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
    m_closer.submit([this, handle = std::move(handle), closed = std::move(closed), alive = m_alive,
                     &io = m_io](bool hurry) mutable {
        handle->close(hurry);
        handle.reset();
        if (closed)
            boost::asio::post(io, [this, alive, closed = std::move(closed)]() mutable {
                if (*alive)
                    post(std::move(closed));
            });
    });
}

void HubImpl::whenClosed(UniqueFunction<void()> done)
{
    m_closer.submit([this, done = std::move(done), alive = m_alive, &io = m_io](bool) mutable {
        boost::asio::post(io, [this, alive, done = std::move(done)]() mutable {
            if (*alive)
                post(std::move(done));
        });
    });
}

} // namespace lockscope::zk::c_client
