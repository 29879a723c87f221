// Seeded numbers: the same run for the same seed, today and on another machine.
#include "core/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

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

TEST(Random, UniformReachesBothEndsAndNothingBeyond)
{
    Random random(1);
    std::array<int, 7> seen{};
    for (int i = 0; i < 7000; ++i) {
        const std::int64_t value = random.uniform(-3, 3);
        ASSERT_GE(value, -3);
        ASSERT_LE(value, 3);
        ++seen[static_cast<std::size_t>(value + 3)];
    }
    for (const int count : seen)
        EXPECT_GT(count, 800); // 1000 expected; the seed is fixed, so this is no gamble
}

TEST(Random, UnitStaysBelowOne)
{
    Random random(1);
    double sum = 0;
    for (int i = 0; i < 10000; ++i) {
        const double value = random.unit();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
    }
    EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

} // namespace
} // namespace lockscope
