// What a lock would cost with shorter holds or split in two, against runs of which the outcome is known.
#include "core/history/worth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace lockscope::history {
namespace {

constexpr std::int64_t kBegin = 1'700'000'000'000;

// First come, first served, by clients that think, wait and hold.
struct Queue
{
    int clients = 4;
    std::function<double()> think, hold;
    unsigned parts = 1;
    int cycles = 4'000; // of each client
    std::vector<QueueEntry> entries{};
    double meanWaitMs = 0, perSecond = 0;

    void play()
    {
        std::mt19937 chance(7);
        std::vector<double> next, free(parts, 0);
        for (int i = 0; i < clients; ++i)
            next.push_back(think());
        std::vector<int> done(static_cast<std::size_t>(clients), 0);
        double last = 0, first = 1e18;
        const int all = clients * cycles;
        for (int i = 0; i < all; ++i) {
            std::size_t who = next.size();
            for (std::size_t each = 0; each < next.size(); ++each)
                if (done[each] < cycles && (who == next.size() || next[each] < next[who]))
                    who = each;
            double& part = free[chance() % parts];
            const double begin = std::max(next[who], part);
            part = begin + hold();
            meanWaitMs += (begin - next[who]) / all;
            QueueEntry& entry = entries.emplace_back();
            entry.lockPath = "/l";
            entry.session = SessionId{static_cast<std::int64_t>(who) + 1};
            entry.createdMs = kBegin + std::llround(next[who]);
            entry.entitledMs = kBegin + std::llround(begin);
            entry.endedMs = kBegin + std::llround(part);
            entry.reason = EndReason::released;
            first = std::min(first, next[who]);
            last = std::max(last, part);
            next[who] = part + think();
            ++done[who];
        }
        perSecond = all * 1000 / (last - first);
    }
};

void expectNear(const QueueFigures& said, const Queue& run, const char* what)
{
    EXPECT_NEAR(said.meanWaitMs, run.meanWaitMs, run.meanWaitMs * 0.15) << what;
    EXPECT_NEAR(said.perSecond, run.perSecond, run.perSecond * 0.15) << what;
}

// Random times of several kinds; the other runs draw other ones.
TEST(Worth, IsWhatRunsWithTheChangeShow)
{
    for (const double busy :
         {0.3, 1.0, 4.0}) { // the load: from a lock that is mostly free to one that never is
        std::mt19937 random(static_cast<unsigned>(busy * 10));
        const auto drawn = [&random](double mean) {
            return std::function<double()>(
                [&random, mean] { return std::exponential_distribution<>(1 / mean)(random); });
        };
        const double think = 200 * 4 / busy;
        Queue recorded{4, drawn(think), drawn(200)}, halved{4, drawn(think), drawn(100)},
            split{4, drawn(think), drawn(200), 2};
        for (Queue* run : {&recorded, &halved, &split})
            run->play();
        const LockWorth worth = worthOf(recorded.entries, "/l");
        SCOPED_TRACE(busy);
        ASSERT_TRUE(worth.isEnough());
        EXPECT_TRUE(worth.fits());
        EXPECT_EQ(worth.requests, 16'000U);
        EXPECT_EQ(worth.sessions, 4U);
        expectNear(worth.recorded, recorded, "recorded");
        expectNear(worth.model, recorded, "the model");
        expectNear(worth.halved, halved, "holds half as long");
        expectNear(worth.split, split, "split in two");
    }
}

TEST(Worth, SaysWhatItCannotTell)
{
    Queue run{2, [] { return 10; }, [] { return 5; }, 1, 9};
    run.play();
    EXPECT_FALSE(worthOf(run.entries, "/l").isEnough()) << "18 requests";
    run.entries.clear();
    run.cycles = 100;
    run.play();
    EXPECT_TRUE(worthOf(run.entries, "/l").fits());
    EXPECT_EQ(worthOf(run.entries, "/other").requests, 0U);
    run.entries[0].reason = EndReason::gaveUp;
    run.entries[1].endedMs.reset();
    run.entries[2].beforeLog = true;
    const LockWorth worth = worthOf(run.entries, "/l");
    EXPECT_EQ(worth.gaveUp, 1U);
    EXPECT_EQ(worth.leftOut, 2U);
    EXPECT_EQ(worth.requests, 197U);
    // A lock that somebody else, who is not in the history, holds as well.
    for (std::size_t i = 0; i < run.entries.size(); ++i)
        if (run.entries[i].entitledMs && run.entries[i].endedMs)
            *run.entries[i].entitledMs += 500, *run.entries[i].endedMs += 500,
                run.entries[i].createdMs -= 500;
    EXPECT_FALSE(worthOf(run.entries, "/l").fits());
}

} // namespace
} // namespace lockscope::history
