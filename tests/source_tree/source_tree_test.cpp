// Checks the rules on the project's source tree, and the checker itself on small samples, so that it is known
// to find violations.
#include "source_rules.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace lockscope::source_tree {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string readFile(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Paths relative to the top of all files below `folders` with one of these endings.
std::vector<std::string> sources(const std::vector<std::string>& folders,
                                 const std::vector<std::string>& endings)
{
    const fs::path top = LOCKSCOPE_SOURCE_DIR;
    std::vector<std::string> found;
    for (const auto& folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(top / folder)) {
            const auto ending = entry.path().extension().string();
            if (entry.is_regular_file() && std::find(endings.begin(), endings.end(), ending) != endings.end())
                found.push_back(entry.path().lexically_relative(top).generic_string());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

TEST(SourceTree, ArrowsAreKept)
{
    const auto files = sources({"core", "ui", "app"}, {".h", ".cpp"});
    EXPECT_GT(files.size(), 50u) << "the source tree was not found";
    for (const auto& file : files)
        EXPECT_THAT(includeViolations(file, readFile(fs::path(LOCKSCOPE_SOURCE_DIR) / file)), IsEmpty());
}

// The benchmarks compare the session with the C client alone.
TEST(SourceTree, OfTheTestsOnlyTheBareClientOfTheBenchmarksIncludesTheCClient)
{
    std::vector<std::string> found;
    for (const auto& file : sources({"tests"}, {".h", ".cpp"}))
        if (readFile(fs::path(LOCKSCOPE_SOURCE_DIR) / file).find("\n#include <zookeeper/") !=
            std::string::npos)
            found.push_back(file);
    EXPECT_THAT(found, ElementsAre("tests/bench/bare_client_handle.h"));
}

TEST(SourceTree, EverySourceIsBuilt)
{
    const fs::path top = LOCKSCOPE_SOURCE_DIR;
    for (const auto& file : sources({"core", "ui", "app"}, {".cpp"})) {
        auto folder = (top / file).parent_path();
        while (folder != top && !fs::exists(folder / "CMakeLists.txt"))
            folder = folder.parent_path();
        EXPECT_TRUE(namesFile(readFile(folder / "CMakeLists.txt"),
                              (top / file).lexically_relative(folder).generic_string()))
            << file << " is not named in " << (folder / "CMakeLists.txt").string();
    }
}

TEST(SourceTree, EveryTextEndsWithANewline)
{
    for (const auto& file :
         sources({"core", "ui", "app", "tests", "cmake"}, {".h", ".cpp", ".txt", ".cmake", ".sh"}))
        EXPECT_TRUE(endsWithNewline(readFile(fs::path(LOCKSCOPE_SOURCE_DIR) / file))) << file;
}

// A type of an inner namespace that has the name of one of namespace lockscope hides it, so that a header
// means one or the other by what was included before it: two definitions of whatever has such a member.
TEST(SourceTree, NoTypeHidesOneOfTheOutermostNamespace)
{
    const auto files = sources({"core", "ui", "app"}, {".h"});
    std::map<std::string, std::string> outermost;
    for (const auto& file : files) {
        for (const auto& type : typesDefined(readFile(fs::path(LOCKSCOPE_SOURCE_DIR) / file), "lockscope"))
            outermost.emplace(type, file);
    }
    EXPECT_TRUE(outermost.contains("Message") && outermost.contains("Error"));
    for (const auto& file : files) {
        const std::string text = readFile(fs::path(LOCKSCOPE_SOURCE_DIR) / file);
        for (const char* inner :
             {"lockscope::ui", "lockscope::zk", "lockscope::zk::memory", "lockscope::sim",
              "lockscope::engine", "lockscope::trace", "lockscope::replay", "lockscope::lock",
              "lockscope::field", "lockscope::history", "lockscope::lesson", "lockscope::server"}) {
            for (const auto& type : typesDefined(text, inner))
                EXPECT_FALSE(outermost.contains(type))
                    << inner << "::" << type << " (" << file << ") hides that of " << outermost[type];
        }
    }
}

// ---- the checker ----

struct Sample
{
    const char* path;
    const char* text;
};

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.path << ": " << sample.text; }

class Forbidden : public ::testing::TestWithParam<Sample>
{};

TEST_P(Forbidden, IsFound) { EXPECT_THAT(includeViolations(GetParam().path, GetParam().text), SizeIs(1)); }

INSTANTIATE_TEST_SUITE_P(
    Samples, Forbidden,
    ::testing::Values(Sample{"core/base/a.h", "#include \"core/trace/event.h\""},
                      Sample{"core/trace/a.h", "#include \"core/replay/fold/reducer.h\""},
                      Sample{"core/trace/a.cpp", "#include \"../replay/reducer.h\""},
                      Sample{"core/replay/a.cpp", "#include \"core/zk/session.h\""},
                      Sample{"core/replay/a.cpp", "#include <fstream>"},
                      Sample{"core/replay/a.cpp", "#include <sys/stat.h>"},
                      Sample{"core/replay/a.cpp", "#include <boost/asio/io_context.hpp>"},
                      Sample{"core/zk/a.cpp", "#include \"core/lock/mutex.h\""},
                      Sample{"core/zk/wire/a.cpp", "#include \"core/zk/c_client/hub.h\""},
                      Sample{"core/zk/wire/a.cpp", "#include \"core/zk/memory/ensemble.h\""},
                      Sample{"core/lock/a.cpp", "#include \"core/zk/c_client/hub.h\""},
                      Sample{"core/lock/a.cpp", "#include \"core/zk/memory/ensemble.h\""},
                      Sample{"core/engine/a.cpp", "#include \"core/zk/memory/ensemble.h\""},
                      Sample{"core/lock/a.cpp", "  #  include <core/zk/c_client/hub.h>"},
                      Sample{"core/lock/a.cpp", "#include <zookeeper/zookeeper.h>"},
                      Sample{"core/zk/a.cpp", "#include <zookeeper.h>"},
                      Sample{"core/lock/a.cpp", "#include \"core/sim/client/client.h\""},
                      Sample{"core/lock/a.cpp", "#include \"core/trace/event.h\""},
                      Sample{"core/server/a.cpp", "#include \"core/zk/session.h\""},
                      Sample{"core/sim/a.cpp", "#include \"core/engine/engine.h\""},
                      Sample{"core/sim/a.cpp", "#include \"core/zk/c_client/hub.h\""},
                      Sample{"core/engine/a.cpp", "#include \"ui/models/style/format.h\""},
                      Sample{"core/engine/a.cpp", "#include <QObject>"},
                      Sample{"core/base/a.h", "#include <QtCore/qglobal.h>"},
                      Sample{"ui/models/run/a.h", "#include \"ui/shell/window/main_window.h\""},
                      Sample{"ui/models/run/a.h", "#include \"ui/texts/event_text.h\""},
                      Sample{"ui/models/style/a.h", "#include \"ui/models/run/run_model.h\""},
                      Sample{"ui/texts/a.h", "#include \"ui/models/rows/log_model.h\""},
                      Sample{"ui/texts/a.h", "#include \"ui/chain/chain_scene.h\""},
                      Sample{"ui/models/run/a.h", "#include \"core/sim/client/client.h\""},
                      Sample{"ui/chain/a.h", "#include \"core/engine/engine.h\""},
                      Sample{"ui/chain/a.h", "#include \"ui/timeline/timeline_view.h\""},
                      Sample{"ui/charts/a.h", "#include \"core/replay/fold/trace_cursor.h\""},
                      Sample{"ui/tables/a.h", "#include \"ui/shell/docking/card_frame.h\""},
                      Sample{"ui/timeline/a.h", "#include \"core/server/process/managed_server.h\""},
                      Sample{"ui/shell/a.h", "#include \"core/zk/session.h\""},
                      Sample{"app/lockscope/main.cpp", "#include \"ui/chain/chain_view.h\""},
                      Sample{"app/lockscope_cli/main.cpp", "#include \"ui/models/style/format.h\""},
                      Sample{"app/lockscope_cli/main.cpp", "#include <QCoreApplication>"},
                      Sample{"core/attic/a.h", ""}));

class Allowed : public ::testing::TestWithParam<Sample>
{};

TEST_P(Allowed, IsNotFound) { EXPECT_THAT(includeViolations(GetParam().path, GetParam().text), IsEmpty()); }

INSTANTIATE_TEST_SUITE_P(
    Samples, Allowed,
    ::testing::Values(
        Sample{"core/trace/a.cpp", "#include \"core/base/ids.h\"\n#include \"store.h\"\n#include <fstream>"},
        Sample{"core/lock/a.cpp", "#include \"core/zk/session.h\"\n#include \"core/base/ids.h\""},
        Sample{"core/zk/c_client/a.cpp", "#include <zookeeper/zookeeper.h>\n#include \"core/zk/code.h\""},
        Sample{"core/engine/a.cpp", "#include \"core/zk/c_client/hub.h\"\n#include \"core/sim/run/run.h\""},
        Sample{"core/replay/a.cpp", "// #include <fstream>\nint include; #include <vector>\n"},
        Sample{"core/replay/a.cpp", "#include <queue>\n#include <Quaternion.h>"},
        Sample{"ui/chain/a.h", "#include \"ui/models/style/theme.h\"\n#include "
                               "\"core/replay/state/run_state.h\"\n#include <QWidget>"},
        Sample{"ui/shell/a.h", "#include \"ui/chain/chain_view.h\"\n#include \"core/engine/engine.h\""},
        Sample{"app/lockscope_cli/main.cpp",
               "#include \"core/replay/fold/reducer.h\"\n#include \"arguments.h\""}));

TEST(Checker, NamesFileAndLine)
{
    EXPECT_THAT(includeViolations("core/base/a.h", "#pragma once\n\n#include \"core/zk/session.h\"\n"),
                ElementsAre(HasSubstr("core/base/a.h:3: \"core/zk/session.h\"")));
}

TEST(Checker, FindsAFileThatIsNotBuilt)
{
    const auto* list = "lockscope_module(x\n  SOURCES one.cpp sub/two.cpp another_three.cpp)\n# four.cpp\n";
    EXPECT_TRUE(namesFile(list, "one.cpp"));
    EXPECT_TRUE(namesFile(list, "sub/two.cpp"));
    EXPECT_FALSE(namesFile(list, "two.cpp"));
    EXPECT_FALSE(namesFile(list, "three.cpp"));
    EXPECT_FALSE(namesFile(list, "four.cpp"));
    EXPECT_TRUE(namesFile("one.cpp", "one.cpp"));
}

TEST(Checker, FindsTheTypesOfANamespace)
{
    const auto* header = "namespace lockscope {\nclass Later;\n}\n"
                         "namespace lockscope::ui {\nnamespace detail {\nstruct Deep\n{\n};\n"
                         "} // namespace detail\nstruct Row\n{\n    struct Cell\n    {\n    };\n};\n"
                         "class Model : public Base\n{\n};\nenum class Kind { one };\nusing Rows = int;\n"
                         "using trace::Event;\nclass Ahead;\n} // namespace lockscope::ui\n";
    EXPECT_THAT(typesDefined(header, "lockscope::ui"), ElementsAre("Row", "Model", "Kind", "Rows"));
    EXPECT_THAT(typesDefined(header, "lockscope"), IsEmpty());
}

TEST(Checker, WantsANewlineAtTheEnd)
{
    EXPECT_TRUE(endsWithNewline("int a;\n"));
    EXPECT_TRUE(endsWithNewline(""));
    EXPECT_FALSE(endsWithNewline("int a;"));
}

} // namespace
} // namespace lockscope::source_tree
