// A server that is broken, or means harm: whatever it sends, the process lives, the request is answered, no
// memory is filled, and the session goes on with the next connection.
#include "tests/zk/driven_hub.h"
#include "tests/zk/hostile_replies.h"

#include <gmock/gmock.h>

#include <atomic>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::SessionPhase;

void ask(zk::Session& session, Ask what, const std::function<void(Code)>& answered)
{
    switch (what) {
    case Ask::create:
        session.create("/a", "", zk::CreateMode::ephemeralSequential,
                       [answered](const zk::Created& created) { answered(created.code); });
        return;
    case Ask::remove:
        session.remove("/a", answered);
        return;
    case Ask::list:
        session.getChildren("/a", [answered](Code code, zk::ChildNames names, const zk::Stat&) {
            std::size_t characters = 0;
            for (const char* name : names)
                characters += std::string(name).size();
            answered(characters < 1000 ? code : Code::badArguments);
        });
        return;
    case Ask::get:
        session.getData("/a", [answered](const zk::Data& data) { answered(data.code); });
        return;
    case Ask::set:
        session.setData("/a", "", [answered](const zk::StatReply& set) { answered(set.code); });
        return;
    case Ask::sync:
        session.sync("/a", answered);
        return;
    case Ask::exists:
    case Ask::addWatch:
        break; // not of this session
    }
}

const std::vector<HostileReply>& replies()
{
    static const std::vector<HostileReply> all = hostileReplies({
        {"PacketOfMinusTwoGigabytes", Ask::get, [](auto) { return int32(INT_MIN) + std::string(64, '\0'); },
         Code::unknown},
        {"ListOfMinusOneNames", Ask::list, [](auto xid) { return bodyOnly(xid, int32(-1) + stat()); },
         Code::unknown},
        {"ListWithANullName", Ask::list,
         [](auto xid) { return bodyOnly(xid, int32(2) + int32(-1) + text("abcdefgh") + stat()); },
         Code::refused},
        {"ListWithANameLongerThanAll", Ask::list,
         [](auto xid) { return bodyOnly(xid, int32(2) + text("abc") + int32(INT_MAX) + stat()); },
         Code::refused},
        {"DataOfNothing", Ask::get, [](auto xid) { return bodyOnly(xid, ""); }, Code::unknown},
        {"CreatedNull", Ask::create, [](auto xid) { return bodyOnly(xid, int32(-1) + stat()); },
         Code::unknown},
        {"CreatedWithoutAName", Ask::create, [](auto xid) { return bodyOnly(xid, text("") + stat()); },
         Code::unknown},
        {"CreatedLongerThanItIs", Ask::create, [](auto xid) { return bodyOnly(xid, int32(1000) + stat()); },
         Code::unknown},
        {"CreatedNothing", Ask::create, [](auto xid) { return bodyOnly(xid, ""); }, Code::unknown},
        {"StatTooShort", Ask::set, [](auto xid) { return bodyOnly(xid, stat().substr(1)); }, Code::unknown},
        {"StatTooLong", Ask::set, [](auto xid) { return bodyOnly(xid, stat() + stat()); }, Code::ok},
        {"StatOfNothing", Ask::set, [](auto xid) { return bodyOnly(xid, ""); }, Code::unknown},
        {"SyncedNull", Ask::sync, [](auto xid) { return bodyOnly(xid, int32(-1)); }, Code::ok},
        {"RemovedAndMore", Ask::remove, [](auto xid) { return bodyOnly(xid, std::string(500, 'x')); },
         Code::ok},
        {"EventOfTheSession", Ask::get, [](auto) { return watchEvent(-1, ""); }, Code::unknown},
    });
    return all;
}

class HostileServer : public ::testing::TestWithParam<HostileReply>
{};

TEST_P(HostileServer, DoesNoHarm)
{
    std::atomic<int> answers = 0;
    FakeServer server([&](const FakeRequest& request) {
        return ++answers == 1 ? GetParam().sent(request.xid) : defaultReply(request);
    });
    DrivenHub world;
    const auto session = world.connect(server.address());
    std::optional<Code> answered;
    ask(*session, GetParam().what, [&](Code code) {
        EXPECT_FALSE(answered.has_value()) << "answered twice";
        answered = code;
    });
    ASSERT_TRUE(world.runUntil([&] { return answered.has_value(); })) << "not answered";
    EXPECT_EQ(describe(*answered), describe(GetParam().expected));
    ASSERT_TRUE(world.runUntil([&] { return session->phase() == SessionPhase::connected; }));
    answered.reset();
    ask(*session, Ask::get, [&](Code code) { answered = code; });
    ASSERT_TRUE(world.runUntil([&] { return answered.has_value(); }));
    EXPECT_EQ(describe(*answered), describe(Code::ok)) << "the session does not go on";
}

INSTANTIATE_TEST_SUITE_P(Every, HostileServer, ::testing::ValuesIn(replies()),
                         [](const auto& hostile) { return hostile.param.name; });

class HostileWords : public ::testing::Test
{
protected:
    FakeServer server;
    DrivenHub world;
};

TEST_F(HostileWords, AReplyToNothingIsTheEndOfTheConnection)
{
    const auto session = world.connect(server.address());
    server.send(reply(42, 0, text("") + stat()));
    EXPECT_TRUE(world.runUntil([&] { return server.connections() == 2; }));
    EXPECT_TRUE(world.runUntil([&] { return session->phase() == SessionPhase::connected; }));
}

// A packet may come in pieces of any size.
TEST_F(HostileWords, APacketThatComesByteByByteIsReadAllTheSame)
{
    FakeServer silent([](const FakeRequest&) { return std::string(); });
    const auto session = world.connect(silent.address());
    std::optional<Code> answered;
    session->getData("/a", [&](const zk::Data& data) { answered = data.code; });
    ASSERT_TRUE(world.runUntil([&] { return silent.requests() == 1; }));
    // A watch event, so that no number is needed; then the connection is as good as before.
    for (const char byte : watchEvent(3, "/elsewhere")) {
        silent.send(std::string(1, byte));
        const auto moment = MonotonicClock::now() + std::chrono::milliseconds(2);
        world.runUntil([&] { return MonotonicClock::now() > moment; });
    }
    silent.send(watchEvent(1, "/elsewhere"));
    const auto moment = MonotonicClock::now() + std::chrono::milliseconds(20);
    world.runUntil([&] { return MonotonicClock::now() > moment; });
    EXPECT_EQ(session->phase(), SessionPhase::connected);
    EXPECT_EQ(silent.connections(), 1);
    EXPECT_FALSE(answered.has_value());
}

// Three bytes of a length and no more: readable all the time, and nothing to be read.
TEST_F(HostileWords, ALengthThatDoesNotComeIsWaitedForAsleepAndNotForEver)
{
    const auto session = world.connect(server.address());
    server.send(std::string(3, '\0'));
    const double before = processorSeconds();
    const auto begun = MonotonicClock::now();
    ASSERT_TRUE(world.runUntil([&] { return server.connections() == 2; }));
    const std::chrono::duration<double> waited = MonotonicClock::now() - begun;
    EXPECT_LT(processorSeconds() - before, waited.count() / 2);
}

// Readable all the time, and its end is reported all the time.
TEST_F(HostileWords, APacketThatAResetCutsOffIsNotWaitedFor)
{
    const auto session = world.connect(server.address());
    const double before = processorSeconds();
    server.sendAndReset(watchEvent(3, "/a").substr(0, 10));
    ASSERT_TRUE(world.runUntil([&] { return server.connections() == 2; }));
    EXPECT_LT(processorSeconds() - before, 0.5);
}

TEST_F(HostileWords, ManyPacketsAtOnceAreAllRead)
{
    constexpr int kMany = 300;
    const auto session = world.connect(server.address());
    int answered = 0;
    for (int i = 0; i < kMany; ++i)
        session->getData("/a", [&](const zk::Data& data) { answered += data.code == Code::ok ? 1 : 0; });
    EXPECT_TRUE(world.runUntil([&] { return answered == kMany; })) << answered;
}

TEST_F(HostileWords, ASessionOfNoTimeIsNone)
{
    FakeServer timeless(defaultReply, {"127.0.0.1", 0, true});
    const auto session = world.connecting(timeless.address(), std::chrono::milliseconds(500));
    ASSERT_TRUE(world.runUntil([&] { return session->phase() == SessionPhase::lost; }));
}

std::vector<std::string> inTwo(const std::string& bytes, std::size_t first)
{
    return {bytes.substr(0, first), bytes.substr(first)};
}

TEST_F(HostileWords, AWrongAnswerToTheHandshakeIsNoSessionInPiecesOfAnySize)
{
    const std::string right = handshake(30'000, 1);
    for (const std::string& wrong :
         {int32(1000) + right.substr(4), right.substr(0, 4) + int32(1) + right.substr(8)})
        for (const std::size_t first : {0U, 3U, 7U, 20U}) {
            FakeServer hostile(defaultReply, {"127.0.0.1", 30'000, true, inTwo(wrong, first)});
            const auto session = world.connecting(hostile.address());
            ASSERT_TRUE(world.runUntil([&] { return hostile.connections() == 1; }));
            EXPECT_FALSE(world.runUntil([&] { return session->phase() == SessionPhase::connected; },
                                        std::chrono::milliseconds(200)))
                << first;
        }
}

TEST_F(HostileWords, AnAnswerToTheHandshakeThatComesByteByByteIsASession)
{
    std::vector<std::string> bytes;
    for (const char byte : handshake(30'000, 1))
        bytes.emplace_back(1, byte);
    FakeServer slow(defaultReply, {"127.0.0.1", 30'000, true, bytes});
    const auto session = world.connect(slow.address());
    std::optional<Code> answered;
    ask(*session, Ask::get, [&](Code code) { answered = code; });
    ASSERT_TRUE(world.runUntil([&] { return answered.has_value(); }));
    EXPECT_EQ(describe(*answered), describe(Code::ok));
}

TEST_F(HostileWords, AnAnswerToTheHandshakeThatStopsIsWaitedForAsleepAndNotForEver)
{
    FakeServer stopping(defaultReply, {"127.0.0.1", 30'000, true, {std::string(3, '\0')}});
    const double before = processorSeconds();
    const auto begun = MonotonicClock::now();
    const auto session = world.connecting(stopping.address());
    ASSERT_TRUE(world.runUntil([&] { return stopping.connections() == 2; }));
    const std::chrono::duration<double> waited = MonotonicClock::now() - begun;
    EXPECT_LT(processorSeconds() - before, waited.count() / 2);
}

} // namespace
} // namespace lockscope::tests
