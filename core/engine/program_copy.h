// One copy of the user's program: its process, the relay between it and the server, and what both show, as
// the events that a client of ours records. It says by lines on its standard output when it has the lock and
// when it gives it up; everything else is read from the protocol as it passes. What the program said before a
// request is read before the request passes on, so that the events are in the order of cause and effect. I/O
// thread.
#pragma once

#include "core/engine/program_faults.h"
#include "core/server/process/child_program.h"
#include "core/sim/run/client_link.h"
#include "core/trace/recorder.h"
#include "core/zk/wire/traffic_reader.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::engine {

// What the copies have in common.
struct CopiesShared
{
    boost::asio::io_context& io;
    trace::Recorder& recorder;
    LockId lock;
    std::string path; // of the lock
    std::vector<std::string> command;
    bool silent = false;

    struct Node
    {
        Zxid created;
        ClientId owner;
    };
    // The children of the path that the replies of the server have shown, without those it has shown gone.
    std::map<std::string, Node, std::less<>> nodes{};
    // What each copy asked to create, and whose reply has not come.
    std::map<ClientId, std::string> unanswered{};
    // Both are called while bytes pass, and must destroy nothing.
    std::function<void(ClientId, const Message&)> brokenLine = {};
    std::function<void(ClientId, ProgramMoment)> reached = {};
};

class ProgramCopy
{
public:
    enum class Doing : std::uint8_t { nothing, asks, claims, letsGo };
    struct Session
    {
        SessionId id = SessionId::none();
        zk::wire::Identity identity;
        Duration timeout{};
        zk::SessionPhase phase = zk::SessionPhase::connecting;
    };

    // Errors as sim::ClientLink::open().
    static Result<std::unique_ptr<ProgramCopy>> open(CopiesShared& shared, ClientId id, std::string name,
                                                     const std::string& hosts, std::uint64_t seed);
    ~ProgramCopy();

    // `ended` is called with the status of the process, when its last events are recorded. Errors as
    // ChildProgram::start().
    Result<void> start(std::function<void(int status)> ended);
    void pause(bool on);
    void signal(int number);
    bool running() const { return m_program && m_program->running(); }
    bool paused() const { return m_paused; }
    // An action on its link, recorded with the link's new state.
    Result<void> apply(const sim::Action& action);

    ClientId id() const { return m_id; }
    const std::string& name() const { return m_name; }
    Doing doing() const { return m_doing; }
    const Session& session() const { return m_session; }
    const std::string& node() const { return m_node; } // in the queue; empty: none that it knows
    std::uint32_t acquired() const { return m_acquired; }
    void recordSessionGone(SessionId session, EventIndex cause);

private:
    class Traffic;
    ProgramCopy(CopiesShared& shared, ClientId id, std::string name);

    EventIndex record(trace::Payload what, EventIndex cause = EventIndex::none(), bool ofLock = true);
    void setPhase(zk::SessionPhase phase);
    void onTraffic(std::uint64_t connection, bool fromClient, std::string_view bytes);
    void onLine(const std::string& line);
    void onAcquired(Zxid token);
    void onReleased();
    void onEnded(int status);

    void onSession(std::uint64_t connection, const zk::wire::ConnectReply& reply);
    std::uint32_t onRequest(const zk::wire::SeenRequest& seen);
    void onReply(const zk::wire::SeenRequest& request, const zk::wire::SeenReply& reply);
    void onWatch(const zk::wire::WatcherEvent& event);
    void onCreated(const zk::wire::SeenRequest& request, const zk::wire::SeenReply& reply, EventIndex event);
    void onList(const zk::wire::SeenRequest& request, const zk::wire::SeenReply& reply, EventIndex event);
    void findOwn(const std::vector<std::string>& names, Zxid seen);
    void giveUp();
    bool isOnServer(const std::string& node) const { return m_shared.nodes.contains(node); }

    CopiesShared& m_shared;
    ClientId m_id;
    std::string m_name;
    std::unique_ptr<sim::ClientLink> m_link;
    std::unique_ptr<server::ChildProgram> m_program;
    std::function<void(int)> m_ended;
    std::map<std::uint64_t, std::unique_ptr<Traffic>> m_connections;
    std::uint64_t m_sessionConnection = 0;
    Session m_session;
    Doing m_doing = Doing::nothing;
    bool m_saysReleasedLater = false; // it gave up the lock by its delete, and the line is still to come
    std::string m_node;
    std::uint32_t m_acquired = 0;
    bool m_paused = false;
    bool m_notUnderstood = false;
};

} // namespace lockscope::engine
