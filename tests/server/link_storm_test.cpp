// Rules, faults and ends of connections in any order: what arrives is the beginning of what was sent, and
// after heal() the link works like a new one.
#include "link_test.h"

#include "core/base/random.h"

#include <vector>

namespace lockscope::server {
namespace {

using namespace std::chrono_literals;
using testing::Peer;

constexpr int kPeers = 8;

// "(n)0 1 2 3 ...": every sender's stream can be identified and has one correct order.
std::string streamOf(int n)
{
    std::string text = "(" + std::to_string(n) + ")";
    for (int i = 0; i < 4000; ++i)
        text += std::to_string(i) + " ";
    return text;
}

LinkRules anyRules(Random& random)
{
    LinkRules rules;
    if (random.uniform(0, 1) == 0)
        rules.latency = Duration(random.uniform(0, 3'000'000));
    if (random.uniform(0, 2) == 0)
        rules.jitter = Duration(random.uniform(0, 3'000'000));
    if (random.uniform(0, 2) == 0)
        rules.bytesPerSecond = static_cast<std::uint64_t>(random.uniform(100'000, 10'000'000));
    rules.dropToServer = random.uniform(0, 7) == 0;
    rules.dropToClient = random.uniform(0, 7) == 0;
    rules.cut = random.uniform(0, 9) == 0;
    return rules;
}

class LinkStorm : public LinkTest, public ::testing::WithParamInterface<int>
{
protected:
    void addClient()
    {
        clients.push_back(connectClient());
        clients.back()->send(streams[clients.size() % kPeers]);
    }
    void randomFault(Random& random)
    {
        Peer& client = *clients[static_cast<std::size_t>(random.uniform(0, std::ssize(clients) - 1))];
        switch (random.uniform(0, 11)) {
        case 0:
            return link->reset();
        case 1:
            return link->halfOpen();
        case 2:
            return link->heal();
        case 3:
            return client.close();
        case 4:
            return link->loseNextReply(std::nullopt);
        case 5:
            if (!server.peers.empty())
                server.peers.back()->reset();
            return;
        case 6:
            if (!server.peers.empty())
                server.peers.back()->send(streams[0]);
            return;
        case 7:
        case 8:
            return addClient();
        default:
            return link->set(anyRules(random));
        }
    }
    bool isABeginning(const std::string& text) const
    {
        for (const auto& stream : streams)
            if (stream.starts_with(text))
                return true;
        return false;
    }

    std::vector<std::string> streams;
    std::vector<std::unique_ptr<Peer>> clients;
};

TEST_P(LinkStorm, NothingIsMixedUpAndAMendedLinkWorks)
{
    Random random(static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < kPeers; ++i)
        streams.push_back(streamOf(i));
    addClient();
    for (int i = 0; i < 300; ++i) {
        randomFault(random);
        const auto rounds = random.uniform(0, 20);
        for (int turn = 0; turn < rounds; ++turn) {
            io.restart();
            io.run_one_for(200us);
        }
    }
    link->heal();
    runReady();
    for (const auto& peer : server.peers)
        EXPECT_TRUE(isABeginning(peer->received)) << peer->received.substr(0, 100);
    link->reset();
    EXPECT_EQ(link->openConnections(), 0u);

    const auto client = connect();
    client->send(streams[1]);
    EXPECT_TRUE(becomes([&] { return atServer().received == streams[1]; }));
}

INSTANTIATE_TEST_SUITE_P(Seeds, LinkStorm, ::testing::Range(1, 6));

} // namespace
} // namespace lockscope::server
