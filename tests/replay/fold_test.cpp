// The rows that views show: the queue as the server has it, the clients as they see themselves.
#include "tests/replay/replayed.h"
#include "tests/support/state_text.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lockscope::tests {
namespace {

using namespace std::chrono_literals;

TEST(Queue, ShowsHolderWaitersAndWhoWatchesWhom)
{
    const Replayed run("ada holds n185; bo waits n186 n185; cyd waits n187 n186; ada calls; ada reentered 2");
    EXPECT_EQ(queueText(run.state), "185 ada holds x2 token 0x1b9\n"
                                    "186 bo waits ->185\n"
                                    "187 cyd waits ->186\n");
    EXPECT_EQ(clientsText(run.state), "ada holding hold 185 x2\n"
                                      "bo waiting sleep 186 ->185\n"
                                      "cyd waiting sleep 187 ->186\n");
    EXPECT_EQ(run.state.locks[0].highestSequence, 187u);
    EXPECT_EQ(run.state.locks[0].acquisitions, 1u);
    EXPECT_EQ(run.state.ownerOf(LockId{0}, scriptNode("n186")), run.client("bo").id);
}

TEST(Queue, IsSortedByTheTextAfterTheLastLockName)
{
    const Replayed run(R"(- seen zz-lock-0000000003 foreign; - seen _c_lock-9-lock-0000000001 foreign
                          - seen aa-lock-0000000002 foreign; - seen nolockname foreign; - seen x-lock- foreign
                          - seen b-lock-10 foreign; - seen b-lock-9 foreign)");
    std::vector<std::string_view> names;
    for (const replay::NodeRow& node : run.state.locks[0].queue)
        names.push_back(node.name);
    EXPECT_THAT(names, testing::ElementsAre("x-lock-", "_c_lock-9-lock-0000000001", "aa-lock-0000000002",
                                            "zz-lock-0000000003", "b-lock-10", "b-lock-9", "nolockname"));
    for (const std::string_view name : names)
        EXPECT_NE(run.state.node(LockId{0}, name), nullptr) << name;
}

TEST(Queue, KeepsNodesWithEqualKeysApart)
{
    const Replayed run(R"(- seen b-lock-0000000001 foreign; - seen a-lock-0000000001 foreign
                          - seen c-lock-0000000001 foreign; - vanished a-lock-0000000001)");
    ASSERT_EQ(run.state.locks[0].queue.size(), 2u);
    EXPECT_EQ(run.state.locks[0].queue[0].name, "b-lock-0000000001");
    EXPECT_EQ(run.state.locks[0].queue[1].name, "c-lock-0000000001");
}

struct Told
{
    const char* why;
    const char* script;
    const char* queue;
    const char* clients = nullptr;
};

// Also beside foreign nodes with the number of an own one: their order is that of the server's lists, of
// which a joining client's decision tells a part.
TEST(Queue, IsWhatTheEventsTell)
{
    const std::string foreign = "- seen n1 foreign; - seen b-lock-0000000002 foreign; ";
    const std::string behind = foreign + "ada waits n2 n1";
    const std::string ahead = "ada joins n2; " + foreign + "ada decided n2 2/3 b-lock-0000000002";
    const std::string beside = foreign + "- seen c-lock-0000000002 foreign; ada waits n3 b-lock-0000000002";
    const std::string unanswered = "ada holds n1; bo joins n2; bo delete n2; - seen n1; - observed 1";
    const std::string unansweredLater = unanswered + "; - observed 1";
    for (const Told& told : {
             Told{"foreign behind", behind.c_str(), "1 ? foreign\n2 ada waits ->1\n2 ? foreign\n"},
             Told{"foreign ahead", ahead.c_str(), "1 ? foreign\n2 ? foreign\n2 ada joining\n"},
             Told{"foreign beside", beside.c_str(),
                  "1 ? foreign\n2 ? foreign\n2 ? foreign\n3 ada waits ->2\n"},
             Told{"foreign behind a holder", "- seen b-lock-0000000002 foreign; ada holds n2",
                  "2 ada holds token 0x102\n2 ? foreign\n"},
             Told{"a foreign reader; the writer is gone",
                  "- seen a-__WRIT__0000000001 foreign; - seen a-__READ__0000000002 foreign; "
                  "ada joins r3; ada decided r3 0/2; ada acquired r3",
                  "2 ? foreign\n3 ada holds token 0x103\n"},
             Told{"a later list names a node again",
                  "- seen n1 foreign; ada joins n2; ada decided n2 0/1; bo joins n3; bo list; bo listed 3; "
                  "bo decided n3 2/3 n1",
                  "1 ? joining\n2 ada joining\n3 bo joining\n"},
             Told{"learned from a list, without an observer", "ada waits n2 n1",
                  "1 ? joining\n2 ada waits ->1\n"},
             Told{"a delete that is never answered", unanswered.c_str(),
                  "1 ada holds token 0x101\n2 bo joining\n"},
             Told{"the observer never lists its node", unansweredLater.c_str(), "1 ada holds token 0x101\n"},
             Told{"gone before it was seen, seen late, reported twice: the count agrees at the end",
                  R"(ada holds n1; ada release n1; ada freed n1; - vanished n0; - seen n1; - vanished n1
                     bo holds n2; - seen n2; - seen n2; cyd joins n3; cyd delete n3; - observed 1; - observed 1)",
                  "2 bo holds token 0x102\n"},
             Told{"the observer has not seen it yet",
                  "ada holds n1; bo joins n2; - seen n1; - observed 1; - observed 1",
                  "1 ada holds token 0x101\n2 bo joining\n"},
             Told{"the observer's count is off",
                  "ada holds n1; bo joins n2; bo delete n2; - seen n1; - observed 2; - observed 2",
                  "1 ada holds token 0x101\n2 bo joining\n"},
             Told{"a session is gone", "ada holds n1; bo waits n2 n1; ada killed", "2 bo waits ->1\n"},
             Told{"frozen", "ada holds n1; bo waits n2 n1; bo command freeze",
                  "1 ada holds token 0x101\n2 bo waits ->1 frozen\n"},
             Told{"thawed", "ada holds n1; bo waits n2 n1; bo command freeze; bo command thaw",
                  "1 ada holds token 0x101\n2 bo waits ->1\n"},
             Told{"its own list misses its node",
                  "ada holds n1; bo waits n2 n1; bo list; bo listed 1; bo startedover",
                  "1 ada holds token 0x101\n", "ada holding hold 1\nbo joining create\n"},
             Told{"timed out",
                  "ada holds n1; bo waits n2 n1; bo delete n2; bo deleted n2; bo failed timedOut",
                  "1 ada holds token 0x101\n", "ada holding hold 1\nbo idle none\n"},
         }) {
        const Replayed run(told.script);
        EXPECT_EQ(queueText(run.state), told.queue) << told.why;
        if (told.clients) {
            EXPECT_EQ(clientsText(run.state), told.clients) << told.why;
        }
        for (const replay::FindingKind kind :
             {replay::FindingKind::oneHolder, replay::FindingKind::orderKept})
            EXPECT_TRUE(run.finding(kind).ok()) << told.why << findingsText(run.state);
    }
}

TEST(Clients, GoThroughTheAlgorithmStepByStep)
{
    struct At
    {
        std::string_view event;
        std::string_view line;
    };
    const At steps[] = {
        {"bo calls", "bo joining reenter"},
        {"bo create", "bo joining create"},
        {"bo created n2", "bo joining list 2"},
        {"bo listed 2", "bo joining decide 2"},
        {"bo decided n2 1/2 n1", "bo joining decide 2"},
        {"bo watch n1", "bo joining watch 2"},
        {"bo watching n1", "bo waiting sleep 2 ->1"},
        {"bo fired n1", "bo waiting list 2"},
        {"bo list", "bo waiting list 2"},
        {"bo listed 1", "bo waiting decide 2"},
        {"bo decided n2 0/1", "bo waiting decide 2"},
        {"bo acquired n2", "bo holding hold 2"},
        {"bo calls", "bo holding reenter 2"},
        {"bo reentered 2", "bo holding hold 2 x2"},
        {"bo releases n2 2", "bo holding release 2 x2"},
        {"bo released n2 1", "bo holding hold 2"},
        {"bo releases n2", "bo releasing release 2"},
        {"bo delete n2", "bo releasing remove 2"},
        {"bo deleted n2", "bo releasing remove 2"},
        {"bo released n2", "bo idle none"},
        {"bo thinks", "bo thinking none"},
        {"bo clientfinished", "bo finished none"},
    };
    std::string script;
    for (const At& at : steps) {
        script += std::string(at.event) + "\n";
        EXPECT_EQ(clientsText(Replayed(script).state), std::string(at.line) + "\n") << "after " << at.event;
    }
}

TEST(Clients, KeepTheirNumbers)
{
    const Replayed run(R"(1ms ada holds n1; 2ms bo joins n2; 3ms bo decided n2 1/2 n1; 4ms bo watch n1
                          5ms bo watching n1; 9ms ada release n1; 10ms bo fired n1; 11ms bo takes n2)");
    const replay::ClientRow& bo = run.client("bo");
    EXPECT_EQ(bo.acquired, 1u);
    EXPECT_EQ(bo.waitingSince, 2ms);
    EXPECT_EQ(bo.heldSince, 11ms);
    EXPECT_EQ(bo.phaseSince, 11ms);
    EXPECT_EQ(bo.token, Zxid{0x102});
    EXPECT_EQ(bo.depth, 1);
    EXPECT_EQ(bo.lock, LockId{0});
    EXPECT_EQ(bo.session, trace::SessionPhase::connected);
}

TEST(Clients, AreLostUntilTheirNextSession)
{
    const Replayed lost("ada holds n1; bo waits n2 n1; bo killed; bo lost; bo failed sessionLost");
    EXPECT_EQ(clientsText(lost.state), "ada holding hold 1\nbo lost none\n");
    EXPECT_EQ(lost.client("bo").failed, 1u);
    const Replayed back("ada holds n1; bo waits n2 n1; bo killed; bo lost; bo failed sessionLost; bo "
                        "connecting; bo connected");
    EXPECT_EQ(clientsText(back.state), "ada holding hold 1\nbo idle none\n");
    EXPECT_NE(back.client("bo").sessionId, lost.client("bo").sessionId);
}

// The digits that a loop over all pairs of clients finds, after each change of a session.
TEST(Clients, HaveAsManyDigitsOfTheirSessionsAsDistinguishThem)
{
    constexpr std::array<std::int64_t, 6> kFirst{0x1000000a1, 0x2000000a1, 0x1000001a1,
                                                 0x1000000b2, 0x1000000a1, 0x7};
    std::mt19937 random(7);
    trace::TraceStore store;
    replay::RunState state;
    std::vector<std::int64_t> sessions;
    std::vector<int> expected;
    const auto connect = [&](std::size_t client, std::int64_t session) {
        const ClientId id{static_cast<ClientId::Value>(client)};
        if (client == sessions.size()) {
            sessions.push_back(-1);
            expected.push_back(2);
            store.append({Duration{}, EventIndex::none(), id, LockId::none(),
                          trace::ClientAdded{std::to_string(client), 0, ""}});
        }
        store.append({Duration{}, EventIndex::none(), id, LockId::none(),
                      trace::SessionState{trace::SessionPhase::connected, SessionId{session}, 10s}});
        if (sessions[client] != session)
            expected[client] = 2;
        sessions[client] = session;
        for (std::size_t other = 0; other < sessions.size(); ++other) {
            int digits = 0;
            for (std::uint64_t differs = static_cast<std::uint64_t>(session ^ sessions[other]); digits < 16;
                 ++digits, differs >>= 4U)
                if ((differs & 15U) != 0)
                    break;
            if (sessions[other] == session)
                continue;
            expected[client] = std::max(expected[client], digits + 1);
            expected[other] = std::max(expected[other], digits + 1);
        }
    };
    for (std::size_t i = 0; i < kFirst.size(); ++i)
        connect(i, kFirst[i]);
    for (int i = 0; i < 400; ++i)
        connect(random() % (sessions.size() + (sessions.size() < 60 ? 1 : 0)),
                static_cast<std::int64_t>(std::uint64_t{random() % 3} << 40U | (random() % 5) << 12U |
                                          random() % 40));
    for (std::size_t i = 0; i < store.count(); ++i)
        replay::apply(state, store, i);
    ASSERT_EQ(state.clients.size(), sessions.size());
    for (std::size_t client = 0; client < sessions.size(); ++client)
        EXPECT_EQ(state.clients[client].sessionDigits, expected[client]) << "client " << client;
}

TEST(Clients, ComeBackAfterTheyHaveLeftOrFinished)
{
    for (const trace::Payload& end :
         {trace::Payload(trace::ClientRemoved{}), trace::Payload(trace::ClientFinished{})}) {
        trace::TraceStore store{trace::Header{}};
        for (const trace::Payload& what : {trace::Payload(trace::ClientAdded{"ada", 0}), end,
                                           trace::Payload(trace::ClientAdded{"ada", 0})})
            store.append({TraceTime{}, EventIndex::none(), ClientId{0}, LockId::none(), what});
        const replay::RunState state = folded(store);
        EXPECT_EQ(state.clients[0].phase, replay::ClientPhase::connecting);
        EXPECT_EQ(state.clients[0].addedBy.value, 2U);
    }
}

TEST(WakeUps, SayWhoWokeWhom)
{
    const Replayed run("ada holds n1; bo waits n2 n1; ada release n1; ada freed n1; 77ms bo fired n1");
    const replay::WakeUp& wake = run.state.locks[0].lastWakeUp;
    EXPECT_EQ(wake.from, run.client("ada").id);
    EXPECT_EQ(wake.to, run.client("bo").id);
    EXPECT_EQ(wake.node, scriptNode("n1"));
    EXPECT_EQ(wake.at, 77ms);
    EXPECT_EQ(wake.woken, 1u);
    EXPECT_EQ(wake.event.value, run.store->count() - 1);
}

TEST(WakeUps, ByAnAnnouncementAreNoRelease)
{
    const Replayed run(
        R"(ada holds n1; bo waits n2 n1; cyd waits n3 n2; ada release n1; bo fired n1; bo acquired n2
                          bo announce n2; cyd changed n2; cyd watch n2; cyd watching n2)");
    EXPECT_EQ(run.state.statistics.wakeUps, 1u);
    EXPECT_EQ(run.state.locks[0].lastWakeUp.to, run.client("cyd").id);
    EXPECT_EQ(queueText(run.state), "2 bo holds token 0x102\n3 cyd waits ->2\n");
    EXPECT_EQ(violatedFindings(run.state), 0u);
}

TEST(Run, KeepsTheLastHundredNotices)
{
    std::string script;
    for (int i = 0; i < 130; ++i)
        script += "- notice text" + std::to_string(i) + "\n";
    const Replayed run(script);
    ASSERT_EQ(run.state.notices.size(), 100u);
    EXPECT_EQ(run.state.notices.front().text, "text30");
    EXPECT_EQ(run.state.notices.back().text, "text129");
}

TEST(Run, KeepsWhatANoticeIsAboutAndByWhatTheRunEnded)
{
    trace::TraceStore store{trace::Header{}};
    const auto record = [&store](ClientId client, trace::Payload what) {
        store.append({TraceTime{}, EventIndex::none(), client, LockId::none(), what});
    };
    record(ClientId{0}, trace::ClientAdded{"ada", 0});
    record(ClientId{0},
           trace::Notice{trace::Severity::error, "Not permitted.", "access_refused", "create", "/locks"});
    record(ClientId::none(), trace::RunPhaseChanged{trace::RunPhase::finished, {}, "refused"});
    const replay::RunState state = folded(store);
    ASSERT_EQ(state.notices.size(), 1U);
    EXPECT_EQ(state.notices[0].client, ClientId{0});
    EXPECT_EQ(state.notices[0].code, "access_refused");
    EXPECT_EQ(state.notices[0].right, "create");
    EXPECT_EQ(state.notices[0].path, "/locks");
    EXPECT_EQ(state.cutShort, "refused");
}

TEST(Run, KnowsItsServerAndPhase)
{
    const Replayed run("5ms - running");
    EXPECT_EQ(run.state.server.phase, trace::ServerPhase::ready);
    EXPECT_EQ(run.state.server.address, "127.0.0.1:2181");
    EXPECT_EQ(run.state.phase, trace::RunPhase::running);
    EXPECT_EQ(run.state.now, 5ms);
    EXPECT_EQ(run.state.locks[0].path, "/locks/well");
}

} // namespace
} // namespace lockscope::tests
