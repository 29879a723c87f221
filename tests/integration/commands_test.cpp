// Every command of the documents, the manual and the man pages does what it is said to do: it is run, on a
// private server, or there is a reason why it cannot be.
#include "core/base/numbers.h"
#include "core/server/process/java_install.h"
#include "tests/integration/child.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace lockscope::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kSource = LOCKSCOPE_SOURCE;
const std::map<std::string, std::string> kPrograms{LOCKSCOPE_PROGRAM_TABLE}; // name, path

std::string contentOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string replaced(const std::string& text, const std::string& pattern, const std::string& by)
{
    return std::regex_replace(text, std::regex(pattern), by);
}

// What --zookeeper takes on this machine: the jar that is found without it.
std::string zooKeeperHere()
{
    const auto install = server::findJavaInstall({});
    std::istringstream path(install ? install->classPath : "");
    for (std::string jar; std::getline(path, jar, ':');)
        if (fs::path(jar).filename().string().find("zookeeper") != std::string::npos)
            return jar;
    return {};
}

// A command as it is printed, and the place of one of the pages that have it.
using Commands = std::map<std::string, std::string>;

// What is not run by this test, and why not. Each of them is on some page.
const std::map<std::string, std::string> kNotRun{
    {"./tests/run", "builds everything, and runs this test"},
    {"tests/[a-z_/]+", "the tests themselves, and what takes half an hour"},
    {"cmake", "configures and builds; example_test does that with the library"},
    {"ninja", "builds"},
    {"ctest", "runs this test"},
    {"build/(release|dev)/bin/[A-Za-z_0-9]+_test|build/release/bin/NAME", "another test"},
};

// "lockscope-cli", "lockscope", or empty for another program.
std::string programOf(const std::string& command)
{
    std::smatch found;
    static const std::regex ours("(?:build/release/bin/)?(lockscope(?:-cli)?)(?: .*)?");
    return std::regex_match(command, found, ours) ? found[1].str() : "";
}

void addCommandsOf(const fs::path& page, Commands& all)
{
    // A line of a code block, up to the words that explain it; or code within a sentence.
    static const std::regex line("(?: {4,}|^)((?:\\./)?[A-Za-z/_-]+(?: {1,2}[^ ].*?)?)(?: {3,}.*)?");
    static const std::regex code("`((?:\\./app/run|lockscope|lockscope-cli) [^`]+)`");
    const bool manPage = page.extension() == ".1";
    std::istringstream text(manPage ? replaced(contentOf(page), "\\\\-", "-") : contentOf(page));
    std::string each;
    const auto add = [&](std::string command) {
        command = replaced(command, "^\\./app/run", "lockscope");
        bool known = !programOf(command).empty();
        for (const auto& [other, why] : kNotRun)
            known = known || std::regex_match(command.substr(0, command.find(' ')), std::regex(other));
        if (known)
            all.emplace(command, page.lexically_relative(kSource));
    };
    while (std::getline(text, each)) {
        std::smatch found;
        const bool block = manPage ? each.starts_with("lockscope") && each.find(" - ") == std::string::npos
                                   : each.starts_with("    ");
        if (block && std::regex_match(each, found, line))
            add(found[1]);
        else
            for (std::sregex_iterator part(each.begin(), each.end(), code), end; part != end; ++part)
                add((*part)[1]);
    }
}

const Commands& commands()
{
    static const Commands all = [] {
        Commands found;
        for (auto file = fs::recursive_directory_iterator(kSource); file != fs::end(file); ++file) {
            const std::string name = file->path().filename();
            if (name == "build" || name == ".git")
                file.disable_recursion_pending();
            else if (file->path().extension() == ".md")
                addCommandsOf(file->path(), found);
        }
        for (const auto& [program, path] : kPrograms)
            addCommandsOf(fs::path(LOCKSCOPE_PAGES) / (program + ".1"), found);
        return found;
    }();
    return all;
}

// "lockscope-cli run SCENARIO.toml|BUILT-IN [--trace OUT.jsonl|-] ...", or a command's name alone.
bool isSynopsis(const std::string& command)
{
    static const std::regex placeholder(
        "[\\[|]|[ /][A-Z]{3,}\\b|[^,]\\.\\.\\.| (compare|"
        "explore|export|free|history|join|judge|lesson|merge|run|watch|who)$| --shot$");
    return std::regex_search(command, placeholder);
}

// A command that was run to its end.
struct Carried
{
    int code = -1;
    std::string typed, output, errors;
};

class CommandsOfPages : public ZkTest
{
protected:
    void TearDown() override
    {
        session.reset();
        ZkTest::TearDown();
    }

    // Three locks of another program.
    void holdLocks()
    {
        session = world->connect();
        for (const std::string lock : {"/locks", "/locks/orders", "/locks/bills", "/locks/settle"}) {
            world->create(*session, lock, "");
            if (lock != "/locks")
                world->create(*session, lock + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", "10.1.2.3",
                              zk::CreateMode::ephemeralSequential);
        }
        world->create(*session, "/jobs", "");
        nightly = hexText(world->create(*session, "/jobs/nightly", "", zk::CreateMode::ephemeral).stat.czxid);
    }
    // With what stands for the reader's own servers, files and times.
    std::string here(std::string command)
    {
        command = replaced(command, "^(build/release/bin/)?" + programOf(command),
                           kPrograms.at(programOf(command)));
        command = replaced(command, "(zk[1-3]:2181,?)+|127\\.0\\.0\\.1:2181", server().address());
        command = replaced(command, "/var/lib/zookeeper", (server().directory() / "data").string());
        command = replaced(command, "~/apache-zookeeper-[0-9.]+-bin", zookeeper);
        command = replaced(command, "--duration [0-9]+[sm]", "--duration 1s");
        command = replaced(command, "--yes-czxid 0x[0-9a-f]+", "--yes-czxid " + nightly);
        command = replaced(command, "--cycles 100", "--cycles 2");
        return replaced(command, "--clients [0-9]{2,}", "--clients 9");
    }
    // Ends what has no end of its own. Without a display, `lockscope` ends after it has read its arguments.
    // Any thread.
    Carried run(const std::string& command, const fs::path& where)
    {
        Carried ran;
        ran.typed = here(command);
        test::Child child("/bin/sh", {"-c", "unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM; cd '" +
                                                where.string() + "' && exec " + ran.typed});
        static const std::regex endless(".*lockscope-cli watch (?!.*--(duration|help|tui)).*");
        if (std::regex_match(command, endless)) {
            EXPECT_TRUE(test::eventually([&] { return !child.output().empty(); })) << command;
            child.signal(SIGINT);
        }
        ran.code = child.wait();
        ran.output = child.output();
        ran.errors = child.errors();
        return ran;
    }
    // The options that a command has, by its page of help.
    std::set<std::string> optionsOf(const std::string& program, const std::string& subcommand)
    {
        std::set<std::string> options;
        const Carried ran = run(program + ' ' + subcommand + " --help", folder.path());
        EXPECT_EQ(ran.code, 0) << ran.errors;
        static const std::regex option("--[a-z-]+");
        for (std::sregex_iterator found(ran.output.begin(), ran.output.end(), option), end; found != end;
             ++found)
            options.insert(found->str());
        return options;
    }

    HubSessionPtr session;
    TempFolder folder;
    std::string nightly; // the czxid of a lock that a script frees
    std::string zookeeper = zooKeeperHere();
};

// Each of them waits more than it computes: three at a time.
TEST_F(CommandsOfPages, AreCarriedOut)
{
    // The files that the commands read.
    for (const char* command :
         {"lockscope-cli run kill-holder --trace run.jsonl --quiet",
          "lockscope-cli compare herd chain --clients 5 --cycles 2 --trace two.jsonl --quiet"}) {
        const Carried ran = run(command, folder.path());
        ASSERT_EQ(ran.code, 0) << ran.errors;
    }
    std::vector<std::string> all;
    for (const auto& [command, page] : commands())
        if (const std::string program = programOf(command);
            kPrograms.contains(program) && !isSynopsis(command) && command != "lockscope")
            all.push_back(command);
    EXPECT_GE(all.size(), 20U);
    holdLocks();
    std::atomic<std::size_t> next = 0;
    const auto carryOut = [&] {
        for (std::size_t i = next++; i < all.size(); i = next++) {
            const std::string& command = all[i];
            const fs::path where = folder.path() / ("command" + std::to_string(i));
            fs::create_directory(where);
            for (const char* file : {"run.jsonl", "two.jsonl"})
                fs::copy_file(folder / file, where / file);
            std::ofstream(where / "claims.txt") << "1795403045 lock-0000000000 begins\n";
            // A lesson and a scenario of the reader's own have one name on the pages.
            const bool lesson = command.find("lesson") != std::string::npos;
            fs::copy_file(kSource / (lesson ? "resources/lessons/opening.toml"
                                            : "resources/scenarios/two-clients.toml"),
                          where / "my.toml");
            const bool window = programOf(command) == "lockscope" &&
                                command.find("--shot") == std::string::npos &&
                                command.find("--player") == std::string::npos &&
                                command.find("--views") == std::string::npos &&
                                command.find("--version") == std::string::npos;
            const bool asks = command.find("lockscope-cli free ") != std::string::npos &&
                              command.find("--yes-czxid") == std::string::npos; // and nobody answers
            const bool screen = command.find("--tui") != std::string::npos;     // and there is no terminal
            const Carried ran = run(command, where);
            EXPECT_EQ(ran.code, window || screen ? 2
                                : asks           ? 1
                                                 : 0)
                << commands().at(command) << ": " << ran.typed << '\n'
                << ran.output << ran.errors;
            if (window) {
                EXPECT_THAT(ran.errors, HasSubstr("there is no display"))
                    << commands().at(command) << ": " << command << ": its arguments are right";
            }
        }
    };
    std::vector<std::future<void>> threads;
    for (int i = 0; i < 3; ++i)
        threads.push_back(std::async(std::launch::async, carryOut));
    for (std::future<void>& thread : threads)
        while (thread.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
            world->runReady(); // the other program's session
}

TEST_F(CommandsOfPages, ShowOptionsThatThereAre)
{
    int count = 0;
    for (const auto& [command, page] : commands()) {
        const std::string program = programOf(command);
        if (program.empty() || !isSynopsis(command) || !kPrograms.contains(program))
            continue;
        SCOPED_TRACE(page + ": " + command);
        std::smatch found;
        static const std::regex second("[^ ]+ ([a-z]+)( .*)?"), option("--[a-z-]+");
        const std::string subcommand = std::regex_match(command, found, second) ? found[1].str() : "";
        const std::set<std::string> known = optionsOf(program, subcommand);
        EXPECT_FALSE(known.empty());
        for (std::sregex_iterator each(command.begin(), command.end(), option), end; each != end;
             ++each, ++count)
            EXPECT_TRUE(known.contains(each->str()) || each->str() == "--theme" || each->str() == "--lang")
                << each->str();
    }
    EXPECT_GE(count, 50);
}

TEST(OtherCommandsOfPages, AreThereOrHaveAReason)
{
    for (const auto& [pattern, why] : kNotRun) {
        bool used = false;
        for (const auto& [command, page] : commands()) {
            const std::string program = command.substr(0, command.find(' '));
            if (!std::regex_match(program, std::regex(pattern)))
                continue;
            used = true;
            if (program.starts_with("tests/") || program.starts_with("./")) {
                EXPECT_TRUE(fs::exists(kSource / program)) << page << ": " << command;
            }
        }
        EXPECT_TRUE(used) << "no page has " << pattern << " any more (" << why << ")";
    }
}

} // namespace
} // namespace lockscope::tests
