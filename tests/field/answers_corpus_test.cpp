// What a fuzzer once found, and what it began with.
#include "tests/field/answers_fuzz.h"

#include "tests/support/fuzz.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

TEST(AnswersCorpus, IsReadToTheEnd) { EXPECT_GE(replayCorpus(LOCKSCOPE_ANSWERS_CORPUS, readAsAnswers), 10); }

} // namespace
} // namespace lockscope::tests
