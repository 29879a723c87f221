#include "tests/trace/timeline_script.h"

#include <gtest/gtest.h>

namespace lockscope::replay {
namespace {

// a holds, b has asked and sleeps on a's node.
constexpr auto kHeldAndAwaited = R"(
        0 a connected 7
        1 a asks
        2 a gets n1
    ask: 3 b asks
    )";

TEST(Handoff, FollowsTheCausesOfAnAcquisition)
{
    const Script run(std::string(kHeldAndAwaited) + R"(
    rel: 10 a releases n1
    del: 11 a sends_delete n1 <-rel
         12 a deleted n1 <-del
    wat: 13 b woken n1 <-del
    lis: 14 b sends_list <-wat
    rep: 15 b listed <-lis
    got: 16 b gets n2 <-rep
         17 a released n1)");
    EXPECT_EQ(run.handoffs(), "a>b 10/11/12/13/14/16");
    const Handoff& handoff = run.timeline().handoff(0);
    EXPECT_EQ(handoff.lock, LockId{0});
    EXPECT_EQ(handoff.releaseEvent, run.label("rel"));
    EXPECT_EQ(handoff.wokenEvent, run.label("wat"));
    EXPECT_EQ(handoff.acquiredEvent, run.label("got"));
    EXPECT_EQ(handoff.latency(), Script::at(6));
}

TEST(Handoff, NamesTheEventOfEachPartAndCountsWhomItWoke)
{
    const Script run(std::string(kHeldAndAwaited) + R"(
         3 c asks
    rel: 10 a releases n1
    del: 11 a sends_delete n1 <-rel
    com: 12 a deleted n1 <-del
         12 a woken n1 <-del
    wat: 13 b woken n1 <-del
    lis: 14 b sends_list <-wat
    rep: 15 b listed <-lis
    got: 16 b gets n2 <-rep
         17 c woken n1 <-del)");
    const Timeline& timeline = run.timeline();
    ASSERT_EQ(timeline.handoffAt(run.label("got")), std::optional<std::size_t>(0));
    EXPECT_FALSE(timeline.handoffAt(run.label("rep")).has_value());
    const Handoff& handoff = timeline.handoff(0);
    EXPECT_EQ(handoff.requestEvent, run.label("del"));
    EXPECT_EQ(handoff.commitEvent, run.label("com"));
    EXPECT_EQ(handoff.listEvent, run.label("lis"));
    EXPECT_EQ(handoff.answerEvent, run.label("rep"));
    EXPECT_EQ(handoff.answered, Script::at(15));
    EXPECT_EQ(timeline.wakeUps(handoff), 2U)
        << "the watch on its own node wakes no waiting client; a late one counts";
}

TEST(Handoff, AnAnnouncedOneIsNotListed)
{
    const Script run(std::string(kHeldAndAwaited) + R"(
    rel: 10 a releases n1
    del: 11 a sends_delete n1 <-rel
    wat: 13 b woken n1 <-del
         13 b gets n2 <-wat)");
    EXPECT_EQ(run.handoffs(), "a>b 10/11/13/13/13/13");
    const Handoff& handoff = run.timeline().handoff(0);
    EXPECT_FALSE(handoff.listEvent.valid() || handoff.answerEvent.valid());
    EXPECT_EQ(handoff.answered, handoff.listed);
    EXPECT_EQ(run.timeline().wakeUps(handoff), 1U);
}

TEST(Handoff, WithoutCausesTheLastReleaseCounts)
{
    EXPECT_EQ(Script(std::string(kHeldAndAwaited) + "10 a releases n1 \n 15 b gets n2").handoffs(),
              "a>b 10/10/15/15/15/15");
    EXPECT_EQ(Script(std::string(kHeldAndAwaited) + R"(
         10 a releases n1
         11 a sends_delete n1
         12 - vanished n1
         15 b gets n2)")
                  .handoffs(),
              "a>b 10/11/12/15/15/15");
}

TEST(Handoff, WhoWokeUpBeforeAndSleptAgainIsWokenLast)
{
    const Script run(std::string(kHeldAndAwaited) + R"(
    one: 5 b woken n0 <-ask
    lis: 6 b sends_list <-one
    rep: 7 b listed <-lis
    rel: 10 a releases n1
    del: 11 a sends_delete n1 <-rel
    two: 13 b woken n1 <-del
    ls2: 14 b sends_list <-two
    rp2: 15 b listed <-ls2
         16 b gets n2 <-rp2)");
    EXPECT_EQ(run.handoffs(), "a>b 10/11/13/13/14/16");
}

TEST(Handoff, AnIdleLockIsSimplyTaken)
{
    EXPECT_EQ(
        Script("1 a asks \n 2 a gets n1 \n 3 a releases n1 \n 4 a released n1 \n 5 b asks \n 6 b gets n2")
            .handoffs(),
        "");
    EXPECT_EQ(Script("5 b asks \n 6 b gets n2").handoffs(), "");
    EXPECT_EQ(
        Script("1 a asks \n 2 a gets n1 \n 3 a releases n1 \n 4 a released n1 \n 5 a asks \n 6 a gets n2")
            .handoffs(),
        "");
}

TEST(Handoff, WokenAfterAReleaseThatWasCalledBeforeItAsked)
{
    const Script run(R"(
         1 a gets n1
    rel: 3 a releases n1
    del: 3 a sends_delete n1 <-rel
         4 b asks
    wat: 6 b woken n1 <-del
         7 b gets n2 <-wat)");
    EXPECT_EQ(run.handoffs(), "a>b 3/3/6/6/6/7");
}

TEST(Handoff, FromASessionThatWasTakenAway)
{
    const Script run(std::string(kHeldAndAwaited) + R"(
    end: 10 - gone 7
    wat: 11 b woken n1 <-end
         12 b gets n2 <-wat)");
    EXPECT_EQ(run.handoffs(), "a>b 10/10/11/11/11/12");
    EXPECT_EQ(run.timeline().handoff(0).releaseEvent, run.label("end"));
    EXPECT_EQ(run.over('a'), "X10-");
}

TEST(Handoff, PastAWaiterThatGaveUp)
{
    // b waits in front of c and leaves at the moment in which a releases.
    const Script run(R"(
         1 a gets n1
         2 b asks
         3 c asks
    rel: 10 a releases n1
         10 a sends_delete n1 <-rel
    lea: 11 b gives_up
    del: 11 b sends_delete n2 <-lea
    wat: 12 c woken n2 <-del
         13 c gets n3 <-wat)");
    EXPECT_EQ(run.handoffs(), "a>c 10/10/12/12/12/13");
}

TEST(Handoff, NotFromAForeignNode)
{
    const Script run(R"(
         1 a gets n1
         2 b asks
         3 - foreign f1
         4 a releases n1
         5 a released n1
    wat: 9 b woken f1
         10 b gets n2 <-wat)");
    EXPECT_EQ(run.handoffs(), "");
}

TEST(Handoff, SharedHoldersHandOverOnlyToWhomTheyWoke)
{
    // A semaphore: c finds a lease free, whatever a does at that moment.
    EXPECT_EQ(Script("1 a gets n1 \n 1 b gets n2 \n 3 c asks \n 4 a releases n1 \n 5 c gets n3").handoffs(),
              "");
    // A writer wakes two readers.
    const Script run(R"(
         1 a gets w1
         2 b asks
         2 c asks
    rel: 4 a releases w1
    del: 4 a sends_delete w1 <-rel
    wb:  5 b woken w1 <-del
         6 b gets r1 <-wb
    wc:  7 c woken w1 <-del
         8 c gets r2 <-wc)");
    EXPECT_EQ(run.handoffs(), "a>b 4/4/5/5/5/6, a>c 4/4/5/7/7/8");
}

TEST(Handoff, LocksAreApart)
{
    EXPECT_EQ(Script("1 a gets n1 \n 2 b asks @1 \n 3 a releases n1 \n 4 b gets m1 @1").handoffs(), "");
}

TEST(Handoff, AreFoundByTheTimeOfTheAcquisitionAndThinned)
{
    std::ostringstream lines;
    for (int i = 0; i < 500; ++i) {
        const char holder = i % 2 ? 'b' : 'a';
        const char other = i % 2 ? 'a' : 'b';
        const int time = i * 10;
        lines << time << ' ' << holder << " gets n" << i << '\n'
              << time << ' ' << other << " asks\n"
              << time << ' ' << holder << " releases n" << i << '\n'
              << time << ' ' << holder << " released n" << i << '\n';
    }
    const Script run(lines.str());
    ASSERT_EQ(run.timeline().handoffCount(), 499U);
    std::vector<Handoff> found;
    run.timeline().handoffs(Script::at(100), Script::at(200), 100, found);
    ASSERT_EQ(found.size(), 10U);
    EXPECT_EQ(found[0].acquired, Script::at(100));
    EXPECT_EQ(found[9].acquired, Script::at(190));
    found.clear();
    run.timeline().handoffs(TraceTime(0), kForever, 50, found);
    EXPECT_LE(found.size(), 50U);
    EXPECT_GE(found.size(), 25U);
    for (std::size_t i = 1; i < found.size(); ++i)
        EXPECT_EQ(found[i].acquired - found[i - 1].acquired, found[1].acquired - found[0].acquired);
    found.clear();
    run.timeline().handoffs(Script::at(200), Script::at(100), 50, found);
    EXPECT_TRUE(found.empty());
}

} // namespace
} // namespace lockscope::replay
