// What the tests of the recipes share: clients with a session, a mutex and a gate each, on one lock's path,
// and the trace that tells what they did. Test thread only.
#pragma once

#include "core/lock/mutex.h"
#include "core/sim/teaching/flawed_mutex.h"
#include "core/sim/tracing/trace_observer.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

namespace lockscope::tests {

using lock::Grant;

// Stops a client at the steps the test names, until it lets it pass.
class TestGate : public lock::StepGate
{
public:
    explicit TestGate(zk::Scheduler& scheduler)
        : m_scheduler(scheduler)
    {}
    void stopAt(GateStep step) { m_stops.insert(step); }
    bool isStoppedAt(GateStep step) const { return m_waiting && m_step == step; }
    void letPass();     // the step it is stopped at
    void openForGood(); // that one and all that follow

    bool open() const override { return m_stops.empty(); }
    void whenOpen(GateStep step, UniqueFunction<void()> pass) override;

private:
    zk::Scheduler& m_scheduler;
    std::set<GateStep> m_stops;
    GateStep m_step{};
    UniqueFunction<void()> m_waiting;
};

struct LockClient
{
    ClientId id;
    HubSessionPtr session;
    std::unique_ptr<TestGate> gate;
    std::unique_ptr<lock::Mutex> mutex;
};
using Acquiring = Later<Result<Grant>>;

class LockTest : public ZkTest
{
protected:
    void SetUp() override;
    void TearDown() override;

    // The options of clients made from now on; their path is path().
    lock::MutexOptions options;
    // What makes a mutex with a mistake of theirs, when it is set.
    std::function<lock::MutexParts(lock::MutexParts)> flaw;

    LockClient& addClient(const std::string& hosts = {}, Duration timeout = std::chrono::seconds(30));
    LockClient& addClient(HubSessionPtr session);
    Acquiring acquire(LockClient& client, OwnerId owner = OwnerId{0},
                      std::optional<Duration> limit = std::nullopt,
                      lock::CancelToken cancel = lock::CancelToken::never());
    // Acquires and waits for it; the lock is expected to be had.
    Grant acquireNow(LockClient& client, OwnerId owner = OwnerId{0});
    Grant granted(const Acquiring& acquiring); // waits for it
    Error refused(const Acquiring& acquiring); // waits for it
    Result<void> release(LockClient& client, OwnerId owner = OwnerId{0});
    Later<Result<void>> startRelease(LockClient& client, OwnerId owner = OwnerId{0});
    // Acquires and waits until the client sleeps behind another node.
    Acquiring queueUp(LockClient& client);
    bool waitUntilAsleep(LockClient& client);
    bool waitUntilStopped(LockClient& client, GateStep step);
    // What the others did has reached the client, and it has done what it wants about it.
    void settle(LockClient& client);

    std::vector<std::string> queue() { return world->children(path()); }
    void makePath(); // the lock's own node, a container
    std::string nodeOf(const LockClient& client) const { return recorder->lastNodeOf(client.id, LockId{0}); }
    void deleteNodeOf(const LockClient& client); // as another client does

    // ---- the trace ----
    int requests(const LockClient& client, Operation op) const;
    template <class T>
    int count(const LockClient& client) const
    {
        int n = 0;
        for (std::size_t i = 0; i < store->count(); ++i)
            n += store->at(i).client == client.id && std::holds_alternative<T>(store->at(i).what) ? 1 : 0;
        return n;
    }
    int fired(trace::WatchKind kind) const; // watches of all clients

    std::unique_ptr<trace::TraceStore> store;
    std::unique_ptr<trace::Recorder> recorder;
    // Records what a lock does.
    std::shared_ptr<sim::TraceObserver> observe(ClientId client, LockId lock = LockId{0},
                                                TestGate* gate = nullptr);

private:
    bool isAsleep(const LockClient& client) const;
    std::vector<std::unique_ptr<LockClient>> m_clients;
};

// A test that holds under both handoff policies.
class EitherPolicy : public LockTest, public ::testing::WithParamInterface<HandoffPolicy>
{
protected:
    void SetUp() override
    {
        LockTest::SetUp();
        options.handoff = GetParam();
    }
};
std::string policyName(const ::testing::TestParamInfo<HandoffPolicy>& policy);

} // namespace lockscope::tests
