// The protocol in a window: mouse, wheel and keys, the cursor and the selection that it shares, and traces
// that mean it ill.
#include "tests/support/sample_run.h"
#include "tests/ui/growing_run.h"
#include "tests/ui/protocol/protocol_script.h"
#include "ui/protocol/protocol_view.h"

#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>

namespace lockscope::ui::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProtocolViewTest : public testing::Test
{
protected:
    RunModel run;
    Selection selection;
    Theme theme{Theme::ColourScheme::dark};
    ProtocolView view{&run, &selection, &theme};
    ProtocolView* const canvas = &view;

    ProtocolViewTest()
    {
        view.resize(1000, 600);
        view.show();
    }
    void openSample(std::uint32_t clients = 5)
    {
        tests::SampleOptions options;
        options.clients = clients;
        if (clients > 100)
            options.events = 20'000;
        run.openTrace(tests::sampleRun(options));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !run.opening(); }));
    }
    const ProtocolArrow& arrowOf(replay::ProtocolMessage::Kind kind)
    {
        const ProtocolPicture& picture = canvas->picture();
        for (const ProtocolArrow& arrow : picture.arrows) {
            const double middle = (arrow.from.y() + arrow.to.y()) / 2;
            if (picture.protocol.messages[arrow.message].kind == kind && middle > picture.plot.top() + 40 &&
                middle < picture.plot.bottom() - 40)
                return arrow;
        }
        throw std::runtime_error("no such arrow in view");
    }
    void wheel(QPoint angle, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        const QPoint at(500, 300);
        QWheelEvent event(at, canvas->mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(canvas, &event);
    }
    EventIndex lastShown() { return canvas->picture().eventsInView().back(); }
};

TEST_F(ProtocolViewTest, ClickOnAnArrowSelectsItsEventAndClient)
{
    openSample();
    for (const auto kind : {replay::ProtocolMessage::Kind::request, replay::ProtocolMessage::Kind::watch}) {
        const ProtocolArrow arrow = arrowOf(kind);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, (arrow.from * 0.6 + arrow.to * 0.4).toPoint());
        EXPECT_EQ(selection.selectedEvent(), arrow.event);
        EXPECT_EQ(selection.client(), arrow.client);
    }
    EXPECT_TRUE(run.following()) << "selecting does not travel";
    QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->picture().heads[0].rect.center().toPoint());
    EXPECT_EQ(selection.client(), ClientId{0});
    EXPECT_FALSE(selection.selectedEvent().valid());
}

// Where a recipe breaks is often no row of the protocol. In a low card its first rows were shown, and not the
// last ones.
TEST_F(ProtocolViewTest, ALowCardShowsWhatLeadsToAnEventThatIsNoRow)
{
    ProtocolScript script({"ada", "bo"});
    for (int i = 0; i < 12; ++i)
        script << ("\n" + std::to_string(4 * i + 1) + ".0 ada > getData 1 #1\n" + std::to_string(4 * i + 2) +
                   ".0 ada < #1 1\n");
    script.store()->append({std::chrono::milliseconds(60), EventIndex::none(), ClientId::none(),
                            LockId::none(), trace::PaceChanged{}});
    view.resize(800, 180);
    run.openTrace(script.store());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !run.opening(); }));
    const std::size_t count = script.count();
    for (const std::size_t event : {count - 1, count - 2}) {
        run.seekEvent(6);
        selection.selectEvent(EventIndex{2}, ClientId{0});
        run.seekEvent(event + 1);
        selection.selectEvent(EventIndex{static_cast<EventIndex::Value>(event)}, ClientId{0});
        EXPECT_EQ(lastShown().value, count - 2) << "the last reply; " << event;
    }
}

TEST_F(ProtocolViewTest, TheToolTipHasTheLatency)
{
    openSample();
    const ProtocolArrow arrow = arrowOf(replay::ProtocolMessage::Kind::reply);
    const std::string tip = canvas->tipAt((arrow.from + arrow.to) / 2).toStdString();
    EXPECT_THAT(tip, HasSubstr("ZooKeeper → "));
    EXPECT_THAT(tip, HasSubstr(arrow.latency.toStdString() + " after its request"));
}

TEST_F(ProtocolViewTest, KeysWalkFromEventToEvent)
{
    openSample();
    QTest::keyClick(canvas, Qt::Key_Up);
    ASSERT_TRUE(selection.selectedEvent().valid());
    const EventIndex last = selection.selectedEvent();
    for (int i = 0; i < 60; ++i)
        QTest::keyClick(canvas, Qt::Key_Up);
    EXPECT_LT(selection.selectedEvent(), last);
    EXPECT_FALSE(canvas->following()) << "the event is brought into view";
    const auto shown = canvas->picture().eventsInView();
    EXPECT_LE(shown.front(), selection.selectedEvent());
    EXPECT_GE(shown.back(), selection.selectedEvent());
    run.follow();
    EXPECT_TRUE(canvas->following());
    run.seekEvent(last.value / 2);
    selection.selectEvent(EventIndex{5}, ClientId::none());
    ASSERT_FALSE(canvas->following());
    selection.selectEvent(last, ClientId::none());
    EXPECT_TRUE(canvas->following()) << "the cursor is on its way there";
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(selection.selectedEvent().valid());
}

// All views went back to the first lock.
TEST_F(ProtocolViewTest, EscapeSelectsNothingAndLeavesTheLock)
{
    openSample();
    selection.selectLock(LockId{1});
    selection.selectClient(ClientId{1});
    QTest::keyClick(canvas, Qt::Key_Escape);
    EXPECT_FALSE(selection.client().valid());
    EXPECT_EQ(selection.lock(), LockId{1});
}

TEST_F(ProtocolViewTest, TheWheelScrollsAndZoomsWithControl)
{
    openSample();
    const EventIndex last = lastShown();
    wheel({0, 120});
    EXPECT_FALSE(canvas->following());
    EXPECT_LE(lastShown(), last);
    for (int i = 0; i < 20; ++i)
        wheel({0, 120});
    EXPECT_LT(lastShown(), last);
    for (int i = 0; i < 60; ++i)
        wheel({0, -120});
    EXPECT_EQ(lastShown(), last);
    EXPECT_TRUE(canvas->following()) << "scrolled back to where the cursor is";
    wheel({0, 120});
    ASSERT_FALSE(canvas->following());
    run.follow();
    EXPECT_TRUE(canvas->following()) << "as every view";
    const std::size_t before = canvas->picture().eventsInView().size();
    wheel({0, 120}, Qt::ControlModifier);
    EXPECT_GT(canvas->zoom(), 1);
    for (int i = 0; i < 12; ++i)
        wheel({0, 120}, Qt::ControlModifier);
    EXPECT_LT(canvas->picture().eventsInView().size(), before);
}

TEST_F(ProtocolViewTest, FollowsTheCursorAndAGrowingRun)
{
    tests::GrowingRun growing;
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 300));
    const EventIndex before = lastShown();
    ASSERT_TRUE(growing.publishAndDrain(run, 100));
    EXPECT_GT(lastShown(), before);
    run.seekEvent(200);
    EXPECT_LT(lastShown().value, 200u);
    selection.selectEvent(EventIndex{150}, ClientId{1});
    const auto shown = canvas->picture().eventsInView();
    EXPECT_LE(shown.front().value, 150u) << "what is selected elsewhere comes into view";
    EXPECT_GE(shown.back().value, 150u);
}

TEST_F(ProtocolViewTest, AHostileTraceIsPlainCappedText)
{
    const std::string evil = "<b>bold</b><img src=x>\u202e" + std::string(10'000, 'x');
    auto store = std::make_shared<trace::TraceStore>();
    store->append({{}, EventIndex::none(), ClientId::none(), LockId{0}, trace::LockAdded{evil, evil, evil}});
    store->append({{}, EventIndex::none(), ClientId{0}, LockId::none(), trace::ClientAdded{evil, 0, evil}});
    const auto request = store->append({Duration(1'000'000), EventIndex::none(), ClientId{0}, LockId{0},
                                        trace::Request{Operation::getData, evil, true, false}});
    store->append({Duration(2'000'000), request, ClientId{0}, LockId{0},
                   trace::WatchFired{trace::WatchKind::deleted, evil}});
    store->append(
        {Duration(2'500'000), request, ClientId{0}, LockId{0}, trace::StartedOver{evil, MessageView(evil)}});
    store->append({Duration(2'600'000), request, ClientId{0}, LockId{0}, trace::Decided{evil, 3, 4, evil}});
    store->append({Duration(2'700'000), EventIndex{5}, ClientId{7}, LockId{3},
                   trace::WatchFired{trace::WatchKind::created, evil}});
    store->append({Duration(2'000'000), EventIndex{4'000'000}, ClientId{0}, LockId{0},
                   trace::Reply{Operation::create, trace::Outcome::ok, evil, {}, 0}});
    run.openTrace(store);
    const ProtocolPicture& picture = canvas->picture();
    ASSERT_GE(picture.arrows.size(), 3u);
    QStringList all;
    for (const ProtocolArrow& arrow : picture.arrows)
        all << arrow.label << canvas->tipAt((arrow.from + arrow.to) / 2);
    for (const ProtocolBox& box : picture.boxes)
        all << box.text << canvas->tipAt(box.rect.center());
    for (const ProtocolHead& head : picture.heads)
        all << head.name << canvas->tipAt(head.rect.center());
    for (const QString& text : all) {
        EXPECT_LT(text.size(), 700);
        EXPECT_FALSE(text.contains(QChar(0x202e))) << "a mark that turns text around";
    }
    EXPECT_FALSE(canvas->grab().isNull());
}

TEST_F(ProtocolViewTest, WhatTheLogLeavesOutIsFaint)
{
    openSample();
    const auto faded = [this] {
        std::size_t count = 0;
        for (const ProtocolArrow& arrow : canvas->picture().arrows)
            count += arrow.faded ? 1 : 0;
        return count;
    };
    EXPECT_EQ(faded(), 0U);
    const trace::TraceStore& store = *run.store();
    const ProtocolArrow first = arrowOf(replay::ProtocolMessage::Kind::request);
    LogFilter filter;
    filter.client = first.client;
    view.setFilter(filter, "client:x");
    std::size_t others = 0;
    for (const ProtocolArrow& arrow : canvas->picture().arrows) {
        others += arrow.client == first.client ? 0 : 1;
        if (std::holds_alternative<trace::Request>(store.at(arrow.event).what)) {
            EXPECT_EQ(arrow.faded, arrow.client != first.client);
        }
    }
    EXPECT_GT(others, 0U);
    EXPECT_LT(faded(), canvas->picture().arrows.size());
    EXPECT_TRUE(view.caption().startsWith("filter: client:x · ")) << view.caption().toStdString();
    view.setFilter({}, {});
    EXPECT_EQ(faded(), 0U);
}

TEST_F(ProtocolViewTest, HasANameForAScreenReaderAndSaysWhenThereIsNothing)
{
    EXPECT_FALSE(canvas->accessibleName().isEmpty());
    EXPECT_FALSE(canvas->grab().isNull());
    EXPECT_TRUE(view.caption().isEmpty());
    openSample();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !view.caption().isEmpty(); }));
    EXPECT_THAT(canvas->accessibleDescription().toStdString(), HasSubstr("One lane for each client"));
    run.openTrace(std::make_shared<trace::TraceStore>());
    EXPECT_TRUE(canvas->picture().arrows.empty());
    EXPECT_FALSE(canvas->tipAt({200, 200}).contains(u'<'));
}

} // namespace
} // namespace lockscope::ui::test
