// Herds as stars, from two to a thousand, and what the server's watch table says to the arrows of a chain.
#include "tests/ui/chain/chain_query.h"
#include "ui/chain/chain_items.h"
#include "ui/chain/chain_layout.h"
#include "ui/texts/server_view.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui::chain;
using testing::Contains;
using testing::HasSubstr;

// Every third node reads, the others write; all but the first sleep on the list.
LockStateBuilder& withHerdRecipe(LockStateBuilder& builder)
{
    builder.lock().recipe = "herd-read-write";
    builder.lock().path = "/locks/book";
    for (std::size_t i = 0; i < builder.lock().queue.size(); ++i) {
        builder.node(i).reads = i % 3 == 0;
        builder.node(i).watches = {};
        builder.client(i).watches = {};
        builder.client(i).watchesList = i > 0;
    }
    return builder;
}

TEST(ChainStar, ASharedHerdStandsAroundTheParent)
{
    for (const std::uint32_t count : {2U, 5U, 8U, 12U, 50U, 200U, 1000U}) {
        LockStateBuilder builder(count);
        const ChainScene scene = layOutChain(queryOf(withHerdRecipe(builder)));
        ASSERT_TRUE(scene.star) << count;
        ASSERT_EQ(scene.nodes.size(), count + 1) << count;
        EXPECT_EQ(scene.nodes[0].state, NodeState::parent);
        EXPECT_EQ(scene.nodes[0].number, "book");
        for (std::size_t i = 1; i < scene.nodes.size(); ++i) {
            const ChainNode& card = scene.nodes[i];
            EXPECT_EQ(card.place, static_cast<int>(i) - 1);
            EXPECT_FALSE(card.rect.intersects(scene.nodes[0].rect)) << count << " " << i;
            EXPECT_GE(card.rect.width(), 4) << count << ": it can be seen and hit";
            EXPECT_EQ(card.kind, builder.node(i - 1).reads ? "R" : "W");
            EXPECT_EQ(card.writes, !builder.node(i - 1).reads);
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

TEST(ChainStar, AThousandWithoutNodesAreAStripToo)
{
    LockStateBuilder builder(1, 999);
    builder.lock().recipe = "herd";
    for (std::size_t i = 1; i < 1000; ++i) {
        builder.client(i).phase = replay::ClientPhase::waiting;
        builder.client(i).watches = builder.node(0).name;
    }
    const ChainScene scene = layOutChain(queryOf(builder));
    EXPECT_EQ(scene.scale, Scale::cells);
    ASSERT_EQ(scene.nodes.size(), 1000U);
    EXPECT_GE(scene.nodes.back().rect.width(), 4);
    EXPECT_LE(scene.contentHeight, scene.queueArea.height()); // all of them in sight
    EXPECT_THAT(scene.more.toStdString(), HasSubstr("999 watch"));
    const auto source = [&] { return ChainSource{&builder.state, LockId{0}, builder.state.now}; };
    std::vector<std::string> texts;
    for (const ui::AccessibleItem& item : chainItems(scene, source, 0, {})) {
        EXPECT_NE(item.role, QAccessible::Graphic) << item.name.toStdString() << ": the bundle is no watch";
        if (item.role == QAccessible::StaticText)
            texts.push_back(item.name.toStdString());
    }
    EXPECT_THAT(texts, Contains(scene.more.toStdString()));
}

// It stood inside, in letters of five points.
TEST(ChainStar, ANameStandsBesideItsCircle)
{
    LockStateBuilder builder(1, 4);
    builder.lock().recipe = "herd";
    for (std::size_t i = 1; i < 5; ++i)
        builder.client(i).phase = replay::ClientPhase::waiting;
    for (const QSizeF size : {QSizeF(650, 250), QSizeF(900, 400)}) {
        const ChainScene scene = layOutChain(queryOf(builder, size));
        ASSERT_EQ(scene.nodes.size(), 5U);
        for (std::size_t i = 1; i < 5; ++i) {
            const QRectF& label = scene.nodes[i].labelRect;
            ASSERT_FALSE(label.isNull()) << size.width() << " " << i;
            EXPECT_TRUE(QRectF(QPointF(), size).contains(label));
            for (const ChainNode& other : scene.nodes)
                EXPECT_FALSE(label.intersects(other.rect)) << size.width() << " " << i;
        }
    }
}

// ---- what the server's table says -------------------------------------------------------------------------

TEST(ChainWatches, AWatchThatTheServerDoesNotHaveIsMarked)
{
    LockStateBuilder builder(3);
    replay::BelievedWatch watch;
    watch.key = replay::watchKey(builder.node(1).name, builder.client(2).sessionId);
    watch.client = ClientId{2};
    watch.missing = true;
    builder.lock().watches.believed.push_back(watch);
    const ChainScene scene = layOutChain(queryOf(builder));
    ASSERT_EQ(scene.arrows.size(), 2U);
    EXPECT_EQ(scene.arrows[0].mark, WatchMark::none);
    EXPECT_EQ(scene.arrows[1].mark, WatchMark::missing);
    EXPECT_THAT(scene.arrows[1].tip.toStdString(), HasSubstr("cyd relies on a watch on …0186"));
    const QPointF middle = (scene.arrows[1].begin + scene.arrows[1].end) / 2;
    EXPECT_EQ(scene.markedArrowAt(middle, 0), &scene.arrows[1]);
    EXPECT_EQ(scene.markedArrowAt((scene.arrows[0].begin + scene.arrows[0].end) / 2, 0), nullptr);
    const ServerView server = ServerViewText::compare(builder.state, LockId{0}, builder.state.now);
    EXPECT_EQ(server.differences.size(), 1);
}

TEST(ChainWatches, AStrayOneGetsAnArrowOfItsOwn)
{
    LockStateBuilder builder(2);
    replay::ServerWatch gone, there;
    gone.key = replay::watchKey(builder.keep(LockStateBuilder::nameOf(7)), builder.client(0).sessionId);
    there.key = replay::watchKey(builder.node(1).name, builder.client(0).sessionId);
    gone.stray = there.stray = true;
    builder.lock().watches.served = {gone, there};
    const ChainScene scene = layOutChain(queryOf(builder));
    ASSERT_EQ(scene.arrows.size(), 3U);
    EXPECT_EQ(scene.arrows[1].mark, WatchMark::stray);
    EXPECT_EQ(scene.arrows[1].to, -1);
    EXPECT_EQ(scene.arrows[1].label, "stray");
    EXPECT_EQ(scene.arrows[2].mark, WatchMark::stray);
    EXPECT_EQ(scene.arrows[2].to, 1);
    EXPECT_THAT(scene.arrows[2].tip.toStdString(), HasSubstr("that no client relies on"));
}

TEST(ChainStar, BeforeItsFirstNodeAHerdHasNoneThatWasDeleted)
{
    LockStateBuilder builder(0, 50);
    builder.lock().recipe = "herd";
    for (replay::ClientRow& client : builder.state.clients)
        client.phase = replay::ClientPhase::joining;
    const ChainScene scene = layOutChain(queryOf(builder));
    ASSERT_TRUE(scene.star);
    EXPECT_EQ(scene.nodes[0].pill.toStdString(), "no node yet");
    EXPECT_EQ(scene.more.toStdString(), "");
}

} // namespace
} // namespace lockscope::tests
