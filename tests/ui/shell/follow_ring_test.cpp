// The window opens the ring of a recording and follows it, as long as the recorder runs.
#include "core/field/flight_recorder.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/shell/recorded_window_fixture.h"

#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace lockscope::ui {
namespace {

using history::LockEvent;

constexpr std::int64_t kRecordedMs = 1'700'000'000'000;

struct FollowRingTest : MainWindowTest
{
    FollowRingTest()
    {
        auto opened = field::FlightRecorder::open({.folder = ring, .keep = std::chrono::seconds(40)});
        EXPECT_TRUE(opened) << opened.error().text();
        recorder = std::move(*opened);
        queue("lock-0000000000", 0);
        pump(100);
    }
    void queue(const std::string& name, std::int64_t ms)
    {
        LockEvent event;
        event.node.lockPath = event.node.parent = "/locks/a";
        event.node.name = name;
        event.node.session = SessionId{++session};
        event.node.created = event.zxid = Zxid{kRecordedMs + ms};
        event.node.role = queue::Role::exclusive;
        event.timeMs = event.node.createdMs = kRecordedMs + ms;
        recorder->noteEvent(event);
        recorder->noteApplied();
    }
    void pump(std::int64_t ms) { EXPECT_TRUE(recorder->pump(kRecordedMs + ms)); }
    QString newest() const
    {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(ring))
            if (entry.path().extension() == ".jsonl")
                files.push_back(entry.path());
        return QString::fromStdString(std::max_element(files.begin(), files.end())->string());
    }
    bool shows(std::size_t nodes)
    {
        return waitFor([&] {
            const auto& locks = window->model().state().locks;
            return locks.size() == 1 && locks.front().queue.size() == nodes;
        });
    }

    const std::filesystem::path ring = std::filesystem::path(folder.path().toStdString()) / "ring";
    std::unique_ptr<field::FlightRecorder> recorder;
    std::int64_t session = 0;
};

TEST_F(FollowRingTest, NewEventsAppearAndTheNextFileIsShown)
{
    open(newest());
    ASSERT_TRUE(shows(1));
    EXPECT_TRUE(window->model().canGrow());
    EXPECT_TRUE(window->model().following());
    queue("lock-0000000001", 200);
    pump(300);
    EXPECT_TRUE(shows(2)) << "it was written after the file was opened";
    const QString first = newest();
    queue("lock-0000000002", 5'900);
    pump(6'000); // an eighth of 40 s is over
    ASSERT_NE(newest(), first);
    EXPECT_TRUE(shows(3));
    EXPECT_TRUE(waitFor([&] { return window->windowTitle().contains(QFileInfo(newest()).fileName()); }))
        << window->windowTitle().toStdString();
    queue("lock-0000000003", 6'200);
    pump(6'300);
    EXPECT_TRUE(shows(4)) << "of the next file, too";
    EXPECT_TRUE(recorder->finish(kRecordedMs + 6'400));
    recorder.reset();
    EXPECT_TRUE(waitFor([&] { return !window->model().canGrow(); })) << "nobody records any more";
}

TEST_F(FollowRingTest, AnotherRunIsNotReplaced)
{
    open(newest());
    ASSERT_TRUE(shows(1));
    open(saved("run.jsonl"));
    ASSERT_TRUE(waitFor([&] { return window->windowTitle().contains("run.jsonl"); }));
    queue("lock-0000000001", 5'900);
    pump(6'000);
    EXPECT_FALSE(window->model().canGrow());
    open(newest());
    ASSERT_TRUE(shows(2));
    EXPECT_TRUE(window->model().canGrow()) << "it can be followed again";
}

TEST_F(FollowRingTest, AFileThatIsNotWrittenAnyMoreIsOpenedAsItIs)
{
    const QString first = newest();
    pump(6'000);
    ASSERT_NE(newest(), first);
    open(first);
    ASSERT_TRUE(shows(1));
    EXPECT_FALSE(window->model().canGrow());
}

} // namespace
} // namespace lockscope::ui
