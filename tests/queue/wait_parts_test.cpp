// How the time of a wait is divided by what is known of it.
#include "core/queue/wait_parts.h"

#include <gmock/gmock.h>

#include <numeric>
#include <string>

namespace lockscope::queue {
namespace {

using enum WaitPart;

const std::vector<WaitPart> kAllParts = {noServer, leaderChange, silentHolder, held, handoff, serverLatency};

// "held 7, not_known 3; held by 0: 7"
std::string shown(const WaitSplit& split)
{
    std::string text;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < kWaitParts; ++i) {
        const auto part = static_cast<WaitPart>(i);
        sum += split.of(part).value_or(0);
        if (split.of(part) != std::optional<std::int64_t>(0))
            text += (text.empty() ? "" : ", ") + std::string(name(part)) + ' ' +
                    (split.of(part) ? std::to_string(*split.of(part)) : "?");
    }
    EXPECT_EQ(sum, split.whole) << "the parts add up: " << text;
    for (const WaitSplit::Share& one : split.holders)
        text += "; " + std::string(name(one.part)) + " by " + std::to_string(one.holder) + ": " +
                std::to_string(one.span);
    return text;
}

TEST(WaitParts, AddUpToTheWait)
{
    EXPECT_EQ(shown(splitWait(100, 110, {}, kAllParts)), "not_known 10");
    EXPECT_EQ(shown(splitWait(100, 100, {{held, 0, 200, 1}}, kAllParts)), "");
    EXPECT_EQ(shown(splitWait(100, 110, {{held, 0, 103, 1}, {held, 104, 200, 2}}, kAllParts)),
              "held 9, not_known 1; held by 2: 6; held by 1: 3");
    EXPECT_EQ(
        shown(splitWait(100, 110,
                        {{held, 90, 105, 1}, {handoff, 105, 106}, {held, 106, 109, 2}, {held, 109, 110, 1}},
                        kAllParts)),
        "held 9, handoff 1; held by 1: 6; held by 2: 3");
}

TEST(WaitParts, AMomentCountsOnce)
{
    EXPECT_EQ(shown(splitWait(0, 100,
                              {{held, 0, 90, 7},
                               {silentHolder, 40, 90, 7},
                               {noServer, 30, 50},
                               {leaderChange, 45, 60},
                               {handoff, 80, 95},
                               {serverLatency, 0, 97}},
                              kAllParts)),
              "no_server 20, leader_change 10, silent_holder 30, held 30, handoff 5, server_latency 2, "
              "not_known 3; "
              "silent_holder by 7: 30; held by 7: 30");
    EXPECT_EQ(shown(splitWait(0, 10, {{held, 0, 10, 1}, {held, 2, 10, 2}}, kAllParts)),
              "held 10; held by 1: 10")
        << "readers hold together: the one that came first";
}

TEST(WaitParts, WhatASourceCannotTellIsNone)
{
    const WaitSplit split =
        splitWait(0, 10, {{held, 0, 8, 1}, {silentHolder, 2, 8, 1}, {noServer, 0, 4}}, {held, noServer});
    EXPECT_EQ(shown(split),
              "no_server 4, leader_change ?, silent_holder ?, held 4, handoff ?, server_latency ?, "
              "not_known 2; held by 1: 4");
}

} // namespace
} // namespace lockscope::queue
