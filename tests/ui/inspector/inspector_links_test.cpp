// What stands beside a fact: an event that says just this, by the number that the transport bar has for it;
// and names that are whole.
#include "tests/ui/inspector/inspector_test_fixture.h"

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::InspectorTest;
using lockscope::tests::traceScript;

namespace {

TEST_F(InspectorTest, AListIsTheProofOfThePlaceThatItSays)
{
    const std::string listed = std::string(tests::kThree) + "; 60ms cyd decided n3 2/3 n2";
    run.openTrace(traceScript(listed));
    selection.selectClient(client("cyd"));
    EXPECT_EQ(value("lock.place"), "3 of 3");
    EXPECT_TRUE(isRecordedAs<trace::Decided>("lock.place"));
    run.openTrace(traceScript(listed + "; 70ms ada release n1; 71ms bo fired n1; 72ms ada freed n1"));
    selection.selectClient(client("cyd"));
    EXPECT_EQ(value("lock.place"), "2 of 2");
    EXPECT_FALSE(fact("lock.place").event.valid()) << "its list said 3 of 3: a deletion moved it up";
}

// As the transport bar counts: the first event is 1. Programs get its index, as in the trace.
TEST_F(InspectorTest, EventsAreCountedFromOne)
{
    run.openTrace(traceScript(tests::kThree));
    selection.selectClient(client("ada"));
    const EventIndex event = fact("lock.token").event;
    ASSERT_TRUE(event.valid());
    const QString number = QString::number(event.value + 1);
    EXPECT_EQ(model().index(rowOf("lock.token"), InspectorModel::Event).data().toString(), '#' + number);
    EXPECT_TRUE(asText(model().inspect()).contains("0x101 [event " + number + ']'));
    EXPECT_EQ(QJsonDocument::fromJson(asJson(model().inspect()).toUtf8())["lock"]["token_event"].toInt(),
              static_cast<int>(event.value));
    click("lock.token", InspectorModel::Event);
    EXPECT_EQ(view.caption(), "event · event " + number);
    EXPECT_EQ(run.position(), std::size_t{event.value} + 1) << "the bar says: event N of M";
    EXPECT_EQ(value("event.index"), number.toStdString());
}

} // namespace
