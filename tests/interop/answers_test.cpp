// What a history and a live watch answer about clients of other libraries: Curator's clients that take two
// locks in different orders are found before they block each other, and kazoo's client that was frozen past
// its session is found by what it has logged. LOCKSCOPE_ORDERED_NESTS: how often each of two clients takes
// both locks in one order, by default 40.
#include "core/field/field_watch.h"
#include "core/field/wall_clock.h"
#include "core/history/lock_order.h"
#include "core/replay/fold/reducer.h"
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"
#include "tests/interop/interop_test.h"

#include <boost/json.hpp>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>

namespace lockscope::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Answers : public InteropTest
{
protected:
    void TearDown() override
    {
        peer.reset();
        InteropTest::TearDown();
    }
    std::string at(const std::string& lock) const { return path() + "/" + lock; }
    void tell(const std::string& order, const std::string& answer)
    {
        peer->writeLine(order);
        expect(*peer, answer);
    }
    void nest(int client, const std::string& outer, const std::string& inner)
    {
        const std::string number = std::to_string(client);
        for (const std::string& lock : {outer, inner})
            tell("acquire " + number + " mutex " + at(lock) + " 60000", "acquired " + number);
        for (const std::string& lock : {inner, outer})
            tell("release " + number + " mutex " + at(lock), "released " + number);
    }
    std::string data() { return (server().directory() / "data").string(); }

    std::unique_ptr<PeerProcess> peer;
    TempFolder folder;
};

// A watch, and the orders that it found.
class WatchedOrder
{
public:
    WatchedOrder(const std::string& hosts, const std::string& path)
        : m_watch({.hosts = hosts, .chroot = {}, .paths = {path}})
    {
        m_watch.onEvent(
            [this](const history::LockEvent& event) {
                const std::lock_guard guard(m_mutex);
                m_order.add(event);
                m_taken += event.kind == history::LockEvent::Kind::entitled ? 1 : 0;
            },
            [] {},
            [this](std::int64_t, std::int64_t) {
                const std::lock_guard guard(m_mutex);
                m_order.addGap();
            });
        m_watch.start();
    }
    ~WatchedOrder() { m_watch.stop(); }
    bool isReading() const { return m_watch.snapshot()->watching != field::WatchState::everyChange; }
    field::SnapshotPtr snapshot() const { return m_watch.snapshot(); }
    std::vector<history::OrderInversion> found() const
    {
        const std::lock_guard guard(m_mutex);
        return m_order.inversions();
    }
    std::uint64_t taken() const
    {
        const std::lock_guard guard(m_mutex);
        return m_taken;
    }

private:
    mutable std::mutex m_mutex;
    history::LockOrder m_order;
    std::uint64_t m_taken = 0;
    field::FieldWatch m_watch;
};

TEST_F(Answers, CuratorsClientsThatTakeLocksInBothOrdersAreFoundBeforeTheyBlock)
{
    const auto command = PeerProcess::curatorCommand(server().address());
    if (!command)
        GTEST_SKIP() << command.error().text();
    world->create(*world->connect(), path(), "");
    WatchedOrder watch(server().address(), path());
    world->runUntil([&] { return !watch.isReading(); }, "the first look");
    peer = startPeer(command, 2);
    ASSERT_TRUE(peer);
    nest(1, "orders", "bills");
    nest(2, "bills", "orders");
    nest(1, "orders", "bills"); // both have lived on
    nest(2, "bills", "orders");
    world->runUntil([&] { return !watch.found().empty(); }, "the live watch to find both orders");
    ASSERT_EQ(watch.found().size(), 1U);
    const history::OrderInversion live = watch.found().front();
    EXPECT_EQ(live.one.outer, at("orders"));
    EXPECT_EQ(live.other.outer, at("bills"));
    EXPECT_NE(live.one.session, live.other.session);
    for (const field::GivenVerdict& given : watch.snapshot()->verdicts)
        EXPECT_NE(given.diagnosis.kind, field::Diagnosis::Kind::deadlock) << "they have never met";

    test::Child log(LOCKSCOPE_CLI, {"history", data()});
    log.wait();
    EXPECT_THAT(log.output(), HasSubstr(at("orders") + " and " + at("bills") + " are taken in both orders"))
        << log.errors();

    // Now they do block each other, as was foretold.
    for (const auto& [client, lock] : {std::pair("1", "orders"), {"2", "bills"}})
        tell(std::string("acquire ") + client + " mutex " + at(lock) + " 60000",
             std::string("acquired ") + client);
    for (const auto& [client, lock] : {std::pair("1", "bills"), {"2", "orders"}})
        peer->writeLine(std::string("acquire ") + client + " mutex " + at(lock) + " 600000");
    world->runUntil(
        [&] {
            for (const field::GivenVerdict& given : watch.snapshot()->verdicts)
                if (given.diagnosis.kind == field::Diagnosis::Kind::deadlock)
                    return true;
            return false;
        },
        "the deadlock");
}

TEST_F(Answers, ClientsThatKeepOneOrderAreNotFound)
{
    const auto command = PeerProcess::curatorCommand(server().address());
    if (!command)
        GTEST_SKIP() << command.error().text();
    const char* const given = std::getenv("LOCKSCOPE_ORDERED_NESTS");
    const int times = given ? std::atoi(given) : 40;
    world->create(*world->connect(), path(), "");
    WatchedOrder watch(server().address(), path());
    world->runUntil([&] { return !watch.isReading(); }, "the first look");
    peer = startPeer(command, 2);
    ASSERT_TRUE(peer);
    for (int i = 0; i < times; ++i) {
        for (const std::string client : {"1", "2"}) { // at once: they wait for each other now and then
            for (const char* lock : {"orders", "bills"})
                peer->writeLine("acquire " + client + " mutex " + at(lock) + " 60000");
            for (const char* lock : {"bills", "orders"})
                peer->writeLine("release " + client + " mutex " + at(lock));
        }
        for (const std::string client : {"1", "2"})
            for (int lock = 0; lock < 2; ++lock) {
                expect(*peer, "acquired " + client);
                expect(*peer, "released " + client);
            }
    }
    world->runUntil([&] { return watch.taken() == 4U * static_cast<unsigned>(times); }, "all holds");
    EXPECT_TRUE(watch.found().empty());
    test::Child log(LOCKSCOPE_CLI,
                    {"history", data(), "--lock", path(), "--report", folder / "report.json", "--quiet"});
    EXPECT_EQ(log.wait(), 0) << log.errors();
    std::ifstream file(folder / "report.json");
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(boost::json::parse(text.str()).at("order_inversions").as_array().empty());
}

// It is stopped while it holds, for longer than its session; when it goes on, it believes that it still holds
// until it has let go.
TEST_F(Answers, AFrozenClientOfKazooIsFoundByWhatItHasLogged)
{
    const auto command = PeerProcess::kazooCommand(server().address());
    if (!command)
        GTEST_SKIP() << command.error().text();
    std::string claims;
    const auto claim = [&claims](const std::string& node, const char* what) {
        const std::int64_t ms = field::wallMs();
        claims += std::to_string(ms / 1000) + '.' + std::to_string(1000 + ms % 1000).substr(1) + ' ' + node +
                  ' ' + what + '\n';
    };
    auto frozen = PeerProcess::start(*command);
    ASSERT_TRUE(frozen) << frozen.error().text();
    (*frozen)->writeLine("open 1 2000");
    ASSERT_TRUE((*frozen)->await("opened"));
    peer = startPeer(command, 1);
    ASSERT_TRUE(peer);
    (*frozen)->writeLine("acquire 1 mutex " + path() + " 60000");
    ASSERT_TRUE((*frozen)->await("acquired 1"));
    const std::string first = onlyNode();
    claim(first, "begins");
    ASSERT_EQ(::kill((*frozen)->pid(), SIGSTOP), 0);
    peerAcquires(*peer, 1, "mutex");
    const std::string second = onlyNode();
    ASSERT_NE(first, second);
    claim(second, "begins");
    ASSERT_EQ(::kill((*frozen)->pid(), SIGCONT), 0);
    (*frozen)->writeLine("release 1 mutex " + path());
    world->runUntil([&] { return (*frozen)->has("released 1") || (*frozen)->has("failed 1"); },
                    "it to know that it holds no more");
    claim(first, "ends");
    claim(second, "ends"); // as a program does: before it lets go
    peerReleases(*peer, 1, "mutex");
    world->waitForChildren(path(), 0);

    std::ofstream(folder / "claims.txt") << claims;
    const std::string keeps = std::getenv("LOCKSCOPE_KEEP_TRACE") ? std::getenv("LOCKSCOPE_KEEP_TRACE") : "";
    const std::string both = keeps.empty() ? std::string(folder / "both.jsonl") : keeps;
    test::Child joined(LOCKSCOPE_CLI, {"history", data(), "--lock", path(), "--claims", folder / "claims.txt",
                                       "--trace", both, "--report", folder / "report.json"});
    EXPECT_EQ(joined.wait(), 0) << joined.errors();
    EXPECT_THAT(joined.output(), AllOf(HasSubstr("1 of 2 holds were believed only while"),
                                       HasSubstr("late by"), HasSubstr("two at once from")));
    std::ifstream file(folder / "report.json");
    std::ostringstream text;
    text << file.rdbuf();
    const boost::json::value report = boost::json::parse(text.str());
    const boost::json::array& holds = report.at("claims").at("holds").as_array();
    ASSERT_EQ(holds.size(), 2U);
    EXPECT_EQ(holds[0].at("verdict").as_string(), "late");
    EXPECT_EQ(holds[0].at("end").as_string(), "session_expired");
    EXPECT_EQ(holds[0].at("two_at_once").at(0).at("node").as_string(), second);
    EXPECT_EQ(holds[1].at("verdict").as_string(), "within");

    const auto loaded = trace::loadTrace(both); // what the window draws
    ASSERT_TRUE(loaded) << loaded.error().text();
    replay::RunState state;
    for (std::size_t i = 0; i < loaded->store->count(); ++i)
        replay::apply(state, *loaded->store, i);
    EXPECT_EQ(state.findings.of(replay::FindingKind::beliefMatchesServer).violated, 1U);
}

} // namespace
} // namespace lockscope::tests
