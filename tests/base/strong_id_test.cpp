// Ids that cannot be mixed up, and know when they are none.
#include "core/base/ids.h"

#include <gtest/gtest.h>

namespace lockscope {
namespace {

// A fence refuses what is smaller than the newest: a zxid that was never set must be that, and nothing may be
// refused because of it.
TEST(StrongId, NoZxidIsLessThanEveryZxid)
{
    EXPECT_LT(Zxid::none(), Zxid{0});
    EXPECT_LT(Zxid::none(), Zxid{-1});
    EXPECT_GT(OwnerId::none(), OwnerId{42});
}

} // namespace
} // namespace lockscope
