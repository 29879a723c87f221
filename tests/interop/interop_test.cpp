#include "tests/interop/interop_test.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace lockscope::tests {

namespace {

constexpr auto kSession = "30000"; // milliseconds
constexpr auto kLimit = "60000";

std::string order(std::initializer_list<std::string> words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

} // namespace

void InteropTest::TearDown()
{
    m_ours.clear();
    LockTest::TearDown();
}

std::unique_ptr<PeerProcess> InteropTest::startPeer(const Result<std::vector<std::string>>& command,
                                                    int clients)
{
    auto started = PeerProcess::start(command.value());
    EXPECT_TRUE(started) << started.error().text();
    if (!started)
        return nullptr;
    (*started)->writeLine(order({"open", std::to_string(clients), kSession}));
    const auto opened = (*started)->await("opened");
    EXPECT_TRUE(opened) << opened.error().text();
    return std::move(*started);
}

std::string InteropTest::expect(PeerProcess& peer, const std::string& beginning)
{
    world->runUntil([&] { return peer.has(beginning) || peer.has("failed"); },
                    "the peer to say " + beginning);
    EXPECT_FALSE(peer.has("failed")) << peer.take("failed").value();
    return peer.take(beginning).value_or("");
}

void InteropTest::peerAcquires(PeerProcess& peer, int client, const std::string& kind)
{
    peer.writeLine(order({"acquire", std::to_string(client), kind, path(), kLimit}));
    expect(peer, "acquired " + std::to_string(client));
}

void InteropTest::peerReleases(PeerProcess& peer, int client, const std::string& kind)
{
    peer.writeLine(order({"release", std::to_string(client), kind, path()}));
    expect(peer, "released " + std::to_string(client));
}

void InteropTest::peerWaitsBehind(PeerProcess& peer, int client, const std::string& kind,
                                  const std::string& node)
{
    peer.writeLine(order({"acquire", std::to_string(client), kind, path(), kLimit}));
    world->runUntil([&] { return isWatchedByPeer(node) || peer.has("acquired") || peer.has("failed"); },
                    "the peer to watch " + node);
    EXPECT_FALSE(peer.has("acquired")) << "it did not wait";
    EXPECT_FALSE(peer.has("failed")) << peer.take("failed").value();
}

std::string InteropTest::onlyNode()
{
    const std::vector<std::string> nodes = queue();
    EXPECT_EQ(nodes.size(), 1u);
    return nodes.empty() ? std::string() : nodes.front();
}

LockClient& InteropTest::addOurs() { return addClient(connectOurs()); }

HubSessionPtr InteropTest::connectOurs()
{
    m_ours.push_back(world->connect());
    return m_ours.back();
}

Acquiring InteropTest::waitBehind(lock::Lock& lock, const HubSessionPtr& session, const std::string& node)
{
    const Acquiring acquiring = world->start(lock.acquire(OwnerId{0}));
    world->runUntil(
        [&] {
            const std::vector<SessionId> all = watchers(node);
            return acquiring.arrived() || std::find(all.begin(), all.end(), session->id()) != all.end();
        },
        "our client to watch " + node);
    EXPECT_FALSE(acquiring.arrived()) << "it did not wait";
    return acquiring;
}

Grant InteropTest::take(lock::Lock& lock) { return granted(world->start(lock.acquire(OwnerId{0}))); }

void InteropTest::giveBack(lock::Lock& lock)
{
    const auto releasing = world->start(lock.release(OwnerId{0}));
    world->runUntil([&] { return releasing.arrived(); }, "the release to end");
    EXPECT_TRUE(*releasing) << releasing->error().text();
}

std::vector<SessionId> InteropTest::watchers(const std::string& node)
{
    const auto words = server::sendFourLetterWord(server().address(), "wchp", std::chrono::seconds(10));
    const auto table = server::parseWatchTable(words.value());
    const auto found = table.value().find(path() + "/" + node);
    return found == table.value().end() ? std::vector<SessionId>{} : found->second;
}

bool InteropTest::isWatchedByPeer(const std::string& node)
{
    const std::vector<SessionId> all = watchers(node);
    return std::any_of(all.begin(), all.end(), [this](SessionId watcher) {
        return std::none_of(m_ours.begin(), m_ours.end(),
                            [&](const HubSessionPtr& session) { return session->id() == watcher; });
    });
}

zk::Awaitable<int> InteropTest::cycle(lock::Lock* lock, int times, std::string marker)
{
    int collisions = 0;
    for (int i = 0; i < times; ++i) {
        const Result<Grant> got = co_await lock->acquire(OwnerId{0}).asResult();
        EXPECT_TRUE(got) << got.error().text();
        const int file = open(marker.c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        collisions += file < 0 ? 1 : 0;
        zk::Pending<bool> stayed;
        lock->scheduler().after(std::chrono::milliseconds(1), [done = stayed.handler()] { done(true); });
        co_await stayed.get();
        if (file >= 0) {
            unlink(marker.c_str());
            close(file);
        }
        const Result<void> released = co_await lock->release(OwnerId{0}).asResult();
        EXPECT_TRUE(released) << released.error().text();
    }
    co_return collisions;
}

int InteropTest::mixedRun(PeerProcess& peer, const std::string& kind, const std::vector<lock::Lock*>& ours,
                          int times)
{
    for (const char* client : {"1", "2"})
        peer.writeLine(order({"cycle", client, kind, path(), std::to_string(times), marker()}));
    std::vector<Later<int>> running;
    for (lock::Lock* lock : ours)
        running.push_back(world->start(cycle(lock, times, marker())));
    int collisions = 0;
    for (const Later<int>& each : running)
        if (world->runUntil([&] { return each.arrived(); }, "our clients to go through the lock"))
            collisions += *each;
    for (const char* client : {"1", "2"}) {
        std::istringstream said(expect(peer, std::string("cycled ") + client));
        std::string word;
        int id = 0, done = 0, theirs = 0;
        said >> word >> id >> done >> theirs;
        EXPECT_EQ(done, times);
        collisions += theirs;
    }
    return collisions;
}

} // namespace lockscope::tests
