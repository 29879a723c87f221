// Whose a node is, and whose words its data are.
#include "core/queue/owner.h"

#include <gtest/gtest.h>

namespace lockscope::queue {
namespace {

constexpr std::int64_t kServer255 = static_cast<std::int64_t>(0xff000012ab340001);

TEST(Owner, AServerWithTheId255OpensSessions)
{
    EXPECT_EQ(ownerKindOf(0), OwnerKind::persistent);
    EXPECT_EQ(ownerKindOf(0x100000012ab0003), OwnerKind::session);
    EXPECT_EQ(ownerKindOf(std::numeric_limits<std::int64_t>::min()), OwnerKind::container);
    EXPECT_EQ(ownerKindOf(kServer255), OwnerKind::session);
    EXPECT_EQ(ownerKindOf(kServer255, true), OwnerKind::ttl);
}

TEST(Owner, SaysWhatItWroteAtTheCreation)
{
    EXPECT_TRUE(isOwnersWord(Zxid{5}, Zxid{5}, "host-a"));
    EXPECT_FALSE(isOwnersWord(Zxid{5}, Zxid{6}, "host-b")) << "anyone may have written that";
    EXPECT_TRUE(isOwnersWord(Zxid{5}, Zxid{6}, "host 12 reader __HOLDS__"));
    EXPECT_TRUE(isAnnouncement("__HOLDS__"));
    EXPECT_FALSE(isAnnouncement("x__HOLDS__"));
    EXPECT_FALSE(isAnnouncement("__HOLDS"));
}

TEST(Owner, NamesItsHost)
{
    EXPECT_EQ(identityOf("10.1.2.3"), "10.1.2.3");
    EXPECT_EQ(identityOf("host 12 reader"), "host 12 reader");
    EXPECT_EQ(identityOf("application"), "");
}

} // namespace
} // namespace lockscope::queue
