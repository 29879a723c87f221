// Work on other threads: what arrives of it, and when.
#include "ui/models/run/worker.h"

#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

// Its thread ends right after it has posted the result, before the GUI thread takes it.
TEST(Worker, AResultArrivesAlsoWhenItsWorkIsKnownToHaveEnded)
{
    QObject receiver;
    Worker worker(&receiver);
    bool arrived = false;
    worker.start([&](const std::stop_token& stop) { worker.post(stop, [&] { arrived = true; }); });
    while (worker.busy()) // handles no events
        std::this_thread::yield();
    EXPECT_FALSE(arrived);
    QCoreApplication::processEvents();
    EXPECT_TRUE(arrived);
}

TEST(Worker, AResultDoesNotArriveAfterItsWorkWasCanceled)
{
    QObject receiver;
    Worker worker(&receiver);
    int arrived = 0;
    const auto post = [&](const std::stop_token& stop) { worker.post(stop, [&] { ++arrived; }); };
    worker.start(post);
    while (worker.busy())
        std::this_thread::yield();
    worker.cancel();
    QCoreApplication::processEvents();
    EXPECT_EQ(arrived, 0);
    worker.start(post);
    EXPECT_TRUE(QTest::qWaitFor([&] { return arrived == 1; }, 60'000)) << "of work that came later";
}

} // namespace
} // namespace lockscope::ui
