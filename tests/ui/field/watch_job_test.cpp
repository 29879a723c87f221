// Watching locks in the background: the window does not wait for a name server.
#include "ui/locks/watch_job.h"
#include "ui/texts/field_text.h"

#include <QElapsedTimer>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>

namespace lockscope::ui {
namespace {

// A measurement has a round trip to a busy server in it: "6 ms behind" was said of the same computer.
TEST(WatchTexts, AClockIsSaidToDifferOnlyByMoreThanIsMeasured)
{
    const auto said = [](std::optional<std::int64_t> aheadMs) {
        field::Snapshot snapshot;
        snapshot.clockAheadMs = aheadMs;
        return countsText(snapshot);
    };
    EXPECT_TRUE(said(-6).endsWith("agrees with this computer's."));
    EXPECT_TRUE(said(99).endsWith("agrees with this computer's."));
    EXPECT_TRUE(said(-1'500).endsWith("about 1.5 s behind this computer's.")) << said(-1'500).toStdString();
    EXPECT_TRUE(said(1'500).endsWith("about 1.5 s ahead of this computer's."));
    EXPECT_FALSE(said({}).contains("clock"));
}

TEST(WatchJob, StopsAndStartsAnewAndEndsWhileANameServerDoesNotAnswer)
{
    std::promise<void> answer;
    const std::shared_future<void> answered = answer.get_future().share();
    const auto asked = std::make_shared<std::promise<void>>();
    auto isAsked = asked->get_future();
    auto job = std::make_unique<WatchJob>(nullptr, [answered, asked](const std::string& host) {
        if (host == "silent") {
            asked->set_value();
            answered.wait_for(std::chrono::seconds(60)); // or the test would never end
        }
        return Result<std::vector<std::string>>(std::vector<std::string>{});
    });
    QSignalSpy failed(job.get(), &WatchJob::failed);
    QSignalSpy ended(job.get(), &WatchJob::runEnded);
    QElapsedTimer clock;
    clock.start();
    job->start({"silent:2181", {"/locks"}, {}});
    ASSERT_EQ(isAsked.wait_for(std::chrono::seconds(60)), std::future_status::ready);
    job->stop();
    EXPECT_EQ(ended.size(), 1);
    job->start({"nowhere:2181", {"/locks"}, {}});
    EXPECT_TRUE(failed.wait(50'000)) << "the new target is not resolved";
    job.reset();
    EXPECT_LT(clock.elapsed(), 50'000) << "it waited for the name server";
    answer.set_value();
}

} // namespace
} // namespace lockscope::ui
