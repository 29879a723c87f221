// A recipe's view of a session: requests on the nodes of one lock; each request and reply is reported to the
// observer. A handler also receives the event of its reply, as the cause of what follows. Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/lock/internal/decide.h"
#include "core/lock/internal/event_sink.h"
#include "core/zk/session.h"

#include <functional>
#include <string>

namespace lockscope::lock {

template <class T>
struct Answer
{
    T value;
    EventIndex event = EventIndex::none(); // of the reply
};
struct ListResult
{
    zk::Code code = zk::Code::closed;
    Decision decision;
};

class LockNodeClient
{
public:
    using OnError = std::function<void(const Error&)>;
    LockNodeClient(zk::SessionPtr session, std::string path, NodeNaming naming,
                   std::shared_ptr<Observer> observer, OnError onError);

    template <class T>
    using Handler = UniqueFunction<void(Answer<T>)>;

    // Reduces a list when it arrives. Called from within the network code.
    using ListReducer = UniqueFunction<Decision(zk::ChildNames)>;
    using WatchCallback = UniqueFunction<void(zk::WatchKind, EventIndex)>;

    void create(const std::string& name, std::string_view data, zk::CreateMode mode,
                Handler<zk::Created> handler, EventIndex cause) const;
    // `pipelined`: sent together with the previous request.
    void list(ListReducer reduce, bool pipelined, Handler<ListResult> handler, EventIndex cause) const;
    // Decides for the node with this name or prefix, as in decide().
    void list(const std::string& own, Rule rule, bool pipelined, Handler<ListResult> handler,
              EventIndex cause) const;
    zk::WatchPtr listAndWatch(ListReducer reduce, WatchCallback fired, Handler<ListResult> handler,
                              EventIndex cause) const;
    zk::WatchPtr watch(const std::string& node, WatchCallback fired, Handler<zk::Data> handler,
                       EventIndex cause) const;
    zk::WatchPtr watchWithExists(const std::string& node, WatchCallback fired, Handler<zk::StatReply> handler,
                                 EventIndex cause) const;
    void read(const std::string& node, Handler<zk::Data> handler, EventIndex cause) const;
    void write(const std::string& node, std::string_view data, Handler<zk::StatReply> handler,
               EventIndex cause) const;
    void remove(const std::string& node, Handler<zk::Code> handler, EventIndex cause) const;
    void sync(Handler<zk::Code> handler, EventIndex cause) const;

    // Reports an error of background work to onError.
    void report(const Error& error) const;

    const std::string& path() const { return m_parts->path; }
    const NodeNaming& naming() const { return m_parts->naming; }
    const EventSink& sink() const { return m_parts->sink; }
    zk::Session& session() const { return *m_parts->session; }
    const zk::SessionPtr& sessionPtr() const { return m_parts->session; }

private:
    // Records a request and returns its handler, which records the reply and calls `handler`.
    template <class T>
    auto recordRequest(Operation operation, const std::string& node, bool watch, Handler<T> handler,
                       EventIndex cause) const;
    zk::WatchHandler recordFired(const std::string& node, WatchCallback fired) const;
    zk::ChildrenVisitor onList(ListReducer reduce, EventIndex request, Handler<ListResult> handler) const;
    std::string fullPath(std::string_view node) const;
    struct Parts
    {
        zk::SessionPtr session;
        std::string path;
        NodeNaming naming;
        EventSink sink;
        OnError onError;
    };
    std::shared_ptr<const Parts> m_parts; // shared, because background work copies the client
};

// The last part of a path.
std::string_view childName(std::string_view path);

} // namespace lockscope::lock
