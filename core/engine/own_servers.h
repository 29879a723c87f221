// The ZooKeeper that a run starts for itself: a single server or an ensemble of three. Says in the trace what
// becomes of its members; a single one that died is started again, so that its coming back can be seen. I/O
// thread; only start() blocks.
#pragma once

#include "core/server/managed_ensemble.h"
#include "core/server/managed_server.h"
#include "core/sim/server_hand.h"
#include "core/trace/recorder.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lockscope::engine {

class OwnServers final : public sim::ServerHand
{
public:
    // `servers`: 1 or 3. Errors as ManagedServer::start().
    static Result<std::unique_ptr<OwnServers>> start(std::uint32_t servers, std::stop_token cancel);

    std::string hosts() const;
    std::string version() const;
    std::string mode() const; // "standalone", "ensemble of 3"
    // Why it can serve nobody at this moment; empty while it can.
    std::string outage();
    // Called whenever something was done to a server. Set before the first.
    void onDeed(std::function<void()> done) { m_onDeed = std::move(done); }

    Result<std::uint32_t> suspend(sim::ServerChoice which) override;
    Result<std::uint32_t> resume(sim::ServerChoice which) override;
    Result<std::uint32_t> killNow(sim::ServerChoice which) override;
    Result<std::uint32_t> restart(sim::ServerChoice which, bool withData) override;

    // Call it some times a second: records what has changed. Error when it cannot be started again.
    Result<void> look(trace::Recorder& recorder, MonotonicTime now);

private:
    Result<std::uint32_t> numberOf(sim::ServerChoice which);
    template <class OnSingle, class OnMember>
    Result<std::uint32_t> with(sim::ServerChoice which, OnSingle onSingle, OnMember onMember);
    void lookAtMembers(trace::Recorder& recorder);

    std::unique_ptr<server::ManagedServer> m_single;
    std::unique_ptr<server::ManagedEnsemble> m_ensemble;
    std::function<void()> m_onDeed = [] {};
    bool m_suspended = false; // the single one
    MonotonicTime m_reviveAt = MonotonicTime::max();
    struct Told
    {
        trace::ServerPhase phase = trace::ServerPhase::starting;
        std::string mode;
        bool operator==(const Told&) const = default;
    };
    std::vector<Told> m_told; // by member
};

} // namespace lockscope::engine
