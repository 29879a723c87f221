// Herds as stars, from two to a thousand, and what the server's watch table says to the arrows of a chain.
#include "tests/ui/chain_test_query.h"
#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_star.h"
#include "ui/chain/server_view.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui::chain;
using testing::HasSubstr;

// Every third node reads, the others write; all but the first sleep on the list.
Sketch& sharedHerd(Sketch& sketch)
{
    sketch.lock().recipe = "herd-read-write";
    sketch.lock().path = "/locks/book";
    for (std::size_t i = 0; i < sketch.lock().queue.size(); ++i) {
        sketch.node(i).reads = i % 3 == 0;
        sketch.node(i).watches = {};
        sketch.client(i).watches = {};
        sketch.client(i).watchesList = i > 0;
    }
    return sketch;
}

TEST(ChainStar, BeforeItsFirstNodeAHerdHasNoneThatWasDeleted)
{
    Sketch sketch(0, 50);
    sketch.lock().recipe = "herd";
    for (replay::ClientRow& client : sketch.state.clients)
        client.phase = replay::ClientPhase::joining;
    const ChainScene scene = layOutChain(queryOf(sketch));
    ASSERT_TRUE(scene.star);
    EXPECT_EQ(scene.cards[0].pill.toStdString(), "no node yet");
    EXPECT_EQ(scene.more.toStdString(), "");
}

TEST(ChainStar, ASharedHerdStandsAroundTheParent)
{
    for (const std::uint32_t count : {2U, 5U, 8U, 12U, 50U, 200U, 1000U}) {
        Sketch sketch(count);
        const ChainScene scene = layOutChain(queryOf(sharedHerd(sketch)));
        ASSERT_TRUE(scene.star) << count;
        ASSERT_EQ(scene.cards.size(), count + 1) << count;
        EXPECT_EQ(scene.cards[0].state, CardState::parent);
        EXPECT_EQ(scene.cards[0].number, "book");
        for (std::size_t i = 1; i < scene.cards.size(); ++i) {
            const Card& card = scene.cards[i];
            EXPECT_EQ(card.place, static_cast<int>(i) - 1);
            EXPECT_FALSE(card.rect.intersects(scene.cards[0].rect)) << count << " " << i;
            EXPECT_GE(card.rect.width(), 4) << count << ": it can be seen and hit";
            EXPECT_EQ(card.kind, sketch.node(i - 1).reads ? "R" : "W");
            EXPECT_EQ(card.writes, !sketch.node(i - 1).reads);
        }
        if (scene.scale == Scale::cells) {
            ASSERT_EQ(scene.arrows.size(), 1U) << "one for all";
            EXPECT_THAT(scene.more.toStdString(), HasSubstr("watch"));
        } else {
            EXPECT_EQ(scene.arrows.size(), std::min<std::size_t>(count - 1, 200))
                << "the holder watches nothing";
        }
    }
}

TEST(ChainStar, ItIsCardsThenCirclesThenAStrip)
{
    const auto scaleOf = [](std::uint32_t count) {
        Sketch sketch(count);
        return layOutChain(queryOf(sharedHerd(sketch))).scale;
    };
    EXPECT_EQ(scaleOf(2), Scale::compact);
    EXPECT_EQ(scaleOf(5), Scale::compact);
    EXPECT_EQ(scaleOf(50), Scale::circles);
    EXPECT_EQ(scaleOf(1000), Scale::cells);
    Sketch sketch(50);
    EXPECT_THAT(layOutChain(queryOf(sharedHerd(sketch))).more.toStdString(), HasSubstr("square: writes"));
}

TEST(ChainStar, CardsDoNotOverlap)
{
    for (const std::uint32_t count : {2U, 3U, 4U, 5U, 6U, 8U, 10U, 1000U}) {
        Sketch sketch(count);
        const ChainScene scene = layOutChain(queryOf(sharedHerd(sketch)));
        if (scene.scale == Scale::circles)
            continue;
        for (std::size_t i = 0; i < scene.cards.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                ASSERT_FALSE(scene.cards[i].rect.intersects(scene.cards[k].rect))
                    << count << " " << i << " " << k;
    }
}

TEST(ChainStar, EverybodyKeepsAPlaceWhenTheFirstOneGoes)
{
    Sketch sketch(6);
    sharedHerd(sketch);
    const ChainScene before = layOutChain(queryOf(sketch));
    sketch.lock().queue.erase(sketch.lock().queue.begin());
    const ChainScene after = layOutChain(queryOf(sketch));
    ASSERT_EQ(after.cards.size(), before.cards.size() - 1);
    for (std::size_t i = 1; i < after.cards.size(); ++i)
        EXPECT_EQ(after.cards[i].rect, before.cards[i + 1].rect);
}

TEST(ChainStar, AThousandWithoutNodesAreAStripToo)
{
    Sketch sketch(1, 999);
    sketch.lock().recipe = "herd";
    for (std::size_t i = 1; i < 1000; ++i) {
        sketch.client(i).phase = replay::ClientPhase::waiting;
        sketch.client(i).watches = sketch.node(0).name;
    }
    const ChainScene scene = layOutChain(queryOf(sketch));
    EXPECT_EQ(scene.scale, Scale::cells);
    ASSERT_EQ(scene.cards.size(), 1000U);
    EXPECT_GE(scene.cards.back().rect.width(), 4);
    EXPECT_LE(scene.contentHeight, scene.queueArea.height()); // all of them in sight
    EXPECT_THAT(scene.more.toStdString(), HasSubstr("999 watch"));
}

TEST(ChainNews, TheNewsTravelsAlongTheArrowThenFades)
{
    Sketch sketch(3);
    sketch.lock().lastWakeUp.event = EventIndex{7};
    sketch.lock().lastWakeUp.to = ClientId{1};
    sketch.lock().lastWakeUp.node = sketch.node(0).name;
    ChainQuery query = queryOf(sketch);
    double before = -1;
    for (const double age : {0.0, 0.2, 0.4, 0.59}) {
        query.wakeAge = age;
        const ChainScene scene = layOutChain(query);
        ASSERT_TRUE(scene.wake.shown);
        EXPECT_GT(scene.wake.travel, before);
        EXPECT_LT(scene.wake.travel, 1);
        EXPECT_EQ(scene.wake.opacity, 1) << "as long as it is on its way";
        before = scene.wake.travel;
    }
    query.wakeAge = 0.8;
    EXPECT_EQ(layOutChain(query).wake.travel, 1);
    EXPECT_LT(layOutChain(query).wake.opacity, 1);
}

// ---- what the server's table says -------------------------------------------------------------------------

TEST(ChainWatches, AWatchThatTheServerDoesNotHaveIsMarked)
{
    Sketch sketch(3);
    replay::BelievedWatch watch;
    watch.key = replay::watchKey(sketch.node(1).name, sketch.client(2).sessionId);
    watch.client = ClientId{2};
    watch.missing = true;
    sketch.lock().watches.believed.push_back(watch);
    const ChainScene scene = layOutChain(queryOf(sketch));
    ASSERT_EQ(scene.arrows.size(), 2U);
    EXPECT_EQ(scene.arrows[0].mark, WatchMark::none);
    EXPECT_EQ(scene.arrows[1].mark, WatchMark::missing);
    EXPECT_THAT(scene.arrows[1].tip.toStdString(), HasSubstr("cyd relies on a watch on …0186"));
    const QPointF middle = (scene.arrows[1].begin + scene.arrows[1].end) / 2;
    EXPECT_EQ(scene.markedArrowAt(middle, 0), &scene.arrows[1]);
    EXPECT_EQ(scene.markedArrowAt((scene.arrows[0].begin + scene.arrows[0].end) / 2, 0), nullptr);
    const ServerView server = ServerViewText::compare(sketch.state, LockId{0}, sketch.state.now);
    EXPECT_EQ(server.differences.size(), 1);
}

TEST(ChainWatches, AStrayOneGetsAnArrowOfItsOwn)
{
    Sketch sketch(2);
    replay::ServedWatch gone, there;
    gone.key = replay::watchKey(sketch.keep(Sketch::nameOf(7)), sketch.client(0).sessionId);
    there.key = replay::watchKey(sketch.node(1).name, sketch.client(0).sessionId);
    gone.stray = there.stray = true;
    sketch.lock().watches.served = {gone, there};
    const ChainScene scene = layOutChain(queryOf(sketch));
    ASSERT_EQ(scene.arrows.size(), 3U);
    EXPECT_EQ(scene.arrows[1].mark, WatchMark::stray);
    EXPECT_EQ(scene.arrows[1].to, -1);
    EXPECT_EQ(scene.arrows[1].label, "stray");
    EXPECT_EQ(scene.arrows[2].mark, WatchMark::stray);
    EXPECT_EQ(scene.arrows[2].to, 1);
    EXPECT_THAT(scene.arrows[2].tip.toStdString(), HasSubstr("that nobody relies on"));
}

TEST(ChainWatches, AStrayOneHasRoomBelowItsCardInEverySize)
{
    for (const double height : {230.0, 264.0, 300.0, 350.0, 420.0, 520.0}) {
        Sketch sketch(1);
        replay::ServedWatch gone;
        gone.key = replay::watchKey(sketch.keep(Sketch::nameOf(7)), sketch.client(0).sessionId);
        gone.stray = true;
        sketch.lock().watches.served = {gone};
        const ChainScene scene = layOutChain(queryOf(sketch, {700, height}));
        ASSERT_EQ(scene.arrows.size(), 1U) << height;
        EXPECT_LE(scene.arrows[0].labelAt.y() + 7, scene.queueArea.bottom()) << height;
        EXPECT_LE(scene.arrows[0].end.y(), scene.queueArea.bottom()) << height;
    }
}

} // namespace
} // namespace lockscope::tests
