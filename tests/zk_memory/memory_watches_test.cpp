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

TEST_F(MemoryWatches, FireOnceForTheFirstChange)
{
    create(*other, "/a");
    const WatchPtr handle = watch(*watcher, "/a");
    set(*other, "/a", "one");
    set(*other, "/a", "two");
    remove(*other, "/a");
    EXPECT_THAT(fired, ElementsAre(WatchKind::changed));
}

TEST_F(MemoryWatches, FireWhenTheNodeIsDeleted)
{
    create(*other, "/a");
    const WatchPtr handle = watch(*watcher, "/a");
    remove(*other, "/a");
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
    EXPECT_THAT(ensemble->serverWatches(), IsEmpty());
}

TEST_F(MemoryWatches, FireWhenTheChildrenChange)
{
    create(*other, "/a");
    const WatchPtr handle = (*watcher)->getChildren("/a", note(), [](Code, ChildNames, const Stat&) {});
    ensemble->settle();
    create(*other, "/a/child");
    remove(*other, "/a/child");
    EXPECT_THAT(fired, ElementsAre(WatchKind::childrenChanged));
}

TEST_F(MemoryWatches, OfExistsFireWhenTheNodeComes)
{
    Answered<StatReply> answer;
    const WatchPtr handle = (*watcher)->exists("/a", note(), answer.handler());
    ensemble->settle();
    EXPECT_EQ(answer.get().code, Code::noNode);
    EXPECT_THAT(ensemble->serverWatches(), ElementsAre("/a"));
    create(*other, "/a");
    EXPECT_THAT(fired, ElementsAre(WatchKind::created));
}

// CURATOR-107: a sequential name never comes back, so a watch on it would stay for ever.
TEST_F(MemoryWatches, OfGetDataAreNotLeftBehindOnANodeThatIsMissing)
{
    const WatchPtr handle = watch(*watcher, "/a", Code::noNode);
    EXPECT_THAT(ensemble->serverWatches(), IsEmpty());
    create(*other, "/a");
    EXPECT_THAT(fired, IsEmpty());
}

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
