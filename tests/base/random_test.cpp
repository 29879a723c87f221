// Seeded numbers: the same run for the same seed, today and on another machine.
#include "core/base/random.h"

#include <gtest/gtest.h>

namespace lockscope {
namespace {

// Saved scenarios with a seed keep their meaning only while these numbers stay: xoshiro256** seeded by
// splitmix64.
TEST(Random, GivesTheKnownNumbersOfSeedZero)
{
    Random random(0);
    EXPECT_EQ(random.next(), 0x99EC5F36CB75F2B4ULL);
    EXPECT_EQ(random.next(), 0xBF6E1F784956452AULL);
    EXPECT_EQ(random.next(), 0x1A5F849D4933E6E0ULL);
}

} // namespace
} // namespace lockscope
