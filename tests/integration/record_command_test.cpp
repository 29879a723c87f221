// lockscope-cli watch --record against a real server: killed at any moment, every file is whole.
#include "core/base/numeric_endpoint.h"
#include "core/server/process/free_port.h"
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/json.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <variant>

namespace lockscope::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using zk::CreateMode;

class RecordCommand : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        client = world->connect();
        world->create(*client, path(), "");
    }
    void TearDown() override
    {
        client.reset();
        ZkTest::TearDown();
    }
    std::string take()
    {
        return world
            ->create(*client, path() + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", "10.1.2.3",
                     CreateMode::ephemeralSequential)
            .path;
    }
    std::vector<std::string> words(std::vector<std::string> more) const
    {
        more.insert(more.begin(),
                    {"watch", server().address(), "--lock", path(), "--record", folder / "ring"});
        return more;
    }
    std::vector<fs::path> files(const std::string& front) const
    {
        std::vector<fs::path> found;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder / "ring"))
            if (entry.path().filename().string().starts_with(front) && entry.path().extension() == ".jsonl")
                found.push_back(entry.path());
        return found;
    }
    // The names of the nodes in all files; each file has to be whole.
    std::set<std::string> nodesInAll(const std::string& front) const
    {
        std::set<std::string> nodes;
        for (const fs::path& file : files(front)) {
            const auto loaded = trace::loadTrace(file);
            EXPECT_TRUE(loaded) << loaded.error().text();
            if (!loaded)
                continue;
            EXPECT_TRUE(loaded->truncation.empty()) << loaded->truncation.english();
            for (std::size_t i = 0; i < loaded->store->count(); ++i)
                if (const auto* seen = std::get_if<trace::NodeSeen>(&loaded->store->at(i).what))
                    nodes.insert(std::string(seen->node));
        }
        return nodes;
    }
    const server::ManagedServer& server() const { return const_cast<RecordCommand*>(this)->ZkTest::server(); }

    HubSessionPtr client;
    TempFolder folder;
};

// The lock changes hands all the time; the files of the ring last a second. What was on the screen more than
// a second before the end is in a file, and so is all that was before it.
TEST_F(RecordCommand, KilledAtAnyMomentItsFilesAreWholeUpToTheLastSecond)
{
    using Time = MonotonicClock::time_point;
    std::mt19937 random(std::random_device{}());
    for (int round = 0; round < 3; ++round) {
        test::Child child(LOCKSCOPE_CLI, words({"--keep", "16s", "--save-on", "hold > 300ms", "--save-before",
                                                "2s", "--save-after", "1s"}));
        ASSERT_TRUE(test::eventually([&] {
            world->runReady();
            return fs::exists(folder / "ring") && !files("ring-").empty();
        })) << child.output()
            << child.errors();
        const Time begun = MonotonicClock::now();
        const Duration length =
            std::chrono::milliseconds(std::uniform_int_distribution<int>(1'000, 4'000)(random));
        std::vector<std::pair<Time, std::string>> taken, screens;
        std::size_t last = 0; // so many were shown, or were before one that was, long ago
        for (int turn = 0; last == 0 || MonotonicClock::now() - begun < length; ++turn) {
            ASSERT_LT(MonotonicClock::now() - begun, std::chrono::minutes(2)) << child.output();
            const std::string node = take();
            taken.emplace_back(MonotonicClock::now(), fs::path(node).filename());
            const Duration hold = turn % 8 == 0 ? std::chrono::milliseconds(600) : Duration{};
            for (const Time since = MonotonicClock::now(); MonotonicClock::now() - since < hold;)
                world->settle(*client);
            world->remove(*client, node);
            const Time now = MonotonicClock::now();
            if (screens.empty() || now - screens.back().first > std::chrono::milliseconds(200))
                screens.emplace_back(now, child.output());
            while (!screens.empty() && now - screens.front().first > std::chrono::milliseconds(1'500)) {
                for (std::size_t i = last; i < taken.size(); ++i)
                    if (screens.front().second.find(taken[i].second) != std::string::npos)
                        last = i + 1;
                screens.erase(screens.begin());
            }
        }
        const Time killed = MonotonicClock::now();
        child.signal(SIGKILL);
        EXPECT_EQ(child.wait(), 128 + SIGKILL);
        const std::set<std::string> inRing = nodesInAll("ring-");
        for (std::size_t i = 0; i < last; ++i)
            if (killed - taken[i].first < std::chrono::seconds(12)) { // of 16
                EXPECT_THAT(inRing, Contains(taken[i].second)) << "round " << round;
            }
        nodesInAll("save-");
    }
}

TEST_F(RecordCommand, SavesAndSaysWhere)
{
    take();
    take(); // two nodes that end together have ended with their session
    test::Child child(LOCKSCOPE_CLI, words({"--save-on", "wait > 1s", "--save-on", "expiry", "--quiet"}));
    ASSERT_TRUE(test::eventually([&] {
        world->runReady();
        return fs::exists(folder / "ring") && !files("ring-").empty();
    }));
    const HubSessionPtr waiter = world->connect();
    const std::string waiting =
        world
            ->create(*waiter, path() + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", "10.1.2.4",
                     CreateMode::ephemeralSequential)
            .path;
    const auto said = [&](const std::string& what) {
        return test::eventually([&] {
            world->runReady();
            return child.errors().find(what) != std::string::npos;
        });
    };
    EXPECT_TRUE(said("wait > 1s on " + path() + ": saved in " + (folder / "ring").string()))
        << child.errors();
    EXPECT_TRUE(world->kill(*client));
    EXPECT_TRUE(said("end of a holder's session on " + path() + ": saved in")) << child.errors();
    EXPECT_THAT(nodesInAll("save-"), Contains(fs::path(waiting).filename().string()));
    test::Child other(LOCKSCOPE_CLI, words({"--duration", "1s"}));
    EXPECT_EQ(other.wait(), 2);
    EXPECT_THAT(other.errors(), HasSubstr("Another process records in"));
    child.signal(SIGINT);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    nodesInAll("ring-");
}

TEST_F(RecordCommand, RunsAProgramForEachVerdictThatBegins)
{
    std::ofstream(folder / "alarm") << "#!/bin/sh\ncat >>\"$1\"\necho heard >&2\nexit \"$2\"\n";
    fs::permissions(folder / "alarm", fs::perms::owner_all);
    const std::string file = folder / "verdicts";
    test::Child child(LOCKSCOPE_CLI, {"watch", server().address(), "--lock", path(), "--real-session-ids",
                                      "--on-verdict", (folder / "alarm").string() + " " + file + "  7"});
    const auto lines = [&] {
        std::vector<boost::json::object> all;
        std::ifstream in(file);
        for (std::string line; std::getline(in, line) && !in.eof();)
            all.push_back(boost::json::parse(line).as_object());
        return all;
    };
    const std::string name = path() + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-";
    for (std::size_t verdict = 1; verdict <= 2; ++verdict) {
        const std::string orphan = world->create(*client, name, "", CreateMode::persistentSequential).path;
        const std::string waiting = take();
        ASSERT_TRUE(test::eventually([&] {
            world->runReady();
            return lines().size() >= verdict;
        })) << child.output()
            << child.errors();
        EXPECT_EQ(lines().size(), verdict) << "once for each time that it begins";
        EXPECT_EQ(lines().back().at("path").as_string(), path());
        EXPECT_EQ(lines().back().at("verdict").at("kind").as_string(), "persistent_in_front");
        EXPECT_EQ(lines().back().at("waiting").as_int64(), 1);
        EXPECT_TRUE(lines().back().contains("at"));
        world->remove(*client, orphan);
        EXPECT_TRUE(test::eventually([&] {
            world->runReady();
            return child.output().find("held by 10.1.2.3 (" + fs::path(waiting).filename().string()) !=
                   std::string::npos;
        }));
        world->remove(*client, waiting);
    }
    child.signal(SIGINT);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    EXPECT_EQ(lines().size(), 2U);
    EXPECT_THAT(child.errors(), HasSubstr("heard\n"));
    EXPECT_THAT(child.errors(),
                HasSubstr("--on-verdict: " + (folder / "alarm").string() + " has ended with 7."));
    for (const std::string none : {"no-such-program x", "/etc/passwd"}) {
        test::Child refused(LOCKSCOPE_CLI,
                            {"watch", server().address(), "--lock", path(), "--on-verdict", none});
        EXPECT_EQ(refused.wait(), 2) << none;
        EXPECT_THAT(refused.errors(), HasSubstr("that can be executed")) << none;
    }
}

// Two sessions, one after the other: they never wait.
TEST_F(RecordCommand, SaysThatLocksAreTakenInBothOrders)
{
    const HubSessionPtr other = world->connect();
    const std::string orders = path() + "/orders", bills = path() + "/bills";
    for (const std::string& lock : {orders, bills})
        world->create(*client, lock, "");
    test::Child child(LOCKSCOPE_CLI,
                      {"watch", server().address(), "--tree", path(), "--report", folder / "report.json"});
    const auto says = [&](const std::string& text, const std::function<std::string()>& where) {
        EXPECT_TRUE(test::eventually([&] {
            world->runReady();
            return where().find(text) != std::string::npos;
        })) << text
            << '\n'
            << child.output() << child.errors();
    };
    const auto take = [&](zk::Session& session, const std::string& lock) {
        const std::string node =
            world
                ->create(session, lock + "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-", "10.1.2.3",
                         CreateMode::ephemeralSequential)
                .path;
        says(lock + "  mutex  held by 10.1.2.3 (" + fs::path(node).filename().string(),
             [&] { return child.output(); });
        return node;
    };
    const auto nest = [&](zk::Session& session, const std::string& outer, const std::string& inner) {
        const std::string first = take(session, outer), second = take(session, inner);
        world->remove(session, second);
        world->remove(session, first);
    };
    nest(*client, orders, bills);
    nest(*other, bills, orders);
    EXPECT_THAT(child.errors(), ::testing::Not(HasSubstr("both orders")));
    nest(*client, orders, bills); // it has lived on
    nest(*other, orders, bills);
    const std::string found = orders + " and " + bills + " are taken in both orders: session ";
    says("lockscope-cli: " + found, [&] { return child.errors(); });
    child.signal(SIGINT);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    std::ifstream file(folder / "report.json");
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_EQ(boost::json::parse(text.str()).at("order_inversions").as_array().size(), 1U);
    test::Child log(LOCKSCOPE_CLI, {"history", (server().directory() / "data").string()});
    log.wait();
    EXPECT_THAT(log.output(), HasSubstr(found)) << log.errors();
}

TEST_F(RecordCommand, WhatCannotBeRecorded)
{
    const auto code = [&](std::vector<std::string> arguments) {
        test::Child child(LOCKSCOPE_CLI, arguments);
        const int ended = child.wait();
        return std::pair(ended, child.errors());
    };
    for (const std::string when : {"wait", "wait > ", "wait > soon", "silence > 3s", "> 3s"})
        EXPECT_EQ(code(words({"--save-on", when})).first, 2) << when;
    EXPECT_EQ(code(words({"--keep-bytes", "1K"})).first, 2);
    EXPECT_EQ(code({"watch", server().address(), "--lock", path(), "--keep", "1m"}).first, 2)
        << "without --record";
    const auto nowhere = code(
        {"watch", server().address(), "--lock", path(), "--record", folder / "no/such", "--duration", "1s"});
    EXPECT_EQ(nowhere.first, 4);
    EXPECT_THAT(nowhere.second, HasSubstr("cannot be used: No such file or directory"));
}

// What http://ADDRESS/PATH answers; empty when nobody does.
std::string answerOf(const std::string& address, const std::string& request)
{
    namespace asio = boost::asio;
    asio::io_context io;
    asio::ip::tcp::socket socket(io);
    boost::system::error_code error;
    socket.connect(*parseNumericEndpoint(address), error);
    if (error)
        return {};
    asio::write(socket, asio::buffer(request), error);
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), error); // up to the end of the connection
    return answer;
}

TEST_F(RecordCommand, ServesMeasures)
{
    const auto port = server::pickFreePort();
    ASSERT_TRUE(port);
    const std::string address = "127.0.0.1:" + std::to_string(*port);
    const std::string node = take();
    test::Child child(LOCKSCOPE_CLI,
                      {"watch", server().address(), "--tree", "/", "--metrics", address, "--quiet"});
    const auto shows = [&](const std::string& what) {
        std::string answer;
        EXPECT_TRUE(test::eventually([&] {
            world->runReady();
            answer = answerOf(address, "GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
            return answer.find(what + '\n') != std::string::npos;
        })) << what
            << '\n'
            << answer << child.errors();
        return answer;
    };
    const std::string lock = "lock=\"" + path() + '"';
    EXPECT_THAT(shows("lockscope_lock_holders{" + lock + "} 1"), HasSubstr("HTTP/1.1 200 OK\r\n"));
    shows("lockscope_watch_up 1");
    world->remove(*client, node);
    shows("lockscope_lock_holders{" + lock + "} 0");
    const std::string second = take();
    shows("lockscope_lock_holders{" + lock + "} 1");
    world->remove(*client, second);
    shows("lockscope_lock_hold_seconds_count{" + lock + "} 1"); // the first began before
    shows("lockscope_lock_ends_total{" + lock + ",reason=\"deleted\"} 2");
    EXPECT_THAT(answerOf(address, "GET / HTTP/1.1\r\n\r\n"), HasSubstr("404 Not Found"));
    EXPECT_THAT(answerOf(address, "POST /metrics HTTP/1.1\r\n\r\n"), HasSubstr("405 Method Not Allowed"));
    EXPECT_EQ(answerOf(address, std::string(9'000, 'x')), "") << "no request";
    const std::string request = "GET /metrics HTTP/1.1\r\n\r\n";
    EXPECT_TRUE(
        test::eventually([&] { // again, should it be so slow that the first is dropped before the last
            boost::asio::io_context io;
            std::vector<boost::asio::ip::tcp::socket> silent;
            for (int i = 0; i < 32; ++i)
                silent.emplace_back(io).connect(*parseNumericEndpoint(address));
            return answerOf(address, request).empty();
        }))
        << "one more than it serves at a time";
    EXPECT_TRUE(test::eventually([&] { return !answerOf(address, request).empty(); })) << "they are gone";
    test::Child other(LOCKSCOPE_CLI, {"watch", server().address(), "--tree", "/", "--metrics", address});
    EXPECT_EQ(other.wait(), 4);
    EXPECT_THAT(other.errors(), HasSubstr("cannot be served at " + address + ": Address already in use."));
    child.signal(SIGINT);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    test::Child named(LOCKSCOPE_CLI, {"watch", server().address(), "--tree", "/", "--metrics", "here:1"});
    EXPECT_EQ(named.wait(), 2);
}

} // namespace
} // namespace lockscope::tests
