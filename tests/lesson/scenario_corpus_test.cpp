// What a fuzzer once found, and what it began with.
#include "tests/lesson/scenario_fuzz.h"

#include "tests/support/fuzz.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

TEST(ScenarioCorpus, IsReadToTheEnd)
{
    EXPECT_GE(replayCorpus(LOCKSCOPE_SCENARIO_CORPUS, readAsScenario), 10);
}

} // namespace
} // namespace lockscope::tests
