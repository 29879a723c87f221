// The fence of a file: the writer with the greatest token wins, wherever the others were stopped.
#include "core/lock/fence.h"

#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;

class FenceFile : public ::testing::Test
{
protected:
    std::string content() const
    {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    ErrorCode refused(std::int64_t token, Duration patience = std::chrono::seconds(10))
    {
        const Result<void> written = fence::replaceFile(file, Zxid{token}, "refused", patience);
        EXPECT_FALSE(written);
        return written ? ErrorCode::internal : written.error().code;
    }

    TempFolder folder;
    const std::filesystem::path file{folder / "data"};
};

TEST_F(FenceFile, TheGreatestTokenWins)
{
    ASSERT_TRUE(fence::replaceFile(file, Zxid{5}, "five"));
    ASSERT_TRUE(fence::replaceFile(file, Zxid{5}, "five again"));
    ASSERT_TRUE(fence::replaceFile(file, Zxid{0x100000007}, "seven"));
    const Result<void> late = fence::replaceFile(file, Zxid{0x100000006}, "late");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::notOwner);
    EXPECT_THAT(late.error().text(), HasSubstr("4294967303"));
    EXPECT_EQ(content(), "seven");
    EXPECT_EQ(refused(Zxid::kNone), ErrorCode::badUsage);
    EXPECT_EQ(content(), "seven");
}

// A process is stopped between the check of its lock and its write; the lock goes to another one meanwhile.
TEST_F(FenceFile, AWriterThatWasPausedIsRefused)
{
    ASSERT_TRUE(fence::replaceFile(file, Zxid{5}, "old"));
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::raise(SIGSTOP);
        const Result<void> written = fence::replaceFile(file, Zxid{5}, "late");
        ::_exit(!written && written.error().code == ErrorCode::notOwner ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
    ASSERT_TRUE(WIFSTOPPED(status));
    ASSERT_TRUE(fence::replaceFile(file, Zxid{7}, "new"));
    ::kill(child, SIGCONT);
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(content(), "new");
}

// It is stopped in the middle: nobody can know whether it will go on, so the next one does not write beside
// it.
TEST_F(FenceFile, AWriterThatWasPausedHalfWayIsWaitedFor)
{
    ASSERT_TRUE(fence::replaceFile(file, Zxid{5}, "old"));
    const int half = ::open((file.string() + ".token").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::flock(half, LOCK_EX), 0);
    EXPECT_EQ(refused(7, std::chrono::milliseconds(20)), ErrorCode::timedOut);
    EXPECT_EQ(content(), "old");
    ::close(half); // its process has ended
    ASSERT_TRUE(fence::replaceFile(file, Zxid{7}, "new"));
    EXPECT_EQ(content(), "new");
}

TEST_F(FenceFile, WhatIsNoTokenLetsNobodyWrite)
{
    for (const char* text : {"seven\n", "7", "7x\n", "99999999999999999999\n"}) {
        std::ofstream(file.string() + ".token") << text;
        EXPECT_EQ(refused(8), ErrorCode::badInput) << text;
    }
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(FenceFile, SaysWhatCannotBeWritten)
{
    const Result<void> failed = fence::replaceFile(folder / "missing/data", Zxid{1}, "");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::ioFailed);
    EXPECT_THAT(failed.error().text(), HasSubstr("missing/data"));
}

// Others read and write it as before.
TEST_F(FenceFile, KeepsThePermissionsOfTheFile)
{
    std::ofstream(file.string()) << "old";
    std::filesystem::permissions(file, std::filesystem::perms(0666));
    ASSERT_TRUE(fence::replaceFile(file, Zxid{5}, "new"));
    EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0666));
}

} // namespace
} // namespace lockscope::tests
