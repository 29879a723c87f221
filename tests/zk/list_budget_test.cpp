// Small lists pass freely, big ones take turns: memory does not grow with the square of the clients.
#include "core/zk/c_client/list_budget.h"

#include <gtest/gtest.h>

#include <string>

namespace lockscope::zk::c_client {
namespace {

constexpr std::size_t kBig = 3 * 1024 * 1024;

// Clients that each ask for one list, which arrives when the test says so.
struct Clients
{
    ListBudget budget;
    std::string sent;
    void ask(char client)
    {
        budget.submit([this, client] {
            sent += client;
            return true;
        });
    }
    // One list goes and comes, so that the budget knows how big they are.
    void learn(std::size_t bytes)
    {
        ask('-');
        budget.arrived(bytes);
        sent.clear();
    }
};

TEST(ListBudget, LetsOnlyTwoBigListsBeUnderWay)
{
    Clients clients;
    clients.learn(kBig);
    for (char client = 'a'; client <= 'e'; ++client)
        clients.ask(client);
    EXPECT_EQ(clients.sent, "ab");
    clients.budget.arrived(kBig);
    EXPECT_EQ(clients.sent, "abc");
    clients.budget.arrived(kBig);
    clients.budget.arrived(kBig);
    EXPECT_EQ(clients.sent, "abcde");
}

// Thousands join at once: what the first small list says is not true any more when theirs arrive.
TEST(ListBudget, NeverLetsThousandsBeUnderWay)
{
    Clients clients;
    clients.learn(10);
    for (int i = 0; i < 5000; ++i)
        clients.ask('x');
    EXPECT_LE(clients.sent.size(), 64U);
    for (int i = 0; i < 5000; ++i)
        clients.budget.arrived(10);
    EXPECT_EQ(clients.sent.size(), 5000U) << "all have had their turn";
}

// A list that failed, for example with its session, says nothing about the size of the others.
TEST(ListBudget, KnowsTheSizeAlsoAfterListsThatFailed)
{
    Clients clients;
    clients.learn(kBig);
    clients.ask('-');
    clients.budget.failed();
    clients.sent.clear();
    for (char client = 'a'; client <= 'z'; ++client)
        clients.ask(client);
    EXPECT_EQ(clients.sent, "ab");
}

} // namespace
} // namespace lockscope::zk::c_client
