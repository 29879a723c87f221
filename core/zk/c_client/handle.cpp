#include "core/zk/c_client/handle.h"

#include <sys/socket.h>

#include <utility>

namespace lockscope::zk::c_client {

void answerCall(Call& call, Code code)
{
    if (call.created)
        call.created(Created{code, {}, {}});
    else if (call.coded)
        call.coded(code);
    else if (call.data)
        call.data(Data{code, {}, {}});
    else if (call.stat)
        call.stat(StatReply{code, {}});
    else if (call.children)
        call.children(code, {}, {});
}

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
    calls.push_back(std::make_unique<Call>());
    Call* call = calls.back().get();
    call->handle = this;
    call->self = std::prev(calls.end());
    return call;
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
    std::unique_ptr<Call> taken = std::move(*call->self);
    calls.erase(taken->self);
    return taken;
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
    for (const std::unique_ptr<Call>& call : calls) {
        // The library still points at the Call; only its handlers move out.
        auto answer = std::make_unique<Call>();
        answer->created = std::exchange(call->created, nullptr);
        answer->coded = std::exchange(call->coded, nullptr);
        answer->data = std::exchange(call->data, nullptr);
        answer->stat = std::exchange(call->stat, nullptr);
        answer->children = std::exchange(call->children, nullptr);
        answers.push_back(std::move(answer));
    }
    for (const std::unique_ptr<WatchRecord>& record : watches) {
        *record->handler = nullptr;
        if (record->ticket)
            std::exchange(record->ticket, nullptr)->forget();
    }
    return answers;
}

void Handle::close(bool hurry)
{
    if (!zh)
        return;
    if (hurry && fd >= 0)
        ::shutdown(fd, SHUT_RDWR);
    zookeeper_close(std::exchange(zh, nullptr));
}

Handle::~Handle() { close(true); }

} // namespace lockscope::zk::c_client
