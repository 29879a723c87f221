// The words for events, and the comparison of beliefs with the server's word.
#include "core/replay/fold/reducer.h"
#include "tests/support/trace_script.h"
#include "tests/ui/chain/lock_state_builder.h"
#include "ui/models/style/format.h"
#include "ui/texts/event_text.h"
#include "ui/texts/server_view.h"

#include <gmock/gmock.h>

#include <utility>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using ui::explain;
using ui::Explanation;

trace::Event eventOf(trace::Payload what, ClientId client = ClientId{1})
{
    return {1s, EventIndex::none(), client, LockId{0}, std::move(what)};
}

std::string whole(const Explanation& text) { return (text.what + " " + text.why).toStdString(); }

template <std::size_t... I>
std::vector<trace::Payload> everyKind(std::index_sequence<I...>)
{
    return {trace::Payload(std::in_place_index<I>)...};
}

std::vector<trace::Payload> everyKind()
{
    return everyKind(std::make_index_sequence<std::variant_size_v<trace::Payload>>());
}

TEST(Explain, EveryKindOfEventHasASentenceThatNamesTheClient)
{
    const LockStateBuilder builder(4, 1);
    for (const trace::Payload& what : everyKind()) {
        const Explanation text = explain(builder.state, eventOf(what));
        EXPECT_GT(text.what.size(), 8) << "kind " << what.index();
        if (!std::holds_alternative<trace::PathState>(what)) { // of the path, not of a client
            EXPECT_THAT(text.what.toStdString(), HasSubstr("bo")) << "kind " << what.index();
        }
        EXPECT_THAT(whole(text), Not(HasSubstr("%"))) << "kind " << what.index();
    }
}

TEST(Explain, AWakeUpIsNoGrantUnlessAnnounced)
{
    LockStateBuilder builder(4);
    const auto fired =
        eventOf(trace::WatchFired{trace::WatchKind::deleted, builder.keep(LockStateBuilder::nameOf(184))});
    EXPECT_THAT(explain(builder.state, fired).why.toStdString(), HasSubstr("lists again"));
    builder.lock().handoff = "announced";
    EXPECT_THAT(explain(builder.state, fired).why.toStdString(), HasSubstr("announced"));
}

TEST(Explain, NamesWithMarksForArgumentsStayWhatTheyAre)
{
    LockStateBuilder builder(2);
    builder.client(1).name = "%2<b>%1";
    const auto text = explain(builder.state, eventOf(trace::Reentered{7, OwnerId{0}}));
    EXPECT_EQ(text.what.toStdString(), "%2<b>%1 took the lock again: depth 7.");
}

std::string lineOf(const ui::chain::ServerView& view, int letters, int lines = 1)
{
    return ui::chain::ServerViewText::lines(view, lines,
                                            [letters](const QString& text) { return text.size() <= letters; })
        .join('\n')
        .toStdString();
}

TEST(ServerView, ShowsTheWatchTableWithTheMomentItIsOf)
{
    const auto store =
        traceScript("ada holds n1; bo waits n2 n1; cyd waits n3 n2; - table n1:bo n2:cyd; dee waits n4 n3");
    replay::RunState state;
    for (std::size_t i = 0; i < store->count(); ++i)
        apply(state, *store, i);
    const auto view = ui::chain::ServerViewText::compare(state, LockId{0}, state.now);
    EXPECT_EQ(view.title.toStdString(),
              "Server's own view · watches as of " + ui::format::moment(state.watchReading.at).toStdString());
    EXPECT_LT(state.watchReading.at, state.now);
    EXPECT_EQ(lineOf(view, 100), "…0001 ← bo   …0002 ← cyd");
    EXPECT_EQ(view.verdict.toStdString(), "agreed with the clients: 2 of 2");
    EXPECT_TRUE(view.agrees());
}

TEST(ServerView, ShowsTheWatchOnANodeThatItsClientForgot)
{
    const auto store = traceScript("ada holds n1; bo calls; bo create; bo createlost; - seen n2 bo;"
                                   "bo waits n3 n2; - table n2:bo");
    replay::RunState state;
    for (std::size_t i = 0; i < store->count(); ++i)
        apply(state, *store, i);
    const auto view = ui::chain::ServerViewText::compare(state, LockId{0}, state.now);
    EXPECT_EQ(lineOf(view, 100), "…0002 ← bo");
    EXPECT_EQ(view.verdict.toStdString(), "…0002 is a node that its client bo does not know");
}

// The watch event arrives before the answer to the delete.
TEST(ServerView, WhoDeletesItsNodeDoesNotCountOnIt)
{
    const auto verdictOf = [](std::string_view script) {
        const auto store = traceScript(script);
        replay::RunState state;
        for (std::size_t i = 0; i < store->count(); ++i)
            apply(state, *store, i);
        return ui::chain::ServerViewText::compare(state, LockId{0}, state.now).verdict.toStdString();
    };
    EXPECT_EQ(verdictOf("ada holds n1; bo waits n2 n1; cyd waits n3 n2; bo delete n2; cyd fired n2"),
              "agrees with the clients in the queue: 2 of 2");
    EXPECT_EQ(verdictOf("ada holds n1; bo waits n2 n1; cyd waits n3 n2; cyd fired n2"),
              "bo still counts on …0002; the server has no such node");
}

// Two threads of one program: the holder watches its own node, and in the same session the next one watches
// it.
TEST(ServerView, ShowsTheWatchOfAWaiterInTheHoldersSession)
{
    LockStateBuilder builder(2);
    builder.client(1).sessionId = builder.client(0).sessionId;
    replay::ComparedWatch own, next;
    own.key = next.key = replay::watchKey(builder.node(0).name, builder.client(0).sessionId);
    own.client = ClientId{0};
    next.client = ClientId{1};
    own.served = next.served = own.own = true;
    own.verdict = next.verdict = replay::WatchVerdict::agrees;
    builder.lock().watches.compared = {own, next};
    builder.state.watchReading.answered = 1;
    const auto view = ui::chain::ServerViewText::compare(builder.state, LockId{0}, builder.state.now);
    EXPECT_EQ(view.entries.size(), 1);
    EXPECT_EQ(view.gone, 0U);
}

TEST(ServerView, AgreesWhenEveryNodeIsWhereItsClientBelieves)
{
    const LockStateBuilder builder(3, 2);
    const auto view = ui::chain::ServerViewText::compare(builder.state, LockId{0}, builder.state.now);
    EXPECT_TRUE(view.differences.isEmpty());
    EXPECT_EQ(view.verdict.toStdString(), "agrees with the clients in the queue: 3 of 3");
    EXPECT_EQ(view.title.toStdString(), "Server's own view · owners of the nodes");
    const std::string nodes = lineOf(view, 1000);
    EXPECT_THAT(nodes, HasSubstr("…0185 ← 0x…00a0"));
    EXPECT_THAT(nodes, Not(HasSubstr("1000a0")));
}

// Stopped before it decides: it has listed and knows its node, and so does the server.
TEST(ServerView, CountsAClientThatJoins)
{
    LockStateBuilder builder(1, 1);
    builder.client(0).phase = replay::ClientPhase::joining;
    builder.client(1).phase = replay::ClientPhase::idle;
    builder.client(1).node = {};
    const auto compare = [&] {
        return ui::chain::ServerViewText::compare(builder.state, LockId{0}, builder.state.now);
    };
    EXPECT_EQ(compare().verdict.toStdString(), "agrees with the clients in the queue: 1 of 1");
    builder.client(0).node = builder.keep(LockStateBuilder::nameOf(99)); // the observer has not listed it yet
    EXPECT_EQ(compare().verdict.toStdString(), "nothing to compare yet");
    EXPECT_FALSE(compare().agrees()) << "not in the colour of agreement";
}

TEST(ServerView, NamesEveryDifference)
{
    LockStateBuilder builder(4, 1);
    builder.client(0).isStale = true;
    builder.client(0).staleSince = builder.state.now - 118ms;
    builder.client(1).node = builder.keep(LockStateBuilder::nameOf(99));
    builder.client(2).sessionId = SessionId{0x5};
    builder.node(3).phase = replay::NodePhase::orphan;
    const auto view = ui::chain::ServerViewText::compare(builder.state, LockId{0}, builder.state.now);
    EXPECT_EQ(view.differences.size(), 4);
    EXPECT_EQ(view.compared, 4);
    EXPECT_EQ(view.agreeing, 1);
    EXPECT_THAT(view.verdict.toStdString(),
                HasSubstr("4 differences: ada believes it holds; the server deleted its node 118 ms ago"));
    for (const QString& each : view.differences)
        EXPECT_THAT(view.verdict.toStdString(), HasSubstr(each.toStdString())) << "all are named";
}

// It counted those that it names.
TEST(ServerView, CountsTheDifferencesThatItHasNoRoomFor)
{
    LockStateBuilder builder(2);
    for (int i = 0; i < 34; ++i) {
        replay::ServerWatch watch;
        watch.key.node = builder.keep(LockStateBuilder::nameOf(i));
        watch.stray = true;
        builder.lock().watches.served.push_back(watch);
    }
    const auto view = ui::chain::ServerViewText::compare(builder.state, LockId{0}, builder.state.now);
    EXPECT_TRUE(view.verdict.startsWith("34 differences: ")) << view.verdict.toStdString();
    EXPECT_TRUE(view.verdict.endsWith("; …"));
}

TEST(ServerView, TwoWhoBelieveToHoldAreADifference)
{
    LockStateBuilder builder(3);
    builder.client(1).phase = replay::ClientPhase::holding;
    const auto view = ui::chain::ServerViewText::compare(builder.state, LockId{0}, builder.state.now);
    EXPECT_EQ(view.verdict.toStdString(), "bo believes it holds; …0185 is in front of it");

    builder.lock().recipe = "semaphore"; // leases are held beside each other
    EXPECT_TRUE(ui::chain::ServerViewText::compare(builder.state, LockId{0}, builder.state.now)
                    .differences.isEmpty());
}

TEST(ServerView, LeavesOutOfAnOldTableWhatIsGoneByNow)
{
    const auto store = traceScript("ada holds n1; bo waits n2 n1; cyd waits n3 n2; - table n1:bo n2:cyd; "
                                   "ada release n1; ada freed n1; bo fired n1; bo takes n2");
    replay::RunState state;
    for (std::size_t i = 0; i < store->count(); ++i)
        apply(state, *store, i);
    const auto view = ui::chain::ServerViewText::compare(state, LockId{0}, state.now);
    EXPECT_EQ(lineOf(view, 100), "…0002 ← cyd   1 gone since then") << "0001 is in no queue any more";
    EXPECT_EQ(lineOf(view, 5), "…0002 ← cyd   1 gone since then");
    EXPECT_EQ(view.verdict.toStdString(), "agreed with the clients: 2 of 2") << "as of the table";
}

} // namespace
} // namespace lockscope::tests
