// One of two runs that are compared: the queue at a release, whom it woke, where the circles and lanes go.
#include "compare_test_runs.h"
#include "ui/compare/compare_chain_layout.h"
#include "ui/compare/compare_lanes.h"

#include <QLineF>

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace lockscope::ui;

TEST(ComparedRun, CountsWhomEachReleaseWoke)
{
    const ComparedRunPtr herd = runOf("herd", traceScript(kHerd));
    ASSERT_EQ(herd->handoffs(), 1u);
    EXPECT_EQ(herd->woken(0), 2u);
    const ChainMoment moment = herd->moment(0);
    EXPECT_EQ(moment.holder, "ada");
    EXPECT_EQ(moment.waiting, 2u);
    EXPECT_EQ(moment.woken, 2u);
    ASSERT_EQ(moment.participants.size(), 3u);
    EXPECT_TRUE(moment.participants[0].holds);
    EXPECT_EQ(moment.participants[1].predecessor, 0);
    EXPECT_TRUE(moment.participants[1].next) << "bo gets the lock, though both wake";
    EXPECT_FALSE(moment.participants[2].next);
    EXPECT_EQ(moment.next, "bo");
    EXPECT_EQ(moment.participants[2].predecessor, 0)
        << "it watches the holder's node, not the one in front of it";
}

// A wake-up belongs to the last release before it, not to the handoff before that.
TEST(ComparedRun, AReleaseIsTheSameWhicheverClientTakesTheLockNext)
{
    const ComparedRunPtr herd =
        runOf("herd",
              traceScript(
                  R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 2ms cyd waits n3 n1; 10ms ada release n1
           10300us bo fired n1; 10310us cyd fired n1; 10400us ada freed n1; 14ms bo takes n2
           15ms cyd waits n3 n2; 16ms bo release n2; 16300us cyd fired n2; 16310us ada waits n4 n2
           16320us ada fired n2; 16400us bo freed n2; 18ms bo holds n5; 20ms bo release n5; 21ms bo freed n5
           - finished)"));
    ASSERT_EQ(herd->handoffs(), 1u) << "bo after bo is no handoff";
    EXPECT_EQ(herd->woken(0), 2u);
    EXPECT_EQ(herd->moment(0).woken, 2u);
    ASSERT_EQ(herd->releases().size(), 3u);
    const ComparedRun::Release& again = herd->releases()[1];
    EXPECT_EQ(again.woken, 2u);
    EXPECT_EQ(again.at, std::chrono::milliseconds(16));
    EXPECT_EQ(again.taken, std::chrono::milliseconds(18));
    EXPECT_EQ(herd->releases()[2].woken, 0u);
    EXPECT_EQ(herd->releases()[2].taken, kForever);
    const std::size_t herds = herd->herds({}, herd->end()).size();
    EXPECT_EQ(herds,
              static_cast<std::size_t>(std::count_if(herd->releases().begin(), herd->releases().end(),
                                                     [](const auto& each) { return each.woken > 1; })));
    ASSERT_GT(herds, 0u);
    const ComparedRun::Release first = herd->herds({}, herd->end()).front();
    EXPECT_EQ(herd->herds(first.taken, first.taken).front().event, first.event) << "its end is in sight";
    EXPECT_TRUE(herd->herds({}, first.at - Duration(1)).empty());
}

TEST(ComparedRun, TellsOfAReleaseWithALongQueueThatIsTypicalOfItsRun)
{
    const ComparedRunPtr chain = chainRun();
    ASSERT_TRUE(chain->typicalHandoff());
    const Duration shown = chain->timeline().handoff(*chain->typicalHandoff()).latency();
    for (std::size_t i = 0; i < chain->handoffs(); ++i) {
        if (chain->moment(i).waiting == 4) {
            EXPECT_LE(std::chrono::abs(shown - chain->median()),
                      std::chrono::abs(chain->timeline().handoff(i).latency() - chain->median()));
        }
    }
    const ChainMoment moment = chain->moment(*chain->typicalHandoff());
    EXPECT_EQ(moment.participants.size(), 5u);
    EXPECT_EQ(moment.waiting, 4u);
    EXPECT_EQ(moment.woken, 1u);
    for (std::size_t i = 1; i < moment.participants.size(); ++i) {
        EXPECT_EQ(moment.participants[i].predecessor, static_cast<int>(i) - 1);
        EXPECT_EQ(moment.participants[i].woken, i == 1);
    }
}

// The bars of two neighbours overlapped: the one's node was still on its way when the other held.
TEST(ComparedRun, AHoldIsOverWhenItIsLetGo)
{
    const ComparedRunPtr herd = runOf("herd", traceScript(kHerd));
    const replay::Handoff& first = herd->timeline().handoff(0);
    const replay::Span held = herd->timeline().spanAt(first.from, first.released - Duration(1));
    EXPECT_EQ(held.kind, replay::SpanKind::holding);
    EXPECT_EQ(held.end, first.released);
    EXPECT_LT(held.end, first.acquired);
}

TEST(ComparedRun, WithoutAHandoffShowsTheEnd)
{
    const ComparedRunPtr lonely = runOf("lonely", traceScript("- running; ada holds n1"));
    EXPECT_FALSE(lonely->typicalHandoff());
    const ChainMoment moment = lonely->moment(std::nullopt);
    EXPECT_EQ(moment.holder, "ada");
    EXPECT_EQ(moment.woken, 0u);
}

ChainMoment crowd(std::size_t participants, bool star)
{
    ChainMoment moment;
    moment.star = star;
    for (std::size_t i = 0; i < participants; ++i) {
        ChainParticipant participant;
        participant.client = ClientId{static_cast<std::uint32_t>(i)};
        participant.holds = i == 0;
        participant.watches = i > 0;
        participant.predecessor = star ? -1 : static_cast<int>(i) - 1;
        moment.participants.push_back(participant);
    }
    return moment;
}

TEST(CompareChainLayout, KeepsEverybodyInsideAndApart)
{
    const QSizeF size(560, 260);
    for (const bool star : {false, true}) {
        for (const std::size_t participants : {1u, 2u, 5u, 50u, 300u}) {
            const CompareChainLayout layout = layoutCompareChain(crowd(participants, star), size);
            EXPECT_EQ(layout.dots.size(), star ? participants - 1 : participants);
            EXPECT_EQ(layout.arrows.size(), participants - 1);
            qreal nearest = 1e9;
            for (std::size_t i = 0; i < layout.dots.size(); ++i) {
                EXPECT_TRUE(QRectF(QPointF(), size).contains(layout.dots[i].centre)) << participants;
                EXPECT_FALSE(layout.hub.contains(layout.dots[i].centre));
                for (std::size_t j = 0; j < i; ++j)
                    nearest =
                        std::min(nearest, QLineF(layout.dots[i].centre, layout.dots[j].centre).length());
            }
            EXPECT_GT(nearest, layout.diameter) << participants << (star ? " in a star" : " in a chain");
        }
    }
    EXPECT_TRUE(layoutCompareChain(crowd(3, true), QSizeF()).dots.empty());
}

TEST(CompareChainLayout, AShortQueueStandsInTheMiddle)
{
    const QSizeF size(800, 300);
    const CompareChainLayout layout = layoutCompareChain(crowd(5, false), size);
    EXPECT_NEAR(layout.dots.front().centre.x() + layout.dots.back().centre.x(), size.width(), 1);
    EXPECT_GT(layout.dots.back().centre.x() - layout.dots.front().centre.x(), size.width() / 2);
}

// Heads of arrows ran into the ring around the one who is next.
TEST(CompareChainLayout, ArrowsKeepOffTheRingAndTheSquare)
{
    for (const std::size_t participants : {5u, 1000u}) {
        ChainMoment moment = crowd(participants, false);
        moment.participants[0].holds = true;
        moment.participants[1].next = true;
        const CompareChainLayout layout = layoutCompareChain(moment, {640, 280});
        const auto away = [&](const QPointF& point, std::size_t participant) {
            return QLineF(point, layout.dots[participant].centre).length();
        };
        EXPECT_GT(away(layout.arrows[0].to, 0), holderHalfSide(layout.diameter));
        EXPECT_GT(away(layout.arrows[0].from, 1), ringRadius(layout.diameter) + 1);
        EXPECT_LT(away(layout.arrows[0].to, 0), away(layout.arrows[0].from, 0)) << participants << " clients";
        EXPECT_GE(holderHalfSide(layout.diameter), layout.diameter / 2 + 1);
        if (participants == 5) { // among many there is no room for the head outside
            EXPECT_GT(away(layout.arrows[1].to, 1), ringRadius(layout.diameter) + 1);
        }
    }
}

TEST(CompareLanes, OfTooManyThoseThatHoldAreShown)
{
    const ComparedRunPtr chain = chainRun(12);
    const replay::Handoff& first = chain->timeline().handoff(0);
    const Duration near = first.acquired - first.released + Duration(1);
    const CompareLanes few = lanesOf(*chain, first.released, near, 4);
    EXPECT_THAT(few.shown, testing::UnorderedElementsAre(first.from, first.to));
    EXPECT_EQ(few.words(), "2 of 12 lanes: the holders in this range");
    const CompareLanes all = lanesOf(*chain, first.released, near, 40);
    EXPECT_EQ(all.words(), "12 lanes");
    EXPECT_FALSE(all.shared());
    const CompareLanes shared = lanesOf(*chain, chain->begin(), chain->whole().took, 4);
    EXPECT_EQ(shared.words(), "12 lanes, 3 to a row") << "all of them hold in the whole run";
    EXPECT_EQ(shared.rowOf(11), 3);
}

} // namespace
} // namespace lockscope::tests
