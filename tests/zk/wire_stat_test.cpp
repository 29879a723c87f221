// Who owns a node, by the Stat on the wire.
#include "core/zk/wire/messages.h"

#include <gtest/gtest.h>

#include <limits>

namespace lockscope::zk::wire {
namespace {

SessionId ownerIn(std::int64_t owner)
{
    jute::Writer stat;
    stat.int64(1).int64(1).int64(0).int64(0).int32(0).int32(0).int32(0).int64(owner).int32(0).int32(0).int64(
        1);
    const std::string bytes = stat.bytes();
    jute::Reader reader(bytes);
    return readStat(reader).stat.ephemeralOwner;
}

TEST(WireStat, AServerWithTheId255OpensSessions)
{
    constexpr auto kOfServer255 = static_cast<std::int64_t>(0xff000012ab340001);
    EXPECT_EQ(ownerIn(kOfServer255), SessionId{kOfServer255}) << "no node with a time to live";
    EXPECT_EQ(ownerIn(0x100000012ab0003), SessionId{0x100000012ab0003});
    EXPECT_FALSE(ownerIn(0).valid());
    EXPECT_FALSE(ownerIn(std::numeric_limits<std::int64_t>::min()).valid()) << "a container";
}

} // namespace
} // namespace lockscope::zk::wire
