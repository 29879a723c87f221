// The Inspector under a person's hands: links by mouse and keys, the way back, copies, pictures.
#include "tests/ui/inspector/inspector_test_fixture.h"
#include "ui/inspector/handoff_bar.h"

#include <QScrollBar>
#include <QToolButton>

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::GrowingRun;
using lockscope::tests::InspectorTest;
using lockscope::tests::sampleRun;
using lockscope::tests::traceScript;

namespace {

TEST_F(InspectorTest, AClickOnAnEventGoesThereInAllViews)
{
    run.openTrace(traceScript(tests::kThree));
    selection.selectClient(client("bo"));
    const EventIndex frozen = fact("client.frozen").event;
    QSignalSpy went(&run, &RunModel::jumpedTo);
    click("client.frozen", InspectorModel::Event);
    EXPECT_EQ(selection.now().kind, Selected::Kind::event);
    EXPECT_EQ(selection.selectedEvent(), frozen);
    EXPECT_EQ(selection.client(), client("bo"));
    EXPECT_EQ(run.position(), frozen.value + 1) << "the cursor stands behind it";
    EXPECT_FALSE(run.following());
    ASSERT_EQ(went.size(), 1);
    EXPECT_EQ(went.front().front().value<TraceTime>(), run.store()->at(frozen).at);
    EXPECT_EQ(value("event.kind"), "command");
}

TEST_F(InspectorTest, EnterFollowsTheEventShiftEnterTheNameAndBackspaceGoesBack)
{
    run.openTrace(traceScript(tests::kThree));
    selection.selectClient(client("bo"));
    view.activateWindow();
    table().setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table().hasFocus(); }));
    table().setCurrentIndex(model().index(rowOf("lock.watches"), 0));
    const EventIndex watched = fact("lock.watches").event;
    QTest::keyClick(&table(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(selection.node(), node("n1"));
    QTest::keyClick(&table(), Qt::Key_Backspace);
    EXPECT_EQ(selection.now().kind, Selected::Kind::client);
    EXPECT_EQ(selection.client(), client("bo"));
    EXPECT_TRUE(run.following()) << "where it was";
    table().setCurrentIndex(model().index(rowOf("lock.watches"), 0));
    QTest::keyClick(&table(), Qt::Key_Return);
    EXPECT_EQ(selection.selectedEvent(), watched);
    EXPECT_EQ(run.position(), watched.value + 1);
    QTest::mouseClick(view.findChildren<QToolButton*>().front(), Qt::LeftButton);
    EXPECT_TRUE(run.following());
    EXPECT_EQ(selection.client(), client("bo"));
    EXPECT_FALSE(view.findChild<QAction*>("inspector.back")->isEnabled());
}

TEST_F(InspectorTest, CopiesByKeysAndButtons)
{
    run.openTrace(traceScript(tests::kHandedOver));
    selection.selectClient(client("bo"));
    view.activateWindow();
    table().setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table().hasFocus(); }));
    QTest::keySequence(&table(), QKeySequence::Copy);
    EXPECT_TRUE(clipboard().startsWith("bo · client, at 0.0")) << clipboard().toStdString();
    EXPECT_TRUE(clipboard().contains(
        QStringLiteral("  name: bo [event %1]\n").arg(fact("client.name").event.value + 1)))
        << clipboard().toStdString();
    QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QJsonObject root = QJsonDocument::fromJson(clipboard().toUtf8()).object();
    EXPECT_EQ(root["kind"], QJsonValue("client"));
    EXPECT_EQ(root["client"].toObject()["name"], QJsonValue("bo"));
    EXPECT_EQ(root["client"].toObject()["state"], QJsonValue("holding"));
    EXPECT_EQ(root["so_far"].toObject()["wake_ups"], QJsonValue(1));
    EXPECT_EQ(root["lock"].toObject()["acquired_ns_event"].toInteger(), fact("lock.acquired_ns").event.value);
    EXPECT_EQ(root["lock"].toObject()["node"].toString(), node("n2"));
    const QList<QToolButton*> buttons = view.findChildren<QToolButton*>();
    QTest::mouseClick(buttons.at(1), Qt::LeftButton);
    EXPECT_TRUE(clipboard().startsWith("bo · client"));
    for (const QToolButton* button : buttons)
        EXPECT_FALSE(button->text().isEmpty());
}

TEST_F(InspectorTest, KeepsItsRowAndPlaceWhileTheRunGoesOn)
{
    view.resize(460, 300);
    GrowingRun growing;
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 200));
    selection.selectClient(ClientId{2});
    table().setCurrentIndex(model().index(rowOf("so_far.requests"), 0));
    table().scrollTo(table().currentIndex());
    const int place = table().verticalScrollBar()->value();
    ASSERT_GT(place, 0);
    const std::string before = value("so_far.requests");
    while (!growing.done())
        ASSERT_TRUE(growing.publishAndDrain(run, 90));
    EXPECT_NE(value("so_far.requests"), before);
    EXPECT_EQ(table().currentIndex().row(), rowOf("so_far.requests"));
    EXPECT_EQ(table().verticalScrollBar()->value(), place);
    selection.selectEvent(EventIndex{3}, ClientId::none());
    EXPECT_EQ(table().verticalScrollBar()->value(), 0) << "another kind of thing is read from its beginning";
}

TEST_F(InspectorTest, GoesBackToTheLastEventOfAGrowingRunWithoutFollowingIt)
{
    run.openTrace(traceScript(tests::kThree));
    run.setGrowing(true);
    const std::size_t count = run.store()->count();
    run.goToEvent(EventIndex{static_cast<std::uint32_t>(count - 1)});
    ASSERT_FALSE(run.following());
    selection.selectClient(client("bo"));
    click("client.frozen", InspectorModel::Event);
    ASSERT_LT(run.position(), count);
    view.findChild<QAction*>("inspector.back")->trigger();
    EXPECT_EQ(run.position(), count);
    EXPECT_FALSE(run.following()) << "it stood there";
}

} // namespace
