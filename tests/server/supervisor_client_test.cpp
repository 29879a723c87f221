// The parent's end of the supervisor against one that is slow, or says what it likes; and the real one when
// it was started with closed standard streams.
#include "core/server/process/supervisor_client.h"

#include "core/server/deadline.h"
#include "process_watch.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <vector>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::becomesTrue;
using ::testing::ElementsAre;
using testing::entriesIn;
using ::testing::HasSubstr;
using testing::isProcessAlive;

class SupervisorLinkTest : public ::testing::Test
{
protected:
    // A supervisor that is this shell script. `say` answers; what it is asked is read from standard input.
    SupervisorClient::Options fake(const std::string& body) const
    {
        const auto path = tools / "supervisor";
        std::ofstream(path) << "#!/bin/bash\nsay() { printf '%b\\n' \"$*\" >&0; }\nmine=$1/lockscope-"
                            << ::getuid() << "-abc123\nmkdir $mine; say directory $mine\n"
                            << body << "\n";
        ::chmod(path.c_str(), 0700);
        return {.baseDir = base.path(), .command = {"/bin/true"}, .replyLimit = 10s, .program = path};
    }
    // The real one; its child only waits.
    SupervisorClient::Options real() const
    {
        return {.baseDir = base.path(), .command = {"/bin/sleep", "1000"}};
    }

    const tests::TempFolder base;
    const tests::TempFolder tools;
};

Result<void> start(SupervisorClient& link)
{
    return link.await([&](SupervisorClient::Done done) { link.startChild(std::move(done)); });
}
Result<void> kill(SupervisorClient& link)
{
    return link.await([&](SupervisorClient::Done done) { link.killChild(std::move(done)); });
}

TEST_F(SupervisorLinkTest, RequestsDoNotWaitAndAreDoneInTheirOrder)
{
    auto link = SupervisorClient::spawn(real());
    ASSERT_TRUE(link) << link.error().text();
    ASSERT_EQ(::kill((*link)->supervisorId(), SIGSTOP), 0);
    std::vector<std::string> done;
    const auto noting = [&](const char* name) {
        return
            [&done, name](Result<void> result) { done.emplace_back(result ? name : result.error().text()); };
    };
    (*link)->startChild(noting("start"));
    (*link)->suspendChild(noting("suspend"));
    (*link)->resumeChild(noting("resume"));
    (*link)->killChild(noting("kill"));
    (*link)->suspendChild(noting("nothing"));
    (*link)->poll();
    EXPECT_TRUE(done.empty());
    ASSERT_EQ(::kill((*link)->supervisorId(), SIGCONT), 0);
    EXPECT_TRUE(becomesTrue([&] {
        (*link)->poll();
        return done.size() == 5;
    }));
    EXPECT_THAT(done,
                ElementsAre("start", "suspend", "resume", "kill", "The private ZooKeeper does not run."));
}

TEST_F(SupervisorLinkTest, RemovesNoDirectoryThatIsInUseIsKeptOrIsNotOurs)
{
    const auto inUse = SupervisorClient::spawn(real());
    ASSERT_TRUE(inUse) << inUse.error().text();
    SupervisorClient::Options keeping = real();
    keeping.keepData = true;
    auto kept = SupervisorClient::spawn(keeping);
    ASSERT_TRUE(kept) << kept.error().text();
    const std::filesystem::path keptDirectory = (*kept)->directory();
    ASSERT_EQ(::kill((*kept)->supervisorId(), SIGKILL), 0);
    kept->reset();
    const std::string ours = "lockscope-" + std::to_string(::getuid()) + "-";
    const auto left = base.path() / (ours + "left00"); // its supervisor was killed
    const auto linked = base.path() / (ours + "linked");
    const auto strange = base.path() / "lockscope-x-abc123";
    for (const auto& directory : {left / "data", strange, tools.path()}) {
        std::filesystem::create_directories(directory);
        std::ofstream(directory / "supervisor.lock");
    }
    std::ofstream(left / "supervisor.lock");
    std::filesystem::create_directory_symlink(tools.path(), linked);
    auto next = SupervisorClient::spawn(real());
    ASSERT_TRUE(next) << next.error().text();
    ASSERT_TRUE(start(**next));
    EXPECT_FALSE(std::filesystem::exists(left));
    for (const auto& directory :
         {(*inUse)->directory(), keptDirectory, (*next)->directory(), linked, strange})
        EXPECT_TRUE(std::filesystem::exists(directory)) << directory;
    EXPECT_TRUE(std::filesystem::exists(tools / "supervisor.lock"));
}

Result<void> suspend(SupervisorClient& link)
{
    return link.await([&](SupervisorClient::Done done) { link.suspendChild(std::move(done)); });
}
Result<void> resume(SupervisorClient& link)
{
    return link.await([&](SupervisorClient::Done done) { link.resumeChild(std::move(done)); });
}

TEST_F(SupervisorLinkTest, AStopIsDoneHoweverTheChildCameToBeStopped)
{
    auto link = SupervisorClient::spawn(real());
    ASSERT_TRUE(link) << link.error().text();
    ASSERT_TRUE(start(**link));
    const pid_t child = *(*link)->child();
    const auto becomesStopped = [&](bool stopped) {
        return becomesTrue([&] {
            (*link)->poll();
            return (*link)->childIsSuspended() == stopped;
        });
    };
    ASSERT_EQ(::kill(child, SIGSTOP), 0); // by somebody else
    EXPECT_TRUE(becomesStopped(true));
    EXPECT_TRUE(suspend(**link));
    EXPECT_TRUE(suspend(**link));
    EXPECT_TRUE((*link)->childIsSuspended());
    ASSERT_EQ(::kill(child, SIGCONT), 0); // by somebody else
    EXPECT_TRUE(becomesStopped(false));
    EXPECT_TRUE(suspend(**link));
    EXPECT_TRUE(resume(**link));
    EXPECT_TRUE(suspend(**link));
    EXPECT_TRUE(kill(**link));
    EXPECT_FALSE(isProcessAlive(child));
    EXPECT_FALSE(suspend(**link));
}

// A child that dies slowly, because it has much memory, would write into a directory that is already removed.
TEST_F(SupervisorLinkTest, AChildWhoseSupervisorWasKilledHasEndedWhenTheDirectoryGoes)
{
    auto options = real();
    options.replyLimit = 10s;
    options.command = {"/bin/bash", "-c",
                       "printf -v much '%*s' 150000000 ''; : > filled; while :; do : > tick; done"};
    pid_t child = 0;
    {
        auto link = SupervisorClient::spawn(options);
        ASSERT_TRUE(link) << link.error().text();
        ASSERT_TRUE(start(**link));
        child = *(*link)->child();
        const auto filled = (*link)->directory() / "filled";
        ASSERT_TRUE(becomesTrue([&] { return std::filesystem::exists(filled); }));
        ASSERT_EQ(::kill((*link)->supervisorId(), SIGKILL), 0);
    }
    EXPECT_FALSE(isProcessAlive(child));
    EXPECT_EQ(entriesIn(base.path()), 0u);
}

TEST_F(SupervisorLinkTest, AFolderWithALineBreakIsRefusedBeforeAnythingIsMade)
{
    const auto folder = base.path() / "two\nlines";
    std::filesystem::create_directory(folder);
    auto options = real();
    options.baseDir = folder;
    const auto link = SupervisorClient::spawn(options);
    ASSERT_FALSE(link);
    EXPECT_THAT(link.error().text(), HasSubstr("Set TMPDIR"));
    EXPECT_EQ(entriesIn(folder), 0u);
}

TEST_F(SupervisorLinkTest, AProgramThatMayNotBeExecutedIsNotMissing)
{
    auto options = fake("");
    ::chmod(options.program.c_str(), 0600);
    const auto link = SupervisorClient::spawn(options);
    ASSERT_FALSE(link);
    EXPECT_THAT(link.error().text(), HasSubstr("chmod +x"));
    options.program = tools / "nothing";
    EXPECT_THAT(SupervisorClient::spawn(options).error().text(), HasSubstr("does not exist"));
}

TEST_F(SupervisorLinkTest, ALateReplySaysWhatBecameOfTheChildAndNothingElse)
{
    auto options = real();
    options.replyLimit = 1ms;
    auto link = SupervisorClient::spawn(options);
    ASSERT_TRUE(link) << link.error().text();
    ASSERT_EQ(::kill((*link)->supervisorId(), SIGSTOP), 0);
    const auto late = start(**link);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::timedOut);
    EXPECT_FALSE((*link)->child());
    ASSERT_EQ(::kill((*link)->supervisorId(), SIGCONT), 0);
    EXPECT_TRUE(becomesTrue([&] {
        (*link)->poll();
        return (*link)->child().has_value();
    })) << "it was started after all";
    EXPECT_TRUE(isProcessAlive(*(*link)->child()));
    EXPECT_TRUE((*link)->connected());
}

struct Said
{
    const char* what;
    const char* error;
    bool connected = true;
};

class SupervisorSays : public SupervisorLinkTest, public ::testing::WithParamInterface<Said>
{};

TEST_P(SupervisorSays, IsAnErrorAndNothingIsLeft)
{
    {
        auto link =
            SupervisorClient::spawn(fake("read line; " + std::string(GetParam().what) + "; cat > /dev/null"));
        ASSERT_TRUE(link) << link.error().text();
        const auto supervisor = (*link)->supervisorId();
        const auto started = start(**link);
        ASSERT_FALSE(started);
        EXPECT_EQ(started.error().code, ErrorCode::noServer);
        EXPECT_THAT(started.error().message.english(), HasSubstr(GetParam().error));
        EXPECT_EQ((*link)->connected(), GetParam().connected);
        EXPECT_FALSE((*link)->child());
        if (!GetParam().connected) {
            EXPECT_TRUE(becomesTrue([&] { return !isProcessAlive(supervisor); }));
            EXPECT_FALSE(kill(**link)) << "and so is every request after that";
        }
    }
    EXPECT_EQ(entriesIn(base.path()), 0u);
}

void PrintTo(const Said& said, std::ostream* out) { *out << said.what; }

INSTANTIATE_TEST_SUITE_P(
    Lines, SupervisorSays,
    ::testing::Values(
        Said{"say 1 no such file", "could not be started: no such file"},
        Said{"say 1 started 12", "could not be started"},
        Said{"say running", "unknown reply: running", false}, Said{"say running -5", "unknown reply", false},
        Said{"say running 12x", "unknown reply", false}, Said{"say running 12 13", "unknown reply", false},
        Said{"say running 99999999999999999999", "unknown reply", false},
        Said{"say stopped 0", "unknown reply", false}, Said{"say 1", "could not be started"},
        Said{"say done", "unknown reply: done", false}, Said{"say 2 done", "unknown reply", false},
        Said{"say -1 done", "unknown reply", false},
        Said{"say 99999999999999999999999 done", "unknown reply", false}, Said{"say", "unknown reply", false},
        Said{"say 'ended xyz'", "unknown reply", false},
        Said{"say '\\x01\\x7f\\x1b[2J'", "unknown reply: ???[2J", false},
        Said{"head -c 100000 /dev/zero >&0", "unknown reply: ????", false},
        Said{"say 'x\\n1 done'", "unknown reply: x", false}, Said{"exit 0", "has ended", false}));

// We remove it in the end.
TEST_F(SupervisorLinkTest, ADirectoryThatIsNotTheOneThatWasAskedForIsRefused)
{
    const tests::TempFolder precious;
    for (const std::string& named :
         {precious.path().string(), base.path().string(), base.path().string() + "/lockscope-1-x/../..",
          base.path().string() + "/lockscope-" + std::to_string(::getuid()) + "-/..", std::string("/"),
          std::string()}) {
        auto options = fake("");
        std::ofstream(options.program)
            << "#!/bin/sh\nprintf 'directory %s\\n' '" + named + "' >&0; cat > /dev/null\n";
        const auto link = SupervisorClient::spawn(options);
        EXPECT_FALSE(link) << named;
        EXPECT_TRUE(std::filesystem::exists(precious.path())) << named;
        EXPECT_TRUE(std::filesystem::exists(base.path())) << named;
    }
}

TEST_F(SupervisorLinkTest, OneThatDoesNotEndIsKilled)
{
    pid_t supervisor = 0;
    {
        auto options = fake("trap '' TERM; exec tail -f /dev/null");
        options.replyLimit = 100ms;
        auto link = SupervisorClient::spawn(options);
        ASSERT_TRUE(link) << link.error().text();
        supervisor = (*link)->supervisorId();
        (*link)->poll();
    }
    EXPECT_FALSE(isProcessAlive(supervisor));
    EXPECT_EQ(entriesIn(base.path()), 0u);
}

// ---- the supervisor's own standard streams -------------------------------------------------------------

std::string linkOf(pid_t process, int descriptor)
{
    std::error_code failed;
    return std::filesystem::read_symlink(
        "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor), failed);
}

std::string lineFrom(int socket)
{
    std::string line;
    char byte = 0;
    while (waitFor(socket, POLLIN, deadlineIn(30s)) && ::read(socket, &byte, 1) == 1 && byte != '\n')
        line += byte;
    return line;
}

TEST_F(SupervisorLinkTest, AClosedStandardStreamOfTheSupervisorGetsNoFile)
{
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const std::string folder = base.path().string();
    const pid_t supervisor = ::fork();
    if (supervisor == 0) {
        ::dup2(ends[1], STDIN_FILENO);
        ::close(STDOUT_FILENO);
        ::close(STDERR_FILENO);
        ::execl(LOCKSCOPE_SUPERVISOR, LOCKSCOPE_SUPERVISOR, folder.c_str(), "remove", "/bin/sleep", "1000",
                nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    UniqueFd socket(ends[0]);
    EXPECT_THAT(lineFrom(socket.get()), HasSubstr("directory " + folder));
    EXPECT_EQ(linkOf(supervisor, STDOUT_FILENO), "/dev/null");
    EXPECT_EQ(linkOf(supervisor, STDERR_FILENO), "/dev/null");
    ASSERT_EQ(::send(socket.get(), "7 start\n", 8, MSG_NOSIGNAL), 8);
    const std::string reply = lineFrom(socket.get());
    ASSERT_THAT(reply, ::testing::StartsWith("running "));
    const pid_t child = std::stoi(reply.substr(8));
    EXPECT_EQ(lineFrom(socket.get()), "7 done");
    EXPECT_THAT(linkOf(child, STDOUT_FILENO), ::testing::EndsWith("/server.log"));
    EXPECT_THAT(linkOf(child, STDERR_FILENO), ::testing::EndsWith("/server.log"));
    // The dynamic loader of the child opens libraries for a moment; what is handed on stays open.
    EXPECT_TRUE(becomesTrue([&] { return linkOf(child, STDERR_FILENO + 1).empty(); }))
        << linkOf(child, STDERR_FILENO + 1) << " was handed on";
    socket.reset();
    int status = 0;
    EXPECT_EQ(::waitpid(supervisor, &status, 0), supervisor);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(isProcessAlive(child));
    EXPECT_EQ(entriesIn(base.path()), 0u);
}

TEST_F(SupervisorLinkTest, BadUsageHasItsCodeWithoutAnyStandardStream)
{
    const std::string closed = std::string(LOCKSCOPE_SUPERVISOR) + " <&- >&- 2>&-";
    EXPECT_EQ(WEXITSTATUS(std::system(closed.c_str())), 2);
    const std::string full = std::string(LOCKSCOPE_SUPERVISOR) + " > /dev/full 2> /dev/full";
    EXPECT_EQ(WEXITSTATUS(std::system(full.c_str())), 2);
}

} // namespace
} // namespace lockscope::server
