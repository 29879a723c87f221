// Clients with a session and a read/write lock each, on one path. Test thread only.
#pragma once

#include "core/lock/read_write_lock.h"
#include "tests/lock/any_lock_test.h"

namespace lockscope::tests {

struct RwClient
{
    HubSessionPtr session;
    std::unique_ptr<lock::ReadWriteLock> lock;
    ClientId id;

    lock::QueueLock& read() { return lock->readLock(); }
    lock::QueueLock& write() { return lock->writeLock(); }
};

class ReadWriteTest : public AnyLockTest
{
protected:
    using LockTest::queueUp;

    void TearDown() override
    {
        for (const auto& client : m_readWriters)
            client->lock.reset();
        AnyLockTest::TearDown();
        m_readWriters.clear();
    }

    RwClient& add(const std::string& hosts = {}, lock::ReadWriteLock::Naming naming = {})
    {
        auto client = std::make_unique<RwClient>();
        client->session = world->connect(std::chrono::seconds(30), hosts);
        client->id = ClientId{static_cast<std::uint32_t>(100 + m_readWriters.size())};
        lock::LockOptions own = options;
        own.observer = observe(client->id);
        client->lock = std::make_unique<lock::ReadWriteLock>(client->session, own, naming);
        m_readWriters.push_back(std::move(client));
        return *m_readWriters.back();
    }
    // Starts to acquire and waits until its watch on another node is answered.
    Acquiring queueUp(RwClient& client, lock::Lock& lock, OwnerId owner = kOne)
    {
        const int before = watchesSet(client);
        const Acquiring acquiring = start(lock, owner);
        world->runUntil([&] { return watchesSet(client) > before; }, "the client to wait");
        return acquiring;
    }
    // A zero limit: is it to be had now?
    bool canHave(lock::Lock& lock, OwnerId owner = kOne)
    {
        const Acquiring trying = start(lock, owner, Duration{});
        world->runUntil([&] { return trying.arrived(); }, "the try");
        if (!*trying) {
            EXPECT_EQ(trying->error().code, ErrorCode::timedOut);
        }
        return bool(*trying);
    }
    // Nothing that has happened so far lets this one in.
    bool stillWaits(const Acquiring& acquiring, RwClient& client)
    {
        world->settle(world->observer());
        world->settle(*client.session);
        world->settle(*client.session);
        return !acquiring.arrived();
    }
    int watchesSet(const RwClient& client) const
    {
        int n = 0;
        for (std::size_t i = 0; i < store->count(); ++i) {
            const auto* reply = std::get_if<trace::Reply>(&store->at(i).what);
            n += reply && store->at(i).client == client.id && reply->op == Operation::getData &&
                         reply->outcome == trace::Outcome::ok
                     ? 1
                     : 0;
        }
        return n;
    }

private:
    std::vector<std::unique_ptr<RwClient>> m_readWriters;
};

class ReadWriteLockTest : public ReadWriteTest
{
protected:
    void SetUp() override
    {
        ReadWriteTest::SetUp();
        options.watchHoldAfter = std::chrono::hours(1); // holders set no watches: only who waits does
    }
};

} // namespace lockscope::tests
