// What the simulated ensemble does for its users while all is well: the same as a real one.
#include "tests/zk_memory/memory_test.h"

namespace lockscope::zk::memory {
namespace {

using ::testing::ElementsAre;

class MemoryRequests : public MemoryTest
{};

TEST_F(MemoryRequests, ConnectsAndTellsItsListeners)
{
    TestClient& client = add({std::chrono::seconds(20), std::chrono::seconds(25)});
    EXPECT_EQ(client->phase(), SessionPhase::connecting);
    EXPECT_FALSE(client->id().valid());
    EXPECT_EQ(client->server(), "");
    ensemble->settle();
    EXPECT_EQ(client->phase(), SessionPhase::connected);
    EXPECT_TRUE(client->id().valid());
    EXPECT_EQ(client->timeout(), std::chrono::seconds(20));
    EXPECT_EQ(client->server(), "server 0");
    client->close();
    ensemble->settle();
    EXPECT_THAT(client.phases, ElementsAre(SessionPhase::connected, SessionPhase::closed));
}

TEST_F(MemoryRequests, StoresAndGivesBackData)
{
    TestClient& client = addConnected();
    const Created created = create(client, "/a", CreateMode::persistent, "first");
    EXPECT_EQ(created.code, Code::ok);
    EXPECT_EQ(created.path, "/a");
    EXPECT_FALSE(created.stat.ephemeralOwner.valid());
    EXPECT_EQ(get(client, "/a").bytes, "first");
    EXPECT_EQ(set(client, "/a", "second").stat.version, 1);
    const Data data = get(client, "/a");
    EXPECT_EQ(data.bytes, "second");
    EXPECT_EQ(data.stat.czxid, created.stat.czxid);
    EXPECT_GT(data.stat.mzxid, data.stat.czxid);
    EXPECT_EQ(remove(client, "/a"), Code::ok);
    EXPECT_EQ(get(client, "/a").code, Code::noNode);
}

TEST_F(MemoryRequests, SaysWhyItWasNotDone)
{
    TestClient& client = addConnected();
    create(client, "/a");
    EXPECT_EQ(create(client, "/a").code, Code::nodeExists);
    EXPECT_EQ(create(client, "/a/b/c").code, Code::noNode);
    for (const char* wrong : {"a", "", "/a/", "/a//b", "/a/./b", "/.."})
        EXPECT_EQ(create(client, wrong).code, Code::badArguments) << wrong;
    EXPECT_EQ(remove(client, "/a/missing"), Code::noNode);
    EXPECT_EQ(set(client, "/a/missing", "x").code, Code::noNode);
    EXPECT_EQ(list(client, "/a/missing").code, Code::noNode);
    create(client, "/a/child", CreateMode::ephemeral);
    EXPECT_EQ(remove(client, "/a"), Code::notEmpty);
    EXPECT_EQ(create(client, "/a/child/grandchild").code, Code::noChildrenForEphemerals);
}

// The number is the count of children ever made under the parent, of any kind, and starts again with the
// parent.
TEST_F(MemoryRequests, NumbersSequentialNodesAsTheServerDoes)
{
    TestClient& client = addConnected();
    create(client, "/a", CreateMode::container);
    EXPECT_EQ(create(client, "/a/n-", CreateMode::ephemeralSequential).path, "/a/n-0000000000");
    EXPECT_EQ(create(client, "/a/m-", CreateMode::persistentSequential).path, "/a/m-0000000001");
    create(client, "/a/plain", CreateMode::ephemeral);
    remove(client, "/a/plain");
    EXPECT_EQ(create(client, "/a/", CreateMode::ephemeralSequential).path, "/a/0000000003");
    const Stat parent = list(client, "/a").stat;
    EXPECT_EQ(parent.numChildren, 3);
    EXPECT_EQ(parent.cversion, 2 * 4 - 3);
    for (const char* child : {"/a/n-0000000000", "/a/m-0000000001", "/a/0000000003"})
        EXPECT_EQ(remove(client, child), Code::ok);
    EXPECT_TRUE(ensemble->reap("/a"));
    create(client, "/a", CreateMode::container);
    EXPECT_EQ(create(client, "/a/n-", CreateMode::ephemeralSequential).path, "/a/n-0000000000");
}

TEST_F(MemoryRequests, NumbersOverflowAsTheServersDo)
{
    TestClient& client = addConnected();
    create(client, "/a");
    ensemble->skipSequenceNumbers("/a", INT32_MAX);
    EXPECT_EQ(create(client, "/a/n-", CreateMode::ephemeralSequential).path, "/a/n-2147483647");
    EXPECT_EQ(create(client, "/a/n-", CreateMode::ephemeralSequential).path, "/a/n--2147483648");
}

TEST_F(MemoryRequests, ReapsOnlyContainersThatHadChildrenAndAreEmpty)
{
    TestClient& client = addConnected();
    create(client, "/container", CreateMode::container);
    create(client, "/plain");
    create(client, "/plain/child");
    EXPECT_FALSE(ensemble->reap("/container")) << "never had a child";
    create(client, "/container/child");
    EXPECT_FALSE(ensemble->reap("/container")) << "has a child";
    remove(client, "/container/child");
    remove(client, "/plain/child");
    EXPECT_TRUE(ensemble->reap("/container"));
    EXPECT_FALSE(ensemble->reap("/plain"));
    EXPECT_EQ(get(client, "/container").code, Code::noNode);
}

TEST_F(MemoryRequests, KnowsWhoOwnsAnEphemeralNode)
{
    TestClient& client = addConnected();
    const Created created = create(client, "/e", CreateMode::ephemeral);
    EXPECT_EQ(created.stat.ephemeralOwner, client->id());
    TestClient& other = addConnected();
    EXPECT_NE(other->id(), client->id());
    client->close();
    ensemble->settle();
    EXPECT_EQ(get(other, "/e").code, Code::noNode);
}

TEST_F(MemoryRequests, AreCarriedOutInTheOrderTheyWereAsked)
{
    TestClient& client = addConnected();
    create(client, "/a");
    Answered<Created> created;
    Answered<Listing> listed;
    Answered<Code> removed;
    client->create("/a/n", "", CreateMode::ephemeral, created.handler());
    list(client, "/a", listed);
    client->remove("/a/n", removed.handler());
    ensemble->settle();
    EXPECT_EQ(created.get().code, Code::ok);
    EXPECT_THAT(listed.get().names, ElementsAre("n"));
    EXPECT_EQ(removed.get(), Code::ok);
}

TEST_F(MemoryRequests, AreNeverAnsweredInsideTheCall)
{
    TestClient& client = addConnected();
    client->close();
    Answered<Created> created;
    client->create("/a", "", CreateMode::persistent, created.handler());
    EXPECT_FALSE(created.arrived());
    clock.runReady();
    EXPECT_EQ(created.get().code, Code::closed);
}

TEST_F(MemoryRequests, OfAnEndedSessionAreAllAnswered)
{
    TestClient& client = addConnected();
    Answered<Created> created;
    Answered<Code> synced;
    client->create("/a", "", CreateMode::persistent, created.handler());
    client->sync("/", synced.handler());
    client->close();
    ensemble->settle();
    EXPECT_EQ(created.get().code, Code::closed);
    EXPECT_EQ(synced.get(), Code::closed);
    EXPECT_NE(ensemble->head().find("/a"), nullptr) << "it may have happened, and here it has";
}

TEST_F(MemoryRequests, ListInSomeOrderThatIsAlwaysTheSame)
{
    const auto namesWith = [this](std::uint64_t order) {
        start(1, order);
        clients.clear();
        TestClient& client = addConnected();
        create(client, "/a");
        for (int i = 0; i < 6; ++i)
            create(client, "/a/n-", CreateMode::ephemeralSequential);
        const std::vector<std::string> names = list(client, "/a").names;
        EXPECT_EQ(list(client, "/a").names, names);
        client.session.reset();
        return names;
    };
    const auto plain = namesWith(0);
    EXPECT_TRUE(std::is_sorted(plain.begin(), plain.end()));
    const auto mixed = namesWith(7);
    EXPECT_NE(mixed, plain);
    EXPECT_THAT(mixed, ::testing::UnorderedElementsAreArray(plain));
}

} // namespace
} // namespace lockscope::zk::memory
