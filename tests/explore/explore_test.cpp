// The recipes under thousands of schedules, and the proof that the explorer finds what it looks for: every
// known mistake of a recipe is caught, by the invariant that it breaks.
#include "core/explore/explorer.h"

#include <gmock/gmock.h>

namespace lockscope::explore {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kSchedules = 4000; // in which every mistake must be found

std::string handoffWord(Handoff handoff)
{
    return handoff == Handoff::curator ? "curator" : handoff == Handoff::announced ? "announced" : "mixed";
}

class Explore : public ::testing::TestWithParam<Handoff>
{
protected:
    ScheduleOptions options{recipeNamed("mutex"), GetParam(), {}};
};
INSTANTIATE_TEST_SUITE_P(Handoff, Explore,
                         ::testing::Values(Handoff::curator, Handoff::announced, Handoff::mixed),
                         [](const auto& handoff) { return handoffWord(handoff.param); });

TEST_P(Explore, FindsNothingWrongWithTheMutex)
{
    const Exploration result = explore(options, 1, EXPLORED_SCHEDULES);
    EXPECT_FALSE(result.found) << result.text();
    EXPECT_EQ(result.schedules, EXPLORED_SCHEDULES);
    // There was something to find.
    EXPECT_GT(result.grants, 3 * result.schedules);
    EXPECT_GT(result.faults, result.schedules / 2);
}

TEST(ExploreReadWrite, FindsNothingWrongWithTheReadWriteLock)
{
    ScheduleOptions options;
    options.recipe = recipeNamed("read-write");
    options.handoff = Handoff::curator;
    const Exploration result = explore(options, 1, EXPLORED_SCHEDULES);
    EXPECT_FALSE(result.found) << result.text();
    EXPECT_GT(result.grants, 2 * result.schedules);
}

TEST(ExploreSemaphore, FindsNothingWrongWithTheSemaphore)
{
    ScheduleOptions options;
    options.recipe = recipeNamed("semaphore");
    options.handoff = Handoff::mixed;
    const Exploration result = explore(options, 1, EXPLORED_SCHEDULES / 2);
    EXPECT_FALSE(result.found) << result.text();
    EXPECT_GT(result.grants, 2 * result.schedules);
}

// Two threads of a client share a node, which is passed on once.
TEST(ExploreCohort, FindsNothingWrongWithThreadsThatShareANode)
{
    ScheduleOptions options;
    options.recipe = recipeNamed("cohort");
    options.handoff = Handoff::mixed;
    const Exploration result = explore(options, 1, EXPLORED_SCHEDULES / 2);
    EXPECT_FALSE(result.found) << result.text();
    EXPECT_GT(result.grants, 3 * result.schedules);
    EXPECT_GT(result.faults, result.schedules / 2);
}

// Leases that are not released keep the others waiting.
TEST(ExploreSemaphore, CatchesLeasesThatAreForgotten)
{
    for (const char* bug : {"noGuidSearch", "forgetfulRelease", "acceptsAnySync", "unwatchedHold"}) {
        const ScheduleOptions options{recipeNamed("semaphore"), Handoff::curator, *flawNamed(bug)};
        EXPECT_TRUE(explore(options, 1, kSchedules).found) << bug;
    }
}

// An acquire of a lock that was destroyed is closed, whichever lock it is.
TEST(ExploreDestruction, IsCaughtWhenItIsIgnored)
{
    for (const char* recipe : {"read-write", "semaphore", "multi-lock"}) {
        const ScheduleOptions options{recipeNamed(recipe), Handoff::curator,
                                      *flawNamed("ignoresDestruction")};
        EXPECT_TRUE(explore(options, 1, kSchedules).found) << recipe;
    }
}

// Both sides watch what they hold, and grant no re-entry after its loss.
TEST(ExploreReadWrite, CatchesHoldsThatAreNotWatchedAndThoseThatAreLost)
{
    for (const char* bug : {"acceptsAnySync", "unwatchedHold", "grantsLostHold", "readerOverlooksWriters",
                            "writerOverlooksReaders"}) {
        const ScheduleOptions options{recipeNamed("read-write"), Handoff::curator, *flawNamed(bug)};
        EXPECT_TRUE(explore(options, 1, kSchedules).found) << bug;
    }
}

// ---- the last numbers ----

// The server goes on with negative numbers, which sort in front of all others (ZOOKEEPER-2944).
TEST(ExploreLastNumbers, NoClientHoldsWithANumberThatOverflowed)
{
    for (const char* recipe : {"mutex", "read-write", "semaphore"}) {
        ScheduleOptions options{recipeNamed(recipe), Handoff::mixed, {}, true};
        const Exploration result = explore(options, 1, EXPLORED_SCHEDULES / 4);
        EXPECT_FALSE(result.found) << recipe << "\n" << result.text();
        EXPECT_GT(result.grants, result.schedules) << recipe;
        options.flaws = *flawNamed("acceptsOverflow");
        EXPECT_TRUE(explore(options, 1, kSchedules).found) << recipe;
    }
}

// An acquire was stopped while its uncertain lease was deleted, and left its node in the queue to the leases
// behind: its client's next acquire waited for that node for ever.
TEST(ExploreSemaphore, AStopDuringTheCleanUpLeavesNoNodeBehind)
{
    for (const auto& [seed, lastNumbers] : {std::pair(112'848, false), std::pair(17'528, false),
                                            std::pair(77'254, true), std::pair(7'964, true)}) {
        const ScheduleOptions options{recipeNamed("semaphore"), Handoff::mixed, {}, lastNumbers};
        const Exploration result = explore(options, static_cast<std::uint64_t>(seed), 1);
        EXPECT_FALSE(result.found) << result.text();
    }
}

// A late clean-up of a read acquire deleted the node by which the same client wrote.
TEST(ExploreReadWrite, OneSidesCleanUpLeavesTheOtherSideAlone)
{
    ScheduleOptions options;
    options.recipe = recipeNamed("read-write");
    options.handoff = Handoff::curator;
    for (const std::uint64_t seed : {26'538, 3'008, 4'746}) {
        const Exploration result = explore(options, seed, 1);
        EXPECT_FALSE(result.found) << result.text();
    }
}

TEST_P(Explore, TellsTheSameStoryForTheSameSeed)
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Outcome once = runSchedule(options, seed, true);
        const Outcome again = runSchedule(options, seed, true);
        ASSERT_EQ(once.scheduleLog, again.scheduleLog);
        ASSERT_EQ(once.choices, again.choices);
        ASSERT_EQ(runSchedule(options, seed, false).choices, once.choices) << "telling changes nothing";
        ASSERT_EQ(runSchedule(options, once.choices, true).scheduleLog, once.scheduleLog)
            << "the choices alone are enough";
    }
    EXPECT_NE(runSchedule(options, 1, true).scheduleLog, runSchedule(options, 2, true).scheduleLog);
}

// ---- the known mistakes ----

struct Mutant
{
    const char* bug;
    Handoff handoff;
    const char* invariant;
};
void PrintTo(const Mutant& mutant, std::ostream* out)
{
    *out << mutant.bug << ", " << handoffWord(mutant.handoff);
}

class ExploreMutant : public ::testing::TestWithParam<Mutant>
{};
INSTANTIATE_TEST_SUITE_P(
    Bug, ExploreMutant,
    ::testing::Values(
        Mutant{"noGuidSearch", Handoff::curator, "S5"}, Mutant{"noGuidSearch", Handoff::announced, "S5"},
        Mutant{"existsInsteadOfGet", Handoff::curator, "S8"},
        Mutant{"existsInsteadOfGet", Handoff::announced, "S8"},
        Mutant{"noOwnerCheck", Handoff::curator, "S2"}, Mutant{"noOwnerCheck", Handoff::announced, "S2"},
        Mutant{"forgetfulRelease", Handoff::curator, "S5"},
        Mutant{"forgetfulRelease", Handoff::announced, "S5"},
        Mutant{"wrongNeighbour", Handoff::curator, "S7"}, Mutant{"wrongNeighbour", Handoff::announced, "S7"},
        // Who lists after every wake-up does not care what is announced.
        Mutant{"announcesEarly", Handoff::announced, "S2"}, Mutant{"acceptsAnySync", Handoff::curator, "S5"},
        Mutant{"acceptsAnySync", Handoff::announced, "S5"}, Mutant{"unwatchedHold", Handoff::curator, "S2"},
        Mutant{"unwatchedHold", Handoff::announced, "S2"}, Mutant{"noOwnWatch", Handoff::announced, "S2"},
        // What a client of the lock does: a grant after a loss, an acquire of a lock that was destroyed.
        Mutant{"grantsLostHold", Handoff::curator, "S2"}, Mutant{"grantsLostHold", Handoff::announced, "S2"},
        Mutant{"ignoresDestruction", Handoff::curator, "S7"},
        Mutant{"ignoresDestruction", Handoff::announced, "S7"},
        // One for each rule of decide().
        Mutant{"trustsMissingNode", Handoff::curator, "S2"}, Mutant{"overlooksFirst", Handoff::curator, "S2"},
        Mutant{"watchesFirst", Handoff::curator, "S6"}),
    [](const auto& mutant) {
        return std::string(mutant.param.bug) + "_" + handoffWord(mutant.param.handoff);
    });

// The first schedule that breaks this invariant: some mistakes break several.
std::optional<Exploration::Found> findViolation(const ScheduleOptions& options, const std::string& invariant)
{
    for (std::uint64_t seed = 1; seed <= kSchedules;) {
        Exploration result = explore(options, seed, kSchedules + 1 - seed);
        if (!result.found || result.found->violation.invariant == invariant)
            return std::move(result.found);
        seed = result.found->seed + 1;
    }
    return std::nullopt;
}

TEST_P(ExploreMutant, IsCaught)
{
    const auto flaws = flawNamed(GetParam().bug);
    ASSERT_TRUE(flaws);
    const ScheduleOptions options{recipeNamed("mutex"), GetParam().handoff, *flaws};
    const auto found = findViolation(options, GetParam().invariant);
    ASSERT_TRUE(found) << "not caught in " << kSchedules << " schedules";
    EXPECT_THAT(found->scheduleLog, HasSubstr("VIOLATED  " + std::string(GetParam().invariant) + ": " +
                                              found->violation.what.english()));
    // Found again from the seed alone, word for word.
    EXPECT_EQ(runSchedule(options, found->seed, true).scheduleLog, found->scheduleLog);
    RecordProperty("seed", static_cast<int>(found->seed));

    Exploration result;
    result.found = found;
    EXPECT_THAT(result.text(), HasSubstr("Seed " + std::to_string(found->seed) + " violates " +
                                         GetParam().invariant + ": " + found->violation.what.english()));
}

TEST(ExploreNames, KnowsEveryFlawAndRefusesOthers)
{
    for (const FlawRow& row : allFlaws()) {
        const auto flaws = flawNamed(row.name);
        ASSERT_TRUE(flaws) << row.name;
        EXPECT_TRUE(flaws->any()) << row.name;
    }
    EXPECT_FALSE(flawNamed("noSuchFlaw"));
    EXPECT_FALSE(handoffNamed("noSuchHandoff"));
    EXPECT_EQ(recipeNamed("noSuchRecipe"), nullptr);
}

} // namespace
} // namespace lockscope::explore
