// The watches of the simulated ensemble: when they fire, for whom, and in which order.
#include "tests/zk_memory/memory_test.h"

namespace lockscope::zk::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MemoryWatches : public MemoryTest
{
protected:
    void SetUp() override
    {
        watcher = &addConnected();
        other = &addConnected();
    }
    TestClient* watcher = nullptr;
    TestClient* other = nullptr;
};

TEST_F(MemoryWatches, AreSilentOnceTheHandleIsGoneButStayWithTheServer)
{
    create(*other, "/a");
    watch(*watcher, "/a").reset();
    EXPECT_THAT(ensemble->serverWatches(), ElementsAre("/a"));
    EXPECT_FALSE((*watcher)->awaits("/a", WatchKind::deleted));
    remove(*other, "/a");
    EXPECT_THAT(fired, IsEmpty());
    EXPECT_THAT(ensemble->serverWatches(), IsEmpty());
}

TEST_F(MemoryWatches, AreSilentWhenTheHandlerBeforeLetsGoOfThem)
{
    create(*other, "/a");
    int calls = 0;
    WatchPtr first;
    WatchPtr second;
    const auto letGoOfBoth = [&](WatchKind) {
        ++calls;
        first.reset();
        second.reset();
    };
    first = (*watcher)->getData("/a", letGoOfBoth, [](Data) {});
    second = (*watcher)->getData("/a", letGoOfBoth, [](Data) {});
    ensemble->settle();
    remove(*other, "/a");
    EXPECT_EQ(calls, 1);
}

TEST_F(MemoryWatches, AreDroppedWithTheirSession)
{
    create(*other, "/a");
    const WatchPtr handle = watch(*watcher, "/a");
    (*watcher)->close();
    remove(*other, "/a");
    EXPECT_THAT(fired, IsEmpty());
    EXPECT_THAT(ensemble->serverWatches(), IsEmpty());
}

// What a recipe may build on: of two changes the client hears in the order of the transactions, and of the
// change before it can read its result.
TEST_F(MemoryWatches, ComeInTheOrderOfTheTransactionsAndBeforeTheRepliesThatShowThem)
{
    create(*other, "/a");
    create(*other, "/b");
    std::vector<std::string> heard;
    const auto hear = [&](const char* what) { return [&heard, what](WatchKind) { heard.push_back(what); }; };
    const WatchPtr onA = (*watcher)->getData("/a", hear("a"), [](Data) {});
    const WatchPtr onB = (*watcher)->getData("/b", hear("b"), [](Data) {});
    ensemble->settle();
    (*other)->remove("/b", [](Code) {});
    (*other)->remove("/a", [](Code) {});
    while (move(TransitionKind::serve) || move(TransitionKind::apply))
        ;
    (*watcher)->getChildren("/", [&](Code, ChildNames, const Stat&) { heard.push_back("list"); });
    ensemble->settle();
    EXPECT_THAT(heard, ElementsAre("b", "a", "list"));
}

} // namespace
} // namespace lockscope::zk::memory
