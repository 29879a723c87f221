#include "core/zk/c_client/handle.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace lockscope::zk::c_client {

namespace {

struct DeliverAnswer
{
    void operator()(std::monostate) const {}
    template <class T>
    void operator()(ReplySlot<T>& replySlot) const
    {
        if (replySlot.answer && replySlot.handler)
            replySlot.handler(std::move(*replySlot.answer));
    }
    void operator()(ChildrenVisitor&) const {} // was called when the list arrived
};

struct DeliverCode
{
    Code code;
    void operator()(std::monostate) const {}
    void operator()(ReplySlot<Code>& replySlot) const { replySlot.handler(code); }
    void operator()(ReplySlot<Created>& replySlot) const { replySlot.handler(Created{code, {}, {}}); }
    void operator()(ReplySlot<Data>& replySlot) const { replySlot.handler(Data{code, {}, {}}); }
    void operator()(ReplySlot<StatReply>& replySlot) const { replySlot.handler(StatReply{code, {}}); }
    void operator()(ChildrenVisitor& visitor) const { visitor(code, {}, {}); }
};

// Includes the time that zookeeper_close() waits.
constexpr Duration kServerCloseTimeout = std::chrono::milliseconds(1500);

// Reads until the peer has closed the connection.
void drainUntilClosed(int line, MonotonicTime deadline)
{
    std::vector<char> unread(65536);
    for (;;) {
        const Duration left = deadline - monotonicNow();
        const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
        pollfd readable{line, POLLIN, 0};
        if (milliseconds <= 0 || ::poll(&readable, 1, static_cast<int>(milliseconds)) <= 0)
            return;
        if (::recv(line, unread.data(), unread.size(), MSG_DONTWAIT) <= 0)
            return;
    }
}

} // namespace

void Call::answer() { std::visit(DeliverAnswer{}, replySlot); }

void Call::answerWithCode(Code code) { std::visit(DeliverCode{code}, replySlot); }

WatchHandle::WatchHandle(WatchRecord* record)
    : m_record(record)
    , m_handler(record->handler)
{
    record->watchHandle = this;
}

WatchHandle::~WatchHandle()
{
    *m_handler = nullptr;
    if (m_record)
        m_record->watchHandle = nullptr;
}

Call* Handle::addCall()
{
    auto call = std::make_unique<Call>();
    call->handle = this;
    calls.push_back(*call);
    return call.release();
}

WatchRecord* Handle::addWatch(WatchHandler handler)
{
    watches.push_back(std::make_unique<WatchRecord>());
    WatchRecord* record = watches.back().get();
    record->handle = this;
    record->handler = std::make_shared<WatchHandler>(std::move(handler));
    record->self = std::prev(watches.end());
    return record;
}

std::unique_ptr<Call> Handle::takeCall(Call* call)
{
    calls.erase(calls.iterator_to(*call));
    return std::unique_ptr<Call>(call);
}

void Handle::dropWatch(WatchRecord* record)
{
    if (record->watchHandle)
        record->watchHandle->forget();
    const auto self = record->self; // the erase destroys the record
    watches.erase(self);
}

std::vector<std::unique_ptr<Call>> Handle::detach()
{
    session = nullptr;
    std::vector<std::unique_ptr<Call>> answers;
    for (Call& call : calls) {
        // The library still points at the Call; only its handler moves out.
        answers.push_back(std::make_unique<Call>());
        answers.back()->replySlot = std::exchange(call.replySlot, std::monostate{});
    }
    for (const std::unique_ptr<WatchRecord>& record : watches) {
        *record->handler = nullptr;
        if (record->watchHandle)
            std::exchange(record->watchHandle, nullptr)->forget();
    }
    return answers;
}

// The library closes the socket as soon as it receives anything. Replies that arrive on a closed socket reset
// the connection, and a server that gets the reset while it writes the next reply never reads the close
// request: the nodes of the session stay until its timeout. So a duplicate keeps the connection open until
// the server closes it in reply.
void Handle::close(bool skipWaiting)
{
    if (!zh)
        return;
    const MonotonicTime deadline = monotonicNow() + kServerCloseTimeout;
    const int line = skipWaiting ? -1 : duplicateSocket();
    if (skipWaiting && fd >= 0)
        ::shutdown(fd, SHUT_RDWR);
    zookeeper_close(std::exchange(zh, nullptr));
    if (line >= 0) {
        drainUntilClosed(line, deadline);
        ::close(line);
    }
}

// A duplicate of the socket of a connected handle; -1 otherwise.
int Handle::duplicateSocket() const
{
    int socket = -1;
    int interest = 0;
    timeval wait{0, 0};
    if (zoo_state(zh) != ZOO_CONNECTED_STATE || zookeeper_interest(zh, &socket, &interest, &wait) != ZOK ||
        zoo_state(zh) != ZOO_CONNECTED_STATE || socket < 0)
        return -1;
    return ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
}

Handle::~Handle()
{
    close(true);
    calls.clear_and_dispose([](Call* call) { delete call; });
}

} // namespace lockscope::zk::c_client
