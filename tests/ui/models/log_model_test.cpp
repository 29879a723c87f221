// The model of the protocol log: filters, rows of events and answers, slices.
#include "tests/support/trace_script.h"
#include "tests/ui/growing_run.h"
#include "tests/ui/models/log_checks.h"
#include "ui/models/rows/log_model.h"
#include "ui/models/run/logged_event.h"
#include "ui/texts/event_text.h"

#include <gtest/gtest.h>

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::eventsInLog;
using lockscope::tests::kStrict;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::settled;
using lockscope::tests::Tester;
using lockscope::tests::traceScript;

namespace {

// The filter is typed at a moment at which the client has not joined yet.
TEST(LogModel, FindsTheLinesOfAClientThatJoinsLater)
{
    const auto store = traceScript(
        "ada holds n1; ada release n1; ada freed n1; late holds n2; late release n2; late freed n2");
    RunModel run;
    LogModel log(&run);
    run.openTrace(store);
    run.follow();
    ASSERT_TRUE(settled(log));
    const auto joins = [&] {
        std::size_t at = 0;
        while (store->at(at).client != ClientId{1})
            ++at;
        return at;
    }();
    run.seekEvent(joins);
    log.setFilter(LogFilter::parse("client:late"));
    ASSERT_TRUE(settled(log));
    EXPECT_EQ(log.rowCount(), 0);
    run.follow();
    ASSERT_TRUE(settled(log));
    EXPECT_GT(log.rowCount(), 0);
    for (int row = 0; row < log.rowCount(); ++row)
        EXPECT_EQ(log.client(row), ClientId{1});
}

TEST(LogLine, ACreateThatFailedHasNoNodeToName)
{
    trace::Event event{};
    event.what = trace::Reply{Operation::create, trace::Outcome::noNode, {}, Zxid::none(), 0};
    EXPECT_EQ(logLine(event, replay::RunState{}).text.toStdString(), "create: no such node");
    event.what =
        trace::Reply{Operation::remove, trace::Outcome::noNode, "_c_x-lock-0000000012", Zxid::none(), 0};
    EXPECT_EQ(logLine(event, replay::RunState{}).text.toStdString(), "delete \u20260012: no such node");
}

TEST(LogLine, AHoldersWatchIsSaidToBeOnItsOwnNode)
{
    trace::TraceStore store;
    const auto add = [&](trace::Payload what, EventIndex cause) {
        return store.append({{}, cause, ClientId{0}, LockId{0}, std::move(what)});
    };
    const auto words = [&](EventIndex index) {
        return logLine(store.at(index), replay::RunState{}, &store).text.toStdString();
    };
    const EventIndex decided = add(trace::Decided{"lock-0000000002", 1, 2, "lock-0000000001"}, {});
    const trace::Request ahead{Operation::getData, "lock-0000000001", true};
    const trace::Request own{Operation::getData, "lock-0000000002", true};
    EXPECT_EQ(words(add(ahead, decided)), "getData …0001 +watch");
    EXPECT_EQ(words(add(own, decided)), "getData …0002 +watch   (its own node)");
    EXPECT_EQ(words(add(own, EventIndex::none())), "getData …0002 +watch   (its own node)");
    EXPECT_EQ(words(add(trace::Request{Operation::getChildren, {}, true}, EventIndex::none())),
              "getChildren  +watch");
}

TEST(LogModel, FindsTheRowOfAnEventAndOfItsAnswer)
{
    const auto store = sampleRun();
    RunModel run;
    LogModel log(&run);
    run.openTrace(store);
    ASSERT_TRUE(settled(log));
    int answered = 0;
    for (int row = 0; row < log.rowCount(); ++row) {
        ASSERT_EQ(log.rowOf(log.eventAt(row)), row);
        answered += log.latency(row).has_value();
    }
    EXPECT_GT(answered, 0);
    for (std::size_t i = 0; i < store->count(); ++i) {
        const auto* reply = std::get_if<trace::Reply>(&store->at(i).what);
        if (reply && !isLogged(store->at(i)) && store->at(i).cause.valid()) {
            const int row = log.rowOf(EventIndex{static_cast<std::uint32_t>(i)});
            ASSERT_GE(row, 0);
            ASSERT_EQ(log.latency(row), store->at(i).at - store->at(store->at(i).cause).at);
        }
    }
    EXPECT_EQ(log.rowOf(EventIndex::none()), -1);
    EXPECT_EQ(log.rowOf(EventIndex{4'000'000'000U}), -1);
}

TEST(LogModel, TellsTheEndOfASearchThatFindsNothing)
{
    SampleOptions options;
    options.events = 150'000;
    const auto store = sampleRun(options);
    RunModel run;
    LogModel log(&run);
    run.openTrace(store);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run.opening() && !log.building(); }, 60'000));
    bool building = false;
    QObject::connect(&log, &LogModel::buildProgressed, [&] { building = log.building(); });
    log.setFilter(LogFilter::parse("no such words anywhere"));
    ASSERT_TRUE(building) << "not in one slice";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !log.building(); }, 60'000));
    EXPECT_FALSE(building) << "as its listeners know it";
}

TEST(LogLine, ALeaseStandsBehindNone)
{
    trace::Event event{};
    event.what = trace::Decided{"lease-0000000018", 1, 3, {}};
    EXPECT_EQ(logLine(event, replay::RunState{}).text.toStdString(), "2 of 3");
    event.what = trace::Decided{"lock-0000000018", 1, 3, "lock-0000000017"};
    EXPECT_EQ(logLine(event, replay::RunState{}).text.toStdString(), "2 of 3, behind …0017");
}

} // namespace
