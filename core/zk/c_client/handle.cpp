#include "core/zk/c_client/handle.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace lockscope::zk::c_client {

namespace {

struct Answerer
{
    void operator()(std::monostate) const {}
    template <class T>
    void operator()(Asked<T>& asked) const
    {
        if (asked.answer && asked.handler)
            asked.handler(std::move(*asked.answer));
    }
    void operator()(ChildrenVisitor&) const {} // had it where it arrived
};

struct CodeOnly
{
    Code code;
    void operator()(std::monostate) const {}
    void operator()(Asked<Code>& asked) const { asked.handler(code); }
    void operator()(Asked<Created>& asked) const { asked.handler(Created{code, {}, {}}); }
    void operator()(Asked<Data>& asked) const { asked.handler(Data{code, {}, {}}); }
    void operator()(Asked<StatReply>& asked) const { asked.handler(StatReply{code, {}}); }
    void operator()(ChildrenVisitor& visitor) const { visitor(code, {}, {}); }
};

// The library's own wait for an answer is a part of it.
constexpr Duration kHearing = std::chrono::milliseconds(1500);

// Reads until the other side has ended the connection.
void awaitEnd(int line, MonotonicTime deadline)
{
    std::vector<char> unread(65536);
    for (;;) {
        const Duration left = deadline - std::chrono::time_point_cast<Duration>(MonotonicClock::now());
        const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
        pollfd readable{line, POLLIN, 0};
        if (milliseconds <= 0 || ::poll(&readable, 1, static_cast<int>(milliseconds)) <= 0)
            return;
        if (::recv(line, unread.data(), unread.size(), MSG_DONTWAIT) <= 0)
            return;
    }
}

} // namespace

void Call::answer() { std::visit(Answerer{}, asked); }

void Call::answerOnly(Code code) { std::visit(CodeOnly{code}, asked); }

WatchTicket::WatchTicket(WatchRecord* record) : m_record(record), m_handler(record->handler)
{
    record->ticket = this;
}

WatchTicket::~WatchTicket()
{
    *m_handler = nullptr;
    if (m_record)
        m_record->ticket = nullptr;
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
    if (record->ticket)
        record->ticket->forget();
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
        answers.back()->asked = std::exchange(call.asked, std::monostate{});
    }
    for (const std::unique_ptr<WatchRecord>& record : watches) {
        *record->handler = nullptr;
        if (record->ticket)
            std::exchange(record->ticket, nullptr)->forget();
    }
    return answers;
}

// The library hangs up as soon as anything comes from the server. Replies that arrive on a closed socket
// reset the connection, and a server that is told so while it writes the next one never reads that the
// session is closed: its nodes stay until the session timeout. So the connection is kept open until the
// server ends it, which is its answer.
void Handle::close(bool hurry)
{
    if (!zh)
        return;
    const MonotonicTime deadline = std::chrono::time_point_cast<Duration>(MonotonicClock::now()) + kHearing;
    const int line = hurry ? -1 : ownConnection();
    if (hurry && fd >= 0)
        ::shutdown(fd, SHUT_RDWR);
    zookeeper_close(std::exchange(zh, nullptr));
    if (line >= 0) {
        awaitEnd(line, deadline);
        ::close(line);
    }
}

// A number of our own for the socket of a connected handle; the library knows which it is. Else -1.
int Handle::ownConnection() const
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
