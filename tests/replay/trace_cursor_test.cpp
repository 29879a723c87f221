// seek(n) is fold(0..n), whatever was sought before; and it costs little.
#include "core/replay/fold/trace_cursor.h"

#include "core/base/random.h"
#include "tests/replay/any_run.h"
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"
#include "tests/support/state_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockscope::tests {
namespace {

TEST(TraceCursor, SeekIsTheFoldOfAllEventsBefore)
{
    Random random(20'231);
    for (int round = 0; round < 18; ++round) {
        const AnyRun run(random);
        const auto& store = run.store;
        const auto count = static_cast<std::int64_t>(store->count());
        // Some places, sought in any order, then compared in the order of one fold.
        std::vector<std::size_t> places;
        for (int i = 0; i < 12; ++i)
            places.push_back(static_cast<std::size_t>(random.uniform(0, count)));
        std::sort(places.begin(), places.end());
        std::vector<replay::RunState> expected;
        replay::RunState state;
        std::size_t at = 0;
        for (const std::size_t place : places) {
            for (; at < place; ++at)
                replay::apply(state, *store, at);
            expected.push_back(state);
        }
        replay::TraceCursor cursor(store);
        for (int i = 0; i < 30; ++i) {
            const auto pick =
                static_cast<std::size_t>(random.uniform(0, static_cast<std::int64_t>(places.size()) - 1));
            cursor.seek(places[pick]);
            ASSERT_EQ(cursor.position(), places[pick]);
            ASSERT_EQ(cursor.state(), expected[pick]) << run.name << " at " << places[pick] << "\n"
                                                      << stateText(cursor.state()) << "\ninstead of\n"
                                                      << stateText(expected[pick]);
        }
    }
}

TEST(TraceCursor, SeeksOverKeyframesInALongRun)
{
    SampleOptions options;
    options.clients = 20;
    options.events = 60'000;
    options.killHolderAtGrant = 500;
    const auto store = sampleRun(options);
    replay::TraceCursor cursor(store);
    cursor.seek(store->count());
    ASSERT_EQ(cursor.position(), 60'000u);
    const std::size_t keyframe = replay::TraceCursor::kKeyframeEvents;
    for (const std::size_t place : {std::size_t{30'000}, keyframe, keyframe - 1, keyframe + 1, 3 * keyframe,
                                    std::size_t{59'999}, std::size_t{0}, std::size_t{60'000}}) {
        cursor.seek(place);
        EXPECT_EQ(cursor.state(), folded(*store, place)) << place;
    }
}

TEST(TraceCursor, StaysWithinWhatIsPublished)
{
    const auto store = sampleRun();
    replay::TraceCursor cursor(store);
    cursor.seek(1'000'000);
    EXPECT_EQ(cursor.position(), store->count());
}

TEST(TraceCursor, CountsEventsUpToATime)
{
    const auto store = traceScript("1ms ada calls; 2ms ada create; 7ms ada created n1");
    const replay::TraceCursor cursor(store);
    using namespace std::chrono_literals;
    EXPECT_EQ(cursor.countAt(-1ns), 0u);
    EXPECT_EQ(cursor.countAt(1ms), 6u) << "the prelude, the client's session and its call";
    EXPECT_EQ(cursor.countAt(6ms), 8u);
    EXPECT_EQ(cursor.countAt(7ms), store->count());
    EXPECT_EQ(cursor.countAt(kForever), store->count());
}

// Budgets as counts: a keyframe's bytes for each event, and how far apart keyframes are.
TEST(TraceCursor, KeepsItsKeyframesSmall)
{
    SampleOptions options;
    options.clients = 1'000;
    options.events = 100'000;
    const auto store = sampleRun(options);
    replay::TraceCursor cursor(store);
    cursor.seek(store->count());
    EXPECT_LE(cursor.memoryBytes() + store->memoryBytes(), 300u * options.events);
}

TEST(TraceCursor, CollectsFewerKeyframesOfAHugeState)
{
    SampleOptions options;
    options.clients = 4'000;
    options.events = 60'000;
    options.observer = false;
    const auto store = sampleRun(options);
    replay::TraceCursor cursor(store);
    cursor.seek(store->count());
    EXPECT_LE(cursor.memoryBytes(), 100u * options.events + replay::memoryBytes(cursor.state()));
    cursor.seek(50'000);
    EXPECT_EQ(cursor.state(), folded(*store, 50'000));
}

TEST(TraceCursor, CopiesShareNothingWithTheCursor)
{
    const auto store = sampleRun();
    replay::TraceCursor cursor(store);
    cursor.seek(300);
    const replay::RunState copy = cursor.state();
    cursor.seek(store->count());
    EXPECT_EQ(copy, folded(*store, 300));
}

} // namespace
} // namespace lockscope::tests
