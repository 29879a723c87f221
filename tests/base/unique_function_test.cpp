// Handlers that own what they answer to.
#include "core/base/unique_function.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace lockscope {
namespace {

TEST(UniqueFunction, TakesWhatCannotBeCopied)
{
    UniqueFunction<int(int)> function = [held = std::make_unique<int>(40)](int more) { return *held + more; };
    EXPECT_EQ(function(2), 42);
}

template <std::size_t size>
struct Sized
{
    std::shared_ptr<int> held;
    std::array<char, size> bytes;
    int operator()() const { return *held + bytes[size - 1]; }
};

// Those that are kept inside and those that are not.
template <std::size_t size>
void movesAndLetsGo()
{
    const auto held = std::make_shared<int>(40);
    Sized<size> sized{held, {}};
    sized.bytes[size - 1] = 2;
    {
        UniqueFunction<int()> first = std::move(sized);
        UniqueFunction<int()> second = std::move(first);
        UniqueFunction<int()> third;
        third = std::move(second);
        EXPECT_EQ(third(), 42);
        EXPECT_EQ(held.use_count(), 2);
        third = [] { return 1; };
        EXPECT_EQ(held.use_count(), 1);
        EXPECT_EQ(third(), 1);
    }
    EXPECT_EQ(held.use_count(), 1);
}

TEST(UniqueFunction, MovesWhatItHoldsWhateverItsSize)
{
    movesAndLetsGo<1>();
    movesAndLetsGo<16>();
    movesAndLetsGo<17>();
    movesAndLetsGo<4000>();
}

} // namespace
} // namespace lockscope
