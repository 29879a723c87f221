// Who holds and who waits behind whom, by the one rule.
#include "core/queue/standing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockscope::queue {
namespace {

// "h" for each node that holds, "3" for one that waits behind the node 3, "." for one that does neither.
std::string standing(const std::vector<std::pair<Library, Role>>& nodes, std::size_t foreignBefore = 99,
                     bool oneQueue = false)
{
    Standing rule(oneQueue);
    std::string all;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Standing::Place place = rule.next(nodes[i].first, nodes[i].second, i, i >= foreignBefore);
        all += place.holds                         ? "h"
               : !place.waits                      ? "."
               : place.behind == Standing::kNobody ? "f"
                                                   : std::to_string(place.behind);
    }
    return all;
}

constexpr auto kCurator = Library::curator, kKazoo = Library::kazoo, kHive = Library::hive;

TEST(Standing, AMutexIsHeldByTheFirst)
{
    EXPECT_EQ(
        standing(
            {{kCurator, Role::exclusive}, {kCurator, Role::exclusive}, {Library::goZk, Role::exclusive}}),
        "h01");
}

TEST(Standing, ReadersHoldTogether)
{
    EXPECT_EQ(
        standing(
            {{kHive, Role::reader}, {kHive, Role::reader}, {kHive, Role::reader}, {kHive, Role::writer}}),
        "hhh2");
    EXPECT_EQ(standing({{kCurator, Role::writer}, {kCurator, Role::writer}, {kCurator, Role::reader}}), "h00")
        << "Curator's reader watches the first writer";
    EXPECT_EQ(standing({{kKazoo, Role::exclusive}, {kKazoo, Role::exclusive}, {kKazoo, Role::reader}}), "h01")
        << "kazoo's the nearest";
}

TEST(Standing, LibrariesThatDoNotCountEachOtherDoNotWaitForEachOther)
{
    EXPECT_EQ(standing({{kCurator, Role::exclusive},
                        {kKazoo, Role::exclusive},
                        {kCurator, Role::exclusive},
                        {kKazoo, Role::exclusive}}),
              "hh01");
    EXPECT_EQ(standing({{kCurator, Role::exclusive}, {kKazoo, Role::exclusive}, {kCurator, Role::exclusive}},
                       99, true),
              "h01")
        << "kazoo's extra_lock_patterns";
}

// Each looks for its own word in the names, and to it those of the others sort behind all numbers.
TEST(Standing, CuratorsRecipesDoNotWaitForEachOther)
{
    EXPECT_EQ(standing({{kCurator, Role::leader},
                        {kCurator, Role::exclusive},
                        {kCurator, Role::reader},
                        {kCurator, Role::writer},
                        {kCurator, Role::exclusive},
                        {kCurator, Role::leader}}),
              "hhh210");
}

TEST(Standing, NobodyHoldsBehindAForeignNode)
{
    EXPECT_EQ(standing({{kCurator, Role::exclusive}, {kCurator, Role::exclusive}}, 0), "f0");
    EXPECT_EQ(standing({{kKazoo, Role::exclusive}}, 0), "h") << "kazoo counts its own names only";
}

TEST(Standing, WhatIsNoContenderStandsNowhere)
{
    EXPECT_EQ(
        standing(
            {{Library::none, Role::none}, {Library::serverSets, Role::member}, {kCurator, Role::exclusive}}),
        "..h");
}

} // namespace
} // namespace lockscope::queue
