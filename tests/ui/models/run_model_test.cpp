// The run model: one cursor over a run that grows, is opened, and is sought through.
#include "tests/ui/growing_run.h"

#include "core/replay/fold/reducer.h"

#include <gtest/gtest.h>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using lockscope::tests::GrowingRun;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;

namespace {

replay::RunState folded(const trace::TraceStore& store, std::size_t count)
{
    replay::RunState state;
    for (std::size_t i = 0; i < count; ++i)
        replay::apply(state, store, i);
    return state;
}

TEST(RunModel, SeekingGivesTheStateOfThatMoment)
{
    const auto store = sampleRun();
    RunModel run;
    run.openTrace(store);
    const std::size_t middle = store->count() / 2;
    QSignalSpy state(&run, &RunModel::stateChanged);
    QSignalSpy moved(&run, &RunModel::cursorMoved);
    run.seekEvent(middle);
    EXPECT_EQ(run.position(), middle);
    EXPECT_FALSE(run.following());
    EXPECT_TRUE(run.state() == folded(*store, middle));
    EXPECT_EQ(state.size(), 1);
    EXPECT_EQ(moved.size(), 1);

    run.stepEvents(3);
    EXPECT_EQ(run.position(), middle + 3);
    run.stepEvents(-4);
    EXPECT_EQ(run.position(), middle - 1);
    run.stepEvents(-1'000'000);
    EXPECT_EQ(run.position(), 0U);

    const TraceTime between = store->at(middle).at + 1ns;
    run.seekTime(between);
    EXPECT_EQ(run.cursorTime(), between) << "the cursor stays where it was put, between two events";
    run.seekTime(run.endTime() + 5s);
    EXPECT_TRUE(run.following());
    EXPECT_EQ(run.position(), store->count());
}

TEST(RunModel, AStepToTheLastEventOfARunThatGrowsDoesNotFollowIt)
{
    GrowingRun growing;
    RunModel run;
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 200));
    while (!growing.source().at(growing.published() - 1).client.valid())
        ASSERT_TRUE(growing.publishAndDrain(run, 1));
    const std::size_t events = growing.published();
    run.seekEvent(events - 1);
    const EventIndex last = run.stepToEventOf(growing.source().at(events - 1).client, true);
    EXPECT_EQ(last.value, events - 1);
    EXPECT_EQ(run.position(), events);
    EXPECT_FALSE(run.following());
    ASSERT_TRUE(growing.publishAndDrain(run, 50));
    EXPECT_EQ(run.position(), events) << "it stays there";
}

TEST(RunModel, ABurstIsTakenInSlicesAndNothingIsLost)
{
    SampleOptions options;
    options.clients = 20;
    options.events = 60'000;
    GrowingRun growing(options);
    RunModel run;
    growing.showIn(run);
    growing.publish(growing.total());
    QSignalSpy grew(&run, &RunModel::timelineGrew);
    ASSERT_TRUE(growing.publishAndDrain(run, 0));
    EXPECT_EQ(run.position(), growing.total());
    EXPECT_GE(grew.size(), 1);
    EXPECT_GT(run.takeWorstTick(), 0ns);
    EXPECT_EQ(run.takeWorstTick(), 0ns) << "the worst since the last call";
}

TEST(RunModel, ABigTraceOpensBesideTheWindow)
{
    SampleOptions options;
    options.events = 100'000;
    const auto store = sampleRun(options);
    RunModel run;
    QSignalSpy progress(&run, &RunModel::progress);
    QSignalSpy state(&run, &RunModel::stateChanged);
    run.openTrace(store);
    EXPECT_TRUE(run.opening());
    EXPECT_TRUE(run.hasRun());
    run.seekEvent(40'000); // carried out when it is there
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run.opening(); }, 60'000));
    EXPECT_EQ(run.position(), 40'000U);
    EXPECT_EQ(run.drained(), store->count());
    EXPECT_GE(state.size(), 1);
    ASSERT_FALSE(progress.isEmpty());
    EXPECT_EQ(progress.back().front().toDouble(), 1.0);
    EXPECT_TRUE(run.state() == folded(*store, 40'000));
}

} // namespace
