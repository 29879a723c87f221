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

TEST(ChainLayout, SquaresKeepTheirPlacesAndSizeWhileOthersCome)
{
    const ChainScene few = layOutChain(queryOf(LockStateBuilder(300, 700))),
                     all = layOutChain(queryOf(LockStateBuilder(1000)));
    for (std::size_t i = 0; i < few.nodes.size(); ++i)
        ASSERT_EQ(few.nodes[i].rect, all.nodes[i].rect) << i;
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

TEST(ChainLayout, CardsGrowWithTheRoomAndNotWithTheQueue)
{
    const LockStateBuilder five(5), one(1, 4);
    EXPECT_EQ(zoomFor(queryOf(five, {900, 400})), 1);
    EXPECT_GT(zoomFor(queryOf(five, {1420, 600})), 1.2);
    EXPECT_EQ(zoomFor(queryOf(five, {1420, 600})), zoomFor(queryOf(one, {1420, 600})));
    EXPECT_EQ(zoomFor(queryOf(LockStateBuilder(1000), {1420, 600})), 1);
    EXPECT_GT(zoomFor(queryOf(LockStateBuilder(50), {1420, 600})), 1.2)
        << "small circles in a large empty room";
    EXPECT_LT(zoomFor(queryOf(LockStateBuilder(50), {900, 390})), 1.1);
    // What is larger still stands as it did: in as many rows, and no narrower for its type.
    ChainQuery query = queryOf(five, {1420, 600});
    const ChainScene usual = layOutChain(query);
    query.unit = zoomFor(query);
    const ChainScene larger = layOutChain(query);
    EXPECT_EQ(larger.scale, usual.scale);
    EXPECT_EQ(larger.nodes.back().rect.top(), larger.nodes.front().rect.top());
    EXPECT_GE(larger.nodes.front().rect.width(), usual.nodes.front().rect.width() * query.unit - 1);
}

// In the lecture's view five compact cards left a third of the height empty.
TEST(ChainLayout, CompactCardsUseTheHeightForALineOfTheirOwnAndLargerType)
{
    const LockStateBuilder five(5);
    ChainQuery query = queryOf(five, {832, 206});
    const double zoom = zoomFor(query);
    EXPECT_GE(zoom, 1.15);
    query.unit = zoom;
    const ChainScene scene = layOutChain(query);
    ASSERT_EQ(scene.scale, Scale::compact);
    const QRectF& last = scene.nodes.back().rect;
    EXPECT_TRUE(isTall(last, query.unit));
    EXPECT_LE(last.right(), 832);
    EXPECT_LE(last.bottom(), scene.outsideRect.top());
    EXPECT_LT(scene.outsideRect.top() - last.bottom(), 30) << "no room is left below";
    EXPECT_FALSE(isTall(layOutChain(queryOf(five, {832, 140})).nodes.front().rect, 1))
        << "a low view has none";
}

// At the lower end of a view with nothing to spare its lower edge was clipped.
TEST(ChainLayout, TheRingOfASelectedCardIsWholeInEveryHeight)
{
    const LockStateBuilder five(5);
    const ui::Theme theme(ui::Theme::ColourScheme::light);
    int seen = 0;
    for (int height = 120; height <= 420; height += 3) {
        ChainQuery query = queryOf(five, {1000, static_cast<double>(height)});
        query.selectedClient = ClientId{1};
        const ChainScene scene = layOutChain(query);
        const auto card = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                       [](const ChainNode& one) { return one.selected; });
        if (card == scene.nodes.end() || (card->as != Scale::large && card->as != Scale::compact))
            continue;
        ++seen;
        QImage image(1000, height, QImage::Format_RGB32);
        image.fill(theme.palette().card);
        QPainter painter(&image);
        ChainPainter(painter, theme, theme.fonts(), query.unit).drawQueue(scene, 0);
        painter.end();
        int coloured = 0;
        for (int below = 2; below <= 7; ++below) {
            const QPoint at(static_cast<int>(card->rect.center().x()),
                            static_cast<int>(card->rect.bottom()) + below);
            coloured += image.valid(at) && image.pixelColor(at) == theme.palette().accent ? 1 : 0;
        }
        EXPECT_GE(coloured, 1) << "height " << height;
    }
    EXPECT_GT(seen, 50);
}

} // namespace
} // namespace lockscope::tests
