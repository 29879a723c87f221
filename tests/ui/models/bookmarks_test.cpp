// Bookmarks as a value, and the file beside a trace that keeps them.
#include "ui/models/run/bookmarks_file.h"

#include <QDir>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

const RunIdentity kRun{1'700'000'000'123'456'789, 42};

TEST(NotesFileTest, SaysWhereItIsBroken)
{
    const QByteArray head =
        R"({"schema":"lockscope-notes","version":1,"run":{"wall_ns":1,"monotonic_ns":2},)";
    const std::vector<std::pair<QByteArray, std::string>> broken{
        {"", "n:1:1: this is not JSON"},
        {"not json", "n:1:2: this is not JSON"},
        {head + "\n\"notes\":[\n{\"t\":1,}]}", "n:3:"},
        {"[]", "n:1:1: expected \"schema\": \"lockscope-notes\""},
        {R"({"schema":"lockscope-trace","version":1})", "n:1:11: expected \"schema\""},
        {R"({"schema":"lockscope-notes","version":2,"notes":[]})", "n:1:39: expected \"version\": 1"},
        {head + R"("notes":{}})", "n:1:86: expected \"notes\""},
        {head + "\n\"notes\":[{\"t\":1,\"text\":\"é\"}, 7]}", "n:2:30: expected a note"},
        {head + "\n\"notes\":[{\"t\":1,\"text\":\"[{,\"},\n {\"text\":\"a\",\"t\":-1}]}",
         "n:3:18: expected \"t\""},
        {head + "\n\"notes\":[{\"t\":1.5}]}", "n:2:15: expected \"t\""},
        {head + "\n\"notes\":[\n{\"t\":1,\"text\":[\"a\"]}]}", "n:3:15: expected a text"}};
    for (const auto& [text, error] : broken) {
        const auto read = parseBookmarks(text, "n");
        ASSERT_FALSE(read) << text.toStdString();
        EXPECT_EQ(read.error().code, ErrorCode::badInput);
        EXPECT_TRUE(read.error().message.english().starts_with(error))
            << read.error().message.english() << "\nfor " << text.toStdString();
    }
}

TEST(NotesFileTest, NamesAFileWhoseNameHasAPercentSignAsItIs)
{
    const auto read = parseBookmarks("{}", "run%3A2%2F1.notes");
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().message.english().starts_with("run%3A2%2F1.notes:1:1: expected"))
        << read.error().message.english();
}

TEST(NotesFileTest, ANoteMayBeWithoutWords)
{
    const auto read =
        parseBookmarks(R"({"schema":"lockscope-notes","version":1,"notes":[{"t":5}],"later":true})", "n");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->notes, (std::vector<Bookmark>{{TraceTime(5), {}}}));
}

TEST(NotesFileTest, IsWrittenWholeOrNotAtAll)
{
    const QTemporaryDir folder;
    const QString path = bookmarksPath(folder.filePath("run.jsonl"));
    EXPECT_TRUE(path.endsWith("run.jsonl.notes"));
    ASSERT_TRUE(writeBookmarks(path, {kRun, {{1ms, "a"}}}));
    const auto read = readBookmarks(path);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->notes.size(), 1u);
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 1) << "nothing is left beside it";

    // Where nothing can be written: for root, too.
    const auto failed = writeBookmarks("/proc/run.jsonl.notes", {kRun, {{1ms, "a"}}});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::ioFailed);
    EXPECT_TRUE(failed.error().message.english().find("/proc/run.jsonl.notes") != std::string::npos);
    EXPECT_FALSE(failed.error().hint.empty());
    const auto missing = readBookmarks(folder.filePath("none"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::ioFailed);
}

} // namespace
} // namespace lockscope::ui
