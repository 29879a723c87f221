// The library as another project gets it: installed, moved, found with find_package, built against and run.
// Nothing of the source tree is in its reach, and everything made here is removed again.
#include "core/server/process/managed_server.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <utility>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

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
            EXPECT_TRUE(fs::exists(headers.parent_path() / (*found)[1].str()))
                << entry.path() << " includes " << (*found)[1];
    }
    EXPECT_GT(checked, 50);
    EXPECT_TRUE(fs::exists(headers / "lock/blocking/blocking_mutex.h"));
    const auto all = fs::recursive_directory_iterator(headers);
    EXPECT_LE(std::count_if(begin(all), end(all),
                            [&](const fs::directory_entry& entry) {
                                return entry.is_regular_file() &&
                                       !entry.path().string().starts_with((headers / "detail").string());
                            }),
              16)
        << "headers for users";
    for (const char* internal : {"detail/lock/internal", "core", "trace", "lock/internal",
                                 "lock/blocking/internal", "zk/c_client", "zk/memory"})
        EXPECT_FALSE(fs::exists(headers / internal)) << internal;
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
        for (const char* needless : {"Qt", "simdjson", "fmt", "trace"})
            EXPECT_THAT(text, Not(HasSubstr(needless))) << entry.path();
        ++checked;
    }
    EXPECT_GE(checked, 5);
}

// ---- the README ----

std::vector<std::string> linesOf(const fs::path& path)
{
    std::istringstream text(readFile(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

// Without the indentation that all of them have.
std::string dedented(const std::vector<std::string>& lines)
{
    std::size_t indent = std::string::npos;
    for (const std::string& line : lines)
        indent = std::min(indent, line.find_first_not_of(' '));
    std::string text;
    for (const std::string& line : lines)
        text += (line.empty() ? line : line.substr(indent)) + "\n";
    return text;
}

// What stands between two lines "//! [name]", by name; several pieces of one name are one sample.
std::map<std::string, std::string> samplesOf(const fs::path& source)
{
    const std::regex marker(R"( *//! \[(\w+)\])");
    std::map<std::string, std::string> samples;
    std::optional<std::vector<std::string>> piece;
    for (const std::string& line : linesOf(source)) {
        std::smatch found;
        const bool marks = std::regex_match(line, found, marker);
        if (marks && piece)
            samples[found[1].str()] += dedented(*std::exchange(piece, std::nullopt));
        else if (marks)
            piece.emplace();
        else if (piece)
            piece->push_back(line);
    }
    return samples;
}

// Its blocks of code: indented lines, and empty ones between them.
std::vector<std::string> blocksOf(const fs::path& readme)
{
    std::vector<std::string> blocks;
    std::vector<std::string> block;
    const auto end = [&] {
        while (!block.empty() && block.back().empty())
            block.pop_back();
        if (!block.empty())
            blocks.push_back(dedented(block));
        block.clear();
    };
    for (const std::string& line : linesOf(readme)) {
        if (line.starts_with("    ") || (line.empty() && !block.empty()))
            block.push_back(line);
        else
            end();
    }
    end();
    return blocks;
}

TEST(Readme, ItsSamplesAreThoseThatAreBuilt)
{
    const fs::path source = LOCKSCOPE_SOURCE;
    std::vector<std::string> built;
    for (const auto& [name, text] : samplesOf(source / "tests/example/program/readme.cpp"))
        built.push_back(text);
    std::vector<std::string> shown;
    for (const std::string& block : blocksOf(source / "core/lock/README.md"))
        if (!block.starts_with("cmake ") && !block.starts_with("find_package"))
            shown.push_back(block);
    EXPECT_THAT(shown, UnorderedElementsAreArray(built));
    EXPECT_EQ(built.size(), 12U);
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
    EXPECT_EQ(program.output(), "report: written under a token, held: 1, acquired: 1\n"
                                "visitors: 4\n"
                                "transfer: there and back, and 2 at once\n"
                                "encoded: 4\n"
                                "coroutine: alone in the queue\n"
                                "own loop: alone in the queue\n");
    EXPECT_EQ(program.errors(), "");

    Child samples(build / "readme", {(*server)->address()});
    EXPECT_EQ(samples.wait(), 0) << samples.output() << samples.errors();
    EXPECT_EQ(samples.output(), "threads: written\n"
                                "coroutine: written\n"
                                "traced: one span\n"
                                "observed: 1, in time: 1\n"
                                "coroutine: written\n"
                                "own loop: done\n"
                                "coroutine: written\n"
                                "threads: written\n"
                                "this host holds it; ahead: 1\n"
                                "this host has the oldest lease\n"
                                "fenced: written\n"
                                "leads\n"
                                "leads no longer\n"
                                "counted: 4\n"
                                "threads: written\n");
    EXPECT_EQ(samples.errors(), "");

    if (fs::exists(build / "prometheus")) {
        Child prometheus(build / "prometheus", {(*server)->address(), "/example/metrics"});
        EXPECT_EQ(prometheus.wait(), 0) << prometheus.errors();
        EXPECT_THAT(prometheus.output(), HasSubstr("lock_acquired_total 3"));
        EXPECT_THAT(prometheus.output(), HasSubstr("lock_hold_seconds_count 3"));
    }

    // The wait of the second one links to the hold of the first.
    Child spans(build / "opentelemetry", {(*server)->address(), "/example/spans"});
    EXPECT_EQ(spans.wait(), 0) << spans.errors();
    std::istringstream lines(spans.output());
    std::string first, second;
    ASSERT_TRUE(std::getline(lines, first) && std::getline(lines, second)) << spans.output();
    std::smatch hold;
    ASSERT_TRUE(std::regex_search(
        first, hold, std::regex(R"lit(("traceId":"[0-9a-f]{32}","spanId":"[0-9a-f]{16}"),"name":"hold")lit")))
        << first;
    EXPECT_THAT(first, Not(HasSubstr("links")));
    EXPECT_THAT(second, HasSubstr("\"links\":[{" + hold[1].str() + "}]"));
    EXPECT_THAT(second, HasSubstr("shipping"));

    Child mistaken(build / "example", {"nowhere", "/example"});
    EXPECT_EQ(mistaken.wait(), 1);
    EXPECT_THAT(mistaken.errors(), HasSubstr("HOST:PORT"));
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

// A file with the flags that pkg-config prints.
TEST_F(Example, IsFoundByPkgConfig)
{
    const fs::path file = folder() / "one.cpp";
    write(file, "#include <lockscope/lock/mutex.h>\n"
                "int main() { return lockscope::OwnerId{1} == lockscope::OwnerId{1} ? 0 : 1; }\n");
    Child program("/bin/sh",
                  {"-c",
                   "set -e; cd \"$1\"; export PKG_CONFIG_PATH=\"$2/lib/pkgconfig\"; "
                   "eval \"$3 -std=c++20 $4 one.cpp $(pkg-config --cflags --libs lockscope) -o one\"; ./one",
                   "sh", folder(), prefix(), LOCKSCOPE_COMPILER, LOCKSCOPE_FLAGS});
    EXPECT_EQ(program.wait(std::chrono::minutes(5)), 0) << program.output() << program.errors();
}

// As a part of another project it is the lock library: it looks for no Qt and no GoogleTest, adds no tests,
// installs nothing, and changes no variable of that project.
TEST_F(Example, IsAPartOfAnotherProject)
{
    const fs::path source = folder() / "whole";
    fs::create_directory(source);
    write(
        source / "CMakeLists.txt",
        std::string(
            "cmake_minimum_required(VERSION 3.25)\nproject(Whole LANGUAGES CXX)\nenable_testing()\n"
            "function(variables out)\n"
            "  get_cmake_property(names VARIABLES)\n"
            "  list(FILTER names INCLUDE REGEX \"^CMAKE_(CXX_STANDARD|CXX_FLAGS|RUNTIME_|EXPORT_|MODULE_PATH|"
            "POSITION|CXX_COMPILER_LAUNCHER)\")\n"
            "  set(all \"\")\n"
            "  foreach(name IN LISTS names)\n    string(APPEND all \"${name}=${${name}}\\n\")\n  "
            "endforeach()\n"
            "  set(${out} \"${all}\" PARENT_SCOPE)\nendfunction()\n"
            "variables(before)\nadd_subdirectory(") +
            LOCKSCOPE_SOURCE + " lockscope)\nvariables(after)\n" +
            "if(NOT before STREQUAL after)\n  message(FATAL_ERROR \"${before}---\\n${after}\")\nendif()\n"
            "if(NOT TARGET LockScope::lock)\n  message(FATAL_ERROR \"no library\")\nendif()\n"
            "get_property(flags DIRECTORY PROPERTY LINK_OPTIONS)\n"
            "if(flags)\n  message(FATAL_ERROR \"${flags}\")\nendif()\n"
            "file(WRITE ${CMAKE_BINARY_DIR}/main.cpp \"#include <lockscope/lock/mutex.h>\\nint main() "
            "{}\\n\")\n"
            "add_executable(whole ${CMAKE_BINARY_DIR}/main.cpp)\n"
            "target_link_libraries(whole PRIVATE LockScope::lock)\n");
    const fs::path build = folder() / "whole-build";
    cmake({"-S", source, "-B", build, "-G", LOCKSCOPE_GENERATOR,
           std::string("-DCMAKE_CXX_COMPILER=") + LOCKSCOPE_COMPILER, "-DCMAKE_DISABLE_FIND_PACKAGE_Qt6=ON",
           "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON"});
    if (HasFatalFailure())
        return;
    cmake({"--build", build, "--target", "CMakeFiles/whole.dir/main.cpp.o"});
    Child tests(fs::path(LOCKSCOPE_CMAKE).parent_path() / "ctest", {"--test-dir", build, "-N"});
    EXPECT_EQ(tests.wait(), 0);
    EXPECT_THAT(tests.output(), HasSubstr("Total Tests: 0"));
}

} // namespace
} // namespace lockscope::test
