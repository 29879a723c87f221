// What a watch measures, as Prometheus reads it.
#include "core/field/watch_metrics.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace lockscope::field {
namespace {

using history::LockEvent;
using ::testing::HasSubstr;
using ::testing::Not;

LockEvent eventOf(LockEvent::Kind kind, const std::string& lock, std::int64_t createdMs,
                  std::int64_t entitledMs, std::int64_t ms)
{
    LockEvent event;
    event.kind = kind;
    event.node.lockPath = lock;
    event.node.createdMs = createdMs;
    event.node.entitledMs = entitledMs;
    event.node.entitled = true;
    event.reason = history::EndReason::released;
    event.timeMs = ms;
    return event;
}

TEST(WatchMetricsTest, CountsWhatItHasSeen)
{
    WatchMetrics metrics;
    Snapshot snapshot;
    snapshot.watching = WatchState::everyChange;
    LockStatus& row = snapshot.locks.emplace_back();
    row.path = "/locks/\"a\"";
    row.holders = 1;
    row.waiting = 3;
    row.longestWaitNowMs = 1'500;
    row.acquisitions = 5;
    row.ends.deletedSessionAlive = 4;
    row.diagnosis.emplace().kind = Diagnosis::Kind::holderSilent;
    metrics.update(snapshot);
    metrics.update(snapshot);
    row.acquisitions = 7;
    row.ends.sessionGone = 2;
    metrics.update(snapshot);
    metrics.note(eventOf(LockEvent::Kind::entitled, row.path, 1'000, 1'000, 1'250));
    metrics.note(eventOf(LockEvent::Kind::ended, row.path, 1'000, 1'250, 4'250));
    const std::string lock = "lock=\"/locks/\\\"a\\\"\"";
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr("lockscope_watch_up 1\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_holders{" + lock + "} 1\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_waiters{" + lock + "} 3\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_longest_wait_seconds{" + lock + "} 1.5\n"));
    EXPECT_THAT(text, HasSubstr("# TYPE lockscope_lock_acquisitions_total counter\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_acquisitions_total{" + lock + "} 7\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_ends_total{" + lock + ",reason=\"deleted\"} 4\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_ends_total{" + lock + ",reason=\"session_gone\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_wait_seconds_bucket{" + lock + ",le=\"0.1\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_wait_seconds_bucket{" + lock + ",le=\"0.5\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_hold_seconds_bucket{" + lock + ",le=\"+Inf\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_hold_seconds_sum{" + lock + "} 3\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_hold_seconds_count{" + lock + "} 1\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_verdict{" + lock + ",kind=\"holder_silent\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_verdicts_total{kind=\"holder_silent\"} 1\n")) << "given once";
    EXPECT_THAT(text, Not(HasSubstr("(others)")));
}

TEST(WatchMetricsTest, HasWhatTheDashboardAsksFor)
{
    WatchMetrics metrics;
    Snapshot snapshot;
    LockStatus& row = snapshot.locks.emplace_back();
    row.path = "/a";
    row.diagnosis.emplace().kind = Diagnosis::Kind::holderSilent;
    metrics.update(snapshot);
    const std::string text = '\n' + metrics.text();
    std::ostringstream dashboard;
    dashboard << std::ifstream(LOCKSCOPE_DASHBOARD).rdbuf();
    const std::string asked = dashboard.str();
    std::set<std::string> names;
    static const std::regex name("lockscope_[a-z_]+");
    for (std::sregex_iterator found(asked.begin(), asked.end(), name), end; found != end; ++found)
        if (names.insert(found->str()).second) {
            EXPECT_THAT(text, ::testing::AnyOf(HasSubstr('\n' + found->str() + '{'),
                                               HasSubstr('\n' + found->str() + ' ')));
        }
    EXPECT_GE(names.size(), 10U);
}

TEST(WatchMetricsTest, CountersGoOnWhenALockIsForgotten)
{
    WatchMetrics metrics;
    Snapshot snapshot;
    for (const std::uint64_t acquisitions : {4, 0, 3}) {
        snapshot.locks.clear();
        if (acquisitions > 0) {
            LockStatus& row = snapshot.locks.emplace_back();
            row.path = "/a";
            row.acquisitions = acquisitions;
            row.holders = 1;
        }
        metrics.update(snapshot);
        if (acquisitions == 0) {
            EXPECT_THAT(metrics.text(), HasSubstr("lockscope_lock_holders{lock=\"/a\"} 0\n"));
        }
    }
    EXPECT_THAT(metrics.text(), HasSubstr("lockscope_lock_acquisitions_total{lock=\"/a\"} 7\n"));
}

TEST(WatchMetricsTest, APathForEachJobMakesNoSeriesForEachJob)
{
    WatchMetrics metrics;
    Snapshot snapshot;
    for (std::size_t i = 0; i < WatchMetrics::kMostLocks + 1'000; ++i) {
        snapshot.locks.clear();
        LockStatus& row = snapshot.locks.emplace_back();
        row.path = "/jobs/" + std::to_string(i);
        row.acquisitions = 1;
        metrics.update(snapshot);
        metrics.note(eventOf(LockEvent::Kind::ended, row.path, 0, 0, 10));
    }
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr("lockscope_lock_acquisitions_total{lock=\"/jobs/199\"} 1\n"));
    EXPECT_THAT(text, Not(HasSubstr("/jobs/200\"")));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_acquisitions_total{lock=\"(others)\"} 1000\n"));
    EXPECT_THAT(text, HasSubstr("lockscope_lock_hold_seconds_count{lock=\"(others)\"} 1000\n"));
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 10'000);
}

} // namespace
} // namespace lockscope::field
