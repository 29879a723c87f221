// Watching on a thread of its own, as far as that needs no server.
#include "core/field/field_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <stdexcept>
#include <utility>

namespace lockscope::field {
namespace {

TEST(FieldWatch, AnExceptionEndsTheWatchingAndNotTheProgram)
{
    WatchOptions options;
    options.hosts = "127.0.0.1:1";
    options.paths = {"/locks/a"};
    FieldWatch watch(std::move(options));
    std::promise<void> published;
    watch.onSnapshot([&](const SnapshotPtr&) {
        published.set_value();
        throw std::runtime_error("no luck");
    });
    watch.start();
    ASSERT_EQ(published.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
    watch.stop(); // joins the thread
    ASSERT_TRUE(watch.failure());
    EXPECT_NE(watch.failure()->message.english().find("no luck"), std::string::npos);
}

} // namespace
} // namespace lockscope::field
