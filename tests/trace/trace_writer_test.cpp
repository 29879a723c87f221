#include "tests/trace/trace_samples.h"

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockscope::trace {
namespace {

void appendNotices(TraceStore& store, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        store.append({TraceTime(static_cast<std::int64_t>(store.count())), EventIndex::none(),
                      ClientId::none(), LockId::none(),
                      Notice{Severity::info, Message("event " + std::to_string(store.count()))}});
}

std::string noticeText(const TraceStore& store, std::size_t index)
{
    return std::get<Notice>(store.at(index).what).text.english();
}

TEST(TraceWriter, WritesWhatIsPublishedAndGoesOn)
{
    const Folder folder;
    TraceStore store({"s", "", "", 1, 2, 3});
    auto writer = TraceWriter::create(folder / "a.jsonl", store);
    ASSERT_TRUE(writer);
    EXPECT_EQ(*(*writer)->pump(), 0U);
    appendNotices(store, 10);
    EXPECT_EQ(*(*writer)->pump(), 10U);
    EXPECT_EQ(loadTrace(folder / "a.jsonl")->store->count(), 10U);
    appendNotices(store, 20'000);
    EXPECT_EQ(*(*writer)->pump(), 20'010U);
    EXPECT_EQ((*writer)->written(), 20'010U);

    const auto loaded = loadTrace(folder / "a.jsonl");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->store->header().scenario, "s");
    ASSERT_EQ(loaded->store->count(), 20'010U);
    EXPECT_EQ(noticeText(*loaded->store, 20'009), "event 20009");

    ASSERT_TRUE(saveTrace(folder / "b.jsonl", store, store.count()));
    EXPECT_EQ(readFile(folder / "a.jsonl"), readFile(folder / "b.jsonl"));
}

TEST(TraceWriter, AFullDiskIsReportedOnceAndLosesNothing)
{
    TraceStore store;
    appendNotices(store, 50'000);
    auto writer = TraceWriter::create("/dev/full", store);
    ASSERT_TRUE(writer);
    const auto failed = (*writer)->pump();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::ioFailed);
    EXPECT_EQ(failed.error().message.english(),
              "The trace cannot be written to /dev/full: No space left on device.");
    EXPECT_EQ(failed.error().hint.english(), "Free some space on that disk, or choose another one.");
    const auto again = (*writer)->pump();
    ASSERT_TRUE(again) << "the same failure is not reported twice";
    EXPECT_EQ(*again, 0U);
    EXPECT_EQ((*writer)->written(), 0U);
}

// Runs in a child, whose file size limit ends with it. Returns its exit code; 0 = all as it should be.
int inChild(int (*body)(const std::filesystem::path&), const std::filesystem::path& path)
{
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::_exit(body(path));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

void limitFileSize(rlim_t bytes)
{
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(TraceWriter, AFileThatMayNotGrowEndsInAWholeLineAndGoesOnLater)
{
    const Folder folder;
    const int code = inChild(
        [](const std::filesystem::path& path) {
            TraceStore store;
            auto writer = TraceWriter::create(path, store);
            appendNotices(store, 100);
            if (!writer || !(*writer)->pump())
                return 1;
            limitFileSize(10'000); // in the middle of a line
            appendNotices(store, 1000);
            const auto failed = (*writer)->pump();
            if (failed || failed.error().message.english().find("File too large") == std::string::npos)
                return 2;
            const std::size_t written = (*writer)->written();
            const std::string soFar = readFile(path);
            if (soFar.size() > 10'000 || soFar.size() < 9'900 || !soFar.ends_with("}\n"))
                return 3;
            const auto part = loadTrace(path);
            if (!part || !part->truncation.empty() || part->store->count() != written || written <= 100)
                return 4;
            appendNotices(store, 5);
            if (!(*writer)->pump() || (*writer)->written() != written)
                return 5;
            limitFileSize(RLIM_INFINITY);
            const auto all = (*writer)->pump();
            if (!all || *all != 1105)
                return 6;
            const auto loaded = loadTrace(path);
            if (!loaded || loaded->store->count() != 1105)
                return 7;
            for (std::size_t i = 0; i < 1105; ++i)
                if (noticeText(*loaded->store, i) != "event " + std::to_string(i))
                    return 8;
            limitFileSize(10'000);
            appendNotices(store, 1);
            return (*writer)->pump() ? 9 : 0; // a new failure is reported again
        },
        folder / "a.jsonl");
    EXPECT_EQ(code, 0);
}

TEST(TraceWriter, APipeGetsEveryByteOnce)
{
    const Folder folder;
    const auto pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    TraceStore store;
    appendNotices(store, 3);
    auto writer = TraceWriter::create(pipe, store);
    ASSERT_TRUE(writer);
    EXPECT_EQ(*(*writer)->pump(), 3U);
    std::string bytes(4096, '\0');
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, bytes.data(), bytes.size()))));
    ::close(reader);
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), '\n'), 4);
    EXPECT_TRUE(bytes.ends_with("\"text\":\"event 2\"}\n"));
}

TEST(TraceWriter, AnOldFileStaysUntilTheNewOneIsFinished)
{
    const Folder folder;
    writeFile(folder / "a.jsonl", "precious\n");
    TraceStore store;
    appendNotices(store, 3);
    {
        auto writer = TraceWriter::create(folder / "a.jsonl", store);
        ASSERT_TRUE(writer);
        ASSERT_TRUE((*writer)->pump());
        EXPECT_EQ(readFile(folder / "a.jsonl"), "precious\n");
    }
    EXPECT_EQ(readFile(folder / "a.jsonl"), "precious\n") << "it was not finished";
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);

    auto writer = TraceWriter::create(folder / "a.jsonl", store);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->pump());
    ASSERT_TRUE((*writer)->finish());
    EXPECT_EQ(loadTrace(folder / "a.jsonl")->store->count(), 3U);
}

TEST(TraceWriter, ANewFileThatIsNotFinishedIsRemoved)
{
    const Folder folder;
    TraceStore store;
    appendNotices(store, 3);
    {
        auto writer = TraceWriter::create(folder / "a.jsonl", store);
        ASSERT_TRUE(writer);
        ASSERT_TRUE((*writer)->pump());
        EXPECT_EQ(loadTrace(folder / "a.jsonl")->store->count(), 3U) << "it can be read while it grows";
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a.jsonl"));
}

// As far as it came it is whole: a new file keeps that, an old one its content.
TEST(TraceWriter, WhatCannotBeWrittenReplacesNothing)
{
    const Folder folder;
    writeFile(folder / "old.jsonl", "precious\n");
    for (const char* name : {"old.jsonl", "new.jsonl"})
        EXPECT_EQ(inChild(
                      [](const std::filesystem::path& path) {
                          TraceStore store;
                          appendNotices(store, 1000);
                          auto writer = TraceWriter::create(path, store);
                          limitFileSize(10'000);
                          return writer && !(*writer)->pump() && (*writer)->finish() ? 0 : 1;
                      },
                      folder / name),
                  0);
    EXPECT_EQ(readFile(folder / "old.jsonl"), "precious\n");
    const auto loaded = loadTrace(folder / "new.jsonl");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->truncation, "");
    EXPECT_GT(loaded->store->count(), 50U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

// ---- saveTrace
// -------------------------------------------------------------------------------------------------

TEST(SaveTrace, SavesTheFirstSoManyEvents)
{
    const Folder folder;
    TraceStore store;
    appendNotices(store, 10);
    ASSERT_TRUE(saveTrace(folder / "a.jsonl", store, 4));
    EXPECT_EQ(loadTrace(folder / "a.jsonl")->store->count(), 4U);
    ASSERT_TRUE(saveTrace(folder / "a.jsonl", store, 99));
    EXPECT_EQ(loadTrace(folder / "a.jsonl")->store->count(), 10U);
}

TEST(SaveTrace, AFailureLeavesTheOldFile)
{
    const Folder folder;
    writeFile(folder / "a.jsonl", "precious\n");
    const int code = inChild(
        [](const std::filesystem::path& path) {
            TraceStore store;
            appendNotices(store, 1000);
            limitFileSize(10'000);
            const auto saved = saveTrace(path, store, store.count());
            return saved || saved.error().message.english().find("File too large") == std::string::npos ? 1
                                                                                                        : 0;
        },
        folder / "a.jsonl");
    EXPECT_EQ(code, 0);
    EXPECT_EQ(readFile(folder / "a.jsonl"), "precious\n");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
        << "nothing is left beside it";
}

} // namespace
} // namespace lockscope::trace
