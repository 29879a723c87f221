// What a fuzzer once found, and what it began with.
#include "tests/trace/trace_fuzz.h"

#include "tests/support/fuzz.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

TEST(TraceCorpus, IsReadToTheEnd) { EXPECT_GE(replayCorpus(LOCKSCOPE_TRACE_CORPUS, readAsTrace), 10); }

} // namespace
} // namespace lockscope::tests
