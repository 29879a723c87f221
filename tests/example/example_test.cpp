// The library as another project gets it: installed, moved, found with find_package, built against and run.
// Nothing of the source tree is in its reach, and everything made here is removed again.
#include "core/server/managed_server.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string readFile(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Example : public ::testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        removeAll();
        fs::create_directories(folder());
        cmake({"--install", LOCKSCOPE_BUILD, "--component", "library", "--prefix", folder() / "made here"});
        fs::rename(folder() / "made here", prefix());
    }
    static void TearDownTestSuite() { removeAll(); }

    static fs::path folder() { return fs::path(LOCKSCOPE_BUILD) / "tests/example/with a space"; }
    static fs::path prefix() { return folder() / "used there"; }
    static void removeAll()
    {
        fs::remove_all(folder());
        fs::remove(fs::path(LOCKSCOPE_BUILD) / "install_manifest_library.txt");
    }
    static void cmake(const std::vector<std::string>& arguments)
    {
        Child child(LOCKSCOPE_CMAKE, arguments);
        ASSERT_EQ(child.wait(std::chrono::minutes(5)), 0) << child.output() << child.errors();
    }
};

TEST_F(Example, InstallsHeadersThatFindEachOther)
{
    const fs::path headers = prefix() / "include/lockscope";
    const std::regex include("#include \"([^\"]+)\"");
    int checked = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(headers)) {
        if (!entry.is_regular_file())
            continue;
        const std::string text = readFile(entry.path());
        for (auto found = std::sregex_iterator(text.begin(), text.end(), include);
             found != std::sregex_iterator(); ++found, ++checked)
            EXPECT_TRUE(fs::exists(headers / (*found)[1].str()))
                << entry.path() << " includes " << (*found)[1];
    }
    EXPECT_GT(checked, 50);
    EXPECT_TRUE(fs::exists(headers / "core/lock/blocking/blocking_mutex.h"));
    EXPECT_FALSE(fs::exists(headers / "core/zk/c_client")) << "nobody outside needs it";
}

TEST_F(Example, TheInstalledPackageNamesNoFolderOfItsMaker)
{
    int checked = 0;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(prefix() / "lib/cmake/LockScope")) {
        const std::string text = readFile(entry.path());
        EXPECT_THAT(text, Not(HasSubstr(LOCKSCOPE_SOURCE))) << entry.path();
        EXPECT_THAT(text, Not(HasSubstr(LOCKSCOPE_BUILD))) << entry.path();
        EXPECT_THAT(text, Not(HasSubstr("-Werror"))) << entry.path();
        EXPECT_THAT(text, Not(HasSubstr("Qt"))) << entry.path();
        ++checked;
    }
    EXPECT_GE(checked, 5);
}

TEST_F(Example, AnotherProjectBuildsAgainstItAndRuns)
{
    const fs::path source = folder() / "source";
    const fs::path build = folder() / "build";
    fs::copy(fs::path(LOCKSCOPE_SOURCE) / "tests/example/program", source, fs::copy_options::recursive);
    cmake({"-S", source, "-B", build, "-G", LOCKSCOPE_GENERATOR, "-DCMAKE_BUILD_TYPE=Debug",
           std::string("-DCMAKE_CXX_COMPILER=") + LOCKSCOPE_COMPILER,
           std::string("-DCMAKE_CXX_COMPILER_LAUNCHER=") + LOCKSCOPE_LAUNCHER,
           std::string("-DCMAKE_CXX_FLAGS=") + LOCKSCOPE_FLAGS, "-DCMAKE_PREFIX_PATH=" + prefix().string()});
    if (HasFatalFailure())
        return;
    cmake({"--build", build});
    if (HasFatalFailure())
        return;

    const auto server = server::ManagedServer::start({});
    ASSERT_TRUE(server) << server.error().text();
    Child program(build / "example", {(*server)->address(), "/example"});
    EXPECT_EQ(program.wait(), 0) << program.output() << program.errors();
    EXPECT_EQ(program.output(), "report: written under a token, held: 1\n"
                                "visitors: 4\n"
                                "transfer: there and back\n"
                                "coroutine: alone in the queue\n"
                                "own loop: alone in the queue\n");
    EXPECT_EQ(program.errors(), "");

    Child mistaken(build / "example", {"nowhere", "/example"});
    EXPECT_EQ(mistaken.wait(), 1);
    EXPECT_THAT(mistaken.errors(), HasSubstr("HOST:PORT"));
}

} // namespace
} // namespace lockscope::test
