// What programs say of their holds, joined with the server's log: who believed too long, or too early, and in
// the trace the belief beside the fact.
#include "core/history/claims.h"
#include "core/history/history.h"
#include "core/history/history_trace_builder.h"
#include "core/replay/fold/reducer.h"
#include "core/replay/timeline/timeline.h"
#include "core/trace/store.h"

#include "tests/history/log_writer.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <memory>

namespace lockscope::history {
namespace {

using replay::FindingKind;
using replay::Span;
using replay::SpanKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::kA;
using tests::kB;
using tests::kC;
using tests::kStartMs;
using tests::LogWriter;
using Verdict = ClaimedHold::Verdict;

const std::string kFirst = "/l/x-lock-0000000000", kSecond = "/l/x-lock-0000000001",
                  kThird = "/l/x-lock-0000000002";

// "1700000000.010 NODE begins", in ms since the log's begin.
std::string said(std::int64_t ms, const std::string& node, const char* what)
{
    const std::string digits = std::to_string(kStartMs + ms);
    return digits.substr(0, 10) + '.' + digits.substr(10) + ' ' + node + ' ' + what + '\n';
}

struct ClaimsTest : ::testing::Test
{
    void join(const std::string& text)
    {
        log.writeTo(folder.path());
        auto claims = parseClaims(text, "claims.txt");
        ASSERT_TRUE(claims) << claims.error().text();
        auto opened = History::open({folder.path()}, {});
        ASSERT_TRUE(opened) << opened.error().text();
        store = std::make_shared<trace::TraceStore>();
        HistoryTraceBuilder::Options options;
        options.isClaimed = [this](const LockNode& node) { return joined->isClaimed(node); };
        HistoryTraceBuilder events(*store, std::move(options));
        joined = std::make_unique<ClaimedHolds>(
            std::move(*claims), [&](const ClaimedHolds::Belief& belief) { events.addBelief(belief); });
        (*opened)->listen([&](const LockEvent& event) {
            joined->add(event);
            events.add(event);
        });
        while ((*opened)->read(1U << 20) == HistoryReader::State::more) {
        }
        joined->finish((*opened)->lastMs());
        events.finish((*opened)->lastMs());
        for (std::size_t i = 0; i < store->count(); ++i)
            timeline.apply(*store, i, state, replay::apply(state, *store, i));
    }
    std::vector<std::string> verdicts() const
    {
        std::vector<std::string> all;
        for (const ClaimedHold& hold : joined->holds())
            all.emplace_back(name(joined->verdictOf(hold)));
        return all;
    }
    // "waits 0-20, holds 20-25, stale 25-30" in ms since the first event.
    std::string lane(std::uint32_t client) const
    {
        constexpr auto kMs = std::chrono::milliseconds(1);
        std::vector<Span> spans;
        for (const replay::LaneRow row : {replay::LaneRow::spans, replay::LaneRow::overlays})
            timeline.spans(ClientId{client}, {}, timeline.end() + kMs, TraceTime(kMs) / 1'000'000, spans,
                           row);
        std::string text;
        for (const Span& span : spans) {
            if (span.end - span.begin < std::chrono::microseconds(1))
                continue;
            const std::string what = span.kind == SpanKind::holding   ? "holds "
                                     : span.kind == SpanKind::waiting ? "waits "
                                     : span.kind == SpanKind::stale   ? "stale "
                                                                      : "";
            const std::string end = span.end == kForever ? "..." : std::to_string(span.end / kMs);
            if (!what.empty())
                text += (text.empty() ? "" : ", ") + what + std::to_string(span.begin / kMs) + '-' + end;
        }
        return text;
    }

    tests::TempFolder folder;
    LogWriter log;
    std::shared_ptr<trace::TraceStore> store;
    std::unique_ptr<ClaimedHolds> joined;
    replay::RunState state;
    replay::Timeline timeline;
};

// The first client is frozen while its session expires: it believes on while the second one holds.
TEST_F(ClaimsTest, TwoHeldItAndTheFirstWasLate)
{
    log.at(0).queue(kA, kFirst).at(5).queue(kB, kSecond).at(7).queue(kC, kThird);
    log.at(50).expire(kA).at(90).remove(kB, kSecond).at(100).remove(kC, kThird);
    join("# of two of the three\n" + said(2, kFirst, "begins") + said(70, kFirst, "ends") + "\n" +
         said(52, "x-lock-0000000001", "begins") + said(88, "x-lock-0000000001", "ends"));
    EXPECT_THAT(verdicts(), ElementsAre("late", "within"));
    const ClaimedHold& late = joined->holds().front();
    EXPECT_EQ(joined->lateMs(late), 20);
    EXPECT_EQ(joined->earlyMs(late), 0);
    ASSERT_EQ(late.others.size(), 1U);
    EXPECT_EQ(late.others[0].name, "x-lock-0000000001");
    EXPECT_EQ(late.others[0].fromMs, kStartMs + 50);
    EXPECT_FALSE(late.others[0].toMs) << "as long as it believed";
    EXPECT_EQ(lane(0), "waits 0-2, holds 2-50, stale 50-70");
    EXPECT_EQ(lane(1), "waits 5-52, holds 52-88");
    EXPECT_EQ(lane(2), "waits 7-90, holds 90-100") << "it has said nothing: being first counts";
    const replay::Finding& belief = state.findings.of(FindingKind::beliefMatchesServer);
    EXPECT_EQ(belief.violated, 1U);
    EXPECT_THAT(belief.lastViolation.english(), HasSubstr("believed it held for 20"));
    EXPECT_EQ(joined->clockBehindMs(), 0);
}

TEST_F(ClaimsTest, WhoNeverEndsAndWhoComesTooEarly)
{
    log.at(0).queue(kA, kFirst).at(5).queue(kB, kSecond).at(40).remove(kA, kFirst).at(60).remove(kB, kSecond);
    log.at(100).queue(kC, kThird);
    join(said(0, "0x1", "begins") + said(30, "0x2", "begins") + said(59, "0x2", "ends"));
    EXPECT_THAT(verdicts(), ElementsAre("late", "early"));
    EXPECT_EQ(joined->lateMs(joined->holds()[0]), 60) << "until the log ends";
    ASSERT_EQ(joined->holds()[0].others.size(), 2U);
    EXPECT_EQ(joined->holds()[0].others[0].toMs, kStartMs + 60);
    EXPECT_EQ(joined->earlyMs(joined->holds()[1]), 10);
    ASSERT_EQ(joined->holds()[1].others.size(), 1U) << "the first one held";
    EXPECT_EQ(joined->holds()[1].others[0].name, "x-lock-0000000000");
    EXPECT_EQ(joined->holds()[1].others[0].fromMs, kStartMs + 30);
    EXPECT_EQ(joined->holds()[1].others[0].toMs, kStartMs + 40);
    EXPECT_EQ(lane(0), "holds 0-40, stale 40-...");
    EXPECT_EQ(lane(1), "waits 5-30, holds 30-59");
}

TEST_F(ClaimsTest, WhatCannotBeJoined)
{
    log.at(100).queue(kA, kFirst).at(105).queue(kB, "/m/x-lock-0000000000").at(110).queue(kC, kSecond);
    log.at(120).remove(kC, kSecond).at(150).remove(kA, kFirst).at(160).remove(kB, "/m/x-lock-0000000000");
    join(said(50, kFirst, "begins") + said(80, kFirst, "ends") + said(115, kSecond, "begins") +
         said(120, kSecond, "ends") + said(130, "x-lock-0000000000", "begins") +
         said(131, "x-lock-0000000000", "begins") + said(140, "0xffff", "begins") +
         said(141, "0x7777", "ends") + said(170, "x-lock-0000000000", "ends"));
    EXPECT_THAT(verdicts(), ElementsAre("early", "never_first", "several_nodes", "no_node"));
    EXPECT_EQ(joined->clockBehindMs(), 50) << "it believed before it asked";
    EXPECT_EQ(joined->ignored(), 2U);
}

TEST(ClaimsFile, SaysWhatIsWrongAndWhere)
{
    const auto claims =
        parseClaims("2026-11-23T03:04:05.678Z /l/n begins\r\n\n  # why\n1795403045.5\t0x1f3  ends\n"
                    "1795403045 n begins",
                    "c");
    ASSERT_TRUE(claims) << claims.error().text();
    ASSERT_EQ(claims->size(), 3U);
    EXPECT_EQ((*claims)[0].timeMs, 1'795'403'045'000) << "in the order of time";
    EXPECT_EQ((*claims)[1].timeMs, 1'795'403'045'500);
    EXPECT_EQ((*claims)[1].line, 4U);
    EXPECT_EQ((*claims)[2].timeMs, 1'795'403'045'678);
    for (const std::string line : {"yesterday n begins", "1795403045 n starts", "1795403045 n", "1795403045",
                                   "1795403045678 n begins", "-5 n begins", "1.x n ends", "1 n ends now"}) {
        const auto wrong = parseClaims("1 n begins\n" + line, "file");
        ASSERT_FALSE(wrong) << line;
        EXPECT_EQ(wrong.error().code, ErrorCode::badInput);
        EXPECT_THAT(wrong.error().text(), HasSubstr("file:2")) << line;
    }
    EXPECT_EQ(loadClaims("/no/such").error().code, ErrorCode::ioFailed);
}

} // namespace
} // namespace lockscope::history
