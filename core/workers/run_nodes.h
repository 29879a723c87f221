// The nodes through which several processes carry out one run, and the session that sees them. Below the
// run's path, a container, all nodes are ephemeral, so that nothing stays when the processes are gone:
//
//     run            the plan (plan.h); the coordinator's: when it goes, the run ends
//     worker-NAME    a worker that is ready; its data says who it is
//     go             the names of those that take part, in the order of their ranks: they start
//     take-worker-NAME   the place of a worker that died is this worker's; empty: the run ends without it
//     end            the run is to end early; its data is why: empty, or one of sim/run/cut_short.h
//     result-RANK    what a worker found, when its part is over
//     fired-, due-, count-, still-   the script (core/sim/scenario/share.h)
//
// Calls block until the server has answered or the session is lost. Used by one thread, which calls turn()
// several times a second so that the session lives.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/zk/hub.h"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::workers {

using IsEnded = std::function<bool()>; // whether the user ends the program; called several times a second

inline constexpr const char* kRunNode = "run";
inline constexpr const char* kGoNode = "go";
inline constexpr std::string_view kTakeNode = "take-";
inline constexpr const char* kEndNode = "end";
inline constexpr const char* kWorkerNode = "worker-";
inline constexpr const char* kResultNode = "result-";

// Which run, and where.
struct RunPlace
{
    std::string connect; // "zk1:2181,..."
    tls::ContextPtr tls{};
    // If there are any, only who has them can read or change the run's nodes; they must be those of all.
    std::vector<zk::Credential> credentials{};
    std::string folder = "/lockscope/runs", id;
    // After so much silence of a process the others take it for dead.
    Duration sessionTimeout = std::chrono::seconds(10);
    Duration wait = std::chrono::minutes(5); // for the other processes, before the start

    std::string path() const { return folder + "/" + id; }
};

class RunNodes
{
public:
    // Errors: noServer, noAuth, cancelled.
    static Result<std::unique_ptr<RunNodes>> open(RunPlace place, const IsEnded& isEnded);
    ~RunNodes(); // closes the session

    const RunPlace& place() const { return m_place; }
    bool wasRefused() const { return m_refused; } // the last read(), for want of credentials
    zk::Hub& hub() { return *m_hub; }

    Result<void> makeFolders(const IsEnded& isEnded);
    // Ephemeral. Error: nodeExists and others.
    Result<void> create(const std::string& name, std::string_view data);
    // None: there is no such node, or the session is lost.
    std::optional<std::string> read(const std::string& name);
    // Of all nodes, read again when they have changed; none: there is no such run, or the session is lost.
    std::optional<std::vector<std::string>> names();
    void remove(const std::string& name);
    // The run's path and those above it, if they are empty, and the server would remove them, too.
    void removeFolders();

    void serve(Duration span);  // the session
    void turn(Duration atMost); // serves it for so long, or until the nodes change
    bool isLost() const;
    Error lost() const; // the sentence about it

private:
    explicit RunNodes(RunPlace place)
        : m_place(std::move(place))
    {}
    std::string pathOf(const std::string& name) const { return m_place.path() + "/" + name; }
    zk::ConnectOptions connectOptions() const;
    Result<std::shared_ptr<zk::HubSession>> connect(zk::ConnectOptions options, const IsEnded& isEnded);
    zk::StatReply look(const std::string& path);
    bool isOwn(const std::string& path);
    template <class Reply, class Ask>
    Reply answer(const Ask& ask);

    RunPlace m_place;
    boost::asio::io_context m_io{1};
    std::unique_ptr<zk::Hub> m_hub;
    std::shared_ptr<zk::HubSession> m_session;
    zk::WatchPtr m_watch;
    std::optional<std::vector<std::string>> m_names; // as they were read
    bool m_changed = true;                           // since then
    bool m_refused = false;
};

} // namespace lockscope::workers
