// What becomes of the target of a file that is written for a person: links, devices, permissions, failures.
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <grp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <sstream>

namespace lockscope {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kOtherUser = 65'534;

std::string contentOf(const fs::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

struct OutputFileTest : testing::Test
{
    OutputFileTest() { prepareStandardStreams(); }

    static std::error_code put(const fs::path& path, std::string_view text)
    {
        OutputFile file;
        std::error_code error = file.open(path);
        if (!error)
            error = file.write(text);
        return error ? error : file.commit();
    }
    void make(const char* name, const std::string& text) const { std::ofstream(folder / name) << text; }
    std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder.path()), {}); }

    const tests::TempFolder folder;
};

// In a child, as a user who is not root. Its exit code.
int asOtherUser(const std::function<int()>& body)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(::geteuid() == 0 && (::setgroups(0, nullptr) != 0 ||
                                     ::setresgid(kOtherUser, kOtherUser, kOtherUser) != 0 ||
                                     ::setresuid(kOtherUser, kOtherUser, kOtherUser) != 0)
                    ? 200
                    : body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

TEST_F(OutputFileTest, KeepsThePermissions)
{
    make("a", "old");
    for (const mode_t mode : {0600U, 0644U, 0664U, 0755U}) {
        ::chmod((folder / "a").c_str(), mode);
        ASSERT_FALSE(put(folder / "a", "new"));
        EXPECT_EQ(fs::status(folder / "a").permissions(), fs::perms(mode));
    }
}

TEST_F(OutputFileTest, KeepsTheOwner)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root gives files away";
    make("a", "old");
    ASSERT_EQ(::chown((folder / "a").c_str(), kOtherUser, kOtherUser), 0);
    ::chmod((folder / "a").c_str(), 0640);
    ASSERT_FALSE(put(folder / "a", "new"));
    struct stat now = {};
    ASSERT_EQ(::stat((folder / "a").c_str(), &now), 0);
    EXPECT_EQ(now.st_uid, kOtherUser);
    EXPECT_EQ(now.st_gid, kOtherUser);
    EXPECT_EQ(now.st_mode & 0777U, 0640U);
}

// Who may not give the file to its group does not give its own group what the old one had.
TEST_F(OutputFileTest, AGroupThatCannotBeKeptGetsNoMoreThanOthers)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root makes a file of another group";
    make("a", "old");
    ASSERT_EQ(::chown((folder / "a").c_str(), kOtherUser, 0),
              0); // the group of root, which that user is not in
    ::chmod((folder / "a").c_str(), 0660);
    ::chmod(folder.path().c_str(), 0777);
    EXPECT_EQ(asOtherUser([&] { return put(folder / "a", "new").value(); }), 0);
    struct stat now = {};
    ASSERT_EQ(::stat((folder / "a").c_str(), &now), 0);
    EXPECT_NE(now.st_gid, 0U);
    EXPECT_EQ(now.st_mode & 0777U, 0600U);
}

TEST_F(OutputFileTest, ALinkToItselfIsAnError)
{
    fs::create_symlink("loop", folder / "loop");
    EXPECT_EQ(put(folder / "loop", "text"), std::errc::too_many_symbolic_link_levels);
}

TEST_F(OutputFileTest, AnotherHardLinkKeepsTheOldContent)
{
    make("a", "old");
    fs::create_hard_link(folder / "a", folder / "b");
    ASSERT_FALSE(put(folder / "a", "new"));
    EXPECT_EQ(contentOf(folder / "a"), "new");
    EXPECT_EQ(contentOf(folder / "b"), "old");
}

TEST_F(OutputFileTest, ADeviceIsWrittenAsItIs)
{
    // Made here, so that a mistake cannot hurt the machine's.
    if (::mknod((folder / "full").c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0)
        GTEST_SKIP() << "no device can be made here: " << strerrordesc_np(errno);
    EXPECT_EQ(put(folder / "full", "text"), std::errc::no_space_on_device);
    EXPECT_TRUE(fs::is_character_file(folder / "full"));
    ASSERT_EQ(::mknod((folder / "null").c_str(), S_IFCHR | 0600, makedev(1, 3)), 0);
    EXPECT_FALSE(put(folder / "null", "text"));
    EXPECT_TRUE(fs::is_character_file(folder / "null"));
    EXPECT_EQ(entries(), 2);
}

TEST_F(OutputFileTest, AFolderOrAFileThatMayNotBeWrittenIsAnError)
{
    make("a", "old");
    ::chmod((folder / "a").c_str(), 0444);
    ::chmod(folder.path().c_str(), 0777);
    EXPECT_EQ(asOtherUser([&] { return put(folder / "a", "new").value(); }), EACCES)
        << "the file is read-only";
    ::chmod((folder / "a").c_str(), 0666);
    ::chmod(folder.path().c_str(), 0555);
    EXPECT_EQ(asOtherUser([&] { return put(folder / "a", "new").value(); }), EACCES)
        << "nothing can be put beside it";
    EXPECT_EQ(asOtherUser([&] { return put(folder / "b", "new").value(); }), EACCES);
    ::chmod(folder.path().c_str(), 0755);
    EXPECT_EQ(contentOf(folder / "a"), "old");
    EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, SeveralAtOnceDoNotDisturbEachOther)
{
    const std::string texts[2] = {std::string(100'000, 'a'), std::string(100'000, 'b')};
    OutputFile one, other;
    ASSERT_FALSE(one.open(folder / "target"));
    ASSERT_FALSE(other.open(folder / "target"));
    EXPECT_FALSE(one.write(texts[0]) || other.write(texts[1]));
    EXPECT_FALSE(one.commit());
    EXPECT_EQ(contentOf(folder / "target"), texts[0]);
    EXPECT_FALSE(other.commit());
    EXPECT_EQ(contentOf(folder / "target"), texts[1]);
    EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, ALongNameLeavesRoomForTheTemporaryOne)
{
    const std::string longest(255, 'n');
    EXPECT_FALSE(put(folder.path() / longest, "text"));
    EXPECT_EQ(contentOf(folder.path() / longest), "text");
}

} // namespace
} // namespace lockscope
