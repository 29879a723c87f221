// What reaches the engine's thread on different sockets is recorded in any order: none of these is a
// violation.
#include "tests/replay/any_run.h"
#include "tests/replay/replayed.h"
#include "tests/support/state_text.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

class Reordering : public testing::TestWithParam<std::string_view>
{};

TEST_P(Reordering, IsLegal)
{
    const Replayed run(GetParam());
    EXPECT_EQ(violatedFindings(run.state), 0u) << findingsText(run.state);
    EXPECT_EQ(queueText(run.state), "") << "every node is gone at the end";
    EXPECT_GE(run.finding(replay::FindingKind::oneHolder).checked, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    All, Reordering,
    testing::Values(
        // The successor is granted before the releaser's reply is read.
        R"(ada holds n1; bo waits n2 n1; ada release n1; bo fired n1; bo takes n2; ada freed n1
           bo release n2; bo freed n2; - finished)",
        // The reply first, then the watch.
        R"(ada holds n1; bo waits n2 n1; ada release n1; ada freed n1; bo fired n1; bo takes n2
           bo release n2; bo freed n2; - finished)",
        // Announced: taken on the watch alone, before the reply.
        R"(ada holds n1; bo waits n2 n1; ada release n1; bo fired n1; bo acquired n2; bo announce n2; ada freed n1
           bo release n2; bo freed n2; - finished)",
        // A new client's list shows that the releaser's node is gone before its reply is read.
        R"(ada holds n1; ada release n1; bo joins n2; bo decided n2 0/1; bo acquired n2; ada freed n1
           bo release n2; bo freed n2; - finished)",
        // A waiter gave up: its delete is not answered when the one behind it is granted.
        R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; bo delete n2; ada release n1; cyd fired n2; cyd takes n3
           bo deleted n2; bo failed timedOut; ada freed n1; cyd release n3; cyd freed n3; - finished)",
        // The node ahead goes between the list and the watch.
        R"(ada holds n1; bo joins n2; bo decided n2 1/2 n1; bo watch n1; ada release n1; ada freed n1; bo nonode n1
           bo takes n2; bo release n2; bo freed n2; - finished)",
        // A list that was read before the delete arrives after the delete's reply.
        R"(ada holds n1; bo joins n2; ada release n1; ada freed n1; bo decided n2 1/2 n1; bo watch n1; bo nonode n1
           bo takes n2; bo release n2; bo freed n2; - finished)",
        // The watch was set before the delete, and its reply is read after the delete's.
        R"(ada holds n1; bo joins n2; bo decided n2 1/2 n1; bo watch n1; ada release n1; ada freed n1; bo watching n1
           bo fired n1; bo takes n2; bo release n2; bo freed n2; - finished)",
        // A list names a node whose own create is not answered yet.
        R"(ada calls; ada create; bo joins n2; bo decided n2 1/2 n1; bo watch n1; bo watching n1; ada created n1
           ada listed 1; ada decided n1 0/1; ada acquired n1; ada release n1; bo fired n1; ada freed n1; bo takes n2
           bo release n2; bo freed n2; - finished)",
        // The observer lags: it sees nodes that are gone, and misses others altogether.
        R"(ada holds n1; ada release n1; ada freed n1; - seen n1; - observed 1; bo holds n2; - vanished n1
           - observed 0; bo release n2; bo freed n2; - finished)",
        // The observer is ahead of the create's reply.
        R"(ada calls; ada create; - seen n1 foreign ada; - observed 1; ada created n1; ada listed 1; ada decided n1 0/1
           ada acquired n1; ada release n1; - vanished n1; ada freed n1; - finished)",
        // A killed waiter: the one behind it looks again and watches the next.
        R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; bo killed; cyd fired n2; cyd again n3 1/2 n1; cyd watch n1
           cyd watching n1; ada release n1; cyd fired n1; ada freed n1; cyd takes n3; bo lost; bo failed sessionLost
           cyd release n3; cyd freed n3; - finished)",
        // The watch that tells of a killed session is read before the session's end is recorded.
        R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; bo command kill_session; cyd fired n2; bo gone
           bo lost; bo failed sessionLost; cyd again n3 1/2 n1; cyd watch n1; cyd watching n1; ada release n1
           ada freed n1; cyd fired n1; cyd takes n3; cyd release n3; cyd freed n3; - finished)",
        // A create's reply is read after the end of its session was recorded.
        R"(ada calls; ada create; ada gone; ada created n1; ada listed 1; ada lost; ada failed sessionLost
           ada connecting; ada connected; ada holds n2; ada release n2; ada freed n2; - finished)",
        // A suspended waiter looks again; its watch fires as well.
        R"(ada holds n1; bo waits n2 n1; bo suspended; ada release n1; ada freed n1; bo connected; bo list
           bo fired n1; bo listed 1; bo decided n2 0/1; bo acquired n2; bo release n2; bo freed n2; - finished)",
        // The own node is missing from a list: a new one is made.
        R"(ada holds n1; bo waits n2 n1; bo list; bo listed 1; bo startedover; bo create; bo created n3; bo listed 2
           bo decided n3 1/2 n1; bo watch n1; bo watching n1; ada release n1; bo fired n1; ada freed n1; bo takes n3
           bo release n3; bo freed n3; - finished)",
        // Re-entry asks the server for nothing.
        R"(ada holds n1; bo waits n2 n1; ada calls; ada reentered 2; ada releases n1 2; ada released n1 1
           ada release n1; bo fired n1; ada freed n1; bo takes n2; bo release n2; bo freed n2; - finished)",
        // A session's end was recorded, but the session lives: it asks and is answered, and its node is still
        // there.
        R"(ada holds n1; bo waits n2 n1; bo killed; bo suspended; bo connected; bo again n2 1/2 n1; bo watch n1
           bo watching n1; ada release n1; bo fired n1; ada freed n1; bo takes n2; bo release n2; bo freed n2
           bo holds n3; bo release n3; bo freed n3; - finished)",
        // A delete's reply is lost; another attempt finds no node.
        R"(ada holds n1; ada release n1; ada deleted n1 unknown; ada delete n1; ada freed n1 noNode; - finished)"));

// Whatever is done to a run, all that is found is a holder who did not know of its loss.
TEST(AnyRun, IsOnlyEverStale)
{
    Random random(4'711);
    for (int round = 0; round < 120; ++round) {
        const SampleOptions options = anyRun(random);
        const auto store = sampleRun(options);
        const replay::RunState state = folded(*store);
        for (const replay::Finding& finding : state.findings.all) {
            const bool stale = finding.kind == replay::FindingKind::beliefMatchesServer;
            ASSERT_TRUE(finding.ok() || stale) << "seed " << options.seed << "\n" << findingsText(state);
        }
        const auto happened = [&](std::uint32_t grant) {
            return grant != 0 && grant <= state.statistics.acquired;
        };
        const std::uint64_t expected =
            options.killHolderAtGrant == options.freezeHolderAtGrant
                ? happened(options.killHolderAtGrant)
                : happened(options.killHolderAtGrant) + happened(options.freezeHolderAtGrant);
        ASSERT_EQ(state.findings.of(replay::FindingKind::beliefMatchesServer).violated, expected)
            << "seed " << options.seed << "\n"
            << findingsText(state);
        ASSERT_EQ(queueText(state), "") << "seed " << options.seed;
        ASSERT_EQ(state.statistics.wait.count(), state.statistics.acquired);
        ASSERT_LE(state.statistics.handoffs, state.statistics.acquired);
    }
}

// Several locks in any order: clients wait in circles and one gives up; nothing else is wrong but that, and
// the holds of the process that ended.
TEST(AnyMedley, IsOnlyEverStuckOrStale)
{
    Random random(815);
    std::uint64_t circles = 0;
    for (int round = 0; round < 40; ++round) {
        const std::uint64_t seed = random.next();
        Random own(seed);
        const auto store = traceScript(sampleMixedRun(own, 1500));
        const replay::RunState state = folded(*store);
        for (const replay::Finding& finding : state.findings.all) {
            const bool expected = finding.kind == replay::FindingKind::beliefMatchesServer ||
                                  finding.kind == replay::FindingKind::noDeadlock;
            ASSERT_TRUE(finding.ok() || expected) << "medley " << seed << "\n" << findingsText(state);
        }
        circles += state.findings.of(replay::FindingKind::noDeadlock).violated;
        for (const replay::LockRow& lock : state.locks) {
            for (const replay::NodeRow& node : lock.queue) {
                const replay::ClientRow* owner = state.client(node.owner);
                ASSERT_NE(owner, nullptr);
                ASSERT_NE(owner->lockUse(lock.id, node.name), nullptr)
                    << "medley " << seed << ": a node whose owner does not know it\n"
                    << clientsText(state);
            }
        }
    }
    EXPECT_GT(circles, 40u);
}

} // namespace
} // namespace lockscope::tests
