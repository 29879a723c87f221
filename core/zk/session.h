// One ZooKeeper session, asynchronous. Implementations of Session: c_client and memory (a deterministic
// ensemble under a virtual clock); of ReadSession only: wire::ObserverSession and ReadOnlySession. Calls,
// handlers and listeners: scheduler thread. A handler is called exactly once, never within the call that
// received it; when the session ends it gets sessionLost or closed. After the end of the hub it is destroyed
// uncalled. Requests of one session reach the server in the order of the calls (FIFO).
#pragma once

#include "core/base/ids.h"
#include "core/base/listeners.h"
#include "core/base/vocabulary.h"
#include "core/zk/code.h"
#include "core/zk/scheduler.h"

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lockscope::zk {

using lockscope::SessionPhase;
using lockscope::WatchKind;

// Why a session was lost.
enum class LossReason {
    none,
    expired,  // reported by the server
    timedOut, // nothing received for the negotiated timeout, by our own clock
    authFailed,
    connectTimedOut, // never connected
};

struct Stat
{
    Zxid czxid;
    Zxid mzxid;
    Zxid pzxid;
    SessionId ephemeralOwner; // none when the node is not ephemeral
    std::int32_t version = 0;
    std::int32_t cversion = 0;
    std::int32_t numChildren = 0;
    std::chrono::sys_time<std::chrono::milliseconds> created{}; // by the leader's clock; 1970: not known
};

enum class CreateMode { persistent, ephemeral, persistentSequential, ephemeralSequential, container };

inline constexpr std::int32_t kAnyVersion = -1;

struct Created
{
    Code code = Code::closed;
    std::string path; // with the sequence number
    Stat stat;
};
struct Data
{
    Code code = Code::closed;
    std::string bytes;
    Stat stat;
};
struct StatReply
{
    Code code = Code::closed;
    Stat stat;
};

using WatchHandler = UniqueFunction<void(WatchKind)>;
// Handle of a watch: after its destruction the handler is not called. The watch itself stays with the server
// until it fires or the connection ends, because it cannot be removed (ZOOKEEPER-1910).
class Watch
{
public:
    virtual ~Watch() = default;
};
using WatchPtr = std::unique_ptr<Watch>;

// Names of children as they arrive, in the order of the server; valid inside the visitor only.
using ChildNames = std::span<const char* const>;
// Called once when the list arrives, inside the network code: extract what you need and call nothing else.
using ChildrenVisitor = UniqueFunction<void(Code, ChildNames, const Stat& parent)>;

// The reading half of a session. It has no request that changes anything on the server; code that only
// observes gets this interface.
class ReadSession
{
public:
    using PhaseListener = UniqueFunction<void(SessionPhase)>;
    using ListenerId = lockscope::ListenerId;
    virtual ~ReadSession() = default;

    virtual void getChildren(const std::string& path, ChildrenVisitor visitor) = 0;
    // The same with a one-shot watch: `watch` is called at the next change of the children.
    virtual WatchPtr getChildren(const std::string& path, WatchHandler watch, ChildrenVisitor visitor) = 0;
    virtual void getData(const std::string& path, UniqueFunction<void(Data)> handler) = 0;
    // Sets a data watch when the reply is ok; on noNode it leaves no watch behind.
    virtual WatchPtr getData(const std::string& path, WatchHandler watch,
                             UniqueFunction<void(Data)> handler) = 0;
    // Sets a watch whether the node exists or not: it stays behind when the node is never created
    // (CURATOR-107).
    virtual WatchPtr exists(const std::string& path, WatchHandler watch,
                            UniqueFunction<void(StatReply)> handler) = 0;
    // Reads requested after it return a state no older than this call. Creates no transaction.
    virtual void sync(const std::string& path, UniqueFunction<void(Code)> handler) = 0;

    virtual SessionPhase phase() const = 0;
    virtual LossReason lossReason() const = 0;
    virtual SessionId id() const = 0;       // none before the first connect
    virtual Duration timeout() const = 0;   // negotiated
    virtual std::string server() const = 0; // the address of the connected server; empty when not connected
    virtual ListenerId addListener(PhaseListener listener) = 0; // called after every change of phase
    virtual void removeListener(ListenerId listener) = 0;
    // Closes the session: the phase is closed at once, the server is informed in the background.
    virtual void close() = 0;
    virtual Scheduler& scheduler() = 0;
};

class Session : public ReadSession
{
public:
    virtual void create(const std::string& path, std::string_view data, CreateMode mode,
                        UniqueFunction<void(Created)> handler) = 0;
    virtual void remove(const std::string& path, UniqueFunction<void(Code)> handler) = 0; // any version
    // Fails with badVersion when the node has another version; kAnyVersion matches any.
    virtual void setData(const std::string& path, std::string_view data, std::int32_t version,
                         UniqueFunction<void(StatReply)> handler) = 0;
    void setData(const std::string& path, std::string_view data, UniqueFunction<void(StatReply)> handler)
    {
        setData(path, data, kAnyVersion, std::move(handler));
    }
};

using ReadSessionPtr = std::shared_ptr<ReadSession>;
using SessionPtr = std::shared_ptr<Session>;

} // namespace lockscope::zk
