// What the watch chain says of nodes and clients, without a window.
#include "tests/ui/chain/chain_query.h"
#include "ui/chain/chain_painter.h"
#include "ui/models/style/theme.h"
#include "ui/texts/chain_text.h"

#include <QImage>
#include <QPainter>

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using namespace ui::chain;
using testing::HasSubstr;

TEST(ChainText, SaysTheStateOfEveryNode)
{
    LockStateBuilder builder(4);
    builder.node(3).ownerFrozen = true;
    ChainScene scene = layOutChain(queryOf(builder));
    EXPECT_EQ(scene.nodes[0].pill.toStdString(), "HOLDS");
    EXPECT_EQ(scene.nodes[0].detail.toStdString(), "token 0x1f3 · held 38.0 ms");
    EXPECT_EQ(scene.nodes[0].detailMedium.toStdString(), "0x1f3 · held 38.0 ms") << "with less room";
    EXPECT_EQ(scene.nodes[0].depth, 2);
    EXPECT_EQ(scene.nodes[0].zeros.toStdString(), "0000000");
    EXPECT_EQ(scene.nodes[0].number.toStdString(), "185");
    EXPECT_EQ(scene.nodes[1].pill.toStdString(), "waits");
    EXPECT_EQ(scene.nodes[1].detail.toStdString(), "waited 112 ms");
    EXPECT_EQ(scene.nodes[1].ownerName.toStdString(), "bo");
    EXPECT_EQ(scene.nodes[3].pill.toStdString(), "waits (frozen)");
    EXPECT_EQ(scene.nodes[3].rarePart.toStdString(), "frozen") << "in a card too narrow for both";
    EXPECT_TRUE(scene.nodes[1].rarePart.isEmpty());

    builder.node(1).phase = replay::NodePhase::joining;
    builder.node(2).phase = replay::NodePhase::orphan;
    builder.node(3).phase = replay::NodePhase::releasing;
    scene = layOutChain(queryOf(builder));
    EXPECT_EQ(scene.nodes[1].pill.toStdString(), "joins");
    EXPECT_EQ(scene.nodes[2].pill.toStdString(), "orphan");
    EXPECT_EQ(scene.nodes[3].pill.toStdString(), "releases (frozen)");
}

TEST(ChainText, ANodeOfAnotherSessionOfItsOwnerIsOnItsWayOut)
{
    LockStateBuilder builder(3);
    builder.client(1).sessionId = SessionId{0x77};
    const ChainScene scene = layOutChain(queryOf(builder));
    EXPECT_EQ(scene.nodes[1].pill.toStdString(), "session ended");
    EXPECT_EQ(scene.nodes[2].pill.toStdString(), "waits");
}

// A holder without contact does not know that it holds.
TEST(ChainText, ASuspendedHolderIsNotSaidToHold)
{
    LockStateBuilder builder(2);
    builder.client(0).session = trace::SessionPhase::suspended;
    builder.client(1).session = trace::SessionPhase::suspended;
    const ChainScene scene = layOutChain(queryOf(builder));
    EXPECT_EQ(scene.nodes[0].pill.toStdString(), "HOLDS? (suspended)");
    EXPECT_EQ(scene.nodes[1].pill.toStdString(), "waits (suspended)");
    EXPECT_TRUE(scene.nodes[0].silent());
}

TEST(ChainText, AWatchedWaitIsWrittenAsInTheTableOfParticipants)
{
    LockStateBuilder builder(3);
    builder.lock().watched = true;
    builder.node(1).before = builder.node(2).before = true;
    builder.node(1).waitingSince = builder.state.now - 34min - 20s;
    builder.node(2).waitingSince = builder.state.now - 8200ms;
    builder.node(2).waitsLonger = true;
    const ChainScene scene = layOutChain(queryOf(builder));
    EXPECT_EQ(scene.nodes[1].detail.toStdString(), "waited 34 min");
    EXPECT_EQ(scene.nodes[2].detail.toStdString(), "waited ≥ 8.2 s");
}

// As a persistent node in front of a watched lock: whose it is, and whether he holds, the server cannot say.
TEST(ChainText, ANodeWithoutASessionHasNobodysColour)
{
    LockStateBuilder builder(2);
    builder.lock().watched = true;
    for (std::size_t place = 0; place < 2; ++place) {
        builder.node(place).owner = ClientId::none();
        builder.node(place).kind = queue::Role::exclusive;
        builder.node(place).token = Zxid{7};
    }
    builder.node(0).session = SessionId::none();
    builder.node(1).session = SessionId{0x100};
    const ChainQuery query = queryOf(builder);
    const ChainScene scene = layOutChain(query);
    EXPECT_EQ(scene.nodes[0].ownerName, "no session");
    EXPECT_EQ(scene.nodes[0].pill, "HOLDS?");
    EXPECT_TRUE(scene.nodes[0].ownerless);
    EXPECT_FALSE(scene.nodes[1].ownerless);
    const ui::Theme theme(ui::Theme::ColourScheme::light);
    QImage picture(query.viewport.toSize(), QImage::Format_RGB32);
    QPainter painter(&picture);
    ChainPainter(painter, theme, theme.fonts(), query.unit).drawQueue(scene, 0);
    painter.end();
    const auto coloured = [&](const QRectF& rect) {
        int pixels = 0;
        for (int x = static_cast<int>(rect.left()); x < rect.right(); ++x)
            for (int y = static_cast<int>(rect.top()); y < rect.bottom(); ++y)
                pixels += picture.pixelColor(x, y) == theme.palette().client(0) ? 1 : 0;
        return pixels;
    };
    EXPECT_EQ(coloured(scene.nodes[0].rect), 0);
    EXPECT_GT(coloured(scene.nodes[1].rect), 100);
}

TEST(ChainText, SaysWhoIsNotInTheQueue)
{
    const auto outside = [](std::uint32_t queued, std::uint32_t others) {
        return layOutChain(queryOf(LockStateBuilder(queued, others))).outside.toStdString();
    };
    EXPECT_EQ(outside(4, 1), "eli is not in the queue: it will create the next sequential node, 189");
    LockStateBuilder waits(4, 1); // its node was deleted, and it does not know
    waits.client(4).node = waits.keep(LockStateBuilder::nameOf(189));
    EXPECT_EQ(layOutChain(queryOf(waits)).outside.toStdString(), "eli is not in the queue");
    LockStateBuilder joining(4, 1);
    joining.client(4).createPending = true;
    EXPECT_EQ(layOutChain(queryOf(joining)).outside.toStdString(),
              "eli is not in the queue yet: its create is on its way");
    EXPECT_EQ(outside(3, 2), "dee and eli are not in the queue");
    EXPECT_EQ(outside(2, 3), "cyd, dee and eli are not in the queue");
    EXPECT_EQ(outside(5, 12), "12 clients are not in the queue");
    EXPECT_EQ(outside(5, 0), "every client is in the queue");
    LockStateBuilder done(4, 1);
    done.client(4).phase = replay::ClientPhase::finished;
    EXPECT_EQ(layOutChain(queryOf(done)).outside.toStdString(),
              "every client that is not finished is in the queue");
    LockStateBuilder frozen(4, 1);
    frozen.client(4).frozen = true;
    EXPECT_EQ(layOutChain(queryOf(frozen)).outside.toStdString(), "eli is not in the queue: it is frozen");
    // What it believes is said beside the queue, not what it would do next.
    frozen.client(4).isStale = true;
    EXPECT_EQ(ChainText::outside(frozen.state, frozen.lock()).toStdString(), "");
}

// It said that every client was in the queue.
TEST(ChainText, AHerdHasNoQueueThatAClientIsIn)
{
    const auto outside = [](LockStateBuilder& builder, std::uint32_t waiting) {
        builder.lock().recipe = "herd";
        for (std::uint32_t i = 1; i <= waiting; ++i)
            builder.client(i).phase = replay::ClientPhase::waiting;
        return layOutChain(queryOf(builder)).outside.toStdString();
    };
    LockStateBuilder all(1, 3), some(1, 4), few(1, 9);
    EXPECT_EQ(outside(all, 3), "there is no queue · every client holds or waits");
    some.client(4).frozen = true;
    EXPECT_EQ(outside(some, 2), "there is no queue · neither holds nor waits: dee, eli (frozen)");
    EXPECT_EQ(outside(few, 2), "there is no queue · 7 clients neither hold nor wait");
    some.client(3).isStale = true; // it is shown beside the diagram
    some.client(4).phase = replay::ClientPhase::finished;
    EXPECT_EQ(outside(some, 2), "there is no queue");
}

TEST(ChainText, WithoutALockThereIsNoQueue)
{
    LockStateBuilder builder(0, 3);
    builder.lock().recipe = "none";
    const ChainScene scene = layOutChain(queryOf(builder));
    EXPECT_EQ(scene.empty.toStdString(),
              "The clients of this run take no lock: nothing orders them, and there is no queue.");
    EXPECT_EQ(scene.outside.toStdString(), "");
}

// It waits at the entrance of a semaphore, and for a lease all the same.
TEST(ChainText, AClientAtTheEntranceIsMissingAmongTheLeases)
{
    LockStateBuilder builder(2, 2);
    builder.lock().recipe = "semaphore";
    builder.lock().permits = 3;
    replay::LockRow entrance;
    entrance.id = LockId{1};
    entrance.recipe = "mutex";
    builder.state.locks.push_back(entrance);
    replay::LockUse lease;
    lease.lock = LockId{0};
    lease.phase = replay::ClientPhase::joining;
    builder.client(2).otherUses.push_back(lease);
    builder.client(2).lock = LockId{1};
    builder.client(2).phase = replay::ClientPhase::waiting;
    builder.client(3).lock = LockId::none();
    const auto outside = [&] { return ChainText::outside(builder.state, builder.lock()).toStdString(); };
    EXPECT_EQ(outside(), "cyd and dee are not in the queue");
    builder.client(2).phase = replay::ClientPhase::finished;
    EXPECT_EQ(outside(), "dee is not in the queue: it will create the next sequential node, 187");
}

// As before a bet: what comes next would be an answer.
TEST(ChainText, ForetellsNothingWhereItShallNot)
{
    const LockStateBuilder one(4, 1), noWaiter(0, 1);
    ChainQuery query = queryOf(one);
    query.explainsNext = false;
    EXPECT_EQ(layOutChain(query).outside.toStdString(), "eli is not in the queue");
    query = queryOf(noWaiter);
    EXPECT_TRUE(layOutChain(query).empty.contains(u'\n'));
    query.explainsNext = false;
    const ChainScene scene = layOutChain(query);
    EXPECT_FALSE(scene.empty.isEmpty() || scene.empty.contains(u'\n'));
}

TEST(ChainText, BeforeTheRunHasStartedItIsNotKnownWhoHolds)
{
    LockStateBuilder builder(0, 0);
    builder.state.phase = trace::RunPhase::starting;
    EXPECT_TRUE(layOutChain(queryOf(builder)).empty.contains("not known yet"))
        << layOutChain(queryOf(builder)).empty.toStdString();
    // As when other programs use the lock and nobody has said that the run may join.
    builder.state.phase = trace::RunPhase::failed;
    EXPECT_TRUE(layOutChain(queryOf(builder)).empty.contains("could not start"))
        << layOutChain(queryOf(builder)).empty.toStdString();
    const LockStateBuilder running(0, 3);
    EXPECT_THAT(layOutChain(queryOf(running)).empty.toStdString(), HasSubstr("No client holds /locks/well"));
    LockStateBuilder over(0, 3);
    over.state.phase = trace::RunPhase::finished;
    EXPECT_THAT(layOutChain(queryOf(over)).empty.toStdString(), HasSubstr("The run is over: play it"));
}

TEST(ChainText, AForeignNodeKeepsItsPlaceAndIsSaidToCount)
{
    LockStateBuilder builder(2, 1);
    builder.addForeign("hello");
    const ChainScene scene = layOutChain(queryOf(builder));
    ASSERT_EQ(scene.nodes.size(), 3u);
    EXPECT_EQ(scene.nodes[2].pill.toStdString(), "foreign");
    EXPECT_EQ(scene.nodes[2].number.toStdString(), "hello");
    EXPECT_EQ(scene.nodes[2].detail.toStdString(), "counts as place 3");
    EXPECT_THAT(scene.outside.toStdString(),
                HasSubstr("hello counts in the queue but belongs to no client here"));
    // What number comes next is not known any more: a node without one took it.
    EXPECT_THAT(scene.outside.toStdString(), testing::Not(HasSubstr("187")));
}

TEST(ChainText, HostileNamesStayPlainAndShort)
{
    LockStateBuilder builder(2);
    builder.addForeign(std::string("<b>\u202e").append(500, 'x').append("\n%1%2"));
    builder.client(1).name = builder.keep("%1 <img src=x>\a");
    const ChainScene scene = layOutChain(queryOf(builder));
    EXPECT_LE(scene.nodes[2].number.size(), 25);
    EXPECT_FALSE(scene.nodes[2].number.contains(QChar(0x202e)));
    EXPECT_FALSE(scene.nodes[1].ownerName.contains(QChar(7)));
    const QString tip = ChainText::toolTip(builder.state, builder.lock(), 2, builder.state.now);
    EXPECT_TRUE(tip.startsWith("<b>"));
    EXPECT_FALSE(tip.section('\n', 0, 0).contains(QChar(0x202e)));
    EXPECT_LT(tip.size(), 400);
}

TEST(ChainText, AClientAtAnotherLockIsNoneThatIsMissingHere)
{
    LockStateBuilder builder(2, 2);
    builder.state.locks.push_back(builder.lock());
    builder.state.locks[1].id = LockId{1};
    builder.state.locks[1].queue.clear();
    builder.client(3).lock = LockId{1};
    EXPECT_EQ(layOutChain(queryOf(builder)).outside.toStdString(),
              "cyd is not in the queue: it will create the next sequential node, 187");
    builder.client(2).lock = LockId::none(); // its next lock is not known
    EXPECT_EQ(layOutChain(queryOf(builder)).outside.toStdString(), "cyd is not in the queue");
    builder.client(2).lock = LockId{1};
    EXPECT_TRUE(layOutChain(queryOf(builder)).outside.isEmpty()) << "neither is every client here";
}

} // namespace
} // namespace lockscope::tests
