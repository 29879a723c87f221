// What the box says of a client: what it does at present, in the words of its recipe.
#include "tests/support/trace_script.h"
#include "tests/ui/chain/lock_state_builder.h"
#include "ui/chain/chain_painter.h"
#include "ui/chain/chain_view.h"
#include "ui/texts/client_explainer.h"

#include <QPainter>
#include <QPixmap>

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui;
using namespace std::chrono_literals;
using replay::ClientPhase;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct ExplainBoxTest : testing::Test
{
    void open(const std::string& script)
    {
        run.openTrace(traceScript(script));
        view.resize(900, 400);
        run.seekEvent(run.store()->count());
    }
    EventIndex first(ClientId client, std::size_t kind)
    {
        for (std::size_t i = 0; i < run.store()->count(); ++i)
            if (const EventIndex at{static_cast<EventIndex::Value>(i)};
                run.store()->at(at).client == client && run.store()->at(at).what.index() == kind)
                return at;
        return EventIndex::none();
    }
    std::string what() { return view.boxTexts().what.toStdString(); }
    std::string why() { return view.boxTexts().why.toStdString(); }
    std::string title() { return view.boxTexts().explainTitle.toStdString(); }

    RunModel run;
    Selection selection;
    Theme theme{Theme::ColourScheme::light};
    ChainView view{&run, &selection, &theme};
};

constexpr ClientId kBo{1};
const std::size_t kAcquireCalled = trace::Payload(trace::AcquireCalled{}).index();

TEST_F(ExplainBoxTest, WhileTheServerIsDownItSaysWhyNothingGoesOn)
{
    open("ada holds n1; bo waits n2 n1");
    replay::RunState state = run.state();
    state.server.phase = trace::ServerPhase::down;
    const auto why = [&](ClientId id) {
        return explainClient(state, *state.client(id), LockId{0}, state.now).why.toStdString();
    };
    EXPECT_THAT(why(kBo), HasSubstr("server does not answer"));
    EXPECT_THAT(why(ClientId{0}), HasSubstr("server does not answer"));
}

// It had two lines, and at a scale of 1.5 the second of two differences lost its last words.
TEST_F(ExplainBoxTest, TheServersViewNamesEveryDifferenceToItsLastWord)
{
    chain::ServerView server;
    server.entries = {"…186 ← 0x…a3", "…187 ← 0x…a4"};
    server.verdict =
        QStringLiteral("2 处差异：ada 自以为持有；服务器已于 1.18 s 前删除其节点；bo 仍指望 …00186，"
                       "而服务器上没有这个节点");
    server.differences = {"", ""};
    QPixmap paper(1, 1);
    QPainter drawn(&paper);
    const chain::ChainPainter painter(drawn, theme, theme.fonts(), 1);
    for (const double width : {230.0, 260.0, 300.0, 400.0}) {
        const auto fit = painter.fitServer({0, 0, width, 94}, server);
        EXPECT_TRUE(fit.whole) << width;
    }
    EXPECT_EQ(painter.fitServer({0, 0, 400, 94}, server).nodeLines, 1) << "the nodes where there is room";
    EXPECT_FALSE(painter.fitServer({0, 0, 90, 94}, server).whole);
}

TEST_F(ExplainBoxTest, AnOlderEventIsNotExplainedByTheCurrentState)
{
    open("ada holds n1; bo waits n2 n1; ada release n1; ada freed n1; bo fired n1; bo takes n2");
    const EventIndex asked = first(kBo, kAcquireCalled);
    ASSERT_TRUE(asked.valid());
    selection.selectEvent(asked, kBo);
    EXPECT_THAT(what(), AllOf(StartsWith("bo has held the lock since "), HasSubstr("its node 2 is first")));
    EXPECT_THAT(why(), Not(HasSubstr("create")));
    EXPECT_EQ(title(), "Explain · bo");
}

struct Recipe
{
    const char* name;
    const char* holds; // what a holder's words contain
    const char* sleeps;
    const char* next;
};

class ExplainRecipeTest : public testing::TestWithParam<Recipe>
{
protected:
    ExplainRecipeTest() { builder.lock().recipe = GetParam().name; }
    std::string of(std::size_t client)
    {
        const Explanation text =
            explainClient(builder.state, builder.client(client), LockId{0}, builder.state.now);
        return (text.what + " " + text.why).toStdString();
    }
    bool is(std::string_view name) const { return name == GetParam().name; }
    void check(const std::string& text)
    {
        EXPECT_THAT(text, Not(HasSubstr("%")));
        if (is("herd")) {
            EXPECT_THAT(text,
                        AllOf(Not(HasSubstr("number")), Not(HasSubstr("first")), Not(HasSubstr("lists"))));
        }
        if (is("none")) {
            EXPECT_THAT(text, Not(HasSubstr("node")));
        }
    }
    LockStateBuilder builder{4, 1};
};

TEST_P(ExplainRecipeTest, HasATrueSentenceOfItsOwnInEveryState)
{
    for (std::size_t i = 0; i < builder.state.clients.size(); ++i) // as its recipe has it
        if (is("herd-read-write") || std::string_view(GetParam().name).starts_with("semaphore"))
            builder.client(i).watchesList = !builder.client(i).watches.empty();
    EXPECT_THAT(of(0), HasSubstr(GetParam().holds));
    EXPECT_THAT(of(1), HasSubstr(GetParam().sleeps));
    EXPECT_THAT(of(4), HasSubstr(GetParam().next));
    for (const int client : {0, 1, 4})
        if (!is("none") || client == 4)
            check(of(static_cast<std::size_t>(client)));
    for (int phase = 0; phase <= static_cast<int>(ClientPhase::removed); ++phase) {
        builder.client(4).phase = static_cast<ClientPhase>(phase);
        EXPECT_THAT(of(4), HasSubstr("eli ")) << phase;
        EXPECT_THAT(of(4), Not(HasSubstr("%"))) << phase;
    }
}

TEST_P(ExplainRecipeTest, TellsWhatAsksHoldsAndReleasesInItsWords)
{
    const replay::Text node = is("herd") ? replay::Text("lock") : builder.node(0).name;
    for (const trace::Payload& what : std::initializer_list<trace::Payload>{
             trace::AcquireCalled{OwnerId{0}}, trace::Acquired{node, Zxid{7}, OwnerId{0}},
             trace::ReleaseCalled{node, 1, OwnerId{0}}, trace::Request{Operation::create, node},
             trace::WatchFired{trace::WatchKind::deleted, "lock"}}) {
        const Explanation text =
            explain(builder.state, {1s, EventIndex::none(), ClientId{4}, LockId{0}, what});
        if (is("herd")) {
            EXPECT_THAT((text.what + text.why).toStdString(),
                        AllOf(Not(HasSubstr("numbered")), Not(HasSubstr("is first")),
                              Not(HasSubstr("lists again")), Not(HasSubstr("sequential")),
                              Not(HasSubstr("directly behind"))));
        }
        EXPECT_FALSE(text.what.isEmpty());
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, ExplainRecipeTest,
    testing::Values(
        Recipe{"mutex", "its node 185 is first", "directly in front", "create a numbered node and check"},
        Recipe{"unprotected-mutex", "is first", "directly in front", "without an id"},
        Recipe{"exists-mutex", "is first", "with exists", "numbered node"},
        Recipe{"multi-lock", "ada has held well since", "bo waits for well", "one after another"},
        Recipe{"read-write", "for writing", "wants to write", "to read or to write"},
        Recipe{"old-read-write", "for writing", "wants to write", "to read or to write"},
        Recipe{"herd", "it created the one node", "until the one node is gone", "try to create"},
        Recipe{"herd-read-write", "all 3 clients that watch the list", "until the list", "all of it"},
        Recipe{"semaphore", "has had the only lease", "until a lease comes back", "at the entrance"},
        Recipe{"semaphore-mutex", "has had the only lease", "until a lease comes back", "at the entrance"},
        Recipe{"none", "without a lock", "", "without one"}),
    [](const auto& of) {
        std::string name = of.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(ExplainPresent, ReadersHoldTogetherAndPassReaders)
{
    LockStateBuilder builder(4);
    builder.lock().recipe = "read-write";
    for (int place : {0, 1, 3})
        builder.node(static_cast<std::size_t>(place)).reads = true;
    builder.node(1).phase = replay::NodePhase::holds;
    builder.client(1).phase = ClientPhase::holding;
    const auto what = [&](std::size_t client) {
        return explainClient(builder.state, builder.client(client), LockId{0}, builder.state.now)
            .what.toStdString();
    };
    EXPECT_THAT(what(0),
                AllOf(HasSubstr("ada has held the lock for reading since"), HasSubstr("one of 2 readers")));
    EXPECT_EQ(what(2),
              "cyd wants to write and sleeps until bo's node 186, directly in front of its 187, is gone.");
    EXPECT_EQ(what(3),
              "dee wants to read and sleeps until cyd's node 187, a writer in front of its 188, is gone.");
}

TEST(ExplainPresent, WhoBelievesWronglyIsNotSaidToHold)
{
    LockStateBuilder builder(2);
    builder.client(0).isStale = true;
    builder.client(0).staleSince = builder.state.now - 118ms;
    EXPECT_EQ(
        explainClient(builder.state, builder.client(0), LockId{0}, builder.state.now).what.toStdString(),
        "ada believes that it holds the lock; the server deleted its node 118 ms ago.");
}

TEST(ExplainPresent, AReadWriteLockThatWasEnteredAgainIsFreeAfterTheLastRelease)
{
    LockStateBuilder builder(2);
    builder.lock().recipe = "read-write";
    builder.client(0).depth = 3;
    const auto why = [&] {
        return explainClient(builder.state, builder.client(0), LockId{0}, builder.state.now)
            .why.toStdString();
    };
    EXPECT_THAT(why(), AllOf(StartsWith("It entered 3 times: "), HasSubstr("wakes only bo")));
    builder.node(0).reads = true;
    EXPECT_THAT(why(), StartsWith("Readers hold together. It entered 3 times: "));
}

} // namespace
} // namespace lockscope::tests
