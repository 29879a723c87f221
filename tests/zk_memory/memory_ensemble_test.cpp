// The simulated ensemble plays the same for the same seed.
#include "tests/zk_memory/memory_test.h"

#include "core/base/random.h"

namespace lockscope::zk::memory {
namespace {

std::string playWith(std::uint64_t seed)
{
    VirtualClock clock;
    Random random(seed);
    VirtualScheduler first(clock);
    VirtualScheduler second(clock);
    Ensemble ensemble(clock, EnsembleOptions{3, seed});
    const auto sessions = {ensemble.connect(first, {}), ensemble.connect(second, {})};
    std::string story;
    for (int round = 0; round < 300; ++round) {
        for (const auto& session : sessions) {
            if (random.uniform(0, 3) == 0)
                session->create("/n-", "", CreateMode::ephemeralSequential, [&](Created) { story += "!"; });
            if (random.uniform(0, 40) == 0)
                ensemble.cut(session->index(), 1, 1);
        }
        std::vector<Transition> enabledTransitions;
        ensemble.enabledTransitions(enabledTransitions);
        if (!enabledTransitions.empty()) {
            const Transition transition = enabledTransitions[static_cast<std::size_t>(
                random.uniform(0, static_cast<std::int64_t>(enabledTransitions.size()) - 1))];
            story += ensemble.describe(transition) + "\n";
            ensemble.execute(transition);
        } else if (const auto next = clock.nextTimer()) {
            clock.advanceTo(*next);
        }
        clock.runReady();
    }
    for (const auto& session : sessions)
        session->close();
    ensemble.settle();
    return story;
}

TEST(MemoryEnsemble, TellsTheSameStoryForTheSameSeed)
{
    EXPECT_EQ(playWith(1), playWith(1));
    EXPECT_NE(playWith(1), playWith(2));
    EXPECT_THAT(playWith(1), ::testing::HasSubstr("session 1 -> server"));
}

} // namespace
} // namespace lockscope::zk::memory
