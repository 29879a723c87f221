// A live run as the window sees it, on a real ZooKeeper.
#include "ui/models/run/run_model.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;

namespace {

constexpr int kTimeoutMs = 60'000;

engine::Options threeClients(std::uint32_t cycles)
{
    engine::Options options;
    options.scenario.name = "three";
    options.scenario.clients = 3;
    options.scenario.work.cycles = cycles;
    if (cycles == 0)
        options.scenario.duration = 1h;
    return options;
}

TEST(LiveRun, IsDrainedToItsLastEvent)
{
    RunModel run;
    QSignalSpy changed(&run, &RunModel::runChanged);
    QSignalSpy phases(&run, &RunModel::phaseChanged);
    run.startLive(threeClients(4));
    EXPECT_TRUE(run.isLive());
    EXPECT_NE(run.engine(), nullptr);
    EXPECT_EQ(changed.size(), 1);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !run.isLive() && run.drained() == run.store()->count(); }, kTimeoutMs));
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.position() == run.store()->count(); }));
    EXPECT_EQ(run.state().phase, trace::RunPhase::finished);
    EXPECT_EQ(run.state().statistics.acquired, 12U);
    EXPECT_GE(phases.size(), 2);
}

TEST(LiveRun, EndsWithoutHoldingUpTheWindowAndKeepsItsTrace)
{
    RunModel run;
    run.startLive(threeClients(0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.state().statistics.acquired > 3; }, kTimeoutMs));
    const std::size_t seen = run.drained();
    run.endRun();
    EXPECT_FALSE(run.isLive());
    EXPECT_EQ(run.engine(), nullptr);
    EXPECT_TRUE(run.hasRun());
    EXPECT_EQ(run.drained(), seen) << "it came back at once, before the run had wound up";
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.state().phase == trace::RunPhase::finished; }, kTimeoutMs));
    EXPECT_GT(run.drained(), seen) << "how it ended is in the trace";
}

TEST(LiveRun, AnotherRunReplacesIt)
{
    RunModel run;
    run.startLive(threeClients(0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.state().statistics.acquired > 0; }, kTimeoutMs));
    const trace::TraceStore* first = run.store();
    run.startLive(threeClients(1));
    EXPECT_NE(run.store(), first);
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.state().phase == trace::RunPhase::finished; }, kTimeoutMs));
    EXPECT_EQ(run.state().statistics.acquired, 3U);
}

} // namespace
