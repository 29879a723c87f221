// What the simulated ensemble does for its users while all is well: the same as a real one.
#include "tests/zk_memory/memory_test.h"

namespace lockscope::zk::memory {
namespace {

using ::testing::ElementsAre;

class MemoryRequests : public MemoryTest
{};

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
