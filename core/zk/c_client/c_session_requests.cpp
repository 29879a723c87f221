// The requests of CSession: each makes a Call, hands it to the library and lets the hub look after the
// socket.
#include "core/zk/c_client/c_session.h"
#include "core/zk/c_client/callbacks.h"
#include "core/zk/c_client/codes.h"
#include "core/zk/c_client/hub_impl.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <utility>

namespace lockscope::zk::c_client {

namespace {

WatchPtr makeWatchHandle(WatchRecord* record) { return record ? std::make_unique<WatchHandle>(record) : nullptr; }

bool setCork(int fd, int on) { return setsockopt(fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on) == 0; }

} // namespace

// `fill` puts the handler into the call; `send` gives it to the library. When the library takes it not, the
// call is answered by ourselves with the code.
template <class Fill, class Send>
void CSession::submit(Fill fill, Send send)
{
    if (m_hub->isOver())
        return; // nobody is left to answer
    if (!m_handle || !m_handle->zh) {
        // A handle with no library behind it holds the call just long enough to answer it.
        Handle gone;
        fill(*gone.addCall());
        Code code = m_phase == SessionPhase::closed ? Code::closed : Code::sessionLost;
        if (m_phase == SessionPhase::connecting)
            code = Code::unknown;
        for (std::unique_ptr<Call>& call : gone.detach())
            m_hub->post([call = std::move(call), code]() mutable { call->answerWithCode(code); });
        return;
    }
    Call* call = m_handle->addCall();
    fill(*call);
    delayPackets();
    const int rc = send(m_handle->zh, call);
    if (rc != ZOK) {
        std::unique_ptr<Call> failed = m_handle->takeCall(call);
        if (failed->watch)
            m_handle->dropWatch(failed->watch);
        if (failed->usesListBudget)
            onListArrived(0);
        m_hub->post([failed = std::move(failed), code = fromC(rc)]() mutable { failed->answerWithCode(code); });
    }
    m_hub->scheduleUpdate(*this);
}

// The library sends every request in two pieces, its length and its body, each a packet of its own: the
// server wakes up for the length alone. Held back until the function that asks has returned, they go out as
// one packet. Mostly the socket is corked already, since it had time to be: see updateInterest().
void CSession::delayPackets()
{
    if (m_phase == SessionPhase::connected && !m_packetsDelayed && cork()) {
        m_packetsDelayed = true;
        m_hub->flushAfterTurn(*this);
    }
}

void CSession::flushPackets()
{
    if (std::exchange(m_packetsDelayed, false))
        uncork();
}

bool CSession::cork()
{
    if (m_corkedFd < 0 && m_handle->fd >= 0 && setCork(m_handle->fd, 1))
        m_corkedFd = m_handle->fd;
    return m_corkedFd >= 0;
}

// When the library has reopened the socket meanwhile this finds a new one, which it does no harm.
void CSession::uncork()
{
    if (m_corkedFd >= 0)
        setCork(std::exchange(m_corkedFd, -1), 0);
}

void CSession::create(const std::string& path, std::string_view data, CreateMode mode,
                      UniqueFunction<void(Created)> handler)
{
    submit([&](Call& call) { call.replySlot = ReplySlot<Created>{std::move(handler)}; },
           [&](zhandle_t* zh, Call* call) {
               return zoo_acreate2(zh, path.c_str(), data.data(), static_cast<int>(data.size()),
                                   &ZOO_OPEN_ACL_UNSAFE, toC(mode), &onCreated, call);
           });
}

void CSession::remove(const std::string& path, UniqueFunction<void(Code)> handler)
{
    submit([&](Call& call) { call.replySlot = ReplySlot<Code>{std::move(handler)}; },
           [&](zhandle_t* zh, Call* call) { return zoo_adelete(zh, path.c_str(), -1, &onVoid, call); });
}

void CSession::setData(const std::string& path, std::string_view data, std::int32_t version,
                       UniqueFunction<void(StatReply)> handler)
{
    submit([&](Call& call) { call.replySlot = ReplySlot<StatReply>{std::move(handler)}; },
           [&](zhandle_t* zh, Call* call) {
               return zoo_aset(zh, path.c_str(), data.data(), static_cast<int>(data.size()), version, &onStat,
                               call);
           });
}

void CSession::sync(const std::string& path, UniqueFunction<void(Code)> handler)
{
    submit([&](Call& call) { call.replySlot = ReplySlot<Code>{std::move(handler)}; },
           [&](zhandle_t* zh, Call* call) { return zoo_async(zh, path.c_str(), &onSynced, call); });
}

void CSession::getData(const std::string& path, UniqueFunction<void(Data)> handler)
{
    submit([&](Call& call) { call.replySlot = ReplySlot<Data>{std::move(handler)}; },
           [&](zhandle_t* zh, Call* call) {
               return zoo_awget(zh, path.c_str(), nullptr, nullptr, &onData, call);
           });
}

WatchPtr CSession::getData(const std::string& path, WatchHandler watch, UniqueFunction<void(Data)> handler)
{
    WatchRecord* record = m_handle ? m_handle->addWatch(std::move(watch)) : nullptr;
    WatchPtr watchHandle = makeWatchHandle(record);
    submit(
        [&](Call& call) {
            call.replySlot = ReplySlot<Data>{std::move(handler)};
            call.watch = record;
        },
        [&](zhandle_t* zh, Call* call) {
            return zoo_awget(zh, path.c_str(), &onWatch, record, &onData, call);
        });
    return watchHandle;
}

WatchPtr CSession::exists(const std::string& path, WatchHandler watch,
                          UniqueFunction<void(StatReply)> handler)
{
    WatchRecord* record = m_handle ? m_handle->addWatch(std::move(watch)) : nullptr;
    if (record)
        record->alsoOnNoNode = true;
    WatchPtr watchHandle = makeWatchHandle(record);
    submit(
        [&](Call& call) {
            call.replySlot = ReplySlot<StatReply>{std::move(handler)};
            call.watch = record;
        },
        [&](zhandle_t* zh, Call* call) {
            return zoo_awexists(zh, path.c_str(), &onWatch, record, &onStat, call);
        });
    return watchHandle;
}

void CSession::getChildren(const std::string& path, ChildrenVisitor visitor)
{
    if (!m_handle || !m_handle->zh) {
        sendChildren(path, nullptr, std::move(visitor), false);
        return;
    }
    m_waitingLists.push_back({path, std::move(visitor)});
    m_hub->lists().submit([weak = weak_from_this()] {
        const auto self = weak.lock();
        return self && self->sendWaitingList();
    });
}

// The hub has room for one. False: there is none left to send, its session has ended and answered it.
bool CSession::sendWaitingList()
{
    if (m_waitingLists.empty())
        return false;
    WaitingList list = std::move(m_waitingLists.front());
    m_waitingLists.pop_front();
    const bool takesRoom = !m_frozen; // one that stands still delays no other
    m_listsUnderWay += takesRoom ? 1 : 0;
    sendChildren(list.path, nullptr, std::move(list.visitor), takesRoom);
    return takesRoom;
}

// A watched list is the observer's or a semaphore holder's: there are few of them, so it does not take turns.
WatchPtr CSession::getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor)
{
    WatchRecord* record = m_handle ? m_handle->addWatch(std::move(watch)) : nullptr;
    WatchPtr watchHandle = makeWatchHandle(record);
    sendChildren(path, record, std::move(visitor), false);
    return watchHandle;
}

void CSession::sendChildren(const std::string& path, WatchRecord* watch, ChildrenVisitor visitor,
                            bool usesListBudget)
{
    submit(
        [&](Call& call) {
            call.replySlot = std::move(visitor);
            call.watch = watch;
            call.usesListBudget = usesListBudget;
        },
        [&](zhandle_t* zh, Call* call) {
            return zoo_awget_children2(zh, path.c_str(), watch ? &onWatch : nullptr, watch, &onChildren,
                                       call);
        });
}

void CSession::onListArrived(std::size_t bytes)
{
    if (m_listsUnderWay == 0)
        return; // given back before
    --m_listsUnderWay;
    m_hub->lists().arrived(bytes);
}

} // namespace lockscope::zk::c_client
