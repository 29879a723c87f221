// The search through all schedules: what it leaves out makes no difference, it finds every known mistake, and
// no step of what it finds can be left out.
#include "core/explore/built_lock.h"
#include "core/explore/counterexample.h"
#include "core/trace/trace_file.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace lockscope::explore {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Workload workloadOf(const char* recipe, HandoffPolicy handoff, std::uint32_t faults)
{
    Workload workload;
    workload.recipe = recipeNamed(recipe);
    if (!workload.recipe) {
        static std::map<std::string, std::shared_ptr<const Recipe>> built; // live as long as the program
        std::shared_ptr<const Recipe>& one = built[recipe];
        if (!one)
            one = runnable(loadBuiltRecipe(recipe).value());
        workload.recipe = one.get();
    }
    workload.handoff = handoff;
    workload.faults = faults;
    return workload;
}

// ---- what is left out ----

struct Compared
{
    const char* recipe;
    HandoffPolicy handoff;
    std::optional<StepKind> fault;
    const char* mistake = nullptr;
    std::uint32_t secondSides = 0;
};
void PrintTo(const Compared& compared, std::ostream* out)
{
    *out << compared.recipe << ", " << nameOf(compared.handoff) << ", "
         << (compared.fault ? nameOf(*compared.fault) : std::string_view("no fault")) << ", "
         << (compared.mistake ? compared.mistake : "no mistake");
}

Workload workloadOf(const Compared& compared)
{
    Workload workload = workloadOf(compared.recipe, compared.handoff, compared.fault ? 1 : 0);
    if (compared.fault)
        workload.kinds = {*compared.fault};
    workload.secondSides = compared.secondSides;
    return compared.mistake ? withMistake(workload, compared.mistake) : workload;
}

SearchResult allOf(const Workload& workload, bool reduced, bool merged)
{
    SearchOptions options;
    options.reduced = reduced;
    options.merged = merged;
    options.endsAtViolation = false;
    SearchResult result = search(workload, options);
    EXPECT_EQ(result.end, SearchEnd::all);
    EXPECT_THAT(result.outcomes, Not(IsEmpty()));
    return result;
}

class SearchLeavesOut : public ::testing::TestWithParam<Compared>
{};
INSTANTIATE_TEST_SUITE_P(
    Workloads, SearchLeavesOut,
    ::testing::Values(Compared{"mutex", HandoffPolicy::curator, std::nullopt},
                      Compared{"mutex", HandoffPolicy::announced, std::nullopt},
                      Compared{"read-write", HandoffPolicy::curator, std::nullopt, nullptr, 1},
                      Compared{"read-write", HandoffPolicy::curator, std::nullopt, "readerOverlooksWriters",
                               2},
                      Compared{"mutex", HandoffPolicy::curator, std::nullopt, "overlooksFirst"},
                      Compared{"mutex", HandoffPolicy::curator, StepKind::pausedBriefly},
                      Compared{"mutex", HandoffPolicy::curator, StepKind::nodeDeleted, "trustsMissingNode"},
                      Compared{"herd", HandoffPolicy::curator, std::nullopt},
                      Compared{"exists-watch", HandoffPolicy::curator, std::nullopt},
                      Compared{"trusts-its-belief", HandoffPolicy::curator, StepKind::sessionLost}));

TEST_P(SearchLeavesOut, NothingThatMakesADifference)
{
    const Workload workload = workloadOf(GetParam());
    const SearchResult all = allOf(workload, false, true);
    const SearchResult reduced = allOf(workload, true, true);
    EXPECT_EQ(reduced.outcomes, all.outcomes);
    EXPECT_LT(reduced.count.states, all.count.states);
    RecordProperty("states", static_cast<int>(all.count.states));
    RecordProperty("reduced", static_cast<int>(reduced.count.states));
}

TEST(SearchMerges, OnlyWhatGoesOnAlike)
{
    for (const char* mistake : {"", "overlooksFirst"}) {
        Workload workload = workloadOf("mutex", HandoffPolicy::curator, 0);
        if (*mistake)
            workload = withMistake(workload, mistake);
        const SearchResult merged = allOf(workload, true, true);
        const SearchResult apart = allOf(workload, true, false);
        EXPECT_EQ(merged.outcomes, apart.outcomes);
        EXPECT_LT(merged.count.states, apart.count.states);
    }
}

// Worlds that came to the same fingerprint on different ways.
TEST(SearchMerges, WorldsWithEqualFingerprintsThatHaveTheSameFuture)
{
    struct Future
    {
        Steps possible;
        std::map<std::size_t, Fingerprint> after; // by the step that was taken
    };
    const auto key = [](const Fingerprint& state) { return std::pair(state.high, state.low); };
    std::size_t met = 0; // again
    for (const char* recipe : {"mutex", "semaphore"}) {
        std::map<std::pair<std::uint64_t, std::uint64_t>, Future> known;
        for (std::uint64_t seed = 1; seed <= 150; ++seed) {
            SteppedWorld world(workloadOf(recipe, HandoffPolicy::announced, 2), false);
            Random random(seed);
            Future* last = nullptr;
            std::size_t choice = 0;
            for (;;) {
                const Fingerprint state = world.fingerprint();
                if (last) {
                    const auto before = last->after.try_emplace(choice, state);
                    ASSERT_EQ(before.first->second, state) << "seed " << seed;
                }
                Steps possible;
                world.possible(possible);
                const auto [place, isNew] = known.try_emplace(key(state));
                last = &place->second;
                if (isNew)
                    last->possible = possible;
                else
                    ++met;
                ASSERT_EQ(last->possible, possible) << "seed " << seed;
                ASSERT_FALSE(world.violation()) << world.violation()->what;
                if (possible.empty())
                    break;
                choice = static_cast<std::size_t>(
                    random.uniform(0, static_cast<std::int64_t>(possible.size()) - 1));
                world.take(possible[choice]);
            }
        }
    }
    EXPECT_GT(met, 100U);
}

// ---- bounds ----

TEST(Search, SaysAllOnlyWhenItWasAll)
{
    const Workload workload = workloadOf("mutex", HandoffPolicy::curator, 0);
    SearchOptions options;
    options.mostSchedules = 20;
    EXPECT_EQ(search(workload, options).end, SearchEnd::schedules);
    options.mostSchedules = 0;
    options.mostSteps = 12;
    EXPECT_EQ(search(workload, options).end, SearchEnd::steps);
    options.mostSteps = 1000;
    options.cancelled = [] { return true; };
    EXPECT_EQ(search(workload, options).end, SearchEnd::cancelled);
}

TEST(Search, FindsTheSameWithSeveralThreads)
{
    const Workload workload = workloadOf("mutex", HandoffPolicy::announced, 0);
    SearchOptions options;
    const SearchResult one = search(workload, options);
    options.threads = 3;
    const SearchResult three = search(workload, options);
    EXPECT_EQ(three.end, SearchEnd::all);
    EXPECT_EQ(three.count.states, one.count.states);
}

// ---- threads that share a node ----

// One client with a fault of any kind at any place, and two without.
TEST(SearchCohort, FindsNothingWrongInAnySchedule)
{
    for (const std::uint32_t clients : {1U, 2U}) {
        Workload workload = workloadOf("cohort", HandoffPolicy::curator, 2 - clients);
        workload.clients = clients;
        const SearchResult result = search(workload, {});
        EXPECT_EQ(result.end, SearchEnd::all);
        EXPECT_FALSE(result.violation) << result.violation->what;
        EXPECT_GT(result.count.ends, 0U);
        RecordProperty(std::to_string(clients), static_cast<int>(result.count.states));
    }
}

// ---- the known mistakes ----

struct SearchMutant
{
    const char* recipe;
    const char* mistake;
    HandoffPolicy handoff = HandoffPolicy::curator;
    std::uint32_t faults = 1;
    std::uint32_t clients = 2;
    std::uint32_t secondSides = 0;
};
void PrintTo(const SearchMutant& mutant, std::ostream* out)
{
    *out << mutant.mistake << ", " << mutant.recipe << ", " << nameOf(mutant.handoff);
}

class SearchFinds : public ::testing::TestWithParam<SearchMutant>
{};
INSTANTIATE_TEST_SUITE_P(
    Mistakes, SearchFinds,
    ::testing::Values(SearchMutant{"mutex", "noGuidSearch"}, SearchMutant{"mutex", "forgetfulRelease"},
                      SearchMutant{"mutex", "existsInsteadOfGet"},
                      SearchMutant{"mutex", "overlooksFirst", HandoffPolicy::curator, 0},
                      SearchMutant{"mutex", "trustsMissingNode"},
                      SearchMutant{"mutex", "watchesFirst", HandoffPolicy::curator, 0, 3},
                      SearchMutant{"mutex", "ordersByName", HandoffPolicy::curator, 0},
                      SearchMutant{"mutex", "grantsLostHold"},
                      SearchMutant{"mutex", "ignoresDestruction", HandoffPolicy::curator, 0},
                      SearchMutant{"mutex", "acceptsOverflow", HandoffPolicy::curator, 0},
                      SearchMutant{"read-write", "readerOverlooksWriters", HandoffPolicy::curator, 0, 2, 2},
                      SearchMutant{"read-write", "writerOverlooksReaders", HandoffPolicy::curator, 0, 2, 1}),
    [](const auto& mutant) {
        return std::string(mutant.param.mistake) + "_" + std::string(nameOf(mutant.param.handoff));
    });

TEST_P(SearchFinds, TheMistakeByAScheduleOfWhichNoStepCanBeLeftOut)
{
    Workload workload = workloadOf(GetParam().recipe, GetParam().handoff, GetParam().faults);
    workload.clients = GetParam().clients;
    workload.secondSides = GetParam().secondSides;
    workload = withMistake(workload, GetParam().mistake);
    const SearchResult result = search(workload, {});
    ASSERT_TRUE(result.violation);
    const Counterexample found = shortened(workload, result, std::chrono::milliseconds(0));
    EXPECT_EQ(found.violation.invariant, result.violation->invariant);
    EXPECT_LE(found.steps.size(), result.steps.size());
    EXPECT_THAT(found.log, HasSubstr("VIOLATED  " + found.violation.invariant));
    for (std::size_t i = 0; i < found.steps.size(); ++i) {
        Steps fewer = found.steps;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        const auto shorter = replay(workload, fewer);
        EXPECT_TRUE(!shorter || shorter->violation.invariant != found.violation.invariant ||
                    shorter->steps.size() >= found.steps.size())
            << "without step " << i;
    }
    RecordProperty("steps", static_cast<int>(found.steps.size()));
}

// ---- the trace of a counterexample ----

TEST(Counterexample, IsATraceThatCanBeRead)
{
    const Workload workload =
        withMistake(workloadOf("mutex", HandoffPolicy::curator, 1), "trustsMissingNode");
    const Counterexample found = shortened(workload, search(workload, {}), std::chrono::milliseconds(0));
    const tests::TempFolder folder;
    const auto file = folder.path() / "found.jsonl";
    const Result<void> written = writeTrace(file, workload, found);
    ASSERT_TRUE(written) << written.error().text();
    const Result<trace::LoadedTrace> loaded = trace::loadTrace(file);
    ASSERT_TRUE(loaded) << loaded.error().text();
    const trace::TraceStore& store = *loaded->store;
    EXPECT_EQ(store.header().title, found.violation.invariant + ": " + found.violation.what.english());
    std::map<std::size_t, int> count; // of each kind of event
    for (std::size_t i = 0; i < store.count(); ++i)
        ++count[store.at(i).what.index()];
    const auto of = [&]<class What>(const What& what) { return count[trace::Payload(what).index()]; };
    EXPECT_EQ(of(trace::ClientAdded{}), 2);
    EXPECT_EQ(of(trace::LockAdded{}), 1);
    EXPECT_GE(of(trace::Command{}), 1); // the fault
    EXPECT_GE(of(trace::NodeSeen{}), 1);
    EXPECT_GE(of(trace::Acquired{}), 1);
    EXPECT_EQ(of(trace::RunPhaseChanged{}), 2);
}

} // namespace
} // namespace lockscope::explore
