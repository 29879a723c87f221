// A history as a trace: folded by replay as any other, it shows who waited, who was entitled and how each
// stay ended, and nothing of what clients believed.
#include "core/history/history.h"
#include "core/history/history_trace_builder.h"
#include "core/replay/fold/reducer.h"
#include "core/replay/fold/trace_cursor.h"
#include "core/replay/timeline/timeline.h"
#include "core/trace/trace_file.h"

#include "tests/history/log_writer.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::history {
namespace {

using replay::ClientPhase;
using replay::FindingKind;
using replay::NodePhase;
using replay::Span;
using replay::SpanKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::kA;
using tests::kB;
using tests::kC;
using tests::LogWriter;

const std::string kNode0 = "/l/x-lock-0000000000", kNode1 = "/l/x-lock-0000000001",
                  kNode2 = "/l/x-lock-0000000002";

constexpr std::int64_t kNextEpoch = 0x200000000;

TraceTime ms(std::int64_t value) { return std::chrono::milliseconds(value); }

struct TraceEventsTest : ::testing::Test
{
    void read(HistoryTraceBuilder::Options options = {}, History::Options chosen = {})
    {
        log.writeTo(folder.path());
        store = std::make_shared<trace::TraceStore>();
        auto opened = History::open({folder.path()}, std::move(chosen));
        ASSERT_TRUE(opened) << opened.error().text();
        HistoryTraceBuilder events(*store, std::move(options));
        (*opened)->listen([&](const LockEvent& event) { events.add(event); });
        (*opened)->listenToGaps([&](const Gap& gap) { events.addGap(gap); });
        while ((*opened)->read(1U << 20) == HistoryReader::State::more) {
        }
        events.finish((*opened)->lastMs());
        state = {};
        timeline = {};
        for (std::size_t i = 0; i < store->count(); ++i)
            timeline.apply(*store, i, state, replay::apply(state, *store, i));
    }
    // "waits 0-20, holds 20-25" in ms since the first event.
    std::string lane(std::uint32_t client) const
    {
        std::vector<Span> spans;
        timeline.spans(ClientId{client}, {}, timeline.end() + ms(1), ms(1) / 1'000'000, spans);
        std::string text;
        for (const Span& span : spans) {
            if (span.end - span.begin < std::chrono::microseconds(1))
                continue; // it never waited
            const auto end = span.end == kForever ? std::string("...") : std::to_string(span.end / ms(1));
            text += (text.empty() ? "" : ", ") +
                    std::string(span.kind == SpanKind::holding   ? "holds "
                                : span.kind == SpanKind::waiting ? "waits "
                                                                 : "? ") +
                    std::to_string(span.begin / ms(1)) + "-" + end;
        }
        return text;
    }
    std::vector<std::string> marks() const
    {
        std::vector<replay::Mark> all;
        timeline.marks({}, kForever, 100, all);
        std::vector<std::string> texts;
        for (const replay::Mark& mark : all)
            texts.push_back(std::string(mark.verb) +
                            (mark.client.valid() ? " of " + std::to_string(mark.client.value) : ""));
        return texts;
    }
    std::vector<std::string> commands() const
    {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < store->count(); ++i)
            if (const auto* command = std::get_if<trace::Command>(&store->at(i).what))
                all.push_back(std::string(command->verb) + ": " + std::string(command->argument));
        return all;
    }

    tests::TempFolder folder;
    LogWriter log;
    std::shared_ptr<trace::TraceStore> store;
    replay::RunState state;
    replay::Timeline timeline;
};

TEST_F(TraceEventsTest, LanesTellWhoWaitedAndWhoWasEntitled)
{
    log.at(0).queue(kA, kNode0, "10.0.0.7").at(5).queue(kB, kNode1, "10.0.0.9").at(7).queue(kC, kNode2);
    log.at(25).expire(kA).at(40).remove(kB, kNode1);
    read();
    ASSERT_EQ(state.clients.size(), 3u);
    EXPECT_EQ(state.clients[0].name, "10.0.0.7");
    EXPECT_EQ(state.clients[2].name, "session 3");
    EXPECT_EQ(lane(0), "holds 0-25");
    EXPECT_EQ(lane(1), "waits 5-25, holds 25-40");
    EXPECT_EQ(lane(2), "waits 7-40, holds 40-...");
    EXPECT_THAT(marks(), ElementsAre("session_expired of 0"));
    EXPECT_EQ(timeline.handoffCount(), 2u);
    EXPECT_EQ(timeline.handoff(0).from, ClientId{0});
    EXPECT_EQ(timeline.handoff(0).to, ClientId{1});
}

TEST_F(TraceEventsTest, TheStateIsTheServersQueue)
{
    log.at(0).queue(kA, kNode0).at(5).queue(kB, kNode1);
    read();
    ASSERT_EQ(state.locks.size(), 1u);
    ASSERT_EQ(state.locks[0].queue.size(), 2u);
    EXPECT_EQ(state.locks[0].queue[0].phase, NodePhase::holds);
    EXPECT_EQ(state.locks[0].queue[0].owner, ClientId{0});
    EXPECT_EQ(state.locks[0].queue[0].session.value, kA);
    EXPECT_EQ(state.locks[0].queue[1].phase, NodePhase::waits);
    EXPECT_EQ(state.clients[0].phase, ClientPhase::holding);
    EXPECT_EQ(state.clients[1].phase, ClientPhase::waiting);
    EXPECT_TRUE(replay::onlyWatches(state));
}

// Sequential nodes of no known recipe stand in order: whether the first one holds is not known.
TEST_F(TraceEventsTest, NodesOfAnyName)
{
    log.at(0)
        .queue(kA, "/jobs/0000000000")
        .at(5)
        .queue(kB, "/jobs/0000000001")
        .create(kA, "/m", true)
        .remove(kA, "/m")
        .create(kB, "/m", true);
    read();
    ASSERT_EQ(state.locks.size(), 2u);
    EXPECT_EQ(state.locks[0].queue.at(0).phase, NodePhase::foreign);
    EXPECT_EQ(state.locks[0].queue.at(1).phase, NodePhase::foreign);
    EXPECT_EQ(state.locks[1].queue.at(0).phase, NodePhase::foreign) << "it may be a registration";
}

TEST_F(TraceEventsTest, BeliefsAreNotJudged)
{
    log.at(0).queue(kA, kNode0).at(5).queue(kB, kNode1).at(25).expire(kA).at(30).remove(kB, kNode1);
    read();
    for (const FindingKind kind :
         {FindingKind::beliefMatchesServer, FindingKind::noHerd, FindingKind::noLostWakeup,
          FindingKind::tokensIncrease, FindingKind::noDeadlock, FindingKind::noStrayWatch})
        EXPECT_EQ(state.findings.of(kind).checked, 0u) << static_cast<int>(kind);
    EXPECT_EQ(state.findings.of(FindingKind::oneHolder).checked, 2u);
    EXPECT_TRUE(state.findings.of(FindingKind::oneHolder).ok());
    EXPECT_EQ(state.findings.of(FindingKind::orderKept).checked, 2u);
    EXPECT_TRUE(state.findings.of(FindingKind::orderKept).ok());
    EXPECT_EQ(state.findings.of(FindingKind::noOrphanNode).checked, 2u);
    EXPECT_EQ(state.findings.of(FindingKind::noOrphanNode).violated, 1u);
    EXPECT_FALSE(state.clients[0].hasStaleHold());
    EXPECT_EQ(state.statistics.handoffs, 1u);
    EXPECT_EQ(state.statistics.releases, 2u);
}

TEST_F(TraceEventsTest, ReadersAndAWriterThatReads)
{
    const std::string write = "/l/_c_0e59e3d5-9c1c-4a0e-bb3f-0a3c2d1e4f50-__WRIT__0000000000";
    const std::string read1 = "/l/_c_0e59e3d5-9c1c-4a0e-bb3f-0a3c2d1e4f50-__READ__0000000001";
    log.at(0).queue(kA, write).at(2).queue(kA, read1).at(4).remove(kA, write).at(9).remove(kA, read1);
    read();
    EXPECT_EQ(lane(0), "holds 0-4, holds 4-9") << "both in one hand";
    EXPECT_TRUE(state.findings.of(FindingKind::oneHolder).ok());
    EXPECT_EQ(state.clients[0].acquired, 2u);
}

TEST_F(TraceEventsTest, WhoGivesUpNeverHeld)
{
    log.at(0).queue(kA, kNode0).at(5).queue(kB, kNode1).at(10).remove(kB, kNode1);
    read();
    EXPECT_EQ(lane(1), "waits 5-10");
    EXPECT_EQ(state.clients[1].failed, 1u);
    EXPECT_EQ(state.clients[1].acquired, 0u);
}

TEST_F(TraceEventsTest, ADeletionByAnotherSaysWhose)
{
    log.at(0).queue(kA, kNode0).at(10).remove(kB, kNode0);
    read();
    EXPECT_THAT(marks(), ElementsAre("deleted_by_other of 0"));
    EXPECT_THAT(commands().back(), HasSubstr(" by=2"));
}

// Of what a log has, a trace keeps no data and no id in the list of rights; both only when asked for.
TEST_F(TraceEventsTest, WhatATraceKeeps)
{
    log.at(0).queue(kA, kNode0, "10.0.0.7 secret");
    read();
    EXPECT_THAT(commands().at(0),
                ::testing::MatchesRegex("create: zxid=0x1 cxid=[0-9]+ data_bytes=15( acl=[a-z:,]+)?"));
    trace::saveTrace(folder / "without.jsonl", *store, store->count());
    read({.withData = true, .sessionIds = trace::SessionIds::real});
    EXPECT_THAT(commands().at(0), HasSubstr("data=10.0.0.7 secret"));
    EXPECT_THAT(store->header().title, HasSubstr("with the data"));
    EXPECT_EQ(store->header().sessionIds, trace::SessionIds::real);
}

TEST_F(TraceEventsTest, DataThatIsNoTextIsWrittenAndReadAgain)
{
    log.at(0).queue(kA, kNode0, std::string_view("\xff\x00\x01\"\n", 5));
    read({.withData = true});
    ASSERT_TRUE(trace::saveTrace(folder / "t.jsonl", *store, store->count()));
    const auto loaded = trace::loadTrace(folder / "t.jsonl");
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->store->count(), store->count());
}

TEST_F(TraceEventsTest, AClockThatWentBackIsMarked)
{
    log.at(1000).queue(kA, kNode0).at(400).remove(kA, kNode0).at(1200).queue(kB, kNode1);
    read();
    EXPECT_THAT(marks(), ElementsAre("clock_went_back"));
    EXPECT_EQ(lane(1), "holds 200-...");
}

TEST_F(TraceEventsTest, NamesOfAGivenFile)
{
    log.at(0).queue(kA, kNode0, "10.0.0.7").queue(kB, kNode1, "10.0.0.9").queue(kC, kNode2, "10.0.0.9");
    const auto names =
        ParticipantNames::parse("# ours\n\n0x100000000000001  the first\n10.0.0.9 settlement\r\n", "names");
    ASSERT_TRUE(names);
    read({.names = *names});
    EXPECT_EQ(state.clients[0].name, "the first");
    EXPECT_EQ(state.clients[1].name, "settlement");
    EXPECT_EQ(state.clients[2].name, "settlement (2)");
    const auto wrong = ParticipantNames::parse("\n0x1\n", "names");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::badInput);
    EXPECT_THAT(wrong.error().text(), HasSubstr("names:2"));
}

TEST_F(TraceEventsTest, ASessionWhoseNodesSayNothingIsNamedByItsAddressOnceThatIsKnown)
{
    store = std::make_shared<trace::TraceStore>();
    std::map<std::int64_t, std::string> addresses{{1, "10.0.0.7:4000"}};
    HistoryTraceBuilder::Options options;
    options.addressOf = [&](SessionId session) { return addresses[session.value]; };
    HistoryTraceBuilder events(*store, options);
    LockEvent event;
    event.node.lockPath = event.node.parent = "/l";
    const auto queue = [&](int session, const char* name, const char* data) {
        event.node.session = SessionId{session};
        event.node.created = event.zxid = Zxid{session};
        event.node.name = name;
        event.node.data = data;
        events.add(event);
    };
    queue(1, "0123456789abcdef0123456789abcdef__lock__0000000000", "");
    queue(2, "1123456789abcdef0123456789abcdef__lock__0000000001", "");
    queue(3, "2123456789abcdef0123456789abcdef__lock__0000000002", "worker 3");
    queue(4, "3123456789abcdef0123456789abcdef__lock__0000000003", "worker 3");
    const auto names = [&] {
        state = {};
        for (std::size_t i = 0; i < store->count(); ++i)
            replay::apply(state, *store, i);
        std::vector<std::string> all;
        for (const replay::ClientRow& client : state.clients)
            all.emplace_back(client.name);
        return all;
    };
    queue(5, "_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000004", "10.0.0.9");
    queue(6, "_c_11234567-89ab-cdef-0123-456789abcdef-lock-0000000005", "10.0.0.9");
    EXPECT_THAT(names(), ElementsAre("10.0.0.7:4000", "session 2", "worker 3", "worker 3 (2)", "10.0.0.9",
                                     "10.0.0.9 (2)"));
    addresses = {{2, "10.0.0.8:5000"}, {4, "10.0.0.9:1"}, {5, "10.0.0.9:2"}, {6, "172.16.0.1:3"}};
    events.nameParticipants();
    events.nameParticipants();
    EXPECT_THAT(names(), ElementsAre("10.0.0.7:4000", "10.0.0.8:5000", "worker 3", "worker 3 :1",
                                     "10.0.0.9:2", "10.0.0.9 (2)"))
        << "the sessions of one process differ in their ports";
    EXPECT_EQ(state.clients[1].phase, state.clients[0].phase) << "it goes on as it was";
    ASSERT_EQ(state.locks.size(), 1u);
    EXPECT_EQ(state.locks[0].queue.size(), 6u);
}

// A server that came back as a follower goes on from the leader's snapshot: what it had written as the leader
// before may never have been. Live: the node is seen to come, is first and goes before its Stat could be
// read.
TEST_F(TraceEventsTest, ANodeThatWasGoneBeforeItCouldBeReadIsAnAcquisition)
{
    store = std::make_shared<trace::TraceStore>();
    HistoryTraceBuilder::Options options;
    options.liveSinceNanoseconds = 1;
    HistoryTraceBuilder events(*store, std::move(options));
    const std::vector<std::string> names = {"x-lock-0000000000", "x-lock-0000000001", "x-lock-0000000002"};
    const auto add = [&](std::size_t node, LockEvent::Kind kind, std::int64_t at,
                         SessionId session = SessionId::none()) {
        LockEvent event;
        event.kind = kind;
        event.timeMs = at;
        event.reason = EndReason::unknown;
        event.node.lockPath = event.node.parent = "/l";
        event.node.name = names[node];
        event.node.session = session;
        event.node.created = session.valid() ? Zxid{7} : Zxid::none();
        events.add(event);
        events.flush();
    };
    using enum LockEvent::Kind;
    const SessionId other{kB};
    add(0, queued, 0);
    add(0, entitled, 0);
    add(1, queued, 10, other);
    add(0, ended, 20);
    add(1, entitled, 20, other);
    add(2, queued, 30);
    add(1, ended, 40, other);
    add(2, entitled, 40);
    add(2, ended, 50);
    for (std::size_t i = 0; i < store->count(); ++i)
        timeline.apply(*store, i, state, replay::apply(state, *store, i));
    EXPECT_EQ(state.statistics.acquired, 3U);
    ASSERT_EQ(state.clients.size(), 2U) << "those of unknown sessions that do not overlap share a lane";
    EXPECT_EQ(lane(0), "holds 0-20, waits 30-40, holds 40-50");
    EXPECT_EQ(lane(1), "waits 10-20, holds 20-40");
    EXPECT_FALSE(state.clients[0].sessionId.valid());
}

TEST_F(TraceEventsTest, ATailThatNoLaterLeaderConfirms)
{
    log.at(0).queue(kA, kNode0).at(3).queue(kB, kNode1);
    LogWriter second(kNextEpoch + 4);
    second.at(50).remove(kA, kNode0);
    second.writeTo(folder.path(), kNextEpoch + 4);
    tests::writeBytes(folder / "snapshot.200000003",
                      tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0}, {kNode0, kA, 1}}));
    read({}, {.queueEntries = true});
    EXPECT_THAT(marks(), ElementsAre("unconfirmed_tail"));
    auto opened = History::open({folder.path()}, {.queueEntries = true});
    ASSERT_TRUE(opened);
    while ((*opened)->read(1U << 20) == HistoryReader::State::more) {
    }
    ASSERT_EQ((*opened)->queueEntries().size(), 1u) << "the other one was never confirmed";
    EXPECT_FALSE((*opened)->queueEntries()[0].unconfirmed);
}

// What was there before the log has the zxids of its creation for tokens, and no create of its own.
TEST_F(TraceEventsTest, ASnapshotsNodesHaveTheirTokens)
{
    tests::writeBytes(
        folder / "snapshot.9",
        tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 0}, {kNode0, kA, 3}, {kNode1, kB, 4}, {"/m", kC, 5}}));
    log = LogWriter(10);
    log.at(50).open(kC + 1).at(60).remove(kA, kNode0);
    read({}, {.fixedNames = {"/m"}});
    ASSERT_EQ(state.locks.size(), 2u);
    ASSERT_EQ(state.locks[0].queue.size(), 1u);
    EXPECT_EQ(state.locks[0].queue[0].token.value, 4);
    EXPECT_EQ(state.findings.of(replay::FindingKind::tokensIncrease).violated, 0u);
    std::vector<std::string> verbs;
    for (std::size_t i = 0; i < store->count(); ++i)
        if (const auto* command = std::get_if<trace::Command>(&store->at(i).what))
            verbs.emplace_back(command->verb);
    EXPECT_THAT(verbs, ElementsAre("delete"));
}

} // namespace
} // namespace lockscope::history
