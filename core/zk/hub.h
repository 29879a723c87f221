// The ZooKeeper client: all sessions of the process on one thread, one raw epoll set, one Boost.Asio context,
// and no other thread. Every function runs on the thread that runs the io_context, unless its comment says
// otherwise.
#pragma once

#include "core/base/error.h"
#include "core/tls/tls.h"
#include "core/zk/access.h"
#include "core/zk/hosts.h"
#include "core/zk/scheduler.h"
#include "core/zk/session.h"

#include <boost/asio/io_context.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lockscope::zk {

namespace c_client {
class HubImpl;
}

struct ConnectOptions
{
    // "zk1:2181,[::1]:2182": names or numbers, each with a port. All addresses are tried, in a random order.
    // A chroot may follow, "...:2182/app": all paths of the session begin at that node, which must exist.
    // With "tls://" in front, the session is lost at once when there is no security.
    std::string hosts;
    Duration timeout = std::chrono::seconds(10); // requested session timeout
    Duration connectTimeout =
        std::chrono::seconds(15); // lost (connectTimedOut) if the first connect is slower
    std::string killHosts{}; // where kill() connects to, when `hosts` leads through a relay; empty: `hosts`
    // The ACL of every node that the session creates; empty: openAcl(). When the server refuses the ACL (no
    // credential for creatorAllAcl(), an unknown scheme), creates fail with noAuth.
    Acl acl{};
    // The session is lost (authFailed) when the server refuses a credential, or when a credential has no
    // proof.
    std::vector<Credential> credentials{};
    // When a server does not answer the handshake within this time, the session tries the next address. The
    // time doubles with each such server until one has answered. Five times as long with TLS.
    Duration handshakeTimeout = std::chrono::seconds(1);
    tls::Security security{}; // off: that of the hub
};

struct HubOptions
{
    // While the only session waits for a reply, the I/O thread may poll for up to 0.2 ms, yielding the
    // processor at every turn, instead of sleeping. It does so only while that is faster (AdaptivePolling).
    // Costs up to one processor while requests follow one another.
    bool adaptivePolling = true;
    // Receives the exceptions of handlers, listeners, timers and posted functions; must not throw. Without it
    // an exception leaves io.run(), as with any handler of Asio, and the hub continues when run() is called
    // again.
    std::function<void(std::exception_ptr)> onException{};

    tls::Security security{}; // of the sessions that have none of their own

    // ---- settings of the whole process, made by Hub::create: none that was not asked for ----
    bool raiseFileLimit = false; // the soft limit of open files becomes the hard one
    bool silenceCClient = false; // the C client's log, which goes to standard error, is switched off
    // The C client takes addresses in the given order. Sessions shuffle them on their own; without this the C
    // client shuffles them again, and may try some addresses twice before it tries others.
    bool keepAddressOrder = false;

    // All of them, for a program that has its process to itself.
    static HubOptions ownProcess()
    {
        HubOptions options;
        options.raiseFileLimit = options.silenceCClient = options.keepAddressOrder = true;
        return options;
    }
};

// Of setDataWhile(). `code`: ok when the data was set; otherwise the code of the part that failed.
struct GuardedReply
{
    Code code = Code::closed;
    bool guardFailed = false; // that part is the guard: nothing was written
    Stat stat{};              // of the node that was written
};

class HubSession : public Session
{
public:
    // One transaction (multi): sets the data of `path`, if `guard` exists at that moment; otherwise nothing
    // changes, and the code is noNode with guardFailed.
    virtual void setDataWhile(const std::string& guard, const std::string& path, std::string_view data,
                              UniqueFunction<void(GuardedReply)> handler) = 0;
    // Ends the session from outside, as an expiry does: opens a second connection with the same session id
    // and password and closes it, so that the server removes the session at once and this side learns of the
    // loss when it reconnects. `done` gets ok when the server has confirmed the close. If this side resumes
    // the session in the meantime, the attempt is repeated. Errors: sessionLost (never connected, or over),
    // noServer (no answer to the second connection), busy (resumed every time). After the end of the hub
    // `done` is destroyed uncalled.
    virtual void kill(UniqueFunction<void(Result<void>)> done) = 0;
    // Stops serving the session: no heartbeats, replies or session timers, as in a paused process. The server
    // expires the session after its timeout.
    virtual void freeze() = 0;
    virtual void thaw() = 0;
    virtual bool frozen() const = 0;
    // Since the last connect a server has accepted a connection and closed it without an answer to the
    // handshake.
    virtual bool wasTurnedAway() const = 0;
    // Why the last connection could not be secured; none: it could, or TLS was not asked for.
    virtual std::optional<Error> notSecured() const = 0;
};

// The Scheduler that Hub and ReadHub have in common.
class HubScheduler : public Scheduler
{
public:
    MonotonicTime now() const override;
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override;
    boost::asio::any_io_executor executor() override;
    Sleepers& sleepers() override;

protected:
    explicit HubScheduler(std::shared_ptr<c_client::HubImpl> impl);
    std::shared_ptr<c_client::HubImpl> m_impl;
};

// The object that the user owns. Sessions share the implementation, so their scheduler() stays valid as long
// as they exist; destroying the hub (or the io_context, whichever comes first) stops all activity.
class Hub final : public HubScheduler
{
public:
    // Also makes the process-wide settings that the options request.
    static Result<std::unique_ptr<Hub>> create(boost::asio::io_context& io, HubOptions options = {});
    explicit Hub(std::shared_ptr<c_client::HubImpl> impl);
    // Closes all sessions; blocks for a few seconds at most. Session objects may outlive the hub. Pending
    // handlers, watches, listeners, timers, posted functions and the coroutines that wait for them are
    // destroyed without being called, and so are the handlers of later requests.
    ~Hub() override;

    // Never fails at once, but the session may be lost soon after: authFailed when a credential has no proof,
    // connectTimedOut when no handle can be made. Otherwise it stays connecting until its connectTimeout. At
    // most 128 sessions connect at a time, the others queue up; the connectTimeout runs from the end of that
    // wait.
    std::shared_ptr<HubSession> connect(ConnectOptions options);
    // Calls `done` when all previous close() calls have been completed.
    void whenClosed(UniqueFunction<void()> done);
    std::size_t sessionCount() const;
    // For the shutdown: makes all present and future timers due at once, so that sleeping coroutines wake and
    // end.
    void expireTimers();

private:
    friend class ReadHub;
};

// A hub whose sessions only read, for code that only observes. Neither this hub nor its sessions give access
// to a session that writes. It shares the implementation of a Hub; when that Hub ends, these sessions are
// closed.
class ReadHub final : public HubScheduler
{
public:
    explicit ReadHub(const Hub& hub);

    ReadSessionPtr connect(ConnectOptions options); // as Hub::connect
};

// The number of sessions that the file limit allows; raises the soft limit to the hard one first. Any thread.
std::size_t sessionCapacity();
// limitExceeded, with both numbers and a remedy, when `sessions` exceeds the capacity. Any thread.
Result<void> checkSessionCapacity(std::size_t sessions);
} // namespace lockscope::zk
