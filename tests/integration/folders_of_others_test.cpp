// Folders as other people's programs make them, on a real server: what `who` says of each, with which exit
// code, and that the server's log and a watch of the whole tree say the same. No program of theirs runs: only
// their nodes are made.
#include "tests/integration/child.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <boost/json.hpp>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace lockscope::tests {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using zk::CreateMode;

struct Folder
{
    std::string name, asked;
    std::vector<std::string> nodes, words;
    int code = -1;
    std::string log; // recipe and number of acquisitions; empty: the log knows no lock there
};

std::string expanded(std::string text)
{
    const auto replace = [&text](const std::string& mark, const std::string& by) {
        for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + by.size()))
            text.replace(at, mark.size(), by);
    };
    for (const char number : {'1', '2', '3', '4'}) {
        replace(std::string("{h") + number + "}", std::string("0123456789abcdef0123456789abcd0") + number);
        replace(std::string("{u") + number + "}",
                std::string("_c_0000000") + number + "-85de-4050-ade6-795e59212dfa-");
    }
    replace("{esc}", "\x1b");
    replace("{ctl}", "\x01");
    replace("{bad}", "\xEF\xBF\xBD");
    return text;
}

// See the head of the file.
std::vector<Folder> folders()
{
    std::vector<Folder> all;
    std::ifstream file(LOCKSCOPE_FOLDERS);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#')
            continue;
        std::istringstream words(line);
        std::string what, rest;
        words >> what;
        std::getline(words >> std::ws, rest);
        if (what == "folder")
            all.emplace_back().name = rest;
        else if (what == "who")
            std::istringstream(expanded(rest)) >> all.back().asked >> all.back().code;
        else if (what == "says")
            all.back().words.push_back(expanded(rest));
        else if (what == "log")
            all.back().log = rest;
        else if (what != "no")
            all.back().nodes.push_back(expanded(line));
    }
    return all;
}

class FoldersOfOthers : public ZkTest
{
protected:
    void TearDown() override
    {
        m_sessions.clear();
        ZkTest::TearDown();
    }
    zk::Session& session(const std::string& name)
    {
        HubSessionPtr& one = m_sessions[name];
        if (!one)
            one = world->connect();
        return *one;
    }
    void make(const Folder& folder)
    {
        for (const std::string& line : folder.nodes) {
            std::istringstream words(line);
            std::string who, what, path, data;
            words >> who >> what >> path;
            std::getline(words >> std::ws, data);
            path = "/" + folder.name + path;
            for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1))
                if (m_made.insert(path.substr(0, at)).second)
                    world->create(session(who), path.substr(0, at));
            if (what == "=") {
                EXPECT_EQ(world->set(session(who), path, data).code, zk::Code::ok) << line;
            } else if (what == "-") {
                EXPECT_EQ(world->remove(session(who), path), zk::Code::ok) << line;
            } else {
                const CreateMode mode = what == "+"    ? CreateMode::persistent
                                        : what == "~"  ? CreateMode::ephemeral
                                        : what == "+#" ? CreateMode::persistentSequential
                                                       : CreateMode::ephemeralSequential;
                EXPECT_EQ(world->create(session(who), path, data, mode).code, zk::Code::ok) << line;
                m_made.insert(path);
            }
        }
    }
    std::string run(const std::vector<std::string>& arguments, int code)
    {
        test::Child child(LOCKSCOPE_CLI, arguments);
        EXPECT_EQ(child.wait(), code) << child.output() << child.errors();
        return child.output();
    }
    // The locks of a report, by path.
    std::map<std::string, json::object> locks(const std::vector<std::string>& arguments)
    {
        std::map<std::string, json::object> all;
        const json::value report = json::parse(run(arguments, 0));
        for (const json::value& one : report.at("locks").as_array())
            all[std::string(one.at("path").as_string())] = one.as_object();
        return all;
    }

private:
    std::map<std::string, HubSessionPtr> m_sessions;
    std::set<std::string> m_made;
};

TEST_F(FoldersOfOthers, AreToldAsTheyAre)
{
    const std::vector<Folder> all = folders();
    ASSERT_GT(all.size(), 40u);
    for (const Folder& folder : all)
        make(folder);
    for (const Folder& folder : all) {
        SCOPED_TRACE(folder.name);
        const std::string line =
            run({"who", "/" + folder.name + folder.asked, "--connect", server().address()}, folder.code);
        for (const std::string& words : folder.words)
            EXPECT_THAT(line, HasSubstr(words));
    }
    const auto live =
        locks({"watch", server().address(), "--tree", "/", "--duration", "1ms", "--report", "-"});
    const auto log = locks({"history", server().directory() / "data", "--report", "-"});
    for (const Folder& folder : all) {
        const auto found = log.find("/" + folder.name + folder.asked);
        EXPECT_EQ(found == log.end() ? std::string()
                                     : std::string(found->second.at("recipe").as_string()) + " " +
                                           std::to_string(found->second.at("acquisitions").to_number<int>()),
                  folder.log)
            << folder.name;
    }
    for (const auto& [path, lock] : live) {
        const auto found = log.find(path);
        ASSERT_NE(found, log.end()) << path << " is only seen live";
        EXPECT_EQ(lock.at("recipe"), found->second.at("recipe")) << path;
        EXPECT_EQ(lock.at("ends").at("open"), found->second.at("ends").at("open")) << path;
    }
    for (const auto& [path, lock] : log) // a watch that begins now knows nothing of those that are gone
        EXPECT_TRUE(live.contains(path) || lock.at("ends").at("open") == 0) << path << " is only in the log";
}

} // namespace
} // namespace lockscope::tests
