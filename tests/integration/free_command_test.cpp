// lockscope-cli free against a real server: what it shows, whom it asks, and what it deletes.
#include "tests/integration/child.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using zk::CreateMode;

class FreeCommand : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        owner = world->connect();
        waiter = world->connect();
        for (const std::string lock : {"", "/orders", "/bills", "/settle"})
            world->create(*owner, path() + lock, "");
        held = take(*owner, "/orders");
        take(*waiter, "/orders");
        bills = take(*owner, "/bills");
    }
    void TearDown() override
    {
        owner.reset();
        waiter.reset();
        ZkTest::TearDown();
    }
    zk::Created take(zk::Session& session, const std::string& lock)
    {
        return world->create(session, path() + lock + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-",
                             "10.1.2.3", CreateMode::ephemeralSequential);
    }
    std::vector<std::string> words(const std::string& lock, std::vector<std::string> more = {}) const
    {
        more.insert(more.begin(), {"free", path() + lock, "--connect", address});
        return more;
    }
    int run(const std::vector<std::string>& arguments)
    {
        test::Child child(LOCKSCOPE_CLI, arguments);
        const int code = child.wait();
        output = child.output();
        errors = child.errors();
        return code;
    }
    // Calls `meanwhile` when the question is there, and then answers.
    int answered(const std::string& lock, const std::string& answer, const std::function<void()>& meanwhile)
    {
        const std::string questions = folder / "answers";
        ::unlink(questions.c_str());
        EXPECT_EQ(::mkfifo(questions.c_str(), 0600), 0);
        test::Child child("/bin/sh", {"-c", "exec " LOCKSCOPE_CLI " free " + path() + lock + " --connect " +
                                                address + " < '" + questions + "'"});
        std::ofstream typed(questions);
        EXPECT_TRUE(test::eventually([&] {
            world->runReady();
            return child.output().find("Delete this node?") != std::string::npos ||
                   !test::isProcessAlive(child.pid());
        }));
        meanwhile();
        typed << answer << std::flush;
        typed.close();
        EXPECT_TRUE(test::eventually([&] {
            world->runReady();
            return !test::isProcessAlive(child.pid());
        }));
        const int code = child.wait();
        output = child.output();
        errors = child.errors();
        return code;
    }
    static std::string hex(std::int64_t number)
    {
        std::ostringstream text;
        text << "0x" << std::hex << number;
        return text.str();
    }

    HubSessionPtr owner, waiter;
    zk::Created held, bills;
    const std::string address = server().address();
    TempFolder folder;
    std::string output, errors;
};

TEST_F(FreeCommand, ShowsAsksAndDeletesThatNode)
{
    EXPECT_EQ(answered("/orders", "yes\n", [] {}), 0) << output << errors;
    EXPECT_THAT(output, HasSubstr(held.path + "\n"));
    EXPECT_THAT(output, HasSubstr("session " + hex(owner->id().value)));
    EXPECT_THAT(output, HasSubstr("czxid " + hex(held.stat.czxid.value)));
    EXPECT_THAT(output, HasSubstr("takes the lock; 1 client waits, next is 10.1.2.3 from 127.0.0.1:"));
    EXPECT_THAT(output, HasSubstr(bills.path + " (holds " + path() + "/bills)"));
    EXPECT_THAT(output, HasSubstr("Deleted: " + held.path + ", czxid"));
    EXPECT_FALSE(world->exists(held.path));
    EXPECT_TRUE(world->exists(bills.path));
    EXPECT_EQ(world->children(path() + "/orders").size(), 1U);
    EXPECT_THAT(output, HasSubstr("Now " + path() + "/orders: held by")) << "the next one";
}

TEST_F(FreeCommand, AnythingButYesDeletesNothing)
{
    for (const std::string answer : {"y\n", "\n", "yes please\n", ""}) {
        EXPECT_EQ(answered("/orders", answer, [] {}), 1) << answer;
        EXPECT_THAT(output, HasSubstr("Nothing was deleted."));
    }
    EXPECT_EQ(run(words("/orders")), 1) << "nobody to ask";
    EXPECT_EQ(run(words("/orders", {"--yes-czxid", "0x1"})), 1);
    EXPECT_THAT(output, HasSubstr("its czxid is not 0x1."));
    EXPECT_EQ(run(words("/orders", {"--yes-czxid", "it"})), 2);
    EXPECT_EQ(run({"free", "/x"}), 2);
    EXPECT_EQ(run(words("/settle")), 1);
    EXPECT_THAT(output, HasSubstr("free; no client holds it or waits"));
    EXPECT_EQ(run(words("/none")), 1);
    EXPECT_THAT(output, HasSubstr("there is no such path"));
    EXPECT_TRUE(world->exists(held.path));
}

TEST_F(FreeCommand, ForScripts)
{
    EXPECT_EQ(run(words("/orders", {"--yes-czxid", hex(held.stat.czxid.value)})), 0) << output << errors;
    EXPECT_THAT(output, Not(HasSubstr("Delete this node?")));
    EXPECT_FALSE(world->exists(held.path));
    // One node by its own path: the owner waits now.
    const zk::Created waiting = take(*owner, "/orders");
    EXPECT_EQ(answered(waiting.path.substr(path().size()), "yes\n", [] {}), 0) << output << errors;
    EXPECT_THAT(output, HasSubstr("takes its place in the queue; the lock stays with 10.1.2.3"));
    EXPECT_THAT(output, HasSubstr(bills.path));
    EXPECT_FALSE(world->exists(waiting.path));
}

// Between the showing and the "yes" the holder has gone, and another has the same name.
TEST_F(FreeCommand, TheNodeChangesHandsBeforeTheYes)
{
    const std::string leader = path() + "/leader";
    world->create(*owner, leader, "", CreateMode::ephemeral);
    zk::Created now;
    EXPECT_EQ(answered("/leader", "yes\n",
                       [&] {
                           world->remove(*owner, leader);
                           now = world->create(*waiter, leader, "", CreateMode::ephemeral);
                       }),
              1)
        << output << errors;
    EXPECT_THAT(output, HasSubstr("Nothing was deleted: another node has that name now, czxid " +
                                  hex(now.stat.czxid.value) + ", of session " + hex(waiter->id().value)));
    EXPECT_EQ(world->get(*waiter, leader).stat.czxid, now.stat.czxid);
    EXPECT_EQ(answered("/orders", "yes\n", [&] { world->remove(*owner, held.path); }), 1);
    EXPECT_THAT(output, HasSubstr("it is gone already"));
    EXPECT_EQ(world->children(path() + "/orders").size(), 1U) << "the next holder's is still there";
}

} // namespace
} // namespace lockscope::tests
