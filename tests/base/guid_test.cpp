// Names for protected creates: as Curator writes them, and never twice.
#include "core/base/guid.h"

#include <gmock/gmock.h>

namespace lockscope {
namespace {

TEST(Guid, LooksLikeARandomUuidOfJava)
{
    GuidSource source(1);
    for (int i = 0; i < 100; ++i)
        ASSERT_THAT(
            source.next(),
            ::testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

TEST(Guid, DiffersBetweenSourcesOfOneProcess)
{
    GuidSource one;
    GuidSource other;
    EXPECT_NE(one.next(), other.next());
}

} // namespace
} // namespace lockscope
