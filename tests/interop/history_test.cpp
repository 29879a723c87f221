// The history out of a real server's transaction log, beside what our own trace says, and beside ZooKeeper's own reader
// of that log. Ours, Curator's and kazoo's clients on one path; each end of a hold that there is.
#include "core/history/history.h"
#include "tests/integration/child.h"
#include "tests/interop/interop_test.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace lockscope::tests {
namespace {

using history::EndReason;
using history::EndCounts;
using history::History;
using history::QueueEntry;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::SizeIs;

class LogHistory : public InteropTest
{
protected:
    std::filesystem::path logFolder() { return server().directory() / "data" / "version-2"; }

    void read()
    {
        auto opened = History::open({logFolder()}, {.lock = path(), .queueEntries = true});
        ASSERT_TRUE(opened) << opened.error().text();
        history = std::move(*opened);
        while (history->read(1U << 30) == history::HistoryReader::State::more) {
        }
        EXPECT_THAT(history->gaps(), SizeIs(0));
        EXPECT_THAT(history->takeDamage(), SizeIs(0));
    }
    EndCounts ends() const
    {
        const auto locks = history->locks();
        EXPECT_THAT(locks, SizeIs(1));
        return locks.empty() ? EndCounts{} : locks.front().ends;
    }
    const QueueEntry& stayOf(const std::string& node) const
    {
        const auto& queueEntries = history->queueEntries();
        const auto found = std::find_if(queueEntries.begin(), queueEntries.end(), [&](const QueueEntry& stay) { return stay.node == node; });
        EXPECT_NE(found, queueEntries.end()) << node;
        static const QueueEntry kNone;
        return found == queueEntries.end() ? kNone : *found;
    }

    // Our clients' nodes in the order in which they acquired, by our own trace, with the zxids of their creation.
    std::vector<std::pair<std::string, Zxid>> acquiredByTrace() const
    {
        std::vector<std::pair<std::string, Zxid>> all;
        for (std::size_t i = 0; i < store->count(); ++i)
            if (const auto* acquired = std::get_if<trace::Acquired>(&store->at(i).what))
                all.emplace_back(acquired->node, acquired->token);
        return all;
    }
    std::vector<std::pair<std::string, Zxid>> acquiredByLog() const
    {
        std::vector<QueueEntry> entitled = history->queueEntries();
        std::erase_if(entitled, [this](const QueueEntry& stay) { return !stay.entitledMs || !recorder->isOwnNode(LockId{0}, stay.node); });
        std::vector<std::pair<std::string, Zxid>> all;
        for (const QueueEntry& stay : entitled)
            all.emplace_back(stay.node, stay.created);
        return all;
    }

    // The lines of ZooKeeper's own reader that name a child of the path, by their type ("create2", "delete").
    std::map<std::string, int> referee()
    {
        std::map<std::string, int> counts;
        std::string classPath;
        for (const char* jar : {"zookeeper", "zookeeper-jute", "commons-cli", "slf4j-api", "slf4j-nop"})
            classPath += std::string("/usr/share/java/") + jar + ".jar:";
        for (const auto& entry : std::filesystem::directory_iterator(logFolder())) {
            if (!entry.path().filename().string().starts_with("log."))
                continue;
            test::Child toolkit("/usr/bin/java", {"-cp", classPath, "org.apache.zookeeper.server.persistence.TxnLogToolkit",
                                                  "-d", entry.path().string()});
            EXPECT_EQ(toolkit.wait(), 0) << toolkit.errors();
            std::istringstream lines(toolkit.output());
            for (std::string line; std::getline(lines, line);) {
                const std::size_t at = line.find(path() + "/"); // after "create2 " or "delete '"
                if (at == std::string::npos)
                    continue;
                const std::size_t end = line.rfind(' ', at);
                const std::size_t from = line.rfind(' ', end - 1) + 1;
                ++counts[line.substr(from, end - from)];
            }
        }
        return counts;
    }

    std::unique_ptr<History> history;
};

TEST_F(LogHistory, OursAreInItInTheOrderOfOurTrace)
{
    LockClient& a = addOurs();
    LockClient& b = addOurs();
    for (int i = 0; i < 3; ++i) {
        acquireNow(a);
        const Acquiring second = queueUp(b);
        ASSERT_TRUE(release(a));
        granted(second);
        ASSERT_TRUE(release(b));
    }
    read();
    EXPECT_EQ(ends(), (EndCounts{.released = 6}));
    EXPECT_EQ(history->locks().front().handoffs, 3u);
    EXPECT_EQ(acquiredByLog(), acquiredByTrace());
    auto counts = referee();
    EXPECT_EQ(counts["delete"], 6);
}

TEST_F(LogHistory, EveryEndOfAHoldHasItsReason)
{
    // Deleted by another session.
    LockClient& robbed = addOurs();
    const std::string robbedNode = acquireNow(robbed).node;
    deleteNodeOf(robbed);
    // Ended by its client, with the lock in its hands; the next one waits.
    LockClient& closing = addOurs();
    const std::string closedNode = acquireNow(closing).node;
    LockClient& next = addOurs();
    const Acquiring waiting = queueUp(next);
    closing.session->close();
    const std::string nextNode = granted(waiting).node;
    // Gives up while it waits.
    LockClient& impatient = addOurs();
    const Acquiring given = acquire(impatient, OwnerId{0}, std::chrono::milliseconds(1));
    refused(given);
    world->waitForChildren(path(), 1);
    ASSERT_TRUE(release(next));

    read();
    EXPECT_EQ(ends(), (EndCounts{.released = 1, .gaveUp = 1, .sessionClosed = 1, .deletedByOther = 1}));
    EXPECT_EQ(stayOf(robbedNode).reason, EndReason::deletedByOther);
    EXPECT_EQ(stayOf(robbedNode).endedBy, world->observer().id());
    EXPECT_EQ(stayOf(closedNode).reason, EndReason::sessionClosed);
    EXPECT_EQ(stayOf(nextNode).reason, EndReason::released);
    EXPECT_EQ(acquiredByLog(), acquiredByTrace());
}

TEST_F(LogHistory, CuratorsAndKazoosClientsOneOfThemKilled)
{
    const auto curatorCommand = PeerProcess::curatorCommand(server().address());
    const auto kazooCommand = PeerProcess::kazooCommand(server().address(), true);
    if (!curatorCommand || !kazooCommand)
        GTEST_SKIP() << "needs libcurator-recipes-java, ecj, python3-kazoo";
    const auto curator = startPeer(curatorCommand, 1);
    ASSERT_TRUE(curator);
    peerAcquires(*curator, 1, "mutex");
    peerReleases(*curator, 1, "mutex");
    auto kazoo = PeerProcess::start(*kazooCommand);
    ASSERT_TRUE(kazoo) << kazoo.error().text();
    (*kazoo)->tell("open 1 1000");
    ASSERT_TRUE((*kazoo)->await("opened"));
    peerAcquires(**kazoo, 1, "mutex");
    const std::string frozen = onlyNode();
    (*kazoo)->killNow(); // its session goes on until the server gives it up
    world->runUntil([&] { return queue().empty(); }, "the session to expire");
    LockClient& ours = addOurs();
    acquireNow(ours);
    ASSERT_TRUE(release(ours));

    read();
    EXPECT_EQ(ends(), (EndCounts{.released = 2, .sessionExpired = 1}));
    EXPECT_EQ(stayOf(frozen).reason, EndReason::sessionExpired);
    EXPECT_EQ(history->locks().front().recipe, history::Recipe::mixed);
    EXPECT_EQ(acquiredByLog(), acquiredByTrace());
    auto counts = referee();
    EXPECT_EQ(counts["delete"], 2);
    int created = 0;
    for (const auto& [type, count] : counts)
        created += type.starts_with("create") ? count : 0;
    EXPECT_EQ(created, 3);
}

TEST_F(LogHistory, AServerThatIsKilledAndStartedAgain)
{
    LockClient& ours = addOurs();
    const std::string node = acquireNow(ours).node;
    ASSERT_TRUE(server().killNow());
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(world->waitFor(*ours.session, zk::SessionPhase::connected));
    ASSERT_TRUE(release(ours));
    read();
    EXPECT_EQ(ends(), (EndCounts{.released = 1}));
    EXPECT_EQ(stayOf(node).reason, EndReason::released);
}

} // namespace
} // namespace lockscope::tests
