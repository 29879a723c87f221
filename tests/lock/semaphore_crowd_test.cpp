// Many clients want leases at once: the limit holds, and every client is served.
#include "tests/lock/semaphore_test.h"

#include "core/base/random.h"

namespace lockscope::tests {
namespace {

using ::testing::IsEmpty;

// How many are inside at a time, for those who go in and out.
struct Crowd
{
    std::uint32_t now = 0;
    std::uint32_t maxLeases = 0;
    std::uint32_t served = 0;
    void enter(std::uint32_t count)
    {
        now += count;
        maxLeases = std::max(maxLeases, now);
        ++served;
    }
    void leave(std::uint32_t count) { now -= count; }
};

zk::Awaitable<bool> cycles(lock::Semaphore* semaphore, OwnerId owner, int count, std::uint32_t maxLeases,
                           Crowd* crowd, zk::Session* session)
{
    Random random(owner.value + 1);
    for (int i = 0; i < count; ++i) {
        const auto want = static_cast<std::uint32_t>(random.uniform(1, maxLeases));
        Result<Leases> leases = co_await semaphore->acquire(owner, want).asResult();
        if (!leases || leases->size() != want) {
            ADD_FAILURE() << (leases ? "not as many as asked for" : leases.error().text());
            co_return false;
        }
        crowd->enter(want);
        zk::Pending<zk::Code> roundTrip; // something takes time while they are held
        session->sync("/", roundTrip.handler());
        co_await roundTrip.get();
        crowd->leave(want);
        const Result<void> released = co_await semaphore->release(*leases).asResult();
        if (!released) {
            ADD_FAILURE() << released.error().text();
            co_return false;
        }
    }
    co_return true;
}

class SemaphoreCrowd : public SemaphoreTest
{
protected:
    // `threads` of each of `clients`, each `count` times with 1 to `want` of `most` leases.
    void run(std::uint32_t clients, std::uint32_t threads, int count, std::uint32_t want,
             std::uint32_t maxLeases)
    {
        std::vector<Later<bool>> all;
        for (std::uint32_t i = 0; i < clients; ++i) {
            SemaphoreClient& one = add(maxLeases);
            for (std::uint32_t thread = 0; thread < threads; ++thread)
                all.push_back(world->start(cycles(one.semaphore.get(), OwnerId{i * threads + thread}, count,
                                                  want, &crowd, one.client->session.get())));
        }
        world->runUntil(
            [&] {
                return std::all_of(all.begin(), all.end(), [](const auto& one) { return one.arrived(); });
            },
            "all cycles");
        EXPECT_EQ(crowd.served, clients * threads * static_cast<std::uint32_t>(count));
        EXPECT_LE(crowd.maxLeases, maxLeases);
        EXPECT_THAT(leases(), IsEmpty());
        EXPECT_TRUE(waitUntilNoLeaseIsLeft());
    }
    Crowd crowd;
};

TEST_F(SemaphoreCrowd, TenThreadsOfOneClientTakeTurnsOnOneLease)
{
    run(1, 10, 3, 1, 1);
    EXPECT_EQ(crowd.maxLeases, 1U);
}

TEST_F(SemaphoreCrowd, AHundredThreadsShareElevenLeases) { run(10, 10, 2, 4, 11); }

TEST_F(SemaphoreCrowd, TenClientsWithAnyNumberOfLeasesNeverHaveMoreThanTheMost) { run(10, 1, 10, 3, 5); }

TEST_F(SemaphoreCrowd, TenClientsFillAllFiveLeasesAndAllAreServed)
{
    std::vector<Leasing> waiting;
    std::vector<SemaphoreClient*> clients;
    for (int i = 0; i < 10; ++i) {
        clients.push_back(&add(5));
        waiting.push_back(acquire(*clients.back()));
    }
    std::size_t served = 0;
    while (served < 10) {
        world->runUntil(
            [&] {
                const auto out =
                    std::count_if(waiting.begin(), waiting.end(), [](const auto& w) { return w.arrived(); });
                return static_cast<std::size_t>(out) == std::min<std::size_t>(10, served + 5);
            },
            "five to have a lease");
        for (std::size_t i = 0; i < 10; ++i) // one gives it back, and the next one may have it
            if (waiting[i].arrived() && !clients[i]->semaphore->held().empty()) {
                ASSERT_TRUE(releaseAll(*clients[i]));
                break;
            }
        ++served;
    }
    EXPECT_THAT(leases(), IsEmpty());
}

} // namespace
} // namespace lockscope::tests
