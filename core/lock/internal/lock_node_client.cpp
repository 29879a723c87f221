#include "core/lock/internal/lock_node_client.h"

#include <string.h>

#include <utility>

namespace lockscope::lock {

std::string_view childName(std::string_view path)
{
    const void* slash = memrchr(path.data(), '/', path.size());
    return slash ? path.substr(static_cast<std::size_t>(static_cast<const char*>(slash) - path.data()) + 1)
                 : path;
}

std::string LockNodeClient::fullPath(std::string_view node) const
{
    std::string whole;
    whole.reserve(path().size() + 1 + node.size());
    return std::move(whole.append(path()).append(1, '/').append(node));
}

LockNodeClient::LockNodeClient(zk::SessionPtr session, std::string path, NodeNaming naming,
                               std::shared_ptr<Observer> observer, OnError onError)
{
    EventSink sink(std::move(observer), path, session->scheduler());
    m_parts = std::make_shared<const Parts>(
        Parts{std::move(session), std::move(path), std::move(naming), std::move(sink), std::move(onError)});
}

void LockNodeClient::report(const Error& error) const
{
    if (m_parts->onError)
        zk::invokeUserCallback(m_parts->session->scheduler(), m_parts->onError, error);
}

void LockNodeClient::create(const std::string& name, std::string_view data, zk::CreateMode mode,
                            Handler<zk::Created> handler, EventIndex cause) const
{
    const EventIndex request =
        sink().record(event::RequestSent{Operation::create, name, false, false}, cause);
    session().create(fullPath(name), data, mode,
                     [sink = sink(), request, handler = std::move(handler)](zk::Created created) mutable {
                         const event::ReplyReceived reply{Operation::create, created.code,
                                                          childName(created.path), created.stat.czxid, 0};
                         const EventIndex event = sink.record(reply, request);
                         handler({std::move(created), event});
                     });
}

zk::ChildrenVisitor LockNodeClient::onList(ListReducer reduce, EventIndex request,
                                           Handler<ListResult> handler) const
{
    return [sink = sink(), request, scheduler = &session().scheduler(), reduce = std::move(reduce),
            handler = std::move(handler)](zk::Code code, zk::ChildNames names, const zk::Stat&) mutable {
        Answer<ListResult> answer;
        answer.value.code = code;
        if (code == zk::Code::ok)
            answer.value.decision = reduce(names);
        const auto count = static_cast<std::uint32_t>(names.size());
        answer.event =
            sink.record(event::ReplyReceived{Operation::getChildren, code, {}, Zxid::none(), count}, request);
        // We are inside the network code: continue after it has returned.
        scheduler->post([handler = std::move(handler), answer = std::move(answer)]() mutable {
            handler(std::move(answer));
        });
    };
}

void LockNodeClient::list(ListReducer reduce, bool pipelined, Handler<ListResult> handler,
                          EventIndex cause) const
{
    const EventIndex request =
        sink().record(event::RequestSent{Operation::getChildren, {}, false, pipelined}, cause);
    session().getChildren(path(), onList(std::move(reduce), request, std::move(handler)));
}

void LockNodeClient::list(const std::string& own, Rule rule, bool pipelined, Handler<ListResult> handler,
                          EventIndex cause) const
{
    list([own, naming = naming(), rule](zk::ChildNames names) { return decide(names, own, naming, rule); },
         pipelined, std::move(handler), cause);
}

zk::WatchPtr LockNodeClient::listAndWatch(ListReducer reduce, WatchCallback fired,
                                          Handler<ListResult> handler, EventIndex cause) const
{
    const EventIndex request =
        sink().record(event::RequestSent{Operation::getChildren, {}, true, false}, cause);
    return session().getChildren(path(), recordFired({}, std::move(fired)),
                                 onList(std::move(reduce), request, std::move(handler)));
}

zk::WatchHandler LockNodeClient::recordFired(const std::string& node, WatchCallback fired) const
{
    return [sink = sink(), node, fired = std::move(fired)](zk::WatchKind kind) mutable {
        fired(kind, sink.record(event::WatchFired{kind, node}));
    };
}

zk::WatchPtr LockNodeClient::watch(const std::string& node, WatchCallback fired, Handler<zk::Data> handler,
                                   EventIndex cause) const
{
    const EventIndex request =
        sink().record(event::RequestSent{Operation::getData, node, true, false}, cause);
    return session().getData(
        fullPath(node), recordFired(node, std::move(fired)),
        [sink = sink(), node, request, handler = std::move(handler)](zk::Data data) mutable {
            const event::ReplyReceived reply{Operation::getData, data.code, node, data.stat.czxid, 0};
            const EventIndex event = sink.record(reply, request);
            handler({std::move(data), event});
        });
}

zk::WatchPtr LockNodeClient::watchWithExists(const std::string& node, WatchCallback fired,
                                             Handler<zk::StatReply> handler, EventIndex cause) const
{
    const EventIndex request = sink().record(event::RequestSent{Operation::exists, node, true, false}, cause);
    return session().exists(
        fullPath(node), recordFired(node, std::move(fired)),
        [sink = sink(), node, request, handler = std::move(handler)](zk::StatReply got) mutable {
            const event::ReplyReceived reply{Operation::exists, got.code, node, got.stat.czxid, 0};
            const EventIndex event = sink.record(reply, request);
            handler({got, event});
        });
}

void LockNodeClient::read(const std::string& node, Handler<zk::Data> handler, EventIndex cause) const
{
    const EventIndex request =
        sink().record(event::RequestSent{Operation::getData, node, false, false}, cause);
    session().getData(
        fullPath(node), [sink = sink(), node, request, handler = std::move(handler)](zk::Data data) mutable {
            const event::ReplyReceived reply{Operation::getData, data.code, node, data.stat.czxid, 0};
            const EventIndex event = sink.record(reply, request);
            handler({std::move(data), event});
        });
}

void LockNodeClient::write(const std::string& node, std::string_view data, Handler<zk::StatReply> handler,
                           EventIndex cause) const
{
    const EventIndex request =
        sink().record(event::RequestSent{Operation::setData, node, false, false}, cause);
    session().setData(
        fullPath(node), data,
        [sink = sink(), node, request, handler = std::move(handler)](zk::StatReply got) mutable {
            const event::ReplyReceived reply{Operation::setData, got.code, node, Zxid::none(), 0};
            const EventIndex event = sink.record(reply, request);
            handler({got, event});
        });
}

EventIndex LockNodeClient::remove(const std::string& node, Handler<zk::Code> handler, EventIndex cause) const
{
    const EventIndex request =
        sink().record(event::RequestSent{Operation::remove, node, false, false}, cause);
    session().remove(fullPath(node), [sink = sink(), node = sink() ? node : std::string(), request,
                                      handler = std::move(handler)](zk::Code code) mutable {
        const EventIndex event =
            sink.record(event::ReplyReceived{Operation::remove, code, node, Zxid::none(), 0}, request);
        handler({code, event});
    });
    return request;
}

void LockNodeClient::sync(Handler<zk::Code> handler, EventIndex cause) const
{
    const EventIndex request = sink().record(event::RequestSent{Operation::sync, {}, false, false}, cause);
    session().sync(path(), [sink = sink(), request, handler = std::move(handler)](zk::Code code) mutable {
        const EventIndex event =
            sink.record(event::ReplyReceived{Operation::sync, code, {}, Zxid::none(), 0}, request);
        handler({code, event});
    });
}

} // namespace lockscope::lock
