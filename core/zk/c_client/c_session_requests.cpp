// The requests of CSession: each creates a Call, passes it to the library and schedules an update of the
// socket.
#include "core/zk/c_client/c_session.h"

#include "core/base/node_path.h"
#include "core/zk/c_client/callbacks.h"
#include "core/zk/c_client/codes.h"
#include "core/zk/c_client/hub_impl.h"
#include "core/zk/guarded_remove.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cstdio>
#include <utility>

namespace lockscope::zk::c_client {

namespace {

WatchPtr makeWatchHandle(WatchRecord* record)
{
    return record ? std::make_unique<WatchHandle>(record) : nullptr;
}

bool setCork(int fd, int on) { return setsockopt(fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on) == 0; }

} // namespace

// `send` passes the call to the library. When the library refuses the call, it is answered with the library's
// code. The library would cut the path at a NUL.
template <class Slot, class Send>
void CSession::submit(const std::string& path, Slot replySlot, WatchRecord* watch, Send send)
{
    if (m_hub->isOver())
        return; // drop the request
    if (!m_handle || !m_handle->zh) {
        auto call = std::make_unique<Call>();
        call->replySlot = std::move(replySlot);
        answerLater(std::move(call), m_phase == SessionPhase::closed       ? Code::closed
                                     : m_phase == SessionPhase::connecting ? Code::unknown
                                                                           : Code::sessionLost);
        return;
    }
    Call* call = m_handle->addCall();
    call->replySlot = std::move(replySlot);
    call->watch = watch;
    delayPackets();
    const bool hasNul = path.find('\0') != std::string::npos;
    const int rc = hasNul ? ZBADARGUMENTS : send(m_handle->zh, call);
    if (rc != ZOK) {
        std::unique_ptr<Call> failed = m_handle->takeCall(call);
        if (failed->watch)
            m_handle->dropWatch(failed->watch);
        if (failed->usesListBudget)
            onListArrived(std::nullopt);
        answerLater(std::move(failed), codeOf(rc));
    }
    m_hub->scheduleUpdate(*this);
}

void CSession::answerLater(std::unique_ptr<Call> call, Code code)
{
    m_hub->post([call = std::move(call), code] { call->answerWithCode(code); });
}

// The library sends every request in two packets, length and body, and the server wakes for the length alone.
// The socket is corked until the requesting function has returned, so that both go out as one packet. Usually
// it is corked already: see updateInterest().
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

// If the library has reopened the socket meanwhile, uncorking the new one is harmless.
void CSession::uncork()
{
    if (m_corkedFd >= 0)
        setCork(std::exchange(m_corkedFd, -1), 0);
}

void CSession::create(const std::string& path, std::string_view data, CreateMode mode,
                      UniqueFunction<void(Created)> handler)
{
    submit(path, ReplySlot<Created>{std::move(handler)}, nullptr, [&](zhandle_t* zh, Call* call) {
        return zoo_acreate2(zh, path.c_str(), data.data(), static_cast<int>(data.size()), &m_acl, toC(mode),
                            &onCreated, call);
    });
}

void CSession::remove(const std::string& path, UniqueFunction<void(Code)> handler)
{
    submit(path, ReplySlot<Code>{std::move(handler)}, nullptr,
           [&](zhandle_t* zh, Call* call) { return zoo_adelete(zh, path.c_str(), -1, &onVoid, call); });
}

void CSession::setData(const std::string& path, std::string_view data, std::int32_t version,
                       UniqueFunction<void(StatReply)> handler)
{
    submit(path, ReplySlot<StatReply>{std::move(handler)}, nullptr, [&](zhandle_t* zh, Call* call) {
        return zoo_aset(zh, path.c_str(), data.data(), static_cast<int>(data.size()), version, &onStat, call);
    });
}

void CSession::sync(const std::string& path, UniqueFunction<void(Code)> handler)
{
    submit(path, ReplySlot<Code>{std::move(handler)}, nullptr,
           [&](zhandle_t* zh, Call* call) { return zoo_async(zh, path.c_str(), &onSynced, call); });
}

// The library keeps copies of the operations, but not of the places for their results. It must not refuse a
// path: it frees what it has not allocated then.
void CSession::setDataWhile(const std::string& guard, const std::string& path, std::string_view data,
                            UniqueFunction<void(GuardedReply)> handler)
{
    const bool refused = checkNodePath(guard) || checkNodePath(path);
    submit(path, ReplySlot<GuardedReply>{std::move(handler)}, nullptr, [&](zhandle_t* zh, Call* call) {
        if (refused)
            return static_cast<int>(ZBADARGUMENTS);
        call->results = std::make_unique<GuardedResults>();
        std::array<zoo_op_t, 2> parts{};
        zoo_check_op_init(&parts[0], guard.c_str(), kAnyVersion);
        zoo_set_op_init(&parts[1], path.c_str(), data.data(), static_cast<int>(data.size()), kAnyVersion,
                        &call->results->stat);
        return zoo_amulti(zh, static_cast<int>(parts.size()), parts.data(), call->results->parts.data(),
                          &onTransaction, call);
    });
}

void CSession::removeWhile(std::int32_t creations, const std::string& path,
                           UniqueFunction<void(GuardedReply)> handler)
{
    const std::size_t slash = path.rfind('/');
    const std::string guard = path.substr(0, slash == std::string::npos ? 0 : slash) + "/lockscope-guard-";
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "%010d", creations); // as the server does
    const std::string expected = guard + number.data();
    // "%s/lockscope-guard-%010d" with its parent must fit into the part of a reply that the frame guard sees.
    const std::size_t length = splitChroot(m_options.hosts).chroot.size() + path.size();
    const bool refused = checkNodePath(path) || path.size() < 2 || length > kLongestRemoved;
    submit(path, ReplySlot<GuardedReply>{std::move(handler)}, nullptr, [&](zhandle_t* zh, Call* call) {
        if (refused)
            return static_cast<int>(ZBADARGUMENTS);
        call->results = std::make_unique<GuardedResults>();
        std::array<zoo_op_t, 3> parts{};
        call->results->count = parts.size();
        zoo_create_op_init(&parts[0], guard.c_str(), "", 0, &m_acl, toC(CreateMode::persistentSequential),
                           nullptr, 0);
        zoo_delete_op_init(&parts[1], expected.c_str(), kAnyVersion);
        zoo_delete_op_init(&parts[2], path.c_str(), kAnyVersion);
        return zoo_amulti(zh, static_cast<int>(parts.size()), parts.data(), call->results->parts.data(),
                          &onTransaction, call);
    });
}

void CSession::getData(const std::string& path, UniqueFunction<void(Data)> handler)
{
    submit(path, ReplySlot<Data>{std::move(handler)}, nullptr, [&](zhandle_t* zh, Call* call) {
        return zoo_awget(zh, path.c_str(), nullptr, nullptr, &onData, call);
    });
}

WatchPtr CSession::getData(const std::string& path, WatchHandler watch, UniqueFunction<void(Data)> handler)
{
    WatchRecord* record = m_handle ? m_handle->addWatch(std::move(watch)) : nullptr;
    WatchPtr watchHandle = makeWatchHandle(record);
    submit(path, ReplySlot<Data>{std::move(handler)}, record, [&](zhandle_t* zh, Call* call) {
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
    submit(path, ReplySlot<StatReply>{std::move(handler)}, record, [&](zhandle_t* zh, Call* call) {
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

// Called when the list budget has room. Returns whether a list was sent that counts in the budget: false when
// none is left, because the session has ended, and when the session is frozen.
bool CSession::sendWaitingList()
{
    if (m_waitingLists.empty())
        return false;
    WaitingList list = std::move(m_waitingLists.front());
    m_waitingLists.pop_front();
    const bool takesRoom = !m_frozen; // a frozen session must not delay others
    m_listsUnderWay += takesRoom ? 1 : 0;
    sendChildren(list.path, nullptr, std::move(list.visitor), takesRoom);
    return takesRoom;
}

// Watched lists are few (the observer, holders of a semaphore), so they bypass the budget.
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
    submit(path, std::move(visitor), watch, [&](zhandle_t* zh, Call* call) {
        call->usesListBudget = usesListBudget;
        return zoo_awget_children2(zh, path.c_str(), watch ? &onWatch : nullptr, watch, &onChildren, call);
    });
}

void CSession::onListArrived(std::optional<std::size_t> bytes)
{
    if (m_listsUnderWay == 0)
        return; // already returned to the budget
    --m_listsUnderWay;
    if (bytes)
        m_hub->lists().arrived(*bytes);
    else
        m_hub->lists().failed();
}

} // namespace lockscope::zk::c_client

void lockscope::zk::removeWhile(HubSession& session, std::int32_t creations, const std::string& path,
                                UniqueFunction<void(GuardedReply)> handler)
{
    // Every session of a hub is of this class.
    static_cast<c_client::CSession&>(session).removeWhile(creations, path, std::move(handler));
}
