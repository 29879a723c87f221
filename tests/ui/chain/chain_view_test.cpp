// The watch chain as a window: what a click, a key and the pointer do, and that a run flows through it.
#include "tests/support/sample_run.h"
#include "tests/ui/growing_run.h"
#include "ui/chain/chain_view.h"
#include "ui/texts/empty_state.h"

#include <QPaintEvent>
#include <QScrollBar>
#include <QTest>
#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui;
using testing::HasSubstr;
using testing::Not;

class ChainViewTest : public testing::Test
{
protected:
    void open(SampleOptions options, QSize size = {900, 400})
    {
        if (options.events == 0)
            options.events = 6000;
        store = sampleRun(options);
        model.openTrace(store);
        view.resize(size);
        view.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
        seekToQueueOf(2);
    }

    // To a moment, late in the run, with at least so many nodes.
    void seekToQueueOf(std::size_t nodes)
    {
        for (std::size_t at = store->count(); at > 0; --at) {
            model.seekEvent(at - 1);
            const auto* lock = model.state().lock(LockId{0});
            if (lock && lock->queue.size() >= nodes)
                return;
        }
        FAIL() << "the sample never had " << nodes << " nodes";
    }

    // Seeks to a state in which a client believes it holds and the server disagrees.
    bool seekToStale()
    {
        for (std::size_t at = 0; at < store->count(); ++at) {
            model.seekEvent(at);
            for (const auto& client : model.state().clients)
                if (client.isStale)
                    return true;
        }
        return false;
    }

    QPoint centre(const chain::ChainNode& card) const
    {
        return (card.rect.center() - QPointF(0, view.scrolled())).toPoint();
    }

    std::shared_ptr<trace::TraceStore> store;
    RunModel model;
    Selection selection;
    Theme theme{Theme::ColourScheme::light};
    ChainView view{&model, &selection, &theme};
};

TEST_F(ChainViewTest, ClickingACardSelectsItsNodeAndClient)
{
    open({});
    const chain::ChainNode card = view.scene().nodes.at(1);
    QTest::mouseClick(&view, Qt::LeftButton, {}, centre(card));
    EXPECT_EQ(selection.client(), card.owner);
    EXPECT_EQ(selection.node().toStdString(), card.node);
    EXPECT_TRUE(view.scene().nodes.at(1).selected);
    EXPECT_FALSE(view.scene().nodes.at(0).selected);
    EXPECT_THAT(view.boxTexts().explainTitle.toStdString(), HasSubstr("Explain · "));
    EXPECT_FALSE(view.boxTexts().what.isEmpty());
}

TEST_F(ChainViewTest, ClickingBesideTheCardsClearsTheSelection)
{
    open({});
    QTest::mouseClick(&view, Qt::LeftButton, {}, centre(view.scene().nodes.at(0)));
    ASSERT_TRUE(selection.client().valid());
    QTest::mouseClick(&view, Qt::LeftButton, {}, {895, 20});
    EXPECT_FALSE(selection.client().valid());
}

TEST_F(ChainViewTest, ArrowKeysWalkAlongTheQueue)
{
    open({});
    seekToQueueOf(3);
    const auto selected = [&] {
        for (const auto& card : view.scene().nodes)
            if (card.selected)
                return card.place;
        return -1;
    };
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(selected(), 0);
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(selected(), 1);
    const int last = view.scene().nodes.back().place;
    for (int i = 0; i <= last; ++i)
        QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(selected(), last);
    for (int i = 0; i <= last; ++i)
        QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(selected(), 0);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(selected(), -1);
}

TEST_F(ChainViewTest, TheToolTipHasTheWholeNameAndAMaskedSession)
{
    open({});
    const chain::ChainNode card = view.scene().nodes.at(1);
    const std::string tip = view.tipAt(centre(card)).toStdString();
    EXPECT_THAT(tip, HasSubstr(std::string(card.node)));
    EXPECT_THAT(tip, HasSubstr("session 0x…"));
    const auto session = model.state().node(LockId{0}, card.node)->session;
    EXPECT_THAT(tip, Not(HasSubstr(QString::number(session.value, 16).toStdString())));
    EXPECT_TRUE(view.tipAt({895, 5}).isEmpty());
}

TEST_F(ChainViewTest, TheCaptionNamesTheLockAndIsAnnounced)
{
    int captionChanges = 0;
    view.onCaptionChange([&captionChanges] { ++captionChanges; });
    EXPECT_TRUE(view.caption().isEmpty());
    open({});
    EXPECT_THAT(view.caption().toStdString(), testing::StartsWith("/"));
    EXPECT_THAT(view.caption().toStdString(), HasSubstr("each waiter watches only the node in front of it"));
    EXPECT_GE(captionChanges, 1);
}

TEST_F(ChainViewTest, ShowsTheWakeUpRightAfterItFired)
{
    open({});
    bool found = false;
    for (std::size_t at = 0; at < store->count() && !found; ++at) {
        const auto* fired = std::get_if<trace::WatchFired>(&store->at(at).what);
        if (!fired || fired->kind != trace::WatchKind::deleted)
            continue;
        found = true;
        model.seekEvent(at + 1);
        const chain::ChainScene& scene = view.scene();
        ASSERT_TRUE(scene.wake.shown);
        EXPECT_EQ(scene.wake.text.toStdString(), "NodeDeleted → wakes exactly one client");
        EXPECT_EQ(scene.nodes.at(0).state, chain::NodeState::gone);
    }
    EXPECT_TRUE(found);
}

TEST_F(ChainViewTest, ABelieverWithoutANodeIsShownAndCanBeSelected)
{
    SampleOptions options;
    options.killHolderAtGrant = 5;
    open(options);
    ASSERT_TRUE(seekToStale());
    ASSERT_FALSE(view.scene().stale.empty());
    const auto stale = view.scene().stale.front();
    QTest::mouseClick(&view, Qt::LeftButton, {}, stale.rect.center().toPoint());
    EXPECT_EQ(selection.client(), stale.client);
    EXPECT_FALSE(view.boxTexts().server.differences.isEmpty());
    EXPECT_THAT(view.boxTexts().server.verdict.toStdString(), HasSubstr("believes it holds"));
}

TEST_F(ChainViewTest, ALongQueueScrollsToTheSelectedNode)
{
    SampleOptions options;
    options.clients = 1000;
    options.events = 16000;
    open(options, {500, 260});
    model.follow();
    ASSERT_GT(view.scene().nodes.size(), 500u);
    EXPECT_GT(view.scrollBar()->maximum(), 0);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Left); // without a selection: the last node
    EXPECT_GT(view.scrolled(), 0);
    const auto& last = view.scene().nodes.back();
    EXPECT_TRUE(last.selected);
    EXPECT_TRUE(view.scene().queueArea.contains(centre(last)));
    QTest::mouseClick(&view, Qt::LeftButton, {},
                      centre(view.scene().nodes.at(view.scene().nodes.size() - 2)));
    EXPECT_EQ(selection.client(), view.scene().nodes.at(view.scene().nodes.size() - 2).owner);
}

TEST_F(ChainViewTest, AnotherRunLeavesNothingOfTheOldOne)
{
    open({});
    ASSERT_FALSE(view.scene().nodes.empty());
    store.reset();
    model.openTrace(std::make_shared<trace::TraceStore>());
    EXPECT_TRUE(view.scene().nodes.empty());
    EXPECT_THAT(view.scene().empty.toStdString(), HasSubstr("No lock yet"));
    EXPECT_FALSE(view.grab().isNull());
}

TEST_F(ChainViewTest, EveryMomentOfAFaultyRunCanBeDrawn)
{
    SampleOptions options;
    options.killHolderAtGrant = 3;
    options.killWaiterAtGrant = 6;
    options.freezeHolderAtGrant = 9;
    options.suspendWaiterAtGrant = 12;
    options.foreignAtGrant = 14;
    for (const QSize size : {QSize(900, 400), QSize(420, 220)}) {
        open(options, size);
        QImage image(size, QImage::Format_ARGB32_Premultiplied);
        for (std::size_t at = 0; at <= store->count(); at += 61) {
            model.seekEvent(at);
            view.render(&image);
            for (const auto& arrow : view.scene().arrows)
                ASSERT_LT(arrow.to, static_cast<int>(view.scene().nodes.size()));
        }
    }
}

TEST_F(ChainViewTest, TheMouseNamesASquare)
{
    SampleOptions many;
    many.clients = 400;
    open(many, {700, 400});
    seekToQueueOf(100);
    const auto& cards = view.scene().nodes;
    ASSERT_EQ(cards.back().as, chain::Scale::cells);
    const QString place = QString::number(cards.back().place + 1);
    QTest::mouseMove(&view, centre(cards.back()));
    EXPECT_THAT(view.scene().named.toStdString(), HasSubstr("place " + place.toStdString() + ":"));
    QTest::mouseMove(&view, QPoint(5, 5));
    EXPECT_TRUE(view.scene().named.isEmpty());
}

} // namespace
} // namespace lockscope::tests
