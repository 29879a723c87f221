// Work on threads: the GUI thread never waits for it.
#include "ui/models/run/worker.h"

#include <QCoreApplication>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <vector>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

// Work that ends only when the test lets it.
struct Held
{
    std::promise<void> letGo;
    std::shared_future<void> released = letGo.get_future().share();
    std::promise<void> begun;
    std::atomic<bool> ended = false;

    Worker::Work work()
    {
        return [this](const std::stop_token&) {
            begun.set_value();
            released.wait();
            ended = true;
        };
    }
    bool waitUntilBegun() { return begun.get_future().wait_for(60s) == std::future_status::ready; }
};

TEST(Worker, StartsNewWorkAndCancelsWithoutWaitingForTheEarlier)
{
    QObject receiver;
    Held held;
    Worker worker(&receiver);
    worker.start(held.work());
    ASSERT_TRUE(held.waitUntilBegun());
    worker.cancel();
    std::promise<void> next;
    worker.start([&](const std::stop_token&) { next.set_value(); });
    EXPECT_EQ(next.get_future().wait_for(60s), std::future_status::ready);
    EXPECT_FALSE(held.ended);
    EXPECT_TRUE(worker.busy());
    held.letGo.set_value();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !worker.busy(); }, 60'000));
}

TEST(Worker, WorkAfterEarlierWorkBeginsAtItsEnd)
{
    Held held;
    Worker worker;
    worker.start(held.work());
    std::promise<bool> order;
    worker.startAfterEarlier([&](const std::stop_token&) { order.set_value(held.ended); });
    ASSERT_TRUE(held.waitUntilBegun());
    held.letGo.set_value();
    auto ordered = order.get_future();
    ASSERT_EQ(ordered.wait_for(60s), std::future_status::ready);
    EXPECT_TRUE(ordered.get());
}

TEST(Worker, ResultsOfCancelledWorkDoNotArrive)
{
    QObject receiver;
    Worker worker(&receiver);
    std::vector<int> results;
    std::promise<void> posted;
    worker.start([&](const std::stop_token& stop) {
        worker.post(stop, [&] { results.push_back(1); });
        posted.set_value();
    });
    ASSERT_EQ(posted.get_future().wait_for(60s), std::future_status::ready);
    worker.cancel();
    worker.start([&](const std::stop_token& stop) { worker.post(stop, [&] { results.push_back(2); }); });
    EXPECT_TRUE(QTest::qWaitFor([&] { return !results.empty(); }, 60'000));
    EXPECT_EQ(results, std::vector{2});
}

} // namespace
} // namespace lockscope::ui
