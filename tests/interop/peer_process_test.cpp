// A peer that misbehaves is reported, and leaves nothing behind.
#include "tests/interop/peer_process.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;

PeerProcess::Started shell(const std::string& script)
{
    return PeerProcess::start({"/bin/sh", "-c", script});
}

TEST(PeerProcess, AnswersInLines)
{
    const auto peer = shell("echo ready; read order; echo one $order; echo two; echo one more; read end");
    ASSERT_TRUE(peer) << peer.error().text();
    (*peer)->writeLine("please");
    EXPECT_EQ((*peer)->await("two").value(), "two");
    EXPECT_EQ((*peer)->take("one"), "one please");
    EXPECT_TRUE((*peer)->await("one"));
    EXPECT_FALSE((*peer)->has("one"));
}

TEST(PeerProcess, ThatEndsIsReportedWithItsLastWords)
{
    const auto early = shell("echo out of luck >&2");
    ASSERT_FALSE(early);
    EXPECT_THAT(early.error().text(), HasSubstr("out of luck"));

    const auto late = shell("echo ready; read order; echo failed 3 no lock");
    ASSERT_TRUE(late);
    (*late)->writeLine("acquire");
    EXPECT_THAT((*late)->await("acquired").error().message.english(), HasSubstr("failed 3 no lock"));
    EXPECT_THAT((*late)->await("acquired").error().message.english(), HasSubstr("ended"));
    (*late)->writeLine("not received");
}

TEST(PeerProcess, ThatSaysNothingIsNotWaitedForLongerThanTheLimit)
{
    const auto peer = shell("echo ready; read order; read more");
    ASSERT_TRUE(peer);
    EXPECT_EQ((*peer)->await("acquired", std::chrono::milliseconds(1)).error().code, ErrorCode::timedOut);
}

TEST(PeerProcess, IsGoneWithItsObject)
{
    auto peer = shell("echo ready; while :; do read order || true; done");
    ASSERT_TRUE(peer);
    const std::string process = "/proc/" + std::to_string((*peer)->pid());
    EXPECT_TRUE(std::filesystem::exists(process));
    EXPECT_GT((*peer)->peakKilobytes(), 0);
    EXPECT_EQ((*peer)->threads(), 1);
    peer->reset();
    EXPECT_FALSE(std::filesystem::exists(process));
}

} // namespace
} // namespace lockscope::tests
