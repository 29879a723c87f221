// Ids that cannot be mixed up, and know when they are none.
#include "core/base/ids.h"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>
#include <unordered_set>

namespace lockscope {
namespace {

static_assert(!std::is_convertible_v<ClientId, LockId>);
static_assert(!std::is_convertible_v<SessionId, Zxid>);
static_assert(!std::equality_comparable_with<ClientId, OwnerId>);

TEST(StrongId, IsNoneUntilItIsGivenANumber)
{
    EXPECT_FALSE(ClientId{}.valid());
    EXPECT_EQ(ClientId{}, ClientId::none());
    EXPECT_TRUE(ClientId{0}.valid());
    EXPECT_NE(ClientId{0}, ClientId::none());
}

TEST(StrongId, OrdersByItsNumber)
{
    EXPECT_LT(Zxid{-1}, Zxid{0});
    EXPECT_LT(Zxid{41}, Zxid{42});
}

// A fence refuses what is smaller than the newest: a zxid that was never set must be that, and nothing may be
// refused because of it.
TEST(StrongId, NoZxidIsLessThanEveryZxid)
{
    EXPECT_LT(Zxid::none(), Zxid{0});
    EXPECT_LT(Zxid::none(), Zxid{-1});
    EXPECT_LT(SessionId{}, SessionId{0});
    EXPECT_GT(OwnerId::none(), OwnerId{42});
}

TEST(StrongId, IsAKeyOfAHashTable)
{
    const std::unordered_set<SessionId> sessions{SessionId{1}, SessionId{2}, SessionId{1}};
    EXPECT_EQ(sessions.size(), 2U);
    EXPECT_TRUE(sessions.contains(SessionId{2}));
    EXPECT_FALSE(sessions.contains(SessionId{3}));
}

} // namespace
} // namespace lockscope
