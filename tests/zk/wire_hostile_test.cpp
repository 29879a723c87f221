// A server that is broken, or means harm, to the observer's own session: whatever it sends, every request is
// answered once, no memory is filled, nothing spins, and the session goes on with the next connection.
#include "core/zk/wire/observer_session.h"
#include "tests/support/fuzz.h"
#include "tests/zk/hostile_replies.h"
#include "tests/zk/wire_fuzz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::SessionPhase;
using zk::wire::ObserverSession;

const std::vector<HostileReply>& wireReplies()
{
    static const std::vector<HostileReply> all = hostileReplies({
        {"PacketBeyondTheCap", Ask::get, [](auto) { return int32(65 * 1024 * 1024) + std::string(24, '\0'); },
         Code::unknown},
        {"ListOfMinusOneNames", Ask::list, [](auto xid) { return bodyOnly(xid, int32(-1) + stat()); },
         Code::ok},
        {"ListOfMinusTwoNames", Ask::list, [](auto xid) { return bodyOnly(xid, int32(-2) + stat()); },
         Code::unknown},
        {"ListWithANameLongerThanAll", Ask::list,
         [](auto xid) { return bodyOnly(xid, int32(2) + text("abc") + int32(INT_MAX) + stat()); },
         Code::unknown},
        {"StatTooShort", Ask::exists, [](auto xid) { return bodyOnly(xid, stat().substr(1)); },
         Code::unknown},
        {"StatTooLong", Ask::exists, [](auto xid) { return bodyOnly(xid, stat() + stat()); }, Code::ok},
        {"WatchedAndMore", Ask::addWatch, [](auto xid) { return bodyOnly(xid, std::string(500, 'x')); },
         Code::ok},
        {"WatchesNotImplemented", Ask::addWatch, [](auto xid) { return reply(xid, -6); }, Code::refused},
    });
    return all;
}

constexpr std::int32_t kTimeout =
    6'000; // milliseconds; a sixtieth of it is the pause before the next connection

class Driven
{
public:
    ~Driven()
    {
        io.restart();
        io.run_for(std::chrono::seconds(5));
    }
    bool until(const std::function<bool()>& reached, Duration limit = std::chrono::seconds(15))
    {
        const auto deadline = MonotonicClock::now() + limit;
        while (!reached()) {
            if (MonotonicClock::now() > deadline)
                return false;
            io.restart();
            io.run_one_for(std::chrono::milliseconds(20));
        }
        return true;
    }
    std::shared_ptr<ObserverSession> connecting(const std::string& hosts,
                                                Duration limit = std::chrono::seconds(15))
    {
        return ObserverSession::connect(scheduler, {hosts, std::chrono::seconds(30), limit});
    }
    std::shared_ptr<ObserverSession> connect(const std::string& hosts)
    {
        auto session = connecting(hosts);
        EXPECT_TRUE(until([&] { return session->phase() == SessionPhase::connected; }));
        return session;
    }

    boost::asio::io_context io{1};
    zk::wire::IoScheduler scheduler{io};
};

void ask(ObserverSession& session, Ask what, const std::function<void(Code)>& answered)
{
    switch (what) {
    case Ask::list:
        return session.getChildren(
            "/a", [answered](Code code, zk::ChildNames, const zk::Stat&) { answered(code); });
    case Ask::get:
        return session.getData("/a", [answered](const zk::Data& data) { answered(data.code); });
    case Ask::exists:
        session.exists(
            "/a", [](zk::WatchKind) {}, [answered](const zk::StatReply& reply) { answered(reply.code); });
        return;
    case Ask::sync:
        return session.sync("/a", answered);
    case Ask::addWatch:
        return session.addWatch("/a", zk::wire::WatchMode::persistentRecursive, answered);
    case Ask::create:
    case Ask::remove:
    case Ask::set:
        break; // it does not write
    }
}

class WireHostile : public ::testing::TestWithParam<HostileReply>
{};

TEST_P(WireHostile, DoesNoHarm)
{
    std::atomic<int> answers = 0;
    FakeServer server(
        [&](const FakeRequest& request) {
            return ++answers == 1 ? GetParam().sent(request.xid) : defaultReply(request);
        },
        {"127.0.0.1", kTimeout, true});
    Driven world;
    const auto session = world.connect(server.address());
    std::optional<Code> answered;
    ask(*session, GetParam().what, [&](Code code) {
        EXPECT_FALSE(answered.has_value()) << "answered twice";
        answered = code;
    });
    ASSERT_TRUE(world.until([&] { return answered.has_value(); })) << "not answered";
    EXPECT_EQ(describe(*answered), describe(GetParam().expected));
    ASSERT_TRUE(world.until([&] { return session->phase() == SessionPhase::connected; }));
    answered.reset();
    ask(*session, Ask::get, [&](Code code) { answered = code; });
    ASSERT_TRUE(world.until([&] { return answered.has_value(); }));
    EXPECT_EQ(describe(*answered), describe(Code::ok)) << "the session does not go on";
}

INSTANTIATE_TEST_SUITE_P(Every, WireHostile, ::testing::ValuesIn(wireReplies()),
                         [](const auto& hostile) { return hostile.param.name; });

// It shakes hands and then sends rubbish, every time.
TEST(WireWords, AServerThatAlwaysSendsRubbishIsNotTriedInALoop)
{
    FakeServer server([](const FakeRequest&) { return int32(-1); }, {"127.0.0.1", kTimeout, true});
    Driven world;
    const auto session = world.connect(server.address());
    const double before = processorSeconds();
    const auto begun = MonotonicClock::now();
    bool closed = false;
    const std::function<void(Code)> again = [&](Code code) {
        closed = code == Code::closed;
        if (!closed)
            ask(*session, Ask::get, again);
    };
    ask(*session, Ask::get, again);
    EXPECT_TRUE(world.until([&] { return MonotonicClock::now() - begun > std::chrono::seconds(2); }));
    EXPECT_LT(server.connections(), 40);
    EXPECT_LT(processorSeconds() - before, 0.5);
    session->close();
    EXPECT_TRUE(world.until([&] { return closed; }));
}

TEST(WireWords, AReplyToNothingIsTheEndOfTheConnection)
{
    FakeServer server;
    Driven world;
    const auto session = world.connect(server.address());
    server.send(reply(42, 0, text("") + stat()));
    EXPECT_TRUE(world.until([&] { return server.connections() == 2; }));
    EXPECT_TRUE(world.until([&] { return session->phase() == SessionPhase::connected; }));
}

TEST(WireWords, APacketThatComesByteByteIsReadAllTheSame)
{
    FakeServer silent([](const FakeRequest&) { return std::string(); });
    Driven world;
    const auto session = world.connect(silent.address());
    std::optional<Code> answered;
    ask(*session, Ask::get, [&](Code code) { answered = code; });
    ASSERT_TRUE(world.until([&] { return silent.requests() == 1; }));
    for (const char byte : reply(1, -101))
        silent.send(std::string(1, byte));
    EXPECT_TRUE(world.until([&] { return answered.has_value(); }));
    EXPECT_EQ(answered, Code::noNode);
    EXPECT_EQ(silent.connections(), 1);
}

TEST(WireWords, ASessionOfNoTimeIsNone)
{
    FakeServer timeless(defaultReply, {"127.0.0.1", 0, true});
    Driven world;
    const auto session = world.connecting(timeless.address(), std::chrono::milliseconds(500));
    ASSERT_TRUE(world.until([&] { return session->phase() == SessionPhase::lost; }));
    EXPECT_EQ(session->lossReason(), zk::LossReason::connectTimedOut);
}

TEST(WireWords, AServerThatDoesNotAnswerTheHandshakeIsLeft)
{
    FakeServer mute(defaultReply, {"127.0.0.1", 30'000, false});
    FakeServer honest;
    Driven world;
    const auto session = world.connect(mute.address() + "," + honest.address());
    EXPECT_EQ(session->server(), honest.address());
}

std::optional<std::vector<zk::wire::NodeReply>> multiReply(const std::string& bytes, std::size_t count)
{
    jute::Reader reader(bytes);
    return zk::wire::readMultiReply(reader, count);
}

TEST(WireWords, SeveralReadsInOneReply)
{
    const std::string head = int32(4) + '\0' + int32(0), end = int32(-1) + '\1' + int32(-1);
    const std::string node = head + text("abc") + stat(),
                      missing = int32(-1) + '\0' + int32(-101) + int32(-101);
    const auto both = multiReply(node + missing + end, 2);
    ASSERT_TRUE(both);
    EXPECT_EQ((*both)[0].code, Code::ok);
    EXPECT_EQ((*both)[0].bytes, "abc");
    EXPECT_EQ((*both)[1].code, Code::noNode);
    EXPECT_FALSE(multiReply(node + end, 2)) << "one is missing";
    EXPECT_FALSE(multiReply(node + node + node + end, 2)) << "one too many";
    EXPECT_FALSE(multiReply(node + node, 2)) << "cut off";
    EXPECT_FALSE(multiReply(node + int32(1) + '\0' + int32(0) + text("/a") + end, 2)) << "no read";
    EXPECT_FALSE(multiReply("", 1));
    EXPECT_NE(multiReply(int32(-1) + '\0' + int32(0) + int32(0) + end, 1)->front().code, Code::ok)
        << "an error without a code";
}

TEST(WireWords, ABrokenReplyToSeveralReadsIsAnsweredOnce)
{
    std::atomic<int> answers = 0;
    FakeServer server(
        [&](const FakeRequest& request) {
            return ++answers == 1 ? bodyOnly(request.xid, int32(4)) : defaultReply(request);
        },
        {"127.0.0.1", kTimeout, true});
    Driven world;
    const auto session = world.connect(server.address());
    std::vector<std::vector<zk::wire::NodeReply>> replies;
    session->getNodes({"/a", "/b"}, [&](auto given) { replies.push_back(std::move(given)); });
    ASSERT_TRUE(world.until([&] { return !replies.empty(); }));
    ASSERT_EQ(replies[0].size(), 2u);
    EXPECT_EQ(replies[0][1].code, Code::unknown);
    ASSERT_TRUE(world.until([&] { return session->phase() == SessionPhase::connected; }));
    session->getNodes({"/a", "b"}, [&](auto given) { replies.push_back(std::move(given)); });
    ASSERT_TRUE(world.until([&] { return replies.size() == 2; }));
    EXPECT_EQ(replies[1][0].code, Code::badArguments);
}

// What a fuzzer once found, and what it began with.
TEST(WireFuzz, TheCorpusDoesNoHarm) { EXPECT_GT(replayCorpus(LOCKSCOPE_WIRE_CORPUS, feedToObserver, 0), 10); }

} // namespace
} // namespace lockscope::tests
