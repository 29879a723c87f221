// Jobs on files: the GUI thread never waits for the previous one.
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/ui/shell/blocked_file.h"
#include "ui/shell/run/trace_jobs.h"

#include <QDeadlineTimer>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <thread>

namespace lockscope::ui {
namespace {

struct TraceJobsTest : testing::Test
{
    QTemporaryDir folder;
    std::shared_ptr<const trace::TraceStore> store = tests::sampleRun({.events = 5000});
    TraceJobs jobs;
};

TEST_F(TraceJobsTest, ANewLoadDoesNotWaitForTheOneBefore)
{
    const QString path = folder.filePath("run.jsonl");
    ASSERT_TRUE(trace::saveTrace(path.toStdString(), *store, store->count()).has_value());
    BlockedFile blocked(folder, BlockedFile::BlockedSide::reader);
    QString shown;
    QObject::connect(&jobs, &TraceJobs::loaded, [&](const QString& loaded, const auto&) { shown = loaded; });
    QSignalSpy failed(&jobs, &TraceJobs::loadFailed);
    jobs.load(blocked.path());
    jobs.load(path);
    EXPECT_FALSE(blocked.timedOut());
    EXPECT_TRUE(QTest::qWaitFor([&] { return shown == path; }, 20'000)) << "the other one is still blocked";
    blocked.release();
    EXPECT_EQ(failed.count(), 0) << "a replaced job reports nothing";
}

TEST_F(TraceJobsTest, ALoadThatWasCancelledIsNeverShown)
{
    const QString path = folder.filePath("run.jsonl");
    ASSERT_TRUE(trace::saveTrace(path.toStdString(), *store, store->count()).has_value());
    QSignalSpy loaded(&jobs, &TraceJobs::loaded), progress(&jobs, &TraceJobs::loadProgress);
    QSignalSpy failed(&jobs, &TraceJobs::loadFailed);
    jobs.load(path);
    const QDeadlineTimer deadline(60'000);
    while (jobs.isReading() && !deadline.hasExpired())
        std::this_thread::yield(); // its result then waits for the event loop
    ASSERT_FALSE(jobs.isReading());
    jobs.cancelLoad();
    EXPECT_TRUE(QTest::qWaitFor([&] { return failed.count() == 1; }, 20'000));
    EXPECT_EQ(loaded.count(), 0);
    EXPECT_EQ(progress.count(), 0) << "nor is it said how far it is";
}

TEST_F(TraceJobsTest, ANewSaveDoesNotWaitForTheOneBeforeAndComesAfterIt)
{
    BlockedFile blocked(folder, BlockedFile::BlockedSide::writer);
    QStringList saved;
    QObject::connect(&jobs, &TraceJobs::saved, [&](const QString& path, quint64, const auto& of) {
        saved << path;
        EXPECT_EQ(of, store);
    });
    const QString path = folder.filePath("run.jsonl");
    jobs.save(blocked.path(), store);
    jobs.save(path, store);
    EXPECT_FALSE(blocked.timedOut());
    blocked.release();
    EXPECT_TRUE(QTest::qWaitFor([&] { return saved.size() == 2; }, 20'000));
    EXPECT_EQ(saved, QStringList({blocked.path(), path}));
}

TEST_F(TraceJobsTest, AFailedSaveTellsWhichRunIsNotSaved)
{
    std::shared_ptr<const trace::TraceStore> notSaved;
    QObject::connect(&jobs, &TraceJobs::saveFailed,
                     [&](const QString&, const Error&, const auto& of) { notSaved = of; });
    jobs.save(folder.filePath("missing/run.jsonl"), store);
    EXPECT_TRUE(QTest::qWaitFor([&] { return notSaved != nullptr; }, 20'000));
    EXPECT_EQ(notSaved, store);
}

} // namespace
} // namespace lockscope::ui
