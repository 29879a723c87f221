// The server's watch table, asked for while a run goes on: on a real ZooKeeper, and on one that does not
// allow it.
#include "core/engine/watch_table_poller.h"
#include "core/sim/script/script_text.h"
#include "core/zk/hub.h"
#include "tests/engine/engine_fixture.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace lockscope::test {
namespace {

using namespace std::chrono_literals;
using replay::RunState;
using replay::WatchVerdict;

engine::Options watching(sim::Scenario scenario)
{
    engine::Options options;
    options.scenario = std::move(scenario);
    options.watches = true;
    return options;
}

bool has(const RunState& state, WatchVerdict verdict)
{
    return std::any_of(state.locks.begin(), state.locks.end(), [verdict](const replay::LockRow& lock) {
        const auto& all = lock.watches.compared;
        return std::any_of(all.begin(), all.end(), [verdict](const replay::ComparedWatch& watch) {
            return watch.verdict == verdict;
        });
    });
}

TEST(Watches, TheStrayOneOfExistsIsSeen)
{
    const Result<sim::Scenario> builtIn = sim::loadScenario("stray-watches");
    ASSERT_TRUE(builtIn);
    // However slow the start is, bo waits for ada.
    const Result<sim::Scenario> scenario = sim::parseScenario(
        builtIn->source + "\n[[client]]\nname = \"ada\"\nstart = \"800ms\"\n", "stray-watches.toml");
    ASSERT_TRUE(scenario) << scenario.error().text();
    EngineFixture world(watching(*scenario));
    world.engine().start();
    EXPECT_TRUE(world.waitUntil("the stray watch is in the table",
                                [](const RunState& state) { return has(state, WatchVerdict::stray); }));
    world.waitForEnd();
}

class EveryMutex : public testing::TestWithParam<std::pair<HandoffPolicy, std::uint32_t>>
{};

TEST_P(EveryMutex, LeavesNoDifferenceOverAWholeRun)
{
    sim::Scenario scenario = testScenario(8, 0);
    scenario.duration = 3s;
    scenario.work.hold = {5ms, 60ms};
    scenario.handoff = GetParam().first;
    scenario.servers = GetParam().second;
    EngineFixture world(watching(scenario));
    world.engine().start();
    std::size_t agreed = 0;
    EventIndex last = EventIndex::none();
    EXPECT_TRUE(world.waitUntil("the run has ended", [&](const RunState& state) {
        EXPECT_FALSE(has(state, WatchVerdict::stray) || has(state, WatchVerdict::missing));
        if (state.watchReading.event != last && has(state, WatchVerdict::agrees))
            ++agreed;
        last = state.watchReading.event;
        return state.phase == trace::RunPhase::finished || state.phase == trace::RunPhase::failed ||
               testing::Test::HasFailure();
    }));
    EXPECT_GT(agreed, 2U) << "the table was read, and had the clients' watches";
    EXPECT_EQ(world.state().watchReading.servers, GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryMutex,
                         testing::Values(std::pair(HandoffPolicy::curator, 1U),
                                         std::pair(HandoffPolicy::announced, 1U),
                                         std::pair(HandoffPolicy::curator, 3U)));

TEST(Watches, PollsOnlyOnRequest)
{
    engine::Options options = watching(testScenario(3, 20));
    options.watches = false;
    EngineFixture world(options);
    world.engine().start();
    ASSERT_TRUE(world.waitForEnd());
    EXPECT_FALSE(world.state().watchReading.event.valid());
}

// The last reading is of the paused run, so that the window does not show an older table beside it.
TEST(Watches, AreReadOnceMoreWhenTheRunIsPaused)
{
    const Result<sim::Scenario> two = sim::parseScenario(R"(clients = ["ada", "bo"]
hold = "1h"
script = ["at 0s: hold bo before create", "when ada holds: let bo go"])",
                                                         "two.toml");
    ASSERT_TRUE(two) << two.error().text();
    engine::Options options = watching(*two);
    options.startPaused = true;
    EngineFixture world(options);
    world.engine().start();
    world.engine().post(engine::RunUntil{*sim::parseTrigger("when bo waits")});
    EXPECT_TRUE(world.waitUntil("bo's watch is in the table of the paused run", [](const RunState& state) {
        return state.phase == trace::RunPhase::paused && has(state, WatchVerdict::agrees);
    }));
    const EventIndex read = world.state().watchReading.event;
    world.engine().post(engine::Execute{sim::Action::Kind::resume});
    ASSERT_TRUE(world.waitUntil("it is read again",
                                [&](const RunState& state) { return state.watchReading.event > read; }));
    const EventIndex resumed = world.find(
        [](const trace::Event& event) {
            const auto* run = std::get_if<trace::RunPhaseChanged>(&event.what);
            return run && run->phase == trace::RunPhase::running;
        },
        read.value);
    EXPECT_GT(world.state().watchReading.event, resumed) << "not again while it was paused";
    world.engine().post(engine::Finish{});
}

// No view showed the table when the run was paused: the table that is then opened is read at once, and once.
TEST(Watches, AreReadForAViewerThatComesWhileTheRunIsPaused)
{
    const Result<sim::Scenario> two = sim::parseScenario(R"(clients = ["ada", "bo"]
hold = "1h"
script = ["at 0s: hold bo before create", "when ada holds: let bo go"])",
                                                         "two.toml");
    ASSERT_TRUE(two) << two.error().text();
    engine::Options options = watching(*two);
    options.watches = false;
    options.startPaused = true;
    EngineFixture world(options);
    world.engine().start();
    world.engine().post(engine::RunUntil{*sim::parseTrigger("when bo waits")});
    ASSERT_TRUE(world.waitUntil("bo waits in the paused run", [](const RunState& state) {
        return state.phase == trace::RunPhase::paused && waiters(state) == 1;
    }));
    ASSERT_FALSE(world.state().watchReading.event.valid()) << "no view shows the table";
    world.engine().post(engine::PollWatchTables{true});
    EXPECT_TRUE(world.waitUntil("bo's watch is in the table of the paused run", [](const RunState& state) {
        return state.phase == trace::RunPhase::paused && has(state, WatchVerdict::agrees);
    }));
    const EventIndex read = world.state().watchReading.event;
    world.engine().post(engine::PollWatchTables{false});
    world.engine().post(engine::PollWatchTables{true});
    ASSERT_TRUE(world.waitUntil("it is read for the next one",
                                [&](const RunState& state) { return state.watchReading.event > read; }));
    EXPECT_EQ(world.state().phase, trace::RunPhase::paused);
    world.engine().post(engine::Finish{});
}

using boost::asio::ip::tcp;

constexpr std::string_view kNotAllowed = "wchp is not executed because it is not in the whitelist.\n";
constexpr std::string_view kTable = "/locks/well/lock-0000000001\n\t0x7\n\n";
constexpr std::string_view kCutOff = "/locks/well/lock-0000000001\n\t0";
constexpr std::string_view kCutAtALineEnd = "/locks/well/lock-0000000001\n\t0x7\n";
constexpr std::string_view kReset = ""; // no answer: the connection is reset

// Answers as its test says; the last answer again and again.
class ForeignServer
{
public:
    ForeignServer(boost::asio::io_context& io, std::vector<std::string_view> answers)
        : m_io(io)
        , m_acceptor(io, {boost::asio::ip::address_v4::loopback(), 0})
        , m_answers(std::move(answers))
    {
        serve();
    }
    std::string address() const { return "127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port()); }
    std::size_t asked() const { return m_asked; }

private:
    void serve()
    {
        const auto guest = std::make_shared<tcp::socket>(m_io);
        m_acceptor.async_accept(*guest, [this, guest](boost::system::error_code failure) {
            if (failure)
                return;
            boost::asio::async_read(
                *guest, boost::asio::buffer(m_word),
                [this, guest](boost::system::error_code, std::size_t) { answer(*guest); });
        });
    }
    void answer(tcp::socket& guest)
    {
        const std::string_view answer = m_answers[std::min(m_asked++, m_answers.size() - 1)];
        boost::asio::write(guest, boost::asio::buffer(answer));
        if (answer == kReset)
            guest.set_option(tcp::socket::linger(true, 0));
        guest.close();
        serve();
    }

    boost::asio::io_context& m_io;
    tcp::acceptor m_acceptor;
    std::vector<std::string_view> m_answers;
    std::size_t m_asked = 0;
    std::array<char, 4> m_word{};
};

class ForeignServers : public testing::Test
{
protected:
    ~ForeignServers() override
    {
        poller->stop();
        servers.clear();
        hub.reset();
    }
    void start(std::vector<std::vector<std::string_view>> answers)
    {
        std::string addresses;
        for (std::vector<std::string_view>& each : answers) {
            servers.push_back(std::make_unique<ForeignServer>(io, std::move(each)));
            addresses += (addresses.empty() ? "" : ",") + servers.back()->address();
        }
        poller = std::make_shared<engine::WatchTablePoller>(engine::WatchTablePoller::Setup{
            io, *hub, recorder, addresses, {{LockId{0}, "/locks/well"}}, false});
    }
    // One after the other.
    void askTimes(std::size_t times)
    {
        for (std::size_t i = 1; i <= times; ++i) {
            poller->pollOnce();
            ASSERT_TRUE(runUntil([&] { return servers.front()->asked() == i; })) << "round " << i;
        }
    }
    bool runUntil(const std::function<bool()>& reached)
    {
        const auto deadline = MonotonicClock::now() + 30s;
        while (!reached() && MonotonicClock::now() < deadline)
            io.run_one_for(100ms);
        return reached();
    }
    std::vector<trace::WatchesRead> readings() const
    {
        std::vector<trace::WatchesRead> all;
        for (std::size_t i = 0; i < store.count(); ++i)
            if (const auto* read = std::get_if<trace::WatchesRead>(&store.at(i).what))
                all.push_back(*read);
        return all;
    }
    void expectNotAskedAgain()
    {
        const std::size_t before = servers.front()->asked();
        poller->setPolling(false);
        poller->setPolling(true);
        poller->pollOnce();
        io.run_for(50ms);
        EXPECT_EQ(servers.front()->asked(), before);
    }

    boost::asio::io_context io;
    trace::TraceStore store{trace::Header{}};
    trace::Recorder recorder{store};
    std::unique_ptr<zk::Hub> hub = zk::Hub::create(io, zk::HubOptions::ownProcess()).value();
    std::vector<std::unique_ptr<ForeignServer>> servers;
    std::shared_ptr<engine::WatchTablePoller> poller;
};

// Its administrator has not allowed the word.
TEST_F(ForeignServers, AreAskedOnceWhenTheyDoNotAllowIt)
{
    start({{kNotAllowed}});
    poller->setPolling(true);
    ASSERT_TRUE(runUntil([&] { return store.count() > 0; }));
    ASSERT_EQ(readings().size(), 1U);
    const trace::WatchesRead read = readings().front();
    EXPECT_NE(read.refusal.english().find("4lw.commands.whitelist"), std::string_view::npos) << read.refusal;
    expectNotAskedAgain();
    EXPECT_EQ(store.count(), 1U);
}

TEST_F(ForeignServers, AreAskedOnWhenTheOneThatAllowsItReturns)
{
    start({{kTable, kReset, kTable}, {kNotAllowed}});
    ASSERT_NO_FATAL_FAILURE(askTimes(3));
    ASSERT_TRUE(runUntil([&] { return readings().size() == 2; }));
    for (const trace::WatchesRead& read : readings()) {
        EXPECT_EQ(read.answered, 1U);
        EXPECT_EQ(read.servers, 2U);
        EXPECT_EQ(read.count, 1U);
        EXPECT_TRUE(read.refusal.empty()) << read.refusal;
    }
    EXPECT_EQ(servers.back()->asked(), 1U) << "it said that it does not answer";
}

struct Answering
{
    const char* what;
    std::vector<std::vector<std::string_view>> answers; // of each server
    std::size_t asked, readings;
    bool isRefused; // the last reading is, and they are not asked again
};

void PrintTo(const Answering& each, std::ostream* out) { *out << each.what; }

class AnsweringServers : public ForeignServers, public testing::WithParamInterface<Answering>
{};

TEST_P(AnsweringServers, AreAskedAsLongAsOneMayAllowIt)
{
    start(GetParam().answers);
    ASSERT_NO_FATAL_FAILURE(askTimes(GetParam().asked));
    ASSERT_TRUE(runUntil([&] { return readings().size() == GetParam().readings; }));
    EXPECT_EQ(readings().back().count, GetParam().isRefused ? 0U : 1U);
    EXPECT_TRUE(readings().size() == 1 || readings().front().refusal.empty());
    EXPECT_EQ(!readings().back().refusal.empty(), GetParam().isRefused);
    if (GetParam().isRefused)
        expectNotAskedAgain();
}

INSTANTIATE_TEST_SUITE_P(
    Cases, AnsweringServers,
    testing::Values(
        Answering{"an answer that is cut off is none", {{kCutOff, kCutAtALineEnd, kTable}}, 3, 1, false},
        Answering{"the last one that allowed it refuses", {{kTable, kNotAllowed}, {kNotAllowed}}, 2, 2, true},
        Answering{"none answers and one refuses", {{kReset}, {kNotAllowed}}, 1, 1, true}));

} // namespace
} // namespace lockscope::test
