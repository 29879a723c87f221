// Where Java and ZooKeeper are looked for, and what is said when they are not there.
#include "core/server/process/java_install.h"
#include "core/server/process/managed_server.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>

#include <sys/stat.h>

namespace lockscope::server {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// What ZooKeeper's server needs beside its own jar, in a distribution that has them apart.
constexpr std::array kNeeded = {"slf4j-api",          "zookeeper-jute",  "netty-buffer", "netty-common",
                                "netty-handler",      "netty-transport", "jackson-core", "metrics-core",
                                "snappy-java",        "commons-cli",     "commons-io",   "jackson-databind",
                                "jackson-annotations"};
const fs::path kSystemJars = "/usr/share/java";

class JavaInstallTest : public ::testing::Test
{
protected:
    JavaInstallTest()
    {
        for (const char* name : {"JAVA_HOME", "PATH", "LOCKSCOPE_ZOOKEEPER"}) {
            const char* value = std::getenv(name);
            m_before[name] = value ? std::optional<std::string>(value) : std::nullopt;
            ::unsetenv(name);
        }
    }
    ~JavaInstallTest() override
    {
        for (const auto& [name, value] : m_before)
            value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }
    fs::path put(const fs::path& relative, const std::string& text = "")
    {
        const fs::path path = folder.path() / relative;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path;
    }
    fs::path program(const fs::path& relative)
    {
        const fs::path path = put(relative, "#!/bin/sh\n");
        ::chmod(path.c_str(), 0700);
        return path;
    }
    void link(const std::string& name, const fs::path& to)
    {
        fs::create_directories((folder.path() / to).parent_path());
        fs::create_symlink(fs::canonical(kSystemJars / (name + ".jar")), folder.path() / to);
    }
    // As Apache's archive unpacks: lib/ with everything.
    fs::path unpacked()
    {
        link("zookeeper", "unpacked/lib/zookeeper-3.8.0.jar");
        for (const char* name : kNeeded)
            link(name, fs::path("unpacked/lib") / (std::string(name) + "-1.0.jar"));
        link("slf4j-simple", "unpacked/lib/slf4j-simple-1.7.jar");
        return folder.path() / "unpacked";
    }
    std::string classPath(const fs::path& zookeeper) const
    {
        const auto found =
            findJavaInstall({.java = "/bin/true", .zookeeper = zookeeper, .root = folder.path()});
        return found ? found->classPath : found.error().text();
    }
    Error missing(const std::string& release) // on a machine that has nothing
    {
        put("etc/os-release", release);
        const auto found = findJavaInstall({.java = {}, .zookeeper = {}, .root = folder.path()});
        EXPECT_FALSE(found);
        return found ? Error{} : found.error();
    }
    Error withoutZooKeeper()
    {
        return findJavaInstall({.java = "/bin/true", .zookeeper = {}, .root = folder.path()}).error();
    }

    const tests::TempFolder folder;

private:
    std::map<std::string, std::optional<std::string>> m_before;
};

TEST_F(JavaInstallTest, TheClassPathOfAnUnpackedArchiveIsItsLib)
{
    put("zk/lib/zookeeper-3.9.3.jar");
    put("zk/lib/zookeeper-jute-3.9.3.jar");
    EXPECT_EQ(classPath(folder / "zk"), (folder / "zk/lib/*").string());
}

TEST_F(JavaInstallTest, AnArchiveUpTo34HasItsJarBesideLib)
{
    put("zk/zookeeper-3.4.14.jar");
    put("zk/lib/log4j.jar");
    EXPECT_THAT(classPath(folder / "zk"), HasSubstr((folder / "zk/zookeeper-3.4.14.jar").string() + ":"));
    EXPECT_THAT(classPath(folder / "zk"), HasSubstr((folder / "zk/lib/*").string()));
}

TEST_F(JavaInstallTest, AJarComesWithItsNeighbours)
{
    const std::string jar = put("zk/zookeeper-3.9.3.jar").string();
    EXPECT_EQ(classPath(jar), jar + ":" + (folder / "zk/*").string());
    const std::string system = put("system/zookeeper.jar").string(),
                      logger = put("system/slf4j-simple.jar").string();
    EXPECT_EQ(classPath(system), system + ":" + logger) << "its manifest names the others";
}

TEST_F(JavaInstallTest, TheVariableNamesAnInstallationToo)
{
    put("zk/lib/zookeeper-3.9.3.jar");
    put("usr/share/java/zookeeper.jar");
    ::setenv("LOCKSCOPE_ZOOKEEPER", (folder / "zk").c_str(), 1);
    EXPECT_EQ(classPath({}), (folder / "zk/lib/*").string());
    ::unsetenv("LOCKSCOPE_ZOOKEEPER");
    EXPECT_EQ(classPath({}), (folder / "usr/share/java/zookeeper.jar").string());
}

TEST_F(JavaInstallTest, ADirectoryWithoutZooKeeperIsNamedWithWhatWasLookedFor)
{
    put("zk/lib/zookeeper-jute-3.9.3.jar");
    const std::string said = classPath(folder / "zk");
    EXPECT_THAT(said, HasSubstr("There is no ZooKeeper in " + (folder / "zk").string()));
    EXPECT_THAT(said, HasSubstr((folder / "zk/lib").string()));
    EXPECT_THAT(said, HasSubstr("zookeeper.apache.org"));
}

TEST_F(JavaInstallTest, JavaIsFoundByItsHomeThenInThePathThenWhereItIsInstalled)
{
    put("zk/zookeeper.jar");
    const auto java = [this] {
        const auto found = findJavaInstall({.java = {}, .zookeeper = folder / "zk", .root = folder.path()});
        return found ? found->java : fs::path(found.error().text());
    };
    const fs::path installed = program("usr/lib/jvm/java-21-openjdk/bin/java");
    program("usr/lib/jvm/java-17-openjdk/bin/java");
    EXPECT_EQ(java(), installed);
    ::setenv("PATH", ("relative:" + (folder / "bin").string()).c_str(), 1);
    const fs::path inPath = program("bin/java");
    EXPECT_EQ(java(), inPath);
    ::setenv("JAVA_HOME", (folder / "home").c_str(), 1);
    const fs::path home = program("home/bin/java");
    EXPECT_EQ(java(), home);
}

TEST_F(JavaInstallTest, WithoutJavaThePlacesAndTheCommandOfTheDistributionAreNamed)
{
    ::setenv("JAVA_HOME", "/gone", 1);
    const Error debian = missing("PRETTY_NAME=\"Debian GNU/Linux 13\"\nID=debian\n");
    EXPECT_EQ(debian.code, ErrorCode::noServer);
    EXPECT_THAT(debian.message.english(),
                HasSubstr("JAVA_HOME (/gone), PATH, " + (folder / "usr/lib/jvm").string()));
    EXPECT_THAT(debian.hint.english(), HasSubstr("sudo apt-get install default-jre-headless"));
    for (const auto& [release, command] :
         {std::pair("ID=ubuntu\nID_LIKE=debian\n", "apt-get install default-jre-headless"),
          {"ID=fedora\nVERSION_ID=43\n", "dnf install java-latest-openjdk-headless"},
          {"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install java-21-openjdk-headless"},
          {"ID=arch\n", "pacman -S jre-openjdk-headless"},
          {"ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n", "zypper install"},
          {"ID=nameless\n", "Java 11 or later"},
          {"", "Java 11 or later"}})
        EXPECT_THAT(missing(release).hint.english(), HasSubstr(command)) << release;
}

TEST_F(JavaInstallTest, WithoutZooKeeperThePlacesAndTheWayToItAreNamed)
{
    put("etc/os-release", "ID=debian\n");
    EXPECT_THAT(withoutZooKeeper().message.english(),
                HasSubstr((folder / "usr/share/java/zookeeper.jar").string()));
    EXPECT_THAT(withoutZooKeeper().hint.english(),
                HasSubstr("apt-get install libzookeeper-java libslf4j-java"));
    put("etc/os-release", "ID=arch\n");
    EXPECT_THAT(withoutZooKeeper().hint.english(), HasSubstr("zookeeper.apache.org"));
}

TEST_F(JavaInstallTest, AServerStartsFromAnUnpackedDirectory)
{
    if (!fs::exists(kSystemJars / "zookeeper.jar"))
        GTEST_SKIP() << "no jars to link to in " << kSystemJars;
    const fs::path directory = unpacked();
    const auto server = ManagedServer::start({.java = {.java = {}, .zookeeper = directory}});
    ASSERT_TRUE(server) << server.error().text();
    EXPECT_FALSE((*server)->version().empty());
}

} // namespace
} // namespace lockscope::server
