// Handlers that own what they answer to.
#include "core/base/unique_function.h"

#include <gtest/gtest.h>

#include <string>

namespace lockscope {
namespace {

TEST(UniqueFunction, IsEmptyUntilItHoldsSomething)
{
    UniqueFunction<void()> function;
    EXPECT_FALSE(function);
    function = [] {};
    EXPECT_TRUE(function);
    function = nullptr;
    EXPECT_FALSE(function);
}

TEST(UniqueFunction, TakesWhatCannotBeCopied)
{
    UniqueFunction<int(int)> function = [held = std::make_unique<int>(40)](int more) { return *held + more; };
    EXPECT_EQ(function(2), 42);
}

TEST(UniqueFunction, KeepsTheStateOfTheClosureBetweenCalls)
{
    UniqueFunction<int()> function = [calls = 0]() mutable { return ++calls; };
    EXPECT_EQ(function(), 1);
    EXPECT_EQ(function(), 2);
}

TEST(UniqueFunction, PassesMoveOnlyArgumentsOn)
{
    UniqueFunction<std::string(std::unique_ptr<std::string>)> function =
        [](std::unique_ptr<std::string> text) { return *text; };
    EXPECT_EQ(function(std::make_unique<std::string>("moved")), "moved");
}

TEST(UniqueFunction, LeavesTheMovedFromOneEmpty)
{
    UniqueFunction<int()> from = [] { return 1; };
    UniqueFunction<int()> to = std::move(from);
    EXPECT_FALSE(from);
    EXPECT_EQ(to(), 1);
}

TEST(UniqueFunction, LetsGoOfWhatItHeld)
{
    const auto held = std::make_shared<int>(1);
    UniqueFunction<void()> function = [held] {};
    EXPECT_EQ(held.use_count(), 2);
    function = nullptr;
    EXPECT_EQ(held.use_count(), 1);
}

} // namespace
} // namespace lockscope
