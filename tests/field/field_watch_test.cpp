// Watching on a thread of its own, as far as that needs no server.
#include "core/field/field_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

namespace lockscope::field {
namespace {

using namespace std::chrono_literals;

TEST(FieldWatch, AnExceptionEndsTheWatchingAndNotTheProgram)
{
    WatchOptions options;
    options.hosts = "127.0.0.1:1";
    options.paths = {"/locks/a"};
    FieldWatch watch(std::move(options));
    watch.onSnapshot([](const SnapshotPtr&) { throw std::runtime_error("no luck"); });
    watch.start();
    for (int i = 0; i < 10'000 && !watch.failure(); ++i)
        std::this_thread::sleep_for(1ms);
    ASSERT_TRUE(watch.failure());
    EXPECT_NE(watch.failure()->message.english().find("no luck"), std::string::npos);
    watch.stop();
}

} // namespace
} // namespace lockscope::field
