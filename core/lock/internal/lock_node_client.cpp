#include "core/lock/internal/lock_node_client.h"

#include <string.h>

#include <type_traits>
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

template <class T>
auto LockNodeClient::recordRequest(Operation operation, const std::string& node, bool watch,
                                   Handler<T> handler, EventIndex cause) const
{
    const EventIndex request = sink().record(event::RequestSent{operation, node, watch, false}, cause);
    return [sink = sink(), operation, node = sink() ? node : std::string(), request,
            handler = std::move(handler)](T answer) mutable {
        event::ReplyReceived reply{operation, zk::Code::ok, node, Zxid::none(), 0};
        if constexpr (std::is_same_v<T, zk::Code>) {
            reply.code = answer;
        } else {
            reply.code = answer.code;
            if (operation != Operation::setData)
                reply.zxid = answer.stat.czxid;
        }
        const EventIndex event = sink.record(reply, request);
        handler({std::move(answer), event});
    };
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
    return session().getData(fullPath(node), recordFired(node, std::move(fired)),
                             recordRequest(Operation::getData, node, true, std::move(handler), cause));
}

zk::WatchPtr LockNodeClient::watchWithExists(const std::string& node, WatchCallback fired,
                                             Handler<zk::StatReply> handler, EventIndex cause) const
{
    return session().exists(fullPath(node), recordFired(node, std::move(fired)),
                            recordRequest(Operation::exists, node, true, std::move(handler), cause));
}

void LockNodeClient::read(const std::string& node, Handler<zk::Data> handler, EventIndex cause) const
{
    session().getData(fullPath(node),
                      recordRequest(Operation::getData, node, false, std::move(handler), cause));
}

void LockNodeClient::write(const std::string& node, std::string_view data, Handler<zk::StatReply> handler,
                           EventIndex cause) const
{
    session().setData(fullPath(node), data,
                      recordRequest(Operation::setData, node, false, std::move(handler), cause));
}

void LockNodeClient::remove(const std::string& node, Handler<zk::Code> handler, EventIndex cause) const
{
    session().remove(fullPath(node),
                     recordRequest(Operation::remove, node, false, std::move(handler), cause));
}

void LockNodeClient::sync(Handler<zk::Code> handler, EventIndex cause) const
{
    session().sync(path(), recordRequest(Operation::sync, {}, false, std::move(handler), cause));
}

} // namespace lockscope::lock
