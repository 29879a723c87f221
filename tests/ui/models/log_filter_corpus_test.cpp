// What a fuzzer once found, and what it began with.
#include "tests/ui/models/log_filter_fuzz.h"

#include "tests/support/fuzz.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

TEST(LogFilterCorpus, IsReadToTheEnd)
{
    EXPECT_GE(replayCorpus(LOCKSCOPE_LOG_FILTER_CORPUS, readAsLogFilter), 10);
}

} // namespace
} // namespace lockscope::tests
