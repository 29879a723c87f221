#include "tests/lock/lock_test.h"

#include <utility>

namespace lockscope::tests {

void TestGate::whenOpen(GateStep step, UniqueFunction<void()> pass)
{
    if (!m_stops.contains(step)) {
        m_scheduler.post(std::move(pass));
        return;
    }
    EXPECT_FALSE(m_waiting) << "one gate is for one acquire at a time";
    m_step = step;
    m_waiting = std::move(pass);
}

void TestGate::letPass()
{
    ASSERT_TRUE(m_waiting);
    m_scheduler.post(std::exchange(m_waiting, nullptr));
}

void TestGate::openForGood()
{
    m_stops.clear();
    if (m_waiting)
        letPass();
}

std::string policyName(const ::testing::TestParamInfo<HandoffPolicy>& policy)
{
    return policy.param == HandoffPolicy::announced ? "announced" : "curator";
}

void LockTest::SetUp()
{
    ZkTest::SetUp();
    store = std::make_unique<trace::TraceStore>();
    recorder = std::make_unique<trace::Recorder>(*store);
    options.path = path();
    options.retry = lock::RetryPolicy::times(20, std::chrono::milliseconds(1));
}

void LockTest::TearDown()
{
    for (const auto& client : m_clients) {
        client->gate->openForGood();
        client->mutex.reset();
    }
    ZkTest::TearDown(); // ends what still uses gates and the recorder
    m_clients.clear();
}

LockClient& LockTest::addClient(const std::string& hosts, Duration timeout)
{
    return addClient(world->connect(timeout, hosts));
}

LockClient& LockTest::addClient(HubSessionPtr session)
{
    auto client = std::make_unique<LockClient>();
    client->id = ClientId{static_cast<std::uint32_t>(m_clients.size())};
    client->session = std::move(session);
    client->gate = std::make_unique<TestGate>(world->hub());
    lock::MutexOptions own = options;
    lock::MutexParts parts{client->session, observe(client->id, LockId{0}, client->gate.get())};
    if (flaw)
        parts = flaw(std::move(parts));
    own.observer = parts.observer;
    client->mutex = std::make_unique<lock::Mutex>(parts.session, own);
    m_clients.push_back(std::move(client));
    return *m_clients.back();
}

std::shared_ptr<sim::TraceObserver> LockTest::observe(ClientId client, LockId lock, TestGate* gate)
{
    auto observer = std::make_shared<sim::TraceObserver>(*recorder, client, lock);
    observer->hooks.gate = gate;
    return observer;
}

Acquiring LockTest::acquire(LockClient& client, OwnerId owner, std::optional<Duration> limit,
                            lock::CancelToken cancel)
{
    const Acquiring acquiring = world->start(client.mutex->acquire(owner, limit, std::move(cancel)));
    world->runReady(); // it has begun
    return acquiring;
}

Grant LockTest::granted(const Acquiring& acquiring)
{
    if (!world->runUntil([&] { return acquiring.arrived(); }, "the acquire to end"))
        return {};
    EXPECT_TRUE(*acquiring) << acquiring->error().text();
    return *acquiring ? **acquiring : Grant{};
}

Error LockTest::refused(const Acquiring& acquiring)
{
    if (!world->runUntil([&] { return acquiring.arrived(); }, "the acquire to end"))
        return {};
    EXPECT_FALSE(*acquiring) << "acquired against expectation";
    return *acquiring ? Error{} : acquiring->error();
}

Grant LockTest::acquireNow(LockClient& client, OwnerId owner) { return granted(acquire(client, owner)); }

Later<Result<void>> LockTest::startRelease(LockClient& client, OwnerId owner)
{
    const auto releasing = world->start(client.mutex->release(owner));
    world->runReady();
    return releasing;
}

Result<void> LockTest::release(LockClient& client, OwnerId owner)
{
    const auto releasing = startRelease(client, owner);
    if (!world->runUntil([&] { return releasing.arrived(); }, "the release to end"))
        return Error{};
    return *releasing;
}

Acquiring LockTest::queueUp(LockClient& client)
{
    const Acquiring acquiring = acquire(client);
    waitUntilAsleep(client);
    return acquiring;
}

// Its last word is the answer to the watch on the node that its last decision named.
bool LockTest::isAsleep(const LockClient& client) const
{
    const trace::Reply* last = nullptr;
    for (std::size_t i = store->count(); i-- > 0;) {
        const trace::Event& event = store->at(i);
        if (event.client != client.id)
            continue;
        if (const auto* decided = std::get_if<trace::Decided>(&event.what))
            return last && decided->position > 0 && last->node == decided->ahead;
        if (last)
            continue;
        last = std::get_if<trace::Reply>(&event.what);
        if (!last || last->op != Operation::getData || last->outcome != trace::Outcome::ok)
            return false;
    }
    return false;
}

bool LockTest::waitUntilAsleep(LockClient& client)
{
    return world->runUntil([&] { return isAsleep(client); }, "the client to sleep in the queue");
}

bool LockTest::waitUntilStopped(LockClient& client, GateStep step)
{
    return world->runUntil([&] { return client.gate->isStoppedAt(step); }, "the client to come to the step");
}

void LockTest::settle(LockClient& client)
{
    world->settle(world->observer());
    world->settle(*client.session);
    world->settle(*client.session); // and the answers to what that brought about
}

void LockTest::makePath()
{
    zk::Session& observer = world->observer();
    std::size_t end = 0;
    while (end != std::string::npos) {
        end = path().find('/', end + 1);
        world->create(observer, path().substr(0, end), "", zk::CreateMode::container);
    }
}

void LockTest::deleteNodeOf(const LockClient& client)
{
    ASSERT_EQ(world->remove(world->observer(), path() + "/" + nodeOf(client)), zk::Code::ok);
}

int LockTest::requests(const LockClient& client, Operation op) const
{
    int n = 0;
    for (std::size_t i = 0; i < store->count(); ++i) {
        const auto* request = std::get_if<trace::Request>(&store->at(i).what);
        n += request && store->at(i).client == client.id && request->op == op ? 1 : 0;
    }
    return n;
}

int LockTest::fired(trace::WatchKind kind) const
{
    int n = 0;
    for (std::size_t i = 0; i < store->count(); ++i) {
        const auto* watch = std::get_if<trace::WatchFired>(&store->at(i).what);
        n += watch && watch->kind == kind ? 1 : 0;
    }
    return n;
}

} // namespace lockscope::tests
