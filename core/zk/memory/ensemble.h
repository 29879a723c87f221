// A simulated ZooKeeper of one to three servers, for running recipes under every order of events: every step
// is a transition that the caller chooses. The log of the leader holds the transactions; each server applies
// them to its own tree in separate transitions; requests and replies wait in queues until a transition moves
// them. The same transitions give the same run. One thread. The ensemble and the schedulers of the processes
// must outlive the sessions.
#pragma once

#include "core/zk/memory/messages.h"
#include "core/zk/memory/tree.h"
#include "core/zk/memory/virtual_clock.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::zk::memory {

class MemorySession;

struct EnsembleOptions
{
    std::uint32_t servers = 1;
    std::uint64_t listOrder =
        0; // seed of the order of children, which ZooKeeper does not define; 0: by creation
};

struct SessionOptions
{
    Duration timeout = std::chrono::seconds(10);
    Duration connectTimeout = std::chrono::seconds(15);
    // The pause after an attempt to connect that failed; none: as short as that of the C client.
    std::optional<Duration> reconnectDelay{};
};

enum class TransitionKind {
    connect, // a session without a connection tries one of the servers
    serve,   // a server executes the next request of a session
    apply,   // a server applies the next transaction of the log
    deliver, // the next message reaches its client
    expire,  // the leader expires a session that was silent for its timeout
};

struct Transition
{
    TransitionKind kind{};
    std::uint32_t session = 0; // index in the order of the connect() calls
    std::uint32_t server = 0;  // connect and apply
};

class Ensemble
{
public:
    Ensemble(VirtualClock& clock, EnsembleOptions options);
    ~Ensemble();
    Ensemble(const Ensemble&) = delete;
    Ensemble& operator=(const Ensemble&) = delete;

    // Opens a session of the process that `process` runs.
    std::shared_ptr<MemorySession> connect(VirtualScheduler& process, SessionOptions options);

    // ---- transitions ----
    // Appends all transitions that are enabled now; `into` must be empty.
    void enabledTransitions(std::vector<Transition>& into) const;
    void execute(const Transition& transition);
    std::string describe(const Transition& transition) const; // one line
    // Executes transitions and ready functions until none is left, like a network without faults. The clock
    // does not advance. Sessions do not expire.
    void settle();

    // Breaks the connection: the first `requests` under way still reach the server and are executed (their
    // replies are lost), the first `messages` still reach the client before the disconnect.
    void cut(std::uint32_t session, std::size_t requests, std::size_t messages);
    void refuse(std::uint32_t session, Duration span); // fails its connects for `span`
    // Fails the next `count` requests of this kind, or of any kind, with `code`, without executing them.
    void refuseRequests(std::uint32_t session, std::optional<OpCode> kind, Code code, std::size_t count);
    void kill(std::uint32_t session); // ends the session at once
    void pause(VirtualScheduler& process);
    void resume(VirtualScheduler& process);
    // Changes made by another client. False when the change is not possible.
    bool remove(const std::string& path);
    bool write(const std::string& path, const std::string& data);
    bool reap(const std::string& path); // as the server does with an empty container that has had children
    void skipSequenceNumbers(const std::string& path, std::int32_t count);

    // ---- the actual state ----
    const Tree& head() const { return m_head; } // the tree after the whole log
    const std::vector<Transaction>& log() const { return m_log; }
    std::uint32_t serverCount() const { return static_cast<std::uint32_t>(m_trees.size()); }
    const Tree& treeOf(std::uint32_t server) const { return m_trees[server]; }
    std::uint32_t sessionCount() const { return static_cast<std::uint32_t>(m_sessions.size()); }
    bool alive(SessionId session) const; // the leader has not ended it
    // Its client and its server communicate: neither paused nor disconnected.
    bool inContact(std::uint32_t session) const;
    // A connection exists, whether or not the client has noticed.
    bool isConnected(std::uint32_t session) const { return m_sessions[session].linked; }
    std::size_t requestsUnderWay(std::uint32_t session) const { return m_sessions[session].requests.size(); }
    std::size_t messagesUnderWay(std::uint32_t session) const { return m_sessions[session].messages.size(); }
    std::size_t refusalsLeft(std::uint32_t session) const { return m_sessions[session].refusals; }
    const ServerMessage* nextMessage(std::uint32_t session) const; // null when none is under way
    const std::deque<Request>& requestsOf(std::uint32_t session) const
    {
        return m_sessions[session].requests;
    }
    // Appends everything that the future of the servers and of the messages under way depends on: two
    // ensembles with equal texts, whose clients are in equal states, behave alike.
    void appendState(std::string& text) const;
    // The watches that servers keep, by path; a path occurs once for each watch.
    std::vector<std::string> serverWatches() const;

private:
    friend class MemorySession;

    // A write or a sync whose reply waits for the server to apply the log.
    struct Waiting
    {
        Zxid until;
        ServerMessage reply;
    };
    struct Record
    {
        SessionId id; // none before the first connect
        Duration timeout{};
        MemorySession* client = nullptr; // null when the client object is closed or destroyed
        VirtualScheduler* process = nullptr;
        bool alive = false; // the leader has not ended it
        bool expirable = false;
        Scheduler::TimerId expiry = 0; // runs while there is no contact
        bool linked = false;           // the connection works
        std::uint32_t server = 0;      // of the current or the last connection
        std::deque<Request> requests;  // on their way to the server
        std::optional<Waiting> waiting;
        std::deque<ServerMessage> messages; // on their way to the client
        std::vector<std::string> dataWatches;
        std::vector<std::string> childWatches;
        std::optional<OpCode> refusedKind; // the kind of requests to refuse; none: all
        Code refusal{};
        std::size_t refusals = 0; // requests still to be refused
        MonotonicTime refusedUntil{};
        MonotonicTime lastContact{}; // when contact was lost; unused while there is contact
        std::uint32_t breaks = 0;    // number of lost connections so far
    };

    // ---- for sessions ----
    void send(std::uint32_t session, Request request);
    // The client object is closed: nothing more is delivered. With `orderly` the server gets a close request
    // after all previous requests.
    void detachClient(std::uint32_t session, bool orderly);
    MonotonicTime lastContact(std::uint32_t session) const { return m_sessions[session].lastContact; }
    std::uint32_t serverOf(std::uint32_t session) const { return m_sessions[session].server; }

    // ---- connections ----
    void connect(std::uint32_t session, std::uint32_t server);
    void deliver(std::uint32_t session);
    void loseContact(std::uint32_t session);
    void regainContact(std::uint32_t session);
    void closeSilentConnection(std::uint32_t session);
    void endSession(std::uint32_t session);

    // ---- servers ----
    void append(Transaction transaction);
    void serve(std::uint32_t session);
    static bool refuses(Record& record, const Request& request);
    ServerMessage executeRequest(Record& record, const Request& request);
    void createNode(Record& record, const Request& request, ServerMessage& reply);
    void removeNode(Record& record, const Request& request, ServerMessage& reply);
    void setNodeData(Record& record, const Request& request, ServerMessage& reply);
    void read(Record& record, const Request& request, ServerMessage& reply);
    void setWatches(Record& record, const WatchSet& watches);
    const Transaction*
    nextOf(std::uint32_t server) const; // the next to apply; null when the server is up to date
    void apply(std::uint32_t server);
    void fire(std::uint32_t server, const std::string& path, WatchKind kind, Zxid zxid);
    void reply(Record& record, ServerMessage message);
    std::vector<std::string> listed(const Tree& tree, const std::string& path, const Znode& node) const;

    VirtualClock& m_clock;
    EnsembleOptions m_options;
    VirtualScheduler m_leaderTime; // for the session expiries of the leader
    Tree m_head;
    std::vector<Tree> m_trees;
    std::vector<Transaction> m_log;
    std::deque<Record> m_sessions;
};

} // namespace lockscope::zk::memory
