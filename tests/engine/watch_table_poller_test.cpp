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

class EveryMutex : public testing::TestWithParam<std::pair<sim::Handoff, std::uint32_t>>
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
                         testing::Values(std::pair(sim::Handoff::curator, 1U),
                                         std::pair(sim::Handoff::announced, 1U),
                                         std::pair(sim::Handoff::curator, 3U)));

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
            const auto* run = std::get_if<trace::RunState>(&event.what);
            return run && run->phase == trace::RunPhase::running;
        },
        read.value);
    EXPECT_GT(world.state().watchReading.event, resumed) << "not again while it was paused";
    world.engine().post(engine::Finish{});
}

// Nobody looked when the run was paused: the table that is then opened is read at once, and once.
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
    ASSERT_FALSE(world.state().watchReading.event.valid()) << "nobody looks";
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

// A foreign server whose administrator has not allowed the word.
TEST(Watches, AServerThatDoesNotAllowItIsAskedOnce)
{
    using boost::asio::ip::tcp;
    boost::asio::io_context io;
    tcp::acceptor door(io, {boost::asio::ip::address_v4::loopback(), 0});
    int asked = 0;
    std::function<void()> serve = [&] {
        auto guest = std::make_shared<tcp::socket>(io);
        door.async_accept(*guest, [&, guest](boost::system::error_code failure) {
            if (failure)
                return;
            ++asked;
            boost::asio::write(*guest, boost::asio::buffer(std::string_view(
                                           "wchp is not executed because it is not in the whitelist.\n")));
            guest->shutdown(tcp::socket::shutdown_send);
            serve();
        });
    };
    serve();
    trace::TraceStore store{trace::Header{}};
    trace::Recorder recorder(store);
    Result<std::unique_ptr<zk::Hub>> hub = zk::Hub::create(io);
    ASSERT_TRUE(hub);
    const std::string address = "127.0.0.1:" + std::to_string(door.local_endpoint().port());
    const auto asker = std::make_shared<engine::WatchTablePoller>(
        engine::WatchTablePoller::Setup{io, **hub, recorder, address, {{LockId{0}, "/locks/well"}}, false});
    asker->ask(true);
    const auto deadline = MonotonicClock::now() + 30s;
    while (store.count() == 0 && MonotonicClock::now() < deadline)
        io.run_one_for(100ms);
    ASSERT_EQ(store.count(), 1U);
    const auto* read = std::get_if<trace::WatchesRead>(&store.at(0).what);
    ASSERT_NE(read, nullptr);
    EXPECT_NE(read->refusal.english().find("4lw.commands.whitelist"), std::string_view::npos)
        << read->refusal;
    asker->ask(false);
    asker->ask(true);
    io.run_for(50ms);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(store.count(), 1U);
    asker->stop();
    door.close();
    hub->reset();
}

} // namespace
} // namespace lockscope::test
