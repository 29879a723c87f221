// How the watch chain uses the room it has: squares of a long queue, the size of cards.
#include "tests/ui/chain/chain_query.h"
#include "ui/chain/chain_painter.h"
#include "ui/chain/chain_places.h"
#include "ui/chain/chain_zoom.h"
#include "ui/models/theme.h"

#include <QImage>
#include <QPainter>

#include <gmock/gmock.h>

#include <set>

namespace lockscope::tests {
namespace {

using namespace ui::chain;
using testing::HasSubstr;

// Of a thousand squares a third was in sight: the others had to be scrolled to.
TEST(ChainLayout, AThousandNodesAreAllInSight)
{
    for (const QSizeF& size : {QSizeF(600, 300), QSizeF(900, 390), QSizeF(1400, 600)}) {
        SCOPED_TRACE(size.width());
        const ChainScene scene = layOutChain(queryOf(LockStateBuilder(1000), size));
        ASSERT_EQ(scene.nodes.size(), 1000U);
        EXPECT_LE(scene.contentHeight, scene.queueArea.height());
        EXPECT_EQ(scene.nodes.front().as, Scale::compact) << "who holds is named";
        EXPECT_GE(scene.nodes.back().rect.width(), 4);
        for (std::size_t i = 1; i < scene.nodes.size(); ++i) { // in the order of the queue
            const QRectF &before = scene.nodes[i - 1].rect, &card = scene.nodes[i].rect;
            ASSERT_TRUE(card.left() > before.right() - 1 || card.top() > before.bottom() - 1) << i;
        }
    }
}

TEST(ChainLayout, SquaresOutOfSightAreCounted)
{
    const ChainScene low = layOutChain(queryOf(LockStateBuilder(1000), {690, 270}));
    EXPECT_GT(low.contentHeight, low.queueArea.height());
    EXPECT_THAT(low.more.toStdString(), HasSubstr("scroll"));
    const ChainScene high = layOutChain(queryOf(LockStateBuilder(1000), {900, 390}));
    EXPECT_THAT(high.more.toStdString(), Not(HasSubstr("scroll")));
}

TEST(ChainLayout, WhoReleasesHasNoDepthAnyMore)
{
    LockStateBuilder builder(3);
    builder.node(0).depth = 1;
    EXPECT_EQ(layOutChain(queryOf(builder)).nodes[0].depth, 1);
    builder.node(0).phase = replay::NodePhase::releasing;
    EXPECT_EQ(layOutChain(queryOf(builder)).nodes[0].depth, 0);
}

TEST(ChainLayout, TheLegendHasEachKindOfSquareOnce)
{
    LockStateBuilder builder(1000);
    EXPECT_EQ(layOutChain(queryOf(builder)).legend.size(), 1U);
    builder.node(900).phase = replay::NodePhase::joining;
    builder.node(901).phase = replay::NodePhase::joining;
    builder.node(902).ownerFrozen = true;
    std::vector<std::string> words;
    for (const LegendEntry& key : layOutChain(queryOf(builder)).legend)
        words.push_back(key.text.toStdString());
    EXPECT_THAT(words, testing::UnorderedElementsAre("waits", "joins", "waits (frozen)"));
    EXPECT_TRUE(layOutChain(queryOf(LockStateBuilder(50))).legend.empty());
}

TEST(ChainLayout, TheSquareUnderTheMouseIsNamedBeforeTheSelectedOne)
{
    const LockStateBuilder builder(1000);
    ChainQuery query = queryOf(builder);
    EXPECT_TRUE(layOutChain(query).named.isEmpty());
    query.selectedClient = ClientId{800};
    EXPECT_THAT(layOutChain(query).named.toStdString(), HasSubstr("place 801: …0985 · c801 · waits"));
    query.pointed = 700;
    EXPECT_THAT(layOutChain(query).named.toStdString(), HasSubstr("place 701"));
}

} // namespace
} // namespace lockscope::tests
