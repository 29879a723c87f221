// A session on the wire protocol of ZooKeeper, for observing: it reads and has persistent recursive watches,
// which the C client lacks. It has no request that writes.
// - Scheduler thread; handlers and listeners are never called within a call by the user.
// - Replies and events are delivered in the order in which the server sent them: an event arrives before
// every reply
//   that the server made after the change.
// - After a reconnect all watches are set again before anything else is sent. The server does not report what
//   happened to a persistently watched node in the meantime: the user must list it again.
// - When a server violates the protocol, or leaves a request unanswered for two thirds of the timeout, the
// session
//   drops the connection: pending requests get `unknown`, and the session reconnects.
#pragma once

#include "core/zk/session.h"
#include "core/zk/wire/io_scheduler.h"
#include "core/zk/wire/messages.h"
#include "core/zk/wire/observer_options.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::zk::wire {

struct NodeEvent
{
    WatchKind type{};
    std::string_view path;
    Zxid zxid; // none from servers before 3.9
};

class ObserverSession final : public ReadSession
{
public:
    // Never fails at once, like Hub::connect. `scheduler` must outlive the session.
    static std::shared_ptr<ObserverSession> connect(IoScheduler& scheduler, ObserverOptions options);
    ~ObserverSession() override; // closes it
    ObserverSession(const ObserverSession&) = delete;
    ObserverSession& operator=(const ObserverSession&) = delete;

    // Events of all persistent watches. One listener; set it before the first watch.
    void onEvent(UniqueFunction<void(const NodeEvent&)> listener);
    // The watch lasts as long as the session. The path need not exist. refused, badArguments: the server does
    // not support such watches (before 3.6 it also closes the connection).
    void addWatch(const std::string& path, WatchMode mode, UniqueFunction<void(Code)> handler);
    // The Stat alone, without data. Servers before 3.9 permit it for every node, whatever its ACL says.
    void getStat(const std::string& path, UniqueFunction<void(NodeReply)> handler);
    // Like getData(), but with all fields of the Stat.
    void getNode(const std::string& path, UniqueFunction<void(NodeReply)> handler);
    // Reads several nodes with one request and one reply, at a fraction of the cost of separate requests.
    // `paths` must not be empty; needs a server of 3.6 or later. One result for each path, in the order of
    // `paths`.
    void getNodes(std::vector<std::string> paths, UniqueFunction<void(std::vector<NodeReply>)> handler);

    void getChildren(const std::string& path, ChildrenVisitor visitor) override;
    WatchPtr getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor) override;
    void getData(const std::string& path, UniqueFunction<void(Data)> handler) override;
    WatchPtr getData(const std::string& path, WatchHandler watch,
                     UniqueFunction<void(Data)> handler) override;
    WatchPtr exists(const std::string& path, WatchHandler watch,
                    UniqueFunction<void(StatReply)> handler) override;
    void sync(const std::string& path, UniqueFunction<void(Code)> handler) override;

    // The server has no quorum and serves an old state. Such a server is used only if no other one answers.
    bool isReadOnly() const;
    // Why SASL has not succeeded: afterwards, and while it is under way.
    const std::optional<Error>& authTrouble() const;
    // ZooKeeper's number of the last error that a server answered; 0: none.
    std::int32_t lastError() const;

    SessionPhase phase() const override;
    LossReason lossReason() const override;
    SessionId id() const override;
    Duration timeout() const override;
    std::string server() const override;
    ListenerId addListener(PhaseListener listener) override;
    void removeListener(ListenerId listener) override;
    void close() override;
    Scheduler& scheduler() override;

private:
    class Impl;
    explicit ObserverSession(std::shared_ptr<Impl> impl);
    template <class Handler>
    WatchPtr submitWatched(OpCode op, const std::string& path, WatchHandler watch, Handler handler);
    std::shared_ptr<Impl> m_impl;
};

} // namespace lockscope::zk::wire
