// Man pages and completions name every option of every page of help, and are well-formed.
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;

std::string textOfPage(const std::string& name)
{
    std::ostringstream text;
    text << std::ifstream(fs::path(LOCKSCOPE_PAGES) / name).rdbuf();
    return text.str();
}

std::string printed(const std::string& program, const std::vector<std::string>& arguments)
{
    Child child(program, arguments);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    return child.output();
}

bool isInstalled(const std::string& program)
{
    return Child("/bin/sh", {"-c", "command -v " + program}).wait() == 0;
}

// "lock" for a line "  --lock PATH ...".
std::set<std::string> optionsIn(const std::string& help)
{
    static const std::regex option("\n  (?:-[a-z],)?--([a-z-]+)");
    std::set<std::string> names;
    for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found)
        names.insert((*found)[1]);
    return names;
}

std::vector<std::string> commandsIn(const std::string& help)
{
    static const std::regex command("\n  ([a-z]+) ");
    const std::size_t begin = help.find("\nCommands:\n"), end = help.find("\n\n", begin + 1);
    const std::string part = help.substr(begin, end - begin);
    std::vector<std::string> names;
    for (std::sregex_iterator found(part.begin(), part.end(), command), last; found != last; ++found)
        names.push_back((*found)[1]);
    return names;
}

class Pages : public testing::TestWithParam<const char*>
{
protected:
    const std::string program = GetParam();
    const std::string name = fs::path(program).filename();
};

TEST_P(Pages, NameEveryOptionOfThePagesOfHelp)
{
    const std::string help = printed(program, {"--help"});
    std::string man = std::regex_replace(textOfPage(name + ".1"), std::regex("\\\\-"), "-");
    std::vector<std::string> commands = commandsIn(help);
    EXPECT_FALSE(commands.empty());
    commands.insert(commands.begin(), "");
    for (const std::string& command : commands) {
        const std::string own = command.empty() ? help : printed(program, {command, "--help"});
        if (!command.empty()) {
            EXPECT_NE(man.find("\n.SS " + command + "\n"), std::string::npos) << command;
        }
        const std::set<std::string> options = optionsIn(own);
        EXPECT_TRUE(options.contains("help")) << own;
        for (const std::string& option : options) {
            EXPECT_NE(man.find("--" + option), std::string::npos) << command << ' ' << option;
            EXPECT_NE(textOfPage(name + ".bash").find("--" + option), std::string::npos)
                << command << ' ' << option;
            EXPECT_NE(textOfPage(name + ".zsh").find("--" + option + "["), std::string::npos)
                << command << ' ' << option;
            EXPECT_NE(textOfPage(name + ".fish").find(" -l " + option + " "), std::string::npos)
                << command << ' ' << option;
        }
    }
}

TEST_P(Pages, AreWellFormed)
{
    const std::string page = fs::path(LOCKSCOPE_PAGES) / name;
    EXPECT_EQ(Child("/bin/bash", {"-n", page + ".bash"}).wait(), 0);
    for (const std::string shell : {"zsh", "fish"})
        if (isInstalled(shell)) {
            Child child("/bin/sh", {"-c", shell + " -n " + page + "." + shell});
            EXPECT_EQ(child.wait(), 0) << child.errors();
        }
    if (isInstalled("groff")) {
        Child child("/bin/sh", {"-c", "groff -man -ww -Tutf8 -z " + page + ".1"});
        EXPECT_EQ(child.wait(), 0);
        EXPECT_EQ(child.errors(), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Pages, testing::Values(LOCKSCOPE_PROGRAMS));

// What bash offers after these words.
std::string offered(const std::string& program, const std::string& words)
{
    const std::string function = program == "lockscope" ? "_lockscope" : "_lockscope_cli";
    return printed("/bin/bash",
                   {"-c", "source " + (fs::path(LOCKSCOPE_PAGES) / (program + ".bash")).string() +
                              "; COMP_WORDS=(" + program + " " + words +
                              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); " + function +
                              "; printf '%s\\n' \"${COMPREPLY[@]}\""});
}

TEST(Completion, OffersWhatACommandTakes)
{
    EXPECT_EQ(offered("lockscope-cli", "hist"), "history\n");
    EXPECT_EQ(offered("lockscope-cli", "run --han"), "--handoff\n");
    EXPECT_EQ(offered("lockscope-cli", "run --handoff c"), "curator\n");
    EXPECT_EQ(offered("lockscope-cli", "run five"), "five-clients\n");
    EXPECT_EQ(offered("lockscope-cli", "export ch"), "chrome\n");
    EXPECT_EQ(offered("lockscope-cli", "who --han"), "\n") << "an option of another command";
    EXPECT_EQ(offered("lockscope", "--theme d"), "dark\n");
    EXPECT_EQ(offered("lockscope", "watch --tr"), "--tree\n");
}

} // namespace
} // namespace lockscope::test
