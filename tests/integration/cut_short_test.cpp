// Runs that cannot go on: each ends by itself, says by what, and leaves a whole trace.
#include "core/server/process/managed_server.h"
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"
#include "tests/support/restricted_node.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <thread>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A run of lockscope-cli, and what it said of itself.
struct EndedRun
{
    int code = -1;
    std::string errors;
    json::value report;

    std::string by() const
    {
        const json::value& by = report.at("cut_short_by");
        return by.is_string() ? std::string(by.as_string()) : std::string();
    }
    std::vector<std::string> codes() const
    {
        std::vector<std::string> all;
        for (const json::value& notice : report.at("notices").as_array())
            if (const json::value* one = notice.as_object().if_contains("code"))
                all.emplace_back(one->as_string());
        return all;
    }
    json::object notice(const std::string& which) const
    {
        for (const json::value& notice : report.at("notices").as_array())
            if (const json::value* found = notice.as_object().if_contains("code");
                found && found->as_string() == which)
                return notice.as_object();
        return {};
    }
    std::int64_t number(const char* field) const { return report.at(field).to_number<std::int64_t>(); }
    double seconds() const { return report.at("duration_s").to_number<double>(); }
};

EndedRun ranBy(Child& child)
{
    EndedRun ran;
    ran.code = child.wait();
    ran.errors = child.errors();
    boost::system::error_code ignored;
    ran.report = json::parse(child.output(), ignored);
    EXPECT_TRUE(ran.report.is_object()) << ran.errors;
    if (!ran.report.is_object())
        ran.report =
            json::object{{"cut_short_by", nullptr}, {"notices", json::array()}, {"findings", json::array()},
                         {"duration_s", 0},         {"acquired", -1},           {"failed", -1}};
    return ran;
}

EndedRun run(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"--report", "-"});
    Child child(LOCKSCOPE_CLI, arguments);
    return ranBy(child);
}

struct CutShort : testing::Test
{
    std::string file(const std::string& toml) const
    {
        const std::string name = folder / "run.toml";
        std::ofstream(name) << toml;
        return name;
    }
    EndedRun scenario(const std::string& toml, const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments{file(toml)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
    tests::TempFolder folder;
};

// ---- on a server that does not permit everything
// -----------------------------------------------------------

class Refused : public tests::ZkTest
{
protected:
    EndedRun onPath(const std::string& lock, const std::string& recipe = "mutex",
                    const std::string& scenario = "bare")
    {
        return run({scenario, "--clients", "3", "--cycles", "1000000", "--duration", "60s", "--recipe",
                    recipe, "--connect", server().address(), "--lock", lock});
    }
    static void expectRefused(const EndedRun& ran, const std::string& right, const std::string& path)
    {
        EXPECT_EQ(ran.code, 4) << ran.errors;
        EXPECT_EQ(ran.by(), "refused");
        EXPECT_THAT(ran.codes(), ElementsAre("access_refused")) << "said once";
        const json::object notice = ran.notice("access_refused");
        ASSERT_FALSE(notice.empty());
        EXPECT_EQ(notice.at("right").as_string(), right);
        EXPECT_EQ(notice.at("path").as_string(), path);
        EXPECT_THAT(ran.errors, HasSubstr(path));
        EXPECT_THAT(ran.errors, HasSubstr('"' + right + '"'));
        EXPECT_LT(ran.seconds(), 60.0 / 4) << "it does not wait for its duration";
    }
};

TEST_F(Refused, NoRightToCreateIsSaidAndNoClientTriesAgain)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server().address(), path(), tests::readRight));
    const EndedRun ran = onPath(path());
    expectRefused(ran, "create", path());
    EXPECT_EQ(ran.number("acquired"), 0);
    EXPECT_EQ(ran.number("failed"), 3) << "one try of each";
    for (const json::value& finding : ran.report.at("findings").as_array()) {
        EXPECT_TRUE(finding.at("ok").is_null()) << finding.at("name").as_string();
        EXPECT_EQ(finding.at("verdict").as_string(), "not checked");
    }
}

TEST_F(Refused, ThePathSaysWhichParentRefuses)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server().address(), path(), tests::readRight));
    expectRefused(onPath(path() + "/teams/ours"), "create", path());
}

TEST_F(Refused, NoRightToRead)
{
    ASSERT_TRUE(
        tests::makeRestrictedNode(server().address(), path(), tests::createRight | tests::deleteRight));
    expectRefused(onPath(path()), "read", path());
}

// It shows at the first release; the holder ends its session, so that the next client can continue.
TEST_F(Refused, NoRightToDelete)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server().address(), path(), tests::createRight | tests::readRight));
    const EndedRun ran = onPath(path());
    expectRefused(ran, "delete", path());
    EXPECT_EQ(ran.number("acquired"), 3) << "one of each";
    EXPECT_THAT(world->children(path()), IsEmpty());
}

TEST_F(Refused, EveryOtherRecipeEndsToo)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server().address(), path(), tests::readRight));
    for (const char* recipe : {"read-write", "semaphore", "semaphore-mutex", "herd", "herd-read-write"}) {
        SCOPED_TRACE(recipe);
        const EndedRun ran = onPath(path(), recipe);
        expectRefused(ran, "create", path());
        EXPECT_LE(ran.number("failed"), 2 * 3) << "one try of each; a semaphore has two locks";
    }
}

TEST_F(Refused, AMultiLockIsRefusedWhereOneOfItsPartsIs)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server().address(), path(), tests::readRight));
    tests::TempFolder folder;
    const std::string file = folder / "run.toml";
    std::ofstream(file)
        << "clients = 2\ncycles = 0\nduration = \"60s\"\nrecipe = \"multi-lock\"\nlocks = [\"/free\", \""
        << path() << "\"]\n";
    expectRefused(run({file, "--connect", server().address()}), "create", path());
}

TEST_F(Refused, AWatchingRunIsNotifiedToo)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server().address(), path(), tests::createRight));
    tests::TempFolder folder;
    const std::string file = folder / "run.toml";
    std::ofstream(file) << "clients = 0\nduration = \"60s\"\nconnect = \"" << server().address()
                        << "\"\nlock = \"" << path() << "\"\n";
    expectRefused(run({file}), "read", path());
}

TEST_F(Refused, ALockUnderAnEphemeralNode)
{
    ASSERT_EQ(world->create(world->observer(), path(), "", zk::CreateMode::ephemeral).code, zk::Code::ok);
    const EndedRun ran = onPath(path() + "/below");
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "refused");
    EXPECT_THAT(ran.codes(), ElementsAre("path_refused"));
    EXPECT_THAT(ran.errors, HasSubstr("ephemeral"));
    EXPECT_EQ(ran.number("failed"), 3);
}

TEST_F(Refused, OneThatMayStillWorkGoesOnWhenAnotherIsRefused)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server().address(), path(), tests::readRight));
    tests::TempFolder folder;
    const std::string file = folder / "run.toml";
    std::ofstream(file) << "cycles = 3\nlocks = [\"/open\", \"" << path() << "\"]\n"
                        << "[[client]]\nname = \"ada\"\ntakes = [\"open\"]\n"
                        << "[[client]]\nname = \"bo\"\ntakes = [\"" << path().substr(1) << "\"]\n";
    const EndedRun ran = run({file, "--connect", server().address()});
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "refused");
    EXPECT_EQ(ran.number("acquired"), 3);
}

// ---- scenarios that do not end by themselves
// ---------------------------------------------------------------

struct Endless
{
    const char* name;
    const char* toml;
    const char* by;
};

class EndlessScenario : public testing::TestWithParam<Endless>
{};

TEST_P(EndlessScenario, IsCutShortLongBeforeItsDuration)
{
    const tests::TempFolder folder;
    const std::string file = folder / "run.toml", trace = folder / "run.jsonl";
    std::ofstream(file) << GetParam().toml;
    const EndedRun ran = run({file, "--duration", "120s", "--trace", trace});
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), GetParam().by);
    EXPECT_THAT(ran.codes(), Contains(GetParam().by));
    EXPECT_LT(ran.seconds(), 120.0 / 4);
    const auto loaded = trace::loadTrace(trace);
    ASSERT_TRUE(loaded) << loaded.error().text();
    const auto* last =
        std::get_if<trace::RunPhaseChanged>(&loaded->store->at(loaded->store->count() - 1).what);
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->cutShort, GetParam().by) << "the trace says it, too";
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, EndlessScenario,
    testing::Values(
        Endless{"hold_everybody",
                "clients = 3\ncycles = 0\nscript = [\"when anybody holds: hold everybody\"]\n", "stalled"},
        Endless{"hold_one",
                "clients = 3\ncycles = 0\nsession_timeout = \"2s\"\n"
                "script = [\"when ada holds: hold ada before remove\"]\n",
                "stalled"},
        Endless{"pause", "clients = 2\ncycles = 0\nscript = [\"after 3 handoffs: pause\"]\n", "stalled"},
        Endless{"frozen",
                "clients = 2\ncycles = 2\nsession_timeout = \"1s\"\n"
                "script = [\"when ada holds: freeze ada\"]\n",
                "stalled"},
        Endless{"steps_that_never_come",
                "clients = 2\ncycles = 1\nsteps = [\"bo acquired\", \"bo create\"]\n", "stalled"},
        Endless{"no_leases",
                "clients = 2\ncycles = 0\nrecipe = \"semaphore\"\nleases = 1\nsession_timeout = \"1s\"\n"
                "script = [\"after 3 handoffs: set the leases to 0\"]\n",
                "stalled"}),
    [](const auto& endless) { return std::string(endless.param.name); });

TEST_F(CutShort, ARunWithoutADurationEndsWhenNothingGoesOn)
{
    const EndedRun ran = scenario("clients = 2\ncycles = 1\nscript = [\"at 0s: hold everybody\"]\n");
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "stalled");
    EXPECT_THAT(ran.errors, HasSubstr("ada (held before create)"));
}

// No person is there to step.
TEST_F(CutShort, ARunThatIsHeldFromItsStartTakesItsStepsInTurn)
{
    const EndedRun ran = scenario("clients = 2\ncycles = 2\nstepping = true\n");
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_EQ(ran.number("acquired"), 4);
    EXPECT_THAT(ran.codes(), Contains("steps_in_turn"));
}

// What the script will still do is waited for.
TEST_F(CutShort, AHoldThatTheScriptEndsIsNoStall)
{
    const EndedRun ran =
        scenario("clients = 2\ncycles = 1\nstepping = true\nscript = [\"at 3s: let everybody go\"]\n");
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_EQ(ran.number("acquired"), 2);
}

TEST_F(CutShort, AHoldThatIsLongerThanTheDuration)
{
    const EndedRun ran = scenario("clients = 2\nhold = \"1h\"\n", {"--duration", "1s", "--grace", "1s"});
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "overdue");
    EXPECT_EQ(ran.number("acquired"), 1);
    EXPECT_LT(ran.seconds(), 30);
}

TEST_F(CutShort, AClientThatStartsAfterTheEndIsNotWaitedFor)
{
    const EndedRun ran = scenario(
        "clients = [\"ada\"]\ncycles = 2\n[[client]]\nname = \"bo\"\nstart = \"1h\"\n", {"--duration", "2s"});
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_EQ(ran.number("acquired"), 2);
    EXPECT_THAT(ran.codes(), ElementsAre("starts_too_late"));
    EXPECT_LT(ran.seconds(), 30) << "the grace is for what has begun";
}

// Nor is one behind the barrier, or one that still thinks.
TEST_F(CutShort, WhoHasNotAskedYetAsksNoMoreAfterTheDuration)
{
    const EndedRun ran = scenario(
        "clients = [\"ada\", \"cyd\"]\narrival = \"together\"\n[[client]]\nname = \"bo\"\nstart = \"1h\"\n",
        {"--duration", "1s"});
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "nothing_done") << "that is no success";
    EXPECT_LT(ran.seconds(), 30);
    EXPECT_THAT(ran.errors, HasSubstr("The run did nothing"));
    const EndedRun quiet = scenario("clients = 2\nthink = \"1h\"\n", {"--duration", "1s", "--quiet"});
    EXPECT_EQ(quiet.code, 4);
    EXPECT_THAT(quiet.errors, HasSubstr("The run did nothing")) << "a failure without a word helps nobody";
    const EndedRun thinking = scenario("clients = 2\nthink = \"1h\"\n", {"--duration", "1s"});
    EXPECT_EQ(thinking.by(), "nothing_done");
    EXPECT_LT(thinking.seconds(), 30);
}

TEST_F(CutShort, ALineOfTheScriptThatComesAfterTheEndIsSaid)
{
    const EndedRun ran =
        scenario("clients = 1\ncycles = 1\nscript = [\"at 1h: kill ada\"]\n", {"--duration", "1m"});
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_THAT(ran.codes(), ElementsAre("script_too_late"));
}

// The servers go before the timers: what the script had in mind for them does not happen to what is left of
// them.
TEST_F(CutShort, NothingOfTheScriptHappensAfterTheEnd)
{
    const EndedRun ran = scenario(
        "clients = 1\ncycles = 1\n"
        "script = [\"at 1h: kill the server\", \"at 1h: kill ada\", \"at 1h: restart the server\"]\n");
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_THAT(ran.codes(), IsEmpty());
}

// Nor is undone what ends later: the server that would go on again is no more.
TEST_F(CutShort, AStoppedServerIsNotContinuedAfterTheEnd)
{
    const EndedRun ran =
        scenario("clients = 2\ncycles = 0\nscript = [\"after 3 handoffs: stop the server for 1h\"]\n",
                 {"--duration", "120s", "--server-limit", "1s"});
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_THAT(ran.codes(), ElementsAre("no_contact"));
}

// ---- a server that is gone
// ---------------------------------------------------------------------------------

TEST_F(CutShort, AnEnsembleThatLostItsQuorumForEver)
{
    const EndedRun ran =
        scenario("clients = 2\ncycles = 0\nservers = 3\nsession_timeout = \"2s\"\n"
                 "script = [\"after 3 handoffs: kill server 1\", \"after 3 handoffs: kill server 2\"]\n",
                 {"--duration", "120s", "--server-limit", "3s"});
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "no_contact");
    EXPECT_LT(ran.seconds(), 120.0 / 2);
}

TEST_F(CutShort, LinksThatAreCutForEver)
{
    const EndedRun ran = scenario("clients = 2\ncycles = 0\nsession_timeout = \"1s\"\n"
                                  "script = [\"after 3 handoffs: cut the link of everybody\"]\n",
                                  {"--duration", "120s", "--server-limit", "3s"});
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "no_contact");
    EXPECT_LT(ran.seconds(), 120.0 / 2);
}

// ZooKeeper's default bounds are 2 and 20 ticks.
TEST_F(CutShort, AnExpectedExpiryThatTheServerPreventsIsSaid)
{
    auto server = server::ManagedServer::start({.tickTime = 5s});
    ASSERT_TRUE(server) << server.error().text();
    const std::string toml =
        "clients = 1\ncycles = 1\nsession_timeout = \"2s\"\nexpect = [\"belief_matches_server violated\"]\n";
    const EndedRun ran = scenario(toml, {"--connect", (*server)->address()});
    EXPECT_EQ(ran.code, 1) << ran.errors;
    EXPECT_THAT(ran.codes(), ElementsAre("session_timeout"));
    Child child(LOCKSCOPE_CLI, {"run", file(toml), "--connect", (*server)->address()});
    EXPECT_EQ(child.wait(), 1);
    EXPECT_THAT(child.errors(), HasSubstr("UNEXPECTED"));
    EXPECT_THAT(scenario("clients = 1\ncycles = 1\n", {"--connect", (*server)->address()}).codes(),
                IsEmpty());
}

class ForeignServer : public CutShort
{
protected:
    void SetUp() override
    {
        auto started = server::ManagedServer::start({});
        ASSERT_TRUE(started) << started.error().text();
        server = std::move(*started);
    }
    std::vector<std::string> arguments(std::vector<std::string> more) const
    {
        std::vector<std::string> all{
            "run",     "five-clients",     "--cycles", "1000000", "--connect", server->address(),
            "--trace", folder / "t.jsonl", "--report", "-",       "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    bool isUnderWay() const
    {
        const fs::path trace = folder / "t.jsonl";
        return eventually([&] { return fs::exists(trace) && fs::file_size(trace) > 20'000; });
    }
    std::unique_ptr<server::ManagedServer> server;
};

// The duration ends the run before the limit does; what was checked before is not a run that went well.
TEST_F(ForeignServer, ThatIsGoneForMostOfTheRunIsSaid)
{
    Child child(LOCKSCOPE_CLI, arguments({"--duration", "4s"}));
    ASSERT_TRUE(isUnderWay());
    ASSERT_TRUE(server->killNow());
    const EndedRun ran = ranBy(child);
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "mostly_no_contact");
    EXPECT_THAT(ran.codes(), Contains("mostly_no_contact"));
    EXPECT_THAT(ran.errors, HasSubstr("no client could be served by ZooKeeper")) << "also with --quiet";
}

TEST_F(ForeignServer, WhoseLockOthersUseIsLeftAloneAndTheWaysOutAreNamed)
{
    ASSERT_TRUE(tests::makeRestrictedNode(server->address(), "/prod", tests::allRights));
    ASSERT_TRUE(tests::makeRestrictedNode(server->address(),
                                          "/prod/_c_8ad7f3c2-0000-4000-8000-000000000001-lock-0000000001",
                                          tests::allRights));
    const std::vector<std::string> run{"run", "five-clients", "--cycles",        "1",      "--hold",
                                       "1ms", "--connect",    server->address(), "--lock", "/prod"};
    Child refused(LOCKSCOPE_CLI, run);
    EXPECT_EQ(refused.wait(), 2) << refused.errors();
    for (const char* says : {"Other programs use /prod", "1 of Curator or LockScope", "Nothing was changed",
                             "lockscope-cli watch", "--join-foreign", "5 clients"})
        EXPECT_THAT(refused.errors(), HasSubstr(says));
    EXPECT_EQ(refused.output(), "");
    // The same below a scenario of its own.
    Child file(LOCKSCOPE_CLI, {"run", this->file("clients = 1\nlock = \"/prod\"\nconnect = \"" +
                                                 server->address() + "\"\n")});
    EXPECT_EQ(file.wait(), 2) << file.errors();
    // The node in front belongs to no session and stays: who joins waits.
    std::vector<std::string> joins = run;
    joins.insert(joins.end(), {"--join-foreign", "--duration", "1s", "--grace", "1s"});
    Child joined(LOCKSCOPE_CLI, joins);
    EXPECT_EQ(joined.wait(), 4) << joined.errors();
    EXPECT_THAT(joined.errors(), HasSubstr("grace period"));
}

TEST_F(ForeignServer, ThatDiesForEver)
{
    Child child(LOCKSCOPE_CLI, arguments({"--duration", "120s", "--server-limit", "2s"}));
    ASSERT_TRUE(isUnderWay());
    ASSERT_TRUE(server->killNow());
    const EndedRun ran = ranBy(child);
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "no_contact");
    EXPECT_LT(ran.seconds(), 120.0 / 2);
    EXPECT_TRUE(trace::loadTrace(folder / "t.jsonl")->truncation.empty());
}

TEST_F(ForeignServer, ThatKeepsItsConnectionsAndIsSilent)
{
    Child child(LOCKSCOPE_CLI, arguments({"--duration", "120s", "--server-limit", "2s"}));
    ASSERT_TRUE(isUnderWay());
    ASSERT_TRUE(server->suspend());
    const EndedRun ran = ranBy(child);
    server->resume();
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "no_contact");
}

// What cannot answer is not waited for.
TEST_F(ForeignServer, ASignalEndsARunWhoseServerIsGoneAtOnce)
{
    Child child(LOCKSCOPE_CLI, arguments({"--server-limit", "1h"}));
    ASSERT_TRUE(isUnderWay());
    ASSERT_TRUE(server->killNow());
    ASSERT_TRUE(eventually([&] {
        std::ifstream trace(folder / "t.jsonl");
        const std::string all((std::istreambuf_iterator<char>(trace)), {});
        return all.find("\"phase\":\"down\"") != std::string::npos;
    }));
    child.signal(SIGINT);
    const EndedRun ran = ranBy(child);
    EXPECT_EQ(ran.code, 4) << ran.errors;
    EXPECT_EQ(ran.by(), "interrupted");
    const auto loaded = trace::loadTrace(folder / "t.jsonl");
    ASSERT_TRUE(loaded);
    const auto* last =
        std::get_if<trace::RunPhaseChanged>(&loaded->store->at(loaded->store->count() - 1).what);
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->cutShort, "interrupted");
}

// ---- addresses where no ZooKeeper is
// -----------------------------------------------------------------------

// Takes connections and says always the same, or nothing; with a word, only to who begins with that. Or
// closes each connection at once.
class Listener
{
public:
    static constexpr const char* kCloses = "closes";
    static constexpr const char* kResets = "resets";
    explicit Listener(std::string answer, std::string word = {})
        : m_answer(std::move(answer))
        , m_word(std::move(word))
        , m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(m_socket, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::listen(m_socket, 16), 0);
        EXPECT_EQ(::getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
        m_address = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
        m_thread = std::thread([this] { serve(); });
    }
    ~Listener()
    {
        m_over = true;
        m_thread.join();
        ::close(m_socket);
    }
    const std::string& address() const { return m_address; }

private:
    void serve()
    {
        std::vector<int> taken;
        while (!m_over) {
            pollfd ready{m_socket, POLLIN, 0};
            if (::poll(&ready, 1, 20) != 1)
                continue;
            taken.push_back(::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC));
            if (m_answer == kCloses || m_answer == kResets) {
                const linger atOnce{m_answer == kResets, 0};
                ::setsockopt(taken.back(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
                ::close(taken.back());
                taken.pop_back();
                continue;
            }
            std::string begin(m_word.size(), ' ');
            if (m_answer.empty() || ::recv(taken.back(), begin.data(), begin.size(), MSG_WAITALL) < 0 ||
                begin != m_word)
                continue;
            ::send(taken.back(), m_answer.data(), m_answer.size(), MSG_NOSIGNAL);
            ::shutdown(taken.back(), SHUT_WR);
        }
        for (const int one : taken)
            ::close(one);
    }

    std::string m_answer;
    std::string m_word;
    std::string m_address;
    int m_socket;
    std::atomic<bool> m_over = false;
    std::thread m_thread;
};

TEST_F(CutShort, APortThatIsSilentOrSpeaksAnotherLanguageIsNoZooKeeper)
{
    for (const char* answer : {"", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"}) {
        const Listener listener(answer);
        Child child(LOCKSCOPE_CLI,
                    {"run", "five-clients", "--connect", listener.address(), "--duration", "60s"});
        EXPECT_EQ(child.wait(), 3) << answer;
        EXPECT_THAT(child.errors(), HasSubstr(listener.address()));
        EXPECT_EQ(child.output(), "");
    }
}

// As a ZooKeeper whose limit of connections is reached.
TEST_F(CutShort, AServerThatClosesEveryConnectionIsNoWrongAddress)
{
    for (const char* how : {Listener::kCloses, Listener::kResets}) {
        const Listener listener(how);
        Child child(LOCKSCOPE_CLI,
                    {"run", "five-clients", "--connect", listener.address(), "--duration", "60s"});
        EXPECT_EQ(child.wait(), 3) << child.errors();
        EXPECT_THAT(child.errors(), HasSubstr("The server at " + listener.address() +
                                              " closes each connection without an answer."));
        EXPECT_THAT(child.errors(), HasSubstr("maxClientCnxns"));
        EXPECT_THAT(child.errors(), Not(HasSubstr("Check the address")));
    }
}

// It answers four-letter words and gives no session.
TEST_F(CutShort, AServerThatGivesNoSession)
{
    const Listener listener("Zookeeper version: 3.8.0-x, built on today\nMode: standalone\n", "srvr");
    Child child(LOCKSCOPE_CLI, {"run", "five-clients", "--connect", listener.address(), "--duration", "120s",
                                "--server-limit", "2s"});
    EXPECT_EQ(child.wait(), 3) << child.errors();
    EXPECT_THAT(child.errors(), HasSubstr("no session"));
}

} // namespace
} // namespace lockscope::test
