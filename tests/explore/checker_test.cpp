// The checker itself, on small queues that are made by hand: what it must find, and what it must not take for
// an error.
#include "core/explore/checker.h"

#include <gmock/gmock.h>

#include <deque>

namespace lockscope::explore {
namespace {

using ::testing::HasSubstr;

const std::string kPath = "/well";

// A lock that says what the test wants.
class SaidLock final : public lock::Lock
{
public:
    explicit SaidLock(zk::Scheduler& scheduler)
        : m_scheduler(scheduler)
    {}
    zk::Task<Result<lock::Grant>> acquire(OwnerId, std::optional<Duration>, lock::CancelToken) override
    {
        co_return lock::Grant{};
    }
    zk::Task<Result<void>> release(OwnerId) override { co_return Result<void>{}; }
    std::uint16_t depth(OwnerId) const override { return held; }
    ListenerId onLost(std::function<void(OwnerId)>) override { return 0; }
    void removeLostListener(ListenerId) override {}
    const std::string& path() const override { return kPath; }
    zk::Scheduler& scheduler() override { return m_scheduler; }

    std::uint16_t held = 1;

private:
    zk::Scheduler& m_scheduler;
};

struct Sketch
{
    explicit Sketch(zk::memory::VirtualClock& clock)
        : process(clock)
        , lock(process)
    {}
    zk::memory::VirtualScheduler process;
    SaidLock lock;
    std::shared_ptr<zk::memory::MemorySession> session;
    lock::Grant grant; // of its node
};

class CheckerTest : public ::testing::Test
{
protected:
    void SetUp() override
    {
        addClient();
        addClient();
        clients[0].session->create(kPath, "", zk::CreateMode::persistent, [](zk::Created) {});
        ensemble.settle();
    }
    void TearDown() override
    {
        for (Sketch& client : clients)
            client.session.reset();
    }
    void addClient()
    {
        Sketch& client = clients.emplace_back(clock);
        client.session = ensemble.connect(client.process, {});
        ensemble.settle();
    }
    void makeNode(Sketch& client)
    {
        client.session->create(
            kPath + "/_c_00000000-0000-4000-8000-000000000000-lock-", "", zk::CreateMode::ephemeralSequential,
            [&client](zk::Created created) {
                client.grant = lock::Grant{created.path.substr(kPath.size() + 1), created.stat.czxid, 1};
            });
        ensemble.settle();
    }
    void grant(std::uint32_t client)
    {
        checker.granted(ThreadRef{client, 0}, clients[client].session, clients[client].lock,
                        clients[client].grant);
        checker.afterStep();
    }
    std::string found() const
    {
        return checker.violation()
                   ? checker.violation()->invariant + ": " + checker.violation()->what.english()
                   : "nothing";
    }

    zk::memory::VirtualClock clock;
    std::deque<Sketch> clients;
    zk::memory::Ensemble ensemble{clock, {}};
    ScheduleLog scheduleLog{false};
    Checker checker{*recipeNamed("mutex"), kPath, ensemble, scheduleLog};
};

TEST_F(CheckerTest, IsContentWithOneAfterTheOther)
{
    makeNode(clients[0]);
    makeNode(clients[1]);
    grant(0);
    checker.dropped(ThreadRef{0, 0});
    ensemble.remove(kPath + "/" + clients[0].grant.node);
    ensemble.settle();
    clients[1].session->sync("/", [](zk::Code) {}); // brings it up to date
    ensemble.settle();
    grant(1);
    EXPECT_EQ(found(), "nothing");
    EXPECT_EQ(checker.grants(), 2U);
}

TEST_F(CheckerTest, FindsABeliefThatOutlivesItsNode)
{
    makeNode(clients[0]);
    grant(0);
    clients[0].session->remove(kPath + "/" + clients[0].grant.node, [](zk::Code) {});
    ensemble.settle();
    checker.afterStep();
    EXPECT_THAT(found(), HasSubstr("S2: client 0 believes"));
}

TEST_F(CheckerTest, ExcusesABeliefWhoseNodeAnotherClientDeleted)
{
    makeNode(clients[0]);
    grant(0);
    ensemble.remove(kPath + "/" + clients[0].grant.node);
    checker.afterStep();
    EXPECT_EQ(found(), "nothing");
}

TEST_F(CheckerTest, ExcusesAnEndedSessionOnlyUntilTheClientKnows)
{
    makeNode(clients[0]);
    grant(0);
    ensemble.kill(clients[0].session->index());
    checker.afterStep();
    EXPECT_EQ(found(), "nothing");
    ensemble.settle();
    checker.afterStep();
    EXPECT_THAT(found(), HasSubstr("S2: client 0 still believes"));
}

TEST_F(CheckerTest, FindsALockThatDoesNotTellThatItIsLost)
{
    makeNode(clients[0]);
    clients[0].lock.held = 0;
    grant(0);
    EXPECT_THAT(found(), HasSubstr("was not notified"));
}

TEST_F(CheckerTest, FindsATokenThatIsNotTheNodes)
{
    makeNode(clients[0]);
    ++clients[0].grant.token->value;
    grant(0);
    EXPECT_THAT(found(), HasSubstr("S3"));
}

// The one who is woken by the end of a node, and one too many.
TEST_F(CheckerTest, FindsAHerd)
{
    addClient();
    for (Sketch& client : clients)
        makeNode(client);
    const std::string first = kPath + "/" + clients[0].grant.node;
    std::vector<zk::WatchPtr> watches;
    for (std::size_t i : {1U, 2U})
        watches.push_back(clients[i].session->getData(
            first, [](zk::WatchKind) {}, [](zk::Data) {}));
    ensemble.settle();
    ensemble.remove(first);
    ensemble.execute(zk::memory::Transition{zk::memory::TransitionKind::apply, 0, 0});
    checker.beforeDelivery(*clients[1].session, *ensemble.nextMessage(1));
    EXPECT_EQ(found(), "nothing");
    checker.beforeDelivery(*clients[2].session, *ensemble.nextMessage(2));
    EXPECT_THAT(found(), HasSubstr("S6: 2 sessions were woken"));
}

// A recipe whose nodes say nothing of who holds: what is left to find are S1 and S4.
class BlindRecipe : public Recipe
{
public:
    explicit BlindRecipe(bool ordered)
        : m_ordered(ordered)
    {}
    std::string name() const override { return "blind"; }
    std::size_t sides() const override { return 1; }
    std::unique_ptr<Locks> make(zk::SessionPtr, lock::LockOptions, const ObserverOf&) const override
    {
        return nullptr;
    }
    bool before(std::string_view one, std::string_view other) const override { return one < other; }
    bool holds(const Queue&, std::size_t) const override { return true; }
    // Ordered: only neighbours exclude each other in time, so that the order of two can be wrong.
    bool compatible(const Queue& holders) const override { return holders.size() <= (m_ordered ? 1U : 2U); }
    std::size_t mayWake(const Queue&, std::size_t) const override { return 1; }

private:
    bool m_ordered;
};

TEST_F(CheckerTest, FindsAGrantBeforeAnOlderNode)
{
    const BlindRecipe recipe(true);
    Checker blind(recipe, kPath, ensemble, scheduleLog);
    makeNode(clients[0]);
    makeNode(clients[1]);
    blind.granted(ThreadRef{1, 0}, clients[1].session, clients[1].lock, clients[1].grant);
    ASSERT_TRUE(blind.violation());
    EXPECT_EQ(blind.violation()->invariant, "S4");
}

TEST_F(CheckerTest, FindsTooManyHolders)
{
    addClient();
    const BlindRecipe recipe(false); // two may hold together
    Checker blind(recipe, kPath, ensemble, scheduleLog);
    for (std::uint32_t i = 0; i < 3; ++i) {
        makeNode(clients[i]);
        EXPECT_FALSE(blind.violation());
        blind.granted(ThreadRef{i, 0}, clients[i].session, clients[i].lock, clients[i].grant);
        blind.afterStep();
    }
    ASSERT_TRUE(blind.violation());
    EXPECT_EQ(blind.violation()->invariant, "S1");
}

// The token of the second grant has to be greater, whatever became of the first one's node.
TEST_F(CheckerTest, FindsATokenThatDoesNotGrow)
{
    makeNode(clients[0]);
    makeNode(clients[1]);
    const std::string first = kPath + "/" + clients[0].grant.node;
    const BlindRecipe recipe(true);
    Checker blind(recipe, kPath, ensemble, scheduleLog);
    ensemble.remove(first);
    ensemble.settle();
    clients[1].session->sync("/", [](zk::Code) {});
    ensemble.settle();
    blind.granted(ThreadRef{1, 0}, clients[1].session, clients[1].lock, clients[1].grant);
    blind.dropped(ThreadRef{1, 0});
    EXPECT_FALSE(blind.violation());
    blind.granted(ThreadRef{1, 0}, clients[1].session, clients[1].lock, clients[1].grant);
    ASSERT_TRUE(blind.violation());
    EXPECT_EQ(blind.violation()->invariant, "S3");
}

} // namespace
} // namespace lockscope::explore
