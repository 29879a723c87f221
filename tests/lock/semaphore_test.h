// Clients with a semaphore each on one path, on top of the clients of lock_test.h. In the trace the leases
// are lock 0, the mutex in front of them lock 1. Test thread only.
#pragma once

#include "core/lock/semaphore.h"
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

#include <algorithm>

namespace lockscope::tests {

using Leases = std::vector<lock::Lease>;
using Leasing = Later<Result<Leases>>;

struct SemaphoreClient
{
    LockClient* client; // session and gate
    std::unique_ptr<lock::Semaphore> semaphore;
};

class SemaphoreTest : public LockTest
{
protected:
    void SetUp() override
    {
        LockTest::SetUp();
        relay = std::make_unique<LossyRelay>(server().address());
    }
    void TearDown() override
    {
        relay->heal();
        for (const auto& one : m_all)
            one->client->gate->openForGood();
        world->runReady();
        m_all.clear();
        LockTest::TearDown();
        relay.reset();
    }

    SemaphoreClient& add(std::uint32_t maxLeases, const std::string& hosts = {})
    {
        lock::SemaphoreOptions own;
        own.leases = maxLeases;
        return add(std::move(own), addClient(hosts));
    }
    SemaphoreClient& addOverRelay(std::uint32_t maxLeases)
    {
        return add(maxLeases, relay->address());
    } // a faulty link
    SemaphoreClient& add(std::shared_ptr<lock::SharedCount> maxLeases)
    {
        lock::SemaphoreOptions own;
        own.count = std::move(maxLeases);
        return add(std::move(own), addClient());
    }
    SemaphoreClient& add(lock::SemaphoreOptions own, LockClient& client)
    {
        own.lock = options;
        own.lock.observer = observe(client.id, LockId{0}, client.gate.get());
        own.acquireMutexObserver = std::make_shared<sim::AcquireMutexObserver>(
            *recorder, client.id, LockId{1}, world->hub(), *client.gate);
        m_all.push_back(std::make_unique<SemaphoreClient>());
        m_all.back()->client = &client;
        m_all.back()->semaphore = std::make_unique<lock::Semaphore>(client.session, std::move(own));
        return *m_all.back();
    }

    Leasing acquire(SemaphoreClient& one, std::uint32_t count = 1,
                    std::optional<Duration> limit = std::nullopt,
                    lock::CancelToken cancel = lock::CancelToken::never())
    {
        const Leasing leasing =
            world->start(one.semaphore->acquire(OwnerId{0}, count, limit, std::move(cancel)));
        world->runReady();
        return leasing;
    }
    Leases granted(const Leasing& leasing)
    {
        if (!world->runUntil([&] { return leasing.arrived(); }, "the acquire to end"))
            return {};
        EXPECT_TRUE(*leasing) << leasing->error().text();
        return *leasing ? **leasing : Leases{};
    }
    Error refused(const Leasing& leasing)
    {
        if (!world->runUntil([&] { return leasing.arrived(); }, "the acquire to end"))
            return {};
        EXPECT_FALSE(*leasing) << "acquired against expectation";
        return *leasing ? Error{} : leasing->error();
    }
    Leases acquireNow(SemaphoreClient& one, std::uint32_t count = 1) { return granted(acquire(one, count)); }
    // Acquires and waits until it sleeps before the leases.
    Leasing waitInside(SemaphoreClient& one, std::uint32_t count = 1,
                       lock::CancelToken cancel = lock::CancelToken::never())
    {
        const Leasing leasing = acquire(one, count, std::nullopt, std::move(cancel));
        waitUntilAsleep(one);
        return leasing;
    }
    bool waitUntilAsleep(SemaphoreClient& one)
    {
        return world->runUntil([&] { return isAsleep(one); }, "the client to sleep before the leases");
    }
    Result<void> release(SemaphoreClient& one, Leases leases)
    {
        const auto releasing = world->start(one.semaphore->release(std::move(leases)));
        if (!world->runUntil([&] { return releasing.arrived(); }, "the release to end"))
            return Error{};
        return *releasing;
    }
    Result<void> releaseAll(SemaphoreClient& one) { return release(one, one.semaphore->held()); }

    std::vector<std::string> leases() { return world->children(path() + "/leases"); }
    std::vector<std::string> acquireMutexNodes() { return world->children(path() + "/locks"); }
    // A client with its leases releases the mutex in the background.
    bool waitUntilNoLeaseIsLeft() { return world->waitForChildren(path() + "/locks", 0); }
    std::string leaseOf(const SemaphoreClient& one) const { return nodeOf(*one.client); } // the last one made
    void deleteLease(const std::string& node)
    {
        ASSERT_EQ(world->remove(world->observer(), path() + "/leases/" + node), zk::Code::ok);
    }
    // Of all sessions, those on children too (which watchesUnder() does not see).
    std::size_t allWatches()
    {
        const auto words = server::sendFourLetterWord(server().address(), "mntr", std::chrono::seconds(10));
        EXPECT_TRUE(words) << words.error().text();
        const std::string key = "zk_watch_count\t";
        const std::size_t at = words.value().find(key);
        EXPECT_NE(at, std::string::npos);
        return std::stoul(words.value().substr(at + key.size()));
    }
    void settle(SemaphoreClient& one) { LockTest::settle(*one.client); }

    std::unique_ptr<LossyRelay> relay;

private:
    // Its last word about the leases is the decision that there is no room, on a list with a watch.
    bool isAsleep(const SemaphoreClient& one) const
    {
        bool decided = false;
        for (std::size_t i = store->count(); i-- > 0;) {
            const trace::Event& event = store->at(i);
            if (event.client != one.client->id || event.lock != LockId{0})
                continue;
            if (const auto* request = std::get_if<trace::Request>(&event.what))
                return decided && request->op == Operation::getChildren && request->watch;
            const auto* decision = std::get_if<trace::Decided>(&event.what);
            decided = decided || (decision && decision->position > 0);
            if (!decided)
                return false;
        }
        return false;
    }
    std::vector<std::unique_ptr<SemaphoreClient>> m_all;
};

class Semaphore : public SemaphoreTest
{};

class SemaphoreFaults : public SemaphoreTest
{};

} // namespace lockscope::tests
