// What is known of sessions after rounds of four-letter words: from a port that answers as a server does,
// with a clock that the test sets.
#include "core/field/session_poller.h"
#include "core/zk/memory/virtual_clock.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::field {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;

constexpr SessionId kFirst{0x101}, kSecond{0x102};

class SessionPolls : public testing::Test
{
protected:
    SessionPolls()
    {
        accept();
        ask(1);
    }
    // The same server, as so many.
    void ask(std::size_t servers)
    {
        poller = std::make_shared<SessionPoller>(SessionPoller::Setup{
            .io = io,
            .scheduler = scheduler,
            .servers = std::vector<std::string>(
                servers, "127.0.0.1:" + std::to_string(acceptor.local_endpoint().port())),
            .chroot = {},
            .taken = [this](const SessionPoll& poll) { taken = poll; },
            .refused = {}});
    }
    ~SessionPolls() override
    {
        poller->stop();
        poller.reset();
        scheduler.expireTimers();
    }

    // A connection that the server has: its session, when it was made and last answered, on its clock.
    struct Connection
    {
        SessionId session;
        Duration established, answered;
    };
    void setConnections(std::initializer_list<Connection> all)
    {
        std::string& cons = answers["cons"] = {};
        for (const Connection& one : all)
            cons += " /127.0.0.1:4711[1](queued=0,recved=" + std::to_string(one.answered / 1ms) +
                    ",sent=1,sid=0x" + (one.session == kFirst ? "101" : "102") +
                    ",lop=PING,est=" + std::to_string(one.established / 1ms) +
                    ",to=20000,lcxid=0x1,lzxid=0x1,lresp=" + std::to_string(one.answered / 1ms) +
                    ",llat=0,minlat=0,avglat=0,maxlat=0)\n";
        cons += '\n';
    }
    // What a round that begins at this time finds.
    SessionFacts facts(Duration at, SessionId session)
    {
        clock.advanceTo(MonotonicTime(at));
        taken.reset();
        poller->pollSoon();
        clock.advanceTo(MonotonicTime(at)); // due at once
        clock.runReady();
        for (int turn = 0; turn < 20'000 && !taken; ++turn) {
            io.restart();
            io.run_one_for(1ms);
        }
        EXPECT_TRUE(taken) << "no answer";
        return taken && taken->sessions.contains(session) ? taken->sessions.at(session) : SessionFacts{};
    }

    zk::memory::VirtualClock clock;
    zk::memory::VirtualScheduler scheduler{clock};
    boost::asio::io_context io{1};
    std::shared_ptr<SessionPoller> poller;
    std::map<std::string, std::string> answers;
    std::map<std::string, int> asked; // how often, by word
    std::string nextWatches;          // the answer to the next wchp alone; empty: as the others
    std::optional<SessionPoll> taken;

private:
    void accept()
    {
        acceptor.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
            if (failed)
                return;
            const auto client = std::make_shared<tcp::socket>(std::move(socket));
            const auto word = std::make_shared<std::array<char, 4>>();
            boost::asio::async_read(
                *client, boost::asio::buffer(*word),
                [this, client, word](boost::system::error_code error, std::size_t) {
                    if (error)
                        return;
                    const std::string name(word->data(), word->size());
                    ++asked[name];
                    const bool next = name == "wchp" && !nextWatches.empty();
                    const auto text =
                        std::make_shared<std::string>(next ? std::exchange(nextWatches, {}) : answers[name]);
                    boost::asio::async_write(*client, boost::asio::buffer(*text),
                                             [client, text](boost::system::error_code, std::size_t) {});
                });
            accept();
        });
    }

    tcp::acceptor acceptor{io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
};

TEST_F(SessionPolls, ASessionThatIsNotConnectedAnyMoreIsSilentSinceItsLastWord)
{
    setConnections({{kFirst, 90s, 100s}, {kSecond, 90s, 100s}});
    facts(100s, kFirst);
    setConnections({{kFirst, 90s, 110s}});
    EXPECT_GE(facts(110s, kSecond).silence->least, 10s);
}

// Within two seconds, between two rounds: nothing was refused, but no session is connected as before.
TEST_F(SessionPolls, AServerThatWasRestartedGivesEachSessionItsWholeTimeoutAgain)
{
    setConnections({{kFirst, 90s, 100s}, {kSecond, 90s, 100s}});
    facts(100s, kFirst);
    setConnections({{kFirst, 90s, 110s}, {kSecond, 90s, 100s}});
    EXPECT_GE(facts(110s, kSecond).silence->least, 10s);
    setConnections({{kFirst, 111s, 112s}});
    EXPECT_EQ(facts(112s, kSecond).silence->least, 0s);
    setConnections({{kFirst, 111s, 116s}});
    EXPECT_EQ(facts(116s, kSecond).silence->least, 4s);
}

// A stalled link: a session that no answer shows is not silent, however often nothing is heard.
TEST_F(SessionPolls, WithoutAnswersNobodyIsSilent)
{
    setConnections({{kFirst, 90s, 100s}, {kSecond, 90s, 100s}});
    facts(100s, kFirst);
    answers["cons"].clear();
    for (const Duration at : {103s, 106s, 109s, 120s})
        EXPECT_FALSE(facts(at, kSecond).silence) << at / 1s;
    setConnections({{kFirst, 90s, 123s}, {kSecond, 90s, 122s}});
    EXPECT_LE(facts(123s, kSecond).silence->least, 1s);
}

TEST_F(SessionPolls, AnAnswerThatIsCutOffIsNotAllThatThereIs)
{
    setConnections({{kFirst, 90s, 100s}, {kSecond, 90s, 100s}});
    facts(100s, kFirst);
    EXPECT_TRUE(taken->whole);
    answers["cons"].resize(answers["cons"].find('\n') + 1); // the server went down behind the first line
    facts(110s, kFirst);
    EXPECT_FALSE(taken->whole);
    answers["cons"].clear(); // or closed the connection at once
    facts(120s, kFirst);
    EXPECT_FALSE(taken->whole);
}

TEST_F(SessionPolls, TablesOfWatchesOneOfWhichIsCutOffAreNoTable)
{
    ask(2);
    poller->wantWatches(true);
    answers["wchp"] = "/locks/a/n1\n\t0x101\n\n";
    facts(100s, kFirst);
    ASSERT_TRUE(taken->watches);
    nextWatches = "/locks/a/n1\n\t0x102\n";
    facts(110s, kFirst);
    EXPECT_FALSE(taken->watches);
}

TEST_F(SessionPolls, AnAnswerThatIsTooLongIsNotAskedForAgain)
{
    poller->wantWatches(true);
    answers["wchp"] = std::string(server::kMaxFourLetterReply + 1, '/');
    for (const Duration at : {100s, 110s, 120s})
        facts(at, kFirst);
    EXPECT_EQ(asked["wchp"], 1);
    EXPECT_EQ(asked["cons"], 3);
}

} // namespace
} // namespace lockscope::field
