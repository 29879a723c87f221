// Shared counts at "most" below the path, for themselves and for semaphores. Test thread only.
#pragma once

#include "tests/lock/semaphore_test.h"

namespace lockscope::tests {

class SharedCount : public SemaphoreTest
{
protected:
    std::shared_ptr<lock::SharedCount> startCount(zk::SessionPtr session, std::int32_t seed)
    {
        auto made = std::make_shared<lock::SharedCount>(std::move(session), path() + "/most", seed);
        const auto started = world->start(made->start());
        world->runUntil([&] { return started.arrived(); }, "the count to start");
        EXPECT_TRUE(*started) << started->error().text();
        return made;
    }
    std::shared_ptr<lock::SharedCount> startCount(std::int32_t seed)
    {
        return startCount(world->connect(), seed);
    }
    std::shared_ptr<lock::SharedCount> startOverRelay(std::int32_t seed) // over the relay
    {
        return startCount(world->connect(std::chrono::seconds(30), relay->address()), seed);
    }
    Result<void> set(lock::SharedCount& maxLeases, std::int32_t value)
    {
        const auto setting = world->start(maxLeases.set(value));
        world->runUntil([&] { return setting.arrived(); }, "the count to be set");
        return *setting;
    }
    Result<bool> trySet(lock::SharedCount& maxLeases, lock::VersionedCount previous, std::int32_t value)
    {
        const auto setting = world->start(maxLeases.trySet(previous, value));
        world->runUntil([&] { return setting.arrived(); }, "the count to be set or not");
        return *setting;
    }
    std::string encodeCount() { return world->get(world->observer(), path() + "/most").bytes; }
    std::int32_t version() { return world->get(world->observer(), path() + "/most").stat.version; }
};

} // namespace lockscope::tests
