// Whose recipe a node's name belongs to, and where it stands in the queue.
#include "core/history/sequential_name.h"

#include <gtest/gtest.h>

namespace lockscope::history {
namespace {

constexpr const char* kGuid = "_c_0e59e3d5-9c1c-4a0e-bb3f-0a3c2d1e4f50-";
constexpr const char* kHex = "0123456789abcdef0123456789abcdef";

SequentialName parsed(const std::string& name)
{
    const auto result = parseSequentialName(name);
    EXPECT_TRUE(result) << name;
    return result.value_or(SequentialName{});
}

TEST(SequentialName, TellsTheRecipe)
{
    const auto check = [](const std::string& name, NamingScheme naming, NodeRole role) {
        EXPECT_EQ(parsed(name).naming, naming) << name;
        EXPECT_EQ(parsed(name).role, role) << name;
        EXPECT_EQ(parsed(name).number, 42) << name;
    };
    check(std::string(kGuid) + "lock-0000000042", NamingScheme::curator, NodeRole::exclusive);
    check(std::string(kGuid) + "__READ__0000000042", NamingScheme::curator, NodeRole::reader);
    check(std::string(kGuid) + "__WRIT__0000000042", NamingScheme::curator, NodeRole::writer);
    check(std::string(kGuid) + "lease-0000000042", NamingScheme::curator, NodeRole::lease);
    check(std::string(kGuid) + "latch-0000000042", NamingScheme::curator, NodeRole::leader);
    check(std::string(kHex) + "__lock__0000000042", NamingScheme::kazoo, NodeRole::exclusive);
    check(std::string(kHex) + "__rlock__0000000042", NamingScheme::kazoo, NodeRole::reader);
    check("x-0100000012ab0003-0000000042", NamingScheme::zooKeeperC, NodeRole::exclusive);
    check("n_0000000042", NamingScheme::other, NodeRole::exclusive);
    check("0000000042", NamingScheme::other, NodeRole::exclusive);
}

TEST(SequentialName, WantsTenDigits)
{
    for (const char* name : {"", "lock-", "lock-000000042", "lock-000000004x", "holder"})
        EXPECT_FALSE(parseSequentialName(name)) << name;
    EXPECT_FALSE(parseSequentialName("lock-9999999999")) << "no 32-bit number";
}

// The counter went from 2147483647 to -2147483648; the clients compare text.
TEST(SequentialName, AWrappedNumberComesBeforeAllOthers)
{
    const SequentialName first = parsed("lock--2147483648"), second = parsed("lock--2147483647");
    EXPECT_EQ(first.number, -2147483648LL);
    EXPECT_LT(second.order, first.order);
    EXPECT_LT(first.order, parsed("lock-0000000000").order);
    EXPECT_LT(parsed("lock-0000000009").order, parsed("lock-2147483647").order);
}

TEST(SequentialName, KnowsKazoosLease)
{
    EXPECT_TRUE(isKazooLeaseName(kHex));
    EXPECT_FALSE(parseSequentialName("01234567890123456789012345678901")) << "a lease, too";
    EXPECT_FALSE(isKazooLeaseName("0123"));
}

} // namespace
} // namespace lockscope::history
