#include "core/zk/c_client/handle.h"

#include <fcntl.h>
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
    void operator()(ReplySlot<GuardedReply>& replySlot) const { replySlot.handler(GuardedReply{code}); }
    void operator()(ChildrenVisitor& visitor) const { visitor(code, {}, {}); }
};

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

bool Handle::isConnected() const
{
    const int state = zh ? zoo_state(zh) : 0;
    return state == ZOO_CONNECTED_STATE || state == ZOO_READONLY_STATE;
}

// The library notices that the connection has ended when it reads from a descriptor that is not a socket.
void Handle::close(int notASocket)
{
    int socket = -1;
    int interest = 0;
    timeval wait{0, 0};
    if (isConnected() && zookeeper_interest(zh, &socket, &interest, &wait) == ZOK && socket >= 0 &&
        isConnected()) {
        ::dup3(notASocket, socket, O_CLOEXEC);
        zookeeper_process(zh, ZOOKEEPER_READ);
    }
    if (zh)
        zookeeper_close(std::exchange(zh, nullptr));
}

Handle::~Handle()
{
    if (zh)
        zookeeper_close(zh);
    calls.clear_and_dispose([](Call* call) { delete call; });
}

} // namespace lockscope::zk::c_client
