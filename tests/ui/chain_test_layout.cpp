// The watch chain's geometry and words, without a window.
#include "tests/ui/chain_test_sketch.h"
#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_painter.h"
#include "ui/chain/chain_places.h"
#include "ui/chain/chain_slide.h"
#include "ui/chain/chain_text.h"
#include "ui/models/look.h"

#include <QImage>
#include <QPainter>

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using namespace ui::chain;
using testing::HasSubstr;

ChainQuery queryOf(const Sketch& sketch, QSizeF size = {900, 400})
{
    ChainQuery query;
    query.state = &sketch.state;
    query.now = sketch.state.now;
    query.viewport = size;
    return query;
}

struct Shape
{
    std::uint32_t clients;
    QSizeF size;
    double unit = 1.0;
};

std::vector<Shape> shapes()
{
    std::vector<Shape> all;
    for (const std::uint32_t clients : {1u, 2u, 4u, 5u, 8u, 12u, 13u, 50u, 51u, 200u, 1000u})
        for (const QSizeF size : {QSizeF(900, 400), QSizeF(500, 260), QSizeF(1600, 900), QSizeF(320, 200)})
            for (const double unit : {1.0, 1.5})
                all.push_back({clients, size, unit});
    return all;
}

std::string described(const Shape& shape)
{
    return std::to_string(shape.clients) + " clients, " +
           std::to_string(static_cast<int>(shape.size.width())) + "x" +
           std::to_string(static_cast<int>(shape.size.height())) + ", unit " + std::to_string(shape.unit);
}

ChainScene sceneOf(const Sketch& sketch, const Shape& shape)
{
    ChainQuery query = queryOf(sketch, shape.size);
    query.unit = shape.unit;
    return layOutChain(query);
}

bool onEdge(const QRectF& rect, QPointF point)
{
    const QRectF around = rect.adjusted(-0.5, -0.5, 0.5, 0.5), inside = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    return around.contains(point) && !inside.contains(point);
}

TEST(ChainLayout, CardsNeverOverlapAndStayInReach)
{
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(described(shape));
        const Sketch sketch(shape.clients);
        const ChainScene scene = sceneOf(sketch, shape);
        ASSERT_EQ(scene.cards.size(), shape.clients);
        for (std::size_t i = 0; i < scene.cards.size(); ++i) {
            const QRectF& card = scene.cards[i].rect;
            EXPECT_GE(card.left(), scene.queueArea.left());
            EXPECT_LE(card.right(), scene.queueArea.right());
            EXPECT_GE(card.top(), 0);
            EXPECT_LE(card.bottom(), scene.contentHeight + 0.01);
            for (std::size_t k = i + 1; k < scene.cards.size(); ++k)
                ASSERT_FALSE(card.intersects(scene.cards[k].rect)) << i << " and " << k;
        }
    }
}

TEST(ChainLayout, OnlyCellsScroll)
{
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(described(shape));
        const ChainScene scene = sceneOf(Sketch(shape.clients), shape);
        if (scene.scale != Scale::cells) {
            EXPECT_DOUBLE_EQ(scene.contentHeight, scene.queueArea.height());
        }
    }
}

TEST(ChainLayout, EveryArrowLeadsFromAWaiterToTheNodeItWatches)
{
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(described(shape));
        const Sketch sketch(shape.clients);
        const ChainScene scene = sceneOf(sketch, shape);
        if (scene.scale != Scale::cells) {
            EXPECT_EQ(scene.arrows.size(), shape.clients - 1);
        }
        for (const Arrow& arrow : scene.arrows) {
            EXPECT_EQ(arrow.kind, ArrowKind::ahead);
            ASSERT_GE(arrow.to, 0);
            const Card& from = scene.cards[static_cast<std::size_t>(arrow.from)];
            const Card& to = scene.cards[static_cast<std::size_t>(arrow.to)];
            EXPECT_EQ(sketch.state.locks[0].queue[static_cast<std::size_t>(from.place)].watches, to.node);
            EXPECT_TRUE(onEdge(from.rect, arrow.begin));
            EXPECT_TRUE(onEdge(to.rect, arrow.end));
        }
    }
}

TEST(ChainLayout, TheFixedPartsDoNotOverlap)
{
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(described(shape));
        Sketch sketch(shape.clients, 1);
        sketch.client(shape.clients).serverSaysGone = true;
        const ChainScene scene = sceneOf(sketch, shape);
        std::vector<QRectF> parts{scene.queueArea, scene.stale.at(0).rect};
        if (!scene.outside.isEmpty())
            parts.push_back(scene.outsideRect);
        for (const QRectF& box : {scene.explainBox, scene.serverBox})
            if (!box.isNull())
                parts.push_back(box);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            EXPECT_TRUE(QRectF(QPointF(), shape.size).contains(parts[i])) << i;
            for (std::size_t k = i + 1; k < parts.size(); ++k)
                EXPECT_FALSE(parts[i].intersects(parts[k])) << i << " and " << k;
        }
    }
}

TEST(ChainLayout, ChoosesTheScaleByTheNumberOfClients)
{
    const auto scaleOf = [](std::uint32_t clients) { return layOutChain(queryOf(Sketch(clients))).scale; };
    EXPECT_EQ(scaleOf(2), Scale::cards);
    EXPECT_EQ(scaleOf(5), Scale::cards);
    EXPECT_EQ(scaleOf(12), Scale::compact);
    EXPECT_EQ(scaleOf(50), Scale::circles);
    EXPECT_EQ(scaleOf(1000), Scale::cells);
}

TEST(ChainLayout, CardsKeepTheirPlacesWhileClientsComeAndGo)
{
    // Five clients: the first card is where it is whether one or five of them are queued.
    const ChainScene one = layOutChain(queryOf(Sketch(1, 4))), five = layOutChain(queryOf(Sketch(5)));
    EXPECT_EQ(one.cards[0].rect, five.cards[0].rect);
    EXPECT_EQ(one.explainBox, five.explainBox);
}

TEST(ChainLayout, ManyNodesAreCountedNotDropped)
{
    const ChainScene scene = layOutChain(queryOf(Sketch(1000)));
    const auto cards = std::count_if(scene.cards.begin(), scene.cards.end(),
                                     [](const Card& card) { return card.as == Scale::compact; });
    EXPECT_GT(cards, 2);
    EXPECT_EQ(scene.more.toStdString(),
              std::string("and ").append(std::to_string(1000 - cards)).append(" more"));
}

TEST(ChainLayout, AWatchOnAFartherNodeIsDrawnToThatNode)
{
    Sketch sketch(5);
    sketch.node(4).watches = sketch.node(1).name;
    const ChainScene scene = layOutChain(queryOf(sketch));
    const auto arrow =
        std::find_if(scene.arrows.begin(), scene.arrows.end(), [](const Arrow& a) { return a.from == 4; });
    ASSERT_NE(arrow, scene.arrows.end());
    EXPECT_EQ(arrow->kind, ArrowKind::elsewhere);
    EXPECT_EQ(arrow->to, 1);
    EXPECT_TRUE(onEdge(scene.cards[1].rect, arrow->end));
}

TEST(ChainLayout, AWatchOnANodeThatIsGoneLeadsToNoCard)
{
    Sketch sketch(4);
    sketch.node(2).watches = sketch.keep(Sketch::nameOf(77));
    const ChainScene scene = layOutChain(queryOf(sketch));
    const auto arrow =
        std::find_if(scene.arrows.begin(), scene.arrows.end(), [](const Arrow& a) { return a.from == 2; });
    ASSERT_NE(arrow, scene.arrows.end());
    EXPECT_EQ(arrow->kind, ArrowKind::outside);
    EXPECT_EQ(arrow->to, -1);
    for (const Card& card : scene.cards)
        EXPECT_FALSE(card.rect.contains(arrow->end));
}

TEST(ChainLayout, AHerdOnOneNodeIsDrawnAsOne)
{
    Sketch sketch(50);
    for (std::size_t i = 1; i < 50; ++i)
        sketch.node(i).watches = sketch.node(0).name;
    const ChainScene scene = layOutChain(queryOf(sketch));
    EXPECT_EQ(scene.arrows.size(), 49u);
    for (const Arrow& arrow : scene.arrows)
        EXPECT_EQ(arrow.to, 0);
}

class ChainWake : public testing::Test
{
protected:
    ChainWake()
        : sketch(3, 1)
    {
        replay::WakeUp& wake = sketch.lock().lastWakeUp;
        wake.event = EventIndex{500};
        wake.at = sketch.state.now;
        wake.node = sketch.keep(Sketch::nameOf(184));
        wake.from = ClientId{3};
        wake.to = ClientId{0};
        wake.woken = 1;
        sketch.node(0).phase = replay::NodePhase::waits;
    }
    Sketch sketch;
};

TEST_F(ChainWake, EndsAtTheWokenCardAndSaysHowManyWoke)
{
    ChainQuery query = queryOf(sketch);
    query.wakeAge = 0.1;
    ChainScene scene = layOutChain(query);
    ASSERT_TRUE(scene.wake.shown);
    EXPECT_NEAR(scene.wake.end.y(), scene.cards[0].rect.top(), 4);
    EXPECT_GE(scene.wake.end.x(), scene.cards[0].rect.left());
    EXPECT_LE(scene.wake.end.x(), scene.cards[0].rect.right());
    EXPECT_EQ(scene.wake.text.toStdString(), "NodeDeleted → wakes exactly one client");
    EXPECT_THAT(scene.wake.stub.toStdString(), HasSubstr("184"));

    sketch.lock().lastWakeUp.woken = 49;
    scene = layOutChain(query);
    EXPECT_EQ(scene.wake.text.toStdString(), "NodeDeleted → wakes 49 clients");
}

TEST_F(ChainWake, FadesAndGoes)
{
    ChainQuery query = queryOf(sketch);
    query.wakeAge = 0.2;
    EXPECT_DOUBLE_EQ(layOutChain(query).wake.opacity, 1.0);
    query.wakeAge = 0.9;
    EXPECT_LT(layOutChain(query).wake.opacity, 0.5);
    query.wakeAge = 1.0;
    EXPECT_FALSE(layOutChain(query).wake.shown);
    query.wakeAge = -1;
    EXPECT_FALSE(layOutChain(query).wake.shown);
}

TEST_F(ChainWake, TheNodeThatWentKeepsItsPlaceUntilItsSuccessorHolds)
{
    ChainQuery query = queryOf(sketch);
    query.wakeAge = 0.1;
    query.ghosts = true;
    ChainScene scene = layOutChain(query);
    ASSERT_EQ(scene.cards.size(), 4u);
    EXPECT_EQ(scene.cards[0].state, CardState::gone);
    EXPECT_EQ(scene.cards[0].number.toStdString(), "184");
    EXPECT_EQ(scene.cards[1].place, 0);
    EXPECT_TRUE(scene.wake.stub.isEmpty());
    EXPECT_NEAR(scene.wake.begin.x(), scene.cards[0].rect.center().x(), 1);
    EXPECT_NEAR(scene.wake.end.x(), scene.cards[1].rect.center().x(), 1);

    sketch.node(0).phase = replay::NodePhase::holds;
    scene = layOutChain(query);
    EXPECT_EQ(scene.cards.size(), 3u);
}

// A reader's wake-up may pass many nodes.
TEST_F(ChainWake, TheNodeThatWentStandsWhereItWas)
{
    ChainQuery query = queryOf(sketch);
    query.wakeAge = 0.1;
    query.ghosts = true;
    sketch.lock().lastWakeUp.to = sketch.node(2).owner;
    const ChainScene scene = layOutChain(query);
    ASSERT_EQ(scene.cards.size(), 4u);
    EXPECT_EQ(scene.cards[0].number.toStdString(), "184");
}

TEST_F(ChainWake, StaysInsideTheView)
{
    for (const QSizeF size : {QSizeF(900, 400), QSizeF(500, 260), QSizeF(320, 200)})
        for (const bool ghosts : {false, true}) {
            ChainQuery query = queryOf(sketch, size);
            query.wakeAge = 0.1;
            query.ghosts = ghosts;
            const ChainScene scene = layOutChain(query);
            ASSERT_TRUE(scene.wake.shown);
            EXPECT_TRUE(scene.queueArea.contains(scene.wake.textRect.topLeft())) << size.width() << ghosts;
            for (const Card& card : scene.cards)
                EXPECT_FALSE(card.rect.intersects(scene.wake.textRect)) << size.width() << ghosts;
        }
}

TEST(ChainText, SaysTheStateOfEveryNode)
{
    Sketch sketch(4);
    sketch.node(3).ownerFrozen = true;
    ChainScene scene = layOutChain(queryOf(sketch));
    EXPECT_EQ(scene.cards[0].pill.toStdString(), "HOLDS");
    EXPECT_EQ(scene.cards[0].detail.toStdString(), "token 0x1f3 · held 38.0 ms");
    EXPECT_EQ(scene.cards[0].depth, 2);
    EXPECT_EQ(scene.cards[0].zeros.toStdString(), "0000000");
    EXPECT_EQ(scene.cards[0].number.toStdString(), "185");
    EXPECT_EQ(scene.cards[1].pill.toStdString(), "waits");
    EXPECT_EQ(scene.cards[1].detail.toStdString(), "waited 112 ms");
    EXPECT_EQ(scene.cards[1].ownerName.toStdString(), "bo");
    EXPECT_EQ(scene.cards[3].pill.toStdString(), "waits (frozen)");

    sketch.node(1).phase = replay::NodePhase::joining;
    sketch.node(2).phase = replay::NodePhase::orphan;
    sketch.node(3).phase = replay::NodePhase::releasing;
    scene = layOutChain(queryOf(sketch));
    EXPECT_EQ(scene.cards[1].pill.toStdString(), "joins");
    EXPECT_EQ(scene.cards[2].pill.toStdString(), "orphan");
    EXPECT_EQ(scene.cards[3].pill.toStdString(), "releases (frozen)");
}

TEST(ChainText, ANodeOfAnotherSessionOfItsOwnerIsOnItsWayOut)
{
    Sketch sketch(3);
    sketch.client(1).sessionId = SessionId{0x77};
    const ChainScene scene = layOutChain(queryOf(sketch));
    EXPECT_EQ(scene.cards[1].pill.toStdString(), "session gone");
    EXPECT_EQ(scene.cards[2].pill.toStdString(), "waits");
}

TEST(ChainText, SaysWhoIsNotInTheQueue)
{
    const auto outside = [](std::uint32_t queued, std::uint32_t others) {
        return layOutChain(queryOf(Sketch(queued, others))).outside.toStdString();
    };
    EXPECT_EQ(outside(4, 1), "eli is not in the queue: it will create the next sequential node, 189");
    EXPECT_EQ(outside(3, 2), "dee and eli are not in the queue");
    EXPECT_EQ(outside(2, 3), "cyd, dee and eli are not in the queue");
    EXPECT_EQ(outside(5, 12), "12 clients are not in the queue");
    EXPECT_EQ(outside(5, 0), "every client is in the queue");
    Sketch done(4, 1);
    done.client(4).phase = replay::ClientPhase::finished;
    EXPECT_EQ(layOutChain(queryOf(done)).outside.toStdString(),
              "every client that is not done is in the queue");
    Sketch frozen(4, 1);
    frozen.client(4).frozen = true;
    EXPECT_EQ(layOutChain(queryOf(frozen)).outside.toStdString(), "eli is not in the queue: it is frozen");
    // What it believes is said beside the queue, not what it would do next.
    frozen.client(4).serverSaysGone = true;
    EXPECT_EQ(ChainText::outside(frozen.state, frozen.lock()).toStdString(), "");
}

TEST(ChainText, AForeignNodeKeepsItsPlaceAndIsSaidToCount)
{
    Sketch sketch(2, 1);
    sketch.addForeign("hello");
    const ChainScene scene = layOutChain(queryOf(sketch));
    ASSERT_EQ(scene.cards.size(), 3u);
    EXPECT_EQ(scene.cards[2].pill.toStdString(), "foreign");
    EXPECT_EQ(scene.cards[2].number.toStdString(), "hello");
    EXPECT_EQ(scene.cards[2].detail.toStdString(), "counts as place 3");
    EXPECT_THAT(scene.outside.toStdString(),
                HasSubstr("hello counts in the queue but belongs to no client here"));
    // What number comes next is not known any more: a node without one took it.
    EXPECT_THAT(scene.outside.toStdString(), testing::Not(HasSubstr("187")));
}

TEST(ChainText, AnEmptyQueueSaysSo)
{
    EXPECT_THAT(layOutChain(queryOf(Sketch(0, 3))).empty.toStdString(),
                HasSubstr("Nobody holds /locks/well"));
    replay::RunState nothing;
    ChainQuery query;
    query.state = &nothing;
    query.viewport = {900, 400};
    EXPECT_THAT(layOutChain(query).empty.toStdString(), HasSubstr("No lock yet"));
}

TEST(ChainText, ABelieverWithoutANodeStandsApart)
{
    Sketch sketch(2, 3);
    sketch.client(4).serverSaysGone = true;
    sketch.client(4).staleSince = sketch.state.now - 118ms;
    const ChainScene scene = layOutChain(queryOf(sketch));
    ASSERT_EQ(scene.stale.size(), 1u);
    EXPECT_EQ(scene.stale[0].text.toStdString(), "eli still believes it holds · its node went 118 ms ago");
    EXPECT_EQ(scene.stale[0].client, ClientId{4});
    for (const Card& card : scene.cards)
        EXPECT_FALSE(card.rect.intersects(scene.stale[0].rect));
}

TEST(ChainText, HostileNamesStayPlainAndShort)
{
    Sketch sketch(2);
    sketch.addForeign(std::string("<b>\u202e").append(500, 'x').append("\n%1%2"));
    sketch.client(1).name = sketch.keep("%1 <img src=x>\a");
    const ChainScene scene = layOutChain(queryOf(sketch));
    EXPECT_LE(scene.cards[2].number.size(), 25);
    EXPECT_FALSE(scene.cards[2].number.contains(QChar(0x202e)));
    EXPECT_FALSE(scene.cards[1].ownerName.contains(QChar(7)));
    const QString tip = ChainText::toolTip(sketch.state, sketch.lock(), 2, sketch.state.now);
    EXPECT_TRUE(tip.startsWith("<b>"));
    EXPECT_FALSE(tip.section('\n', 0, 0).contains(QChar(0x202e)));
    EXPECT_LT(tip.size(), 400);
}

TEST(ChainSlide, MovesACardFromItsOldPlaceToItsNew)
{
    Sketch sketch(4, 1);
    const ChainScene before = layOutChain(queryOf(sketch));
    sketch.lock().queue.erase(sketch.lock().queue.begin());
    const ChainScene after = layOutChain(queryOf(sketch));
    ChainSlide slide;
    slide.begin(before, after, 1000);
    ChainScene moving = after;
    EXPECT_TRUE(slide.apply(moving, 1000));
    EXPECT_EQ(moving.cards[0].rect, before.cards[1].rect);
    moving = after;
    EXPECT_TRUE(slide.apply(moving, 1080));
    EXPECT_LT(moving.cards[0].rect.left(), before.cards[1].rect.left());
    EXPECT_GT(moving.cards[0].rect.left(), after.cards[0].rect.left());
    moving = after;
    EXPECT_FALSE(slide.apply(moving, 1000 + ChainSlide::kLengthMs));
    EXPECT_EQ(moving.cards[0].rect, after.cards[0].rect);
}

TEST(ChainSlide, RestsWhenHandoffsComeTooFast)
{
    Sketch sketch(4, 1);
    std::vector<ChainScene> scenes{layOutChain(queryOf(sketch))};
    for (int i = 0; i < 2; ++i) {
        sketch.lock().queue.erase(sketch.lock().queue.begin());
        scenes.push_back(layOutChain(queryOf(sketch)));
    }
    ChainSlide slide;
    slide.begin(scenes[0], scenes[1], 1000);
    EXPECT_TRUE(slide.running(1010));
    slide.begin(scenes[1], scenes[2], 1016);
    EXPECT_FALSE(slide.running(1020));
}

// Of a thousand squares a third was in sight: the others had to be scrolled to.
TEST(ChainLayout, AThousandNodesAreAllInSight)
{
    for (const QSizeF& size : {QSizeF(600, 300), QSizeF(900, 390), QSizeF(1400, 600)}) {
        SCOPED_TRACE(size.width());
        const ChainScene scene = layOutChain(queryOf(Sketch(1000), size));
        ASSERT_EQ(scene.cards.size(), 1000U);
        EXPECT_LE(scene.contentHeight, scene.queueArea.height());
        EXPECT_EQ(scene.cards.front().as, Scale::compact) << "who holds is named";
        EXPECT_GE(scene.cards.back().rect.width(), 4);
        for (std::size_t i = 1; i < scene.cards.size(); ++i) { // in the order of the queue
            const QRectF &before = scene.cards[i - 1].rect, &card = scene.cards[i].rect;
            ASSERT_TRUE(card.left() > before.right() - 1 || card.top() > before.bottom() - 1) << i;
        }
    }
}

TEST(ChainLayout, SquaresOutOfSightAreTold)
{
    const ChainScene low = layOutChain(queryOf(Sketch(1000), {690, 270}));
    EXPECT_GT(low.contentHeight, low.queueArea.height());
    EXPECT_THAT(low.more.toStdString(), HasSubstr("scroll"));
    const ChainScene high = layOutChain(queryOf(Sketch(1000), {900, 390}));
    EXPECT_THAT(high.more.toStdString(), Not(HasSubstr("scroll")));
}

TEST(ChainLayout, WhoReleasesHasNoDepthAnyMore)
{
    Sketch sketch(3);
    sketch.node(0).depth = 1;
    EXPECT_EQ(layOutChain(queryOf(sketch)).cards[0].depth, 1);
    sketch.node(0).phase = replay::NodePhase::releasing;
    EXPECT_EQ(layOutChain(queryOf(sketch)).cards[0].depth, 0);
}

TEST(ChainLayout, SquaresKeepTheirPlacesAndSizeWhileOthersCome)
{
    const ChainScene few = layOutChain(queryOf(Sketch(300, 700))), all = layOutChain(queryOf(Sketch(1000)));
    for (std::size_t i = 0; i < few.cards.size(); ++i)
        ASSERT_EQ(few.cards[i].rect, all.cards[i].rect) << i;
}

TEST(ChainLayout, TheLegendHasEachKindOfSquareOnce)
{
    Sketch sketch(1000);
    EXPECT_EQ(layOutChain(queryOf(sketch)).legend.size(), 1U);
    sketch.node(900).phase = replay::NodePhase::joining;
    sketch.node(901).phase = replay::NodePhase::joining;
    sketch.node(902).ownerFrozen = true;
    std::vector<std::string> words;
    for (const CellKey& key : layOutChain(queryOf(sketch)).legend)
        words.push_back(key.text.toStdString());
    EXPECT_THAT(words, testing::UnorderedElementsAre("waits", "joins", "waits (frozen)"));
    EXPECT_TRUE(layOutChain(queryOf(Sketch(50))).legend.empty());
}

TEST(ChainLayout, TheSquareUnderTheMouseIsNamedBeforeTheSelectedOne)
{
    const Sketch sketch(1000);
    ChainQuery query = queryOf(sketch);
    EXPECT_TRUE(layOutChain(query).named.isEmpty());
    query.selectedClient = ClientId{800};
    EXPECT_THAT(layOutChain(query).named.toStdString(), HasSubstr("place 801: …0985 · c801 · waits"));
    query.pointed = 700;
    EXPECT_THAT(layOutChain(query).named.toStdString(), HasSubstr("place 701"));
}

TEST(ChainLayout, CardsGrowWithTheRoomAndNotWithTheQueue)
{
    const Sketch five(5), one(1, 4);
    EXPECT_EQ(zoomFor(queryOf(five, {900, 400})), 1);
    EXPECT_GT(zoomFor(queryOf(five, {1420, 600})), 1.2);
    EXPECT_EQ(zoomFor(queryOf(five, {1420, 600})), zoomFor(queryOf(one, {1420, 600})));
    EXPECT_EQ(zoomFor(queryOf(Sketch(1000), {1420, 600})), 1);
    EXPECT_GT(zoomFor(queryOf(Sketch(50), {1420, 600})), 1.2) << "small circles in a large empty room";
    EXPECT_LT(zoomFor(queryOf(Sketch(50), {900, 390})), 1.1);
    // What is larger still stands as it did: in as many rows, and no narrower for its type.
    ChainQuery query = queryOf(five, {1420, 600});
    const ChainScene usual = layOutChain(query);
    query.unit = zoomFor(query);
    const ChainScene larger = layOutChain(query);
    EXPECT_EQ(larger.scale, usual.scale);
    EXPECT_EQ(larger.cards.back().rect.top(), larger.cards.front().rect.top());
    EXPECT_GE(larger.cards.front().rect.width(), usual.cards.front().rect.width() * query.unit - 1);
}

// In the lecture's view five compact cards left a third of the height empty.
TEST(ChainLayout, CompactCardsUseTheHeightForALineOfTheirOwnAndLargerType)
{
    const Sketch five(5);
    ChainQuery query = queryOf(five, {832, 206});
    const double zoom = zoomFor(query);
    EXPECT_GE(zoom, 1.15);
    query.unit = zoom;
    const ChainScene scene = layOutChain(query);
    ASSERT_EQ(scene.scale, Scale::compact);
    const QRectF& last = scene.cards.back().rect;
    EXPECT_TRUE(isTall(last, query.unit));
    EXPECT_LE(last.right(), 832);
    EXPECT_LE(last.bottom(), scene.outsideRect.top());
    EXPECT_LT(scene.outsideRect.top() - last.bottom(), 30) << "no room is left below";
    EXPECT_FALSE(isTall(layOutChain(queryOf(five, {832, 140})).cards.front().rect, 1)) << "a low view has none";
}

// At the lower end of a view with nothing to spare its lower edge was clipped.
TEST(ChainLayout, TheRingOfASelectedCardIsWholeInEveryHeight)
{
    const Sketch five(5);
    const ui::Look look(ui::Look::Theme::light);
    int seen = 0;
    for (int height = 120; height <= 420; height += 3) {
        ChainQuery query = queryOf(five, {1000, static_cast<double>(height)});
        query.selectedClient = ClientId{1};
        const ChainScene scene = layOutChain(query);
        const auto card = std::find_if(scene.cards.begin(), scene.cards.end(),
                                       [](const Card& one) { return one.selected; });
        if (card == scene.cards.end() || (card->as != Scale::cards && card->as != Scale::compact))
            continue;
        ++seen;
        QImage image(1000, height, QImage::Format_RGB32);
        image.fill(look.palette().card);
        QPainter painter(&image);
        ChainPainter(painter, look, look.fonts(), query.unit).drawQueue(scene, 0);
        painter.end();
        int coloured = 0;
        for (int below = 2; below <= 7; ++below) {
            const QPoint at(static_cast<int>(card->rect.center().x()),
                            static_cast<int>(card->rect.bottom()) + below);
            coloured += image.valid(at) && image.pixelColor(at) == look.palette().accent ? 1 : 0;
        }
        EXPECT_GE(coloured, 1) << "height " << height;
    }
    EXPECT_GT(seen, 50);
}

} // namespace
} // namespace lockscope::tests
