// Why a lock is stuck: each case made with kazoo's and Curator's clients is named, and a mixed load in which
// all is well gives no verdict. LOCKSCOPE_LOAD_SECONDS: how long that goes on, by default 10.
#include "core/field/field_watch.h"
#include "tests/interop/interop_test.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>

namespace lockscope::tests {
namespace {

using field::FieldWatch;
using field::SnapshotPtr;
using field::WatchState;
using Kind = field::Diagnosis::Kind;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Key;
using Clock = MonotonicClock;

constexpr auto kForever = "600000"; // ms
constexpr seconds kTimeout(10);     // of the clients' sessions

int loadSeconds()
{
    const char* text = std::getenv("LOCKSCOPE_LOAD_SECONDS");
    return text ? std::max(std::atoi(text), 1) : 10;
}

// A watch, and when it first gave each verdict.
class Observed
{
public:
    Observed(const std::string& hosts, const std::string& path)
        : m_watch({.hosts = hosts, .chroot = {}, .paths = {path}})
    {
        m_watch.onSnapshot([this](const SnapshotPtr& snapshot) {
            const std::lock_guard guard(m_mutex);
            for (const field::LockStatus& row : snapshot->locks)
                if (row.diagnosis)
                    note(row.path, *row.diagnosis);
            for (const auto& [folder, diagnosis] : snapshot->folders)
                note(folder, diagnosis);
        });
        m_watch.start();
    }
    bool isReading() const { return m_watch.snapshot()->watching != WatchState::everyChange; }
    SnapshotPtr snapshot() const { return m_watch.snapshot(); }
    bool has(const std::string& path, Kind kind) const { return verdicts(path).contains(kind); }
    // Of one path; of all paths.
    std::map<Kind, Clock::time_point> verdicts(const std::string& path) const
    {
        const std::lock_guard guard(m_mutex);
        const auto found = m_verdicts.find(path);
        return found == m_verdicts.end() ? std::map<Kind, Clock::time_point>{} : found->second;
    }
    std::vector<std::string> reported() const
    {
        const std::lock_guard guard(m_mutex);
        return m_told;
    }

private:
    void note(const std::string& path, const field::Diagnosis& diagnosis)
    {
        if (!m_verdicts[path].emplace(diagnosis.kind, Clock::now()).second)
            return;
        m_told.push_back(path + ": " + name(diagnosis.kind) + ": " + sentence(diagnosis).english() + " " +
                         evidence(diagnosis).english());
    }

    mutable std::mutex m_mutex;
    std::map<std::string, std::map<Kind, Clock::time_point>> m_verdicts;
    std::vector<std::string> m_told;
    FieldWatch m_watch;
};

class Verdicts : public InteropTest
{
protected:
    void SetUp() override
    {
        InteropTest::SetUp();
        // A server that starts may accept a connection and never read from it. A client gives it up after its
        // session's timeout divided by the number of its servers, and would be silent for too long with one.
        const std::string address = server().address(), hosts = address + "," + address + "," + address;
        curatorCommand = PeerProcess::curatorCommand(hosts);
        kazooCommand = PeerProcess::kazooCommand(hosts);
        if (!curatorCommand || !kazooCommand)
            GTEST_SKIP() << "needs libcurator-recipes-java, ecj, python3-kazoo";
    }
    void TearDown() override
    {
        peers.clear();
        InteropTest::TearDown();
    }
    PeerProcess& start(const Result<std::vector<std::string>>& command, int clients,
                       seconds timeout = kTimeout)
    {
        auto peer = PeerProcess::start(*command);
        if (!peer)
            throw std::runtime_error(peer.error().text());
        peers.push_back(std::move(*peer));
        peers.back()->writeLine("open " + std::to_string(clients) + " " +
                                std::to_string(timeout.count() * 1000));
        expect(*peers.back(), "opened");
        return *peers.back();
    }
    // The order is carried out on return.
    void tell(PeerProcess& peer, const std::string& order, const std::string& answer)
    {
        peer.writeLine(order);
        expect(peer, answer);
    }
    std::string at(const std::string& lock) const { return path() + "/" + lock; }

    Result<std::vector<std::string>> curatorCommand = std::vector<std::string>{},
                                     kazooCommand = std::vector<std::string>{};
    std::vector<std::unique_ptr<PeerProcess>> peers;
};

TEST_F(Verdicts, EachStuckCaseIsNamed)
{
    world->create(*world->connect(), path(), "");
    Observed watch(server().address(), path());
    world->runUntil([&] { return !watch.isReading(); }, "the first look");
    PeerProcess& kazoo = start(kazooCommand, 10);
    // A ninth of the timeout is left when its silence is more than a pause: with twice the timeout a look
    // that is late on a busy machine comes in time, too.
    PeerProcess& frozen = start(kazooCommand, 1, 2 * kTimeout);
    PeerProcess& curator = start(curatorCommand, 6);
    std::map<std::pair<std::string, Kind>, Clock::time_point> made;
    const auto stuck = [&](const std::string& lock, Kind kind) { made[{at(lock), kind}] = Clock::now(); };

    // All is well there, all the time.
    kazoo.writeLine("hold 9 mutex " + at("well") + " 1000000 20");
    curator.writeLine("hold 6 mutex " + at("busy") + " 1000000 2");
    // What is usual on the two locks on which a holder stays.
    curator.writeLine("hold 1 mutex " + at("slow") + " 25 5");
    kazoo.writeLine("hold 1 mutex " + at("forgotten") + " 25 5");
    expect(curator, "held 1");
    expect(kazoo, "held 1");

    tell(frozen, "acquire 1 mutex " + at("silent") + " " + kForever, "acquired 1");
    kazoo.writeLine(std::string("acquire 10 mutex ") + at("silent") + " " +
                    kForever); // without a waiter it harms nobody
    ASSERT_EQ(::kill(frozen.pid(), SIGSTOP), 0);
    stuck("silent", Kind::holderSilent);

    tell(kazoo, "acquire 1 mutex " + at("forgotten") + " " + kForever, "acquired 1");
    kazoo.writeLine("look 1 " + path() + " 1000");
    kazoo.writeLine(std::string("acquire 2 mutex ") + at("forgotten") + " " + kForever);
    stuck("forgotten", Kind::forgottenNode);

    tell(curator, "acquire 1 mutex " + at("slow") + " " + kForever, "acquired 1");
    curator.writeLine("acquire 2 mutex " + at("slow") + " " + kForever);
    stuck("slow", Kind::slowerThanUsual);

    tell(kazoo, "acquire 3 mutex " + at("a") + " " + kForever, "acquired 3");
    tell(kazoo, "acquire 4 mutex " + at("b") + " " + kForever, "acquired 4");
    kazoo.writeLine("acquire 3 mutex " + at("b") + " " + kForever);
    kazoo.writeLine("acquire 4 mutex " + at("a") + " " + kForever);
    stuck("a", Kind::deadlock);
    stuck("b", Kind::deadlock);

    tell(kazoo, "acquire 5 mutex " + at("unwatched") + " " + kForever, "acquired 5");
    tell(kazoo, "enqueue 6 " + at("unwatched"), "enqueued 6");
    stuck("unwatched", Kind::nextWithoutWatch);

    tell(kazoo, "make 7 " + at("persistent") + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000000",
         "made 7");
    curator.writeLine("acquire 3 mutex " + at("persistent") + " " + kForever);
    stuck("persistent", Kind::persistentInFront);

    tell(kazoo, "make 7 " + at("foreign") + "/#maintenance", "made 7");
    curator.writeLine("acquire 4 mutex " + at("foreign") + " " + kForever);
    stuck("foreign", Kind::foreignInFront);

    tell(kazoo, "acquire 8 mutex " + at("names") + " " + kForever, "acquired 8");
    tell(curator, "acquire 5 mutex " + at("names") + " " + kForever, "acquired 5");
    stuck("names", Kind::namesDoNotExclude);

    for (const auto& [what, begin] : made) {
        const auto& [lock, kind] = what;
        world->runUntil([&, wanted = kind, where = lock] { return watch.has(where, wanted); },
                        lock + ": " + name(kind));
        if (const auto verdicts = watch.verdicts(lock); verdicts.contains(kind))
            RecordProperty(lock.substr(path().size() + 1) + " after ms",
                           static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                                verdicts.at(kind) - begin)
                                                .count()));
    }
    // Nothing else was said of any of them.
    for (const auto& [what, begin] : made)
        for (const auto& [kind, when] : watch.verdicts(what.first))
            EXPECT_TRUE(kind == what.second ||
                        (what.second == Kind::forgottenNode && kind == Kind::slowerThanUsual))
                << what.first << ": " << name(kind);
    EXPECT_THAT(watch.verdicts(at("well")), IsEmpty());
    EXPECT_THAT(watch.verdicts(at("busy")), IsEmpty());
    frozen.killNow();
}

// Long holds, many waiters, readers and writers, leases, processes that pause for half of their timeout, a
// server that is restarted; watched from the beginning, and by others who come later.
TEST_F(Verdicts, AMixedLoadInWhichAllIsWellHasNone)
{
    const seconds length(loadSeconds());
    world->create(*world->connect(), path(), "");
    Observed watch(server().address(), path());
    world->runUntil([&] { return !watch.isReading(); }, "the first look");
    PeerProcess& waiters = start(kazooCommand, 25);
    PeerProcess& others = start(curatorCommand, 25);
    // Just before a ping the pause adds up to five sixths of the timeout; a busy machine needs what is left
    // until the verdict, and has twice as much with twice the timeout.
    constexpr seconds pausingTimeout = 2 * kTimeout;
    // Who pauses as the first of a semaphore's entrance lets no client in, and is rightly said to: these do
    // not pause.
    PeerProcess& leasing = start(curatorCommand, 4);
    std::vector<PeerProcess*> pausing{&start(kazooCommand, 4, pausingTimeout),
                                      &start(curatorCommand, 4, pausingTimeout)};
    const auto forever = [](PeerProcess& peer, int client, const std::string& kind, const std::string& lock,
                            int holdMs) {
        peer.writeLine("hold " + std::to_string(client) + " " + kind + " " + lock + " 1000000 " +
                       std::to_string(holdMs));
    };
    for (int client = 1; client <= 25; ++client) {
        forever(waiters, client, "mutex", at("long"), 60'000);
        forever(others, client, client % 5 == 0 ? "write" : "read", at("longer"), 60'000);
    }
    for (int client = 1; client <= 4; ++client) {
        forever(*pausing[0], client, "mutex", at("kazoo"), 5);
        forever(*pausing[1], client, "mutex", at("curator"), 2);
        leasing.writeLine("lease " + std::to_string(client) + " " + at("leases") + " 1000000");
    }
    const auto begin = Clock::now();
    const auto runFor = [&](Duration span) {
        const auto end = Clock::now() + span;
        world->runUntil([&] { return Clock::now() >= end; }, "time to pass");
    };
    const std::vector<std::string> pausingLocks{at("kazoo"), at("curator")};
    const auto acquisitionsOf = [](const field::Snapshot& snapshot) {
        std::map<std::string, std::uint64_t> found;
        for (const field::LockStatus& row : snapshot.locks)
            found[row.path] = row.acquisitions;
        return found;
    };
    int restarts = 0;
    for (int round = 0; Clock::now() - begin < length; ++round) {
        const Observed late(server().address(), path());
        for (const PeerProcess* each : pausing)
            ASSERT_EQ(::kill(each->pid(), SIGSTOP), 0);
        runFor(pausingTimeout / 2);
        for (const PeerProcess* each : pausing)
            ASSERT_EQ(::kill(each->pid(), SIGCONT), 0);
        runFor(seconds(1));
        EXPECT_THAT(late.reported(), IsEmpty()) << "round " << round;
        if (round % 20 == 0) {
            const std::size_t gaps = watch.snapshot()->gaps.size();
            ASSERT_TRUE(server().restart());
            ++restarts;
            SnapshotPtr again;
            world->runUntil(
                [&] {
                    again = watch.snapshot();
                    return again->gaps.size() > gaps && again->watching == WatchState::everyChange;
                },
                "the watch to be in contact again");
            // A client that had not reconnected before its pause would be silent for longer than the pause.
            // Each of a lock's four clients acts in its turn: after eight more holds all of them are back.
            const std::map<std::string, std::uint64_t> before = acquisitionsOf(*again);
            world->runUntil(
                [&] {
                    const std::map<std::string, std::uint64_t> now = acquisitionsOf(*watch.snapshot());
                    return std::all_of(pausingLocks.begin(), pausingLocks.end(),
                                       [&](const std::string& lock) {
                                           return now.contains(lock) && before.contains(lock) &&
                                                  now.at(lock) >= before.at(lock) + 8;
                                       });
                },
                "the clients to go on after the restart");
        }
    }
    EXPECT_THAT(watch.reported(), IsEmpty());
    EXPECT_GT(restarts, 0);
    EXPECT_GE(watch.snapshot()->gaps.size(), static_cast<std::size_t>(restarts));
    EXPECT_GT(watch.snapshot()->nodesDeleted, 100u);
    std::uint32_t waiting = 0;
    for (const field::LockStatus& row : watch.snapshot()->locks)
        waiting += row.waiting;
    EXPECT_GT(waiting, 30u);
}

} // namespace
} // namespace lockscope::tests
