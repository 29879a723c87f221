// Closing happens elsewhere, in order, and is finished before the closer is gone.
#include "core/zk/c_client/handle_closer.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace lockscope::zk::c_client {
namespace {

TEST(HandleCloser, CarriesOutItsJobsInOrderOnAThreadOfItsOwn)
{
    std::vector<int> order;
    std::thread::id thread;
    {
        HandleCloser closer;
        for (int i = 0; i < 100; ++i)
            closer.submit([&, i](bool) {
                order.push_back(i);
                thread = std::this_thread::get_id();
            });
    }
    ASSERT_EQ(order.size(), 100U);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
    EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(HandleCloser, WaitsForTheServerUntilItIsAskedToHurry)
{
    std::vector<bool> hurried;
    std::promise<void> notified;
    {
        HandleCloser closer;
        closer.submit([&](bool skipWaiting) {
            hurried.push_back(skipWaiting);
            notified.get_future().wait();
        });
        closer.submit([&](bool skipWaiting) { hurried.push_back(skipWaiting); });
        closer.skipWaitingAfter(Duration{});
        notified.set_value();
    }
    ASSERT_EQ(hurried.size(), 2U);
    EXPECT_TRUE(hurried[1]);
}

TEST(HandleCloser, DoesNotHurryUnasked)
{
    bool hurried = true;
    {
        HandleCloser closer;
        closer.submit([&](bool skipWaiting) { hurried = skipWaiting; });
    }
    EXPECT_FALSE(hurried);
}

} // namespace
} // namespace lockscope::zk::c_client
