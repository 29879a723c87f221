// A run on a server of others starts only where no other program has nodes, unless it is told to join.
#include "core/engine/lesson_run.h"
#include "core/sim/run/foreign_check.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/restricted_node.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

namespace lockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ForeignLock : public tests::ZkTest
{
protected:
    static constexpr const char* kCurator = "_c_8ad7f3c2-0000-4000-8000-000000000001-lock-";
    static constexpr const char* kKazoo = "0123456789abcdef0123456789abcdef__lock__";

    engine::Options joining(const std::string& lock, Recipe recipe = Recipe::mutex)
    {
        engine::Options options = optionsFor(testScenario(2, 2));
        options.scenario.locks = {lock};
        options.scenario.recipe = recipe;
        options.connect = server().address();
        return options;
    }
    void make(const std::string& path, zk::CreateMode mode = zk::CreateMode::persistent)
    {
        ASSERT_EQ(world->create(world->observer(), path, "", mode).code, zk::Code::ok) << path;
    }
    // The error with which such a run ends before it has begun.
    Error refusalOf(engine::Options options)
    {
        EngineFixture run(std::move(options));
        run.engine().start();
        EXPECT_TRUE(run.waitForEnd());
        EXPECT_EQ(run.engine().phase(), engine::Phase::failed);
        EXPECT_THAT(run.state().clients, IsEmpty());
        return run.engine().failure().value_or(Error{});
    }
    void expectRuns(engine::Options options)
    {
        EngineFixture run(std::move(options));
        run.engine().start();
        ASSERT_TRUE(run.waitForEnd());
        EXPECT_FALSE(run.engine().failure()) << run.engine().failure()->text();
        EXPECT_GE(run.state().statistics.acquired, 4U) << "a semaphore also counts its mutex";
    }
};

TEST_F(ForeignLock, IsNotJoinedAndItIsSaidWhoIsThere)
{
    make(path());
    make(path() + "/" + kCurator, zk::CreateMode::ephemeralSequential);
    make(path() + "/" + kCurator, zk::CreateMode::ephemeralSequential);
    make(path() + "/" + kKazoo, zk::CreateMode::ephemeralSequential);
    const std::vector<std::string> before = world->children(path());
    const Error error = refusalOf(joining(path()));
    EXPECT_EQ(error.code, ErrorCode::busy);
    EXPECT_EQ(error.path, path());
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    EXPECT_THAT(error.message.english(), HasSubstr("2 of Curator or LockScope, 1 of kazoo"));
    EXPECT_EQ(world->children(path()), before) << "nothing is changed";
}

TEST_F(ForeignLock, IsJoinedWhenThatIsSaid)
{
    make(path());
    make(path() + "/zz-not-in-front");
    EXPECT_EQ(refusalOf(joining(path())).code, ErrorCode::busy);
    engine::Options options = joining(path());
    options.joinForeign = true;
    expectRuns(options);
    options.joinForeign = false;
    options.scenario.joinForeign = true;
    expectRuns(options);
}

// A step of a lesson joins what the steps before it left, and nothing else.
TEST_F(ForeignLock, ALessonJoinsOnlyWhatItsOwnStepsMade)
{
    const auto made = std::make_shared<engine::LessonRun::Nodes>();
    sim::Scenario scenario = joining(path()).scenario;
    {
        engine::LessonRun first(scenario, server().address(), made);
        const auto created = [&] {
            first.resume(); // it is paused once it has started
            const trace::TraceStore& events = *first.trace();
            for (std::size_t i = 0; i < events.count(); ++i)
                if (const auto* reply = std::get_if<trace::Reply>(&events.at(i).what);
                    reply && reply->op == Operation::create)
                    return true;
            return false;
        };
        ASSERT_TRUE(world->runUntil(created, "a node of the first step"));
    }
    ASSERT_THAT(*made, Not(IsEmpty()));
    for (const std::string& node : *made)
        EXPECT_THAT(node, testing::StartsWith(path() + "/"));

    made->insert(path() + "/zz-left");
    make(path() + "/zz-left");
    engine::Options options = joining(path());
    options.ownNodes = *made;
    expectRuns(options);
    make(path() + "/zz-theirs");
    engine::LessonRun next(scenario, server().address(), made);
    ASSERT_TRUE(world->runUntil([&] { return next.failure().has_value(); }, "the refusal"));
    EXPECT_EQ(next.failure()->code, ErrorCode::busy);
    EXPECT_THAT(next.failure()->message.english(), HasSubstr("Nodes there: 1 that no known library makes"));
}

TEST_F(ForeignLock, RegistrationsAreOthersNodesToo)
{
    make(path());
    make(path() + "/host-1", zk::CreateMode::ephemeral);
    make(path() + "/host-2", zk::CreateMode::persistent);
    const Error error = refusalOf(joining(path()));
    EXPECT_EQ(error.code, ErrorCode::busy);
    EXPECT_THAT(error.message.english(), HasSubstr("2 that no known library makes"));
}

TEST_F(ForeignLock, AnEmptyPathIsNobodys)
{
    expectRuns(joining(path() + "/missing"));
    make(path() + "/empty", zk::CreateMode::container);
    expectRuns(joining(path() + "/empty"));
}

// What our own run leaves behind is no reason to refuse the next one.
TEST_F(ForeignLock, TwoRunsOneAfterTheOther)
{
    for (const Recipe recipe :
         {Recipe::mutex, Recipe::semaphore, Recipe::semaphore, Recipe::semaphoreMutex, Recipe::mutex})
        expectRuns(joining(path(), recipe));
}

TEST_F(ForeignLock, ASemaphoreIsLookedIntoToo)
{
    make(path());
    make(path() + "/leases");
    make(path() + "/locks");
    expectRuns(joining(path(), Recipe::semaphore));
    make(path() + "/leases/lease-", zk::CreateMode::ephemeralSequential);
    for (const Recipe recipe : {Recipe::semaphore, Recipe::mutex}) {
        const Error error = refusalOf(joining(path(), recipe));
        EXPECT_EQ(error.code, ErrorCode::busy);
        EXPECT_THAT(error.message.english(), HasSubstr("1 of Curator or LockScope"));
    }
}

TEST_F(ForeignLock, EveryLockOfTheRunIsLookedAt)
{
    make(path());
    make(path() + "/a");
    make(path() + "/b");
    make(path() + "/b/" + kCurator, zk::CreateMode::ephemeralSequential);
    engine::Options options = joining(path() + "/a", Recipe::multiLock);
    options.scenario.locks.push_back(path() + "/b");
    const Error error = refusalOf(options);
    EXPECT_EQ(error.code, ErrorCode::busy);
    EXPECT_EQ(error.path, path() + "/b");
    EXPECT_THAT(error.message.english(), Not(HasSubstr(path() + "/a")));
}

TEST_F(ForeignLock, WhatMayNotBeListedIsNotPassed)
{
    ASSERT_TRUE(
        tests::makeRestrictedNode(server().address(), path(), tests::createRight | tests::deleteRight));
    EngineFixture run(joining(path()));
    run.engine().start();
    ASSERT_TRUE(run.waitForEnd());
    EXPECT_EQ(run.state().cutShort, "refused");
    EXPECT_THAT(run.state().clients, IsEmpty());
    ASSERT_EQ(run.state().notices.size(), 1U);
    EXPECT_THAT(run.state().notices[0].text.english(), HasSubstr("\"read\""));
}

TEST(ProgramsOf, CountsByLibrary)
{
    EXPECT_EQ(sim::programsOf({}).english(), "");
    EXPECT_EQ(sim::programsOf({"/l/x-1000a2b3c4d0001-0000000001",
                               "/l/_c_0123456789abcdef0123456789abcdef-lock-0000000002", "/l/m",
                               "/l/x-1000a2b3c4d0001-0000000003"})
                  .english(),
              "1 of go-zookeeper, 2 of ZooKeeper's recipes, 1 that no known library makes");
}

} // namespace
} // namespace lockscope::test
