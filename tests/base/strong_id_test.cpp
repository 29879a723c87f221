// Ids that cannot be mixed up, and know when they are none.
#include "core/base/ids.h"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>

namespace lockscope {
namespace {

static_assert(!std::is_convertible_v<ClientId, LockId>);
static_assert(!std::is_convertible_v<SessionId, Zxid>);
static_assert(!std::equality_comparable_with<ClientId, OwnerId>);

// A fence refuses what is smaller than the newest: a zxid that was never set must be that, and nothing may be
// refused because of it.
TEST(StrongId, NoZxidIsLessThanEveryZxid)
{
    EXPECT_LT(Zxid::none(), Zxid{0});
    EXPECT_LT(Zxid::none(), Zxid{-1});
    EXPECT_LT(SessionId{}, SessionId{0});
    EXPECT_GT(OwnerId::none(), OwnerId{42});
}

} // namespace
} // namespace lockscope
