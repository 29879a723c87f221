// What fuzzers found, and what they begin with, read again by every test run.
#include "tests/history/history_fuzz.h"
#include "tests/support/fuzz.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

TEST(Corpus, HistoriesAreReadToTheEnd)
{
    EXPECT_GE(replayCorpus(LOCKSCOPE_HISTORY_CORPUS, readAsHistory), 20);
}

} // namespace
} // namespace lockscope::tests
