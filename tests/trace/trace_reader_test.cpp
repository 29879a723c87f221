// Trace files as a whole: the first line, files that cannot be read, that were cut off, that are long.
#include "tests/trace/trace_reader_test.h"
#include "core/trace/trace_stream.h"

#include <rapidcheck/gtest.h>

#include <fstream>

namespace lockscope::trace {
namespace {

// ---- the first line ----

TEST_F(TraceReader, TheFirstLineMustBeATraces)
{
    EXPECT_EQ(errorOfFile(R"({"name":"package","version":"1.0"})"
                          "\n"),
              R"(:1:1: found "{\"name\":\"package\",\"version\":\"1.0\"}", )"
              R"(expected the first line of a trace: {"schema":"lockscope-trace","version":1,...}.)");
    EXPECT_EQ(errorOfFile(std::string(kEvent) + "\n").substr(0, 13), ":1:1: found \"");
    EXPECT_EQ(errorOfFile(R"({"schema":"other","version":1})"
                          "\n"),
              R"(:1:11: found "other", expected "lockscope-trace".)");
    EXPECT_EQ(errorOfFile(R"({"schema":"lockscope-trace"})"
                          "\n"),
              R"(:1:28: found the end of the line, expected the field "version".)");
    EXPECT_EQ(errorOfFile(R"({"schema":"lockscope-trace","version":1,"colour":"red"})"
                          "\n"),
              R"(:1:41: found "colour", expected a field of the first line of a trace.)");
    EXPECT_EQ(errorOfFile(R"({"schema":"lockscope-trace","version":1,"time_zero":5})"
                          "\n"),
              R"(:1:53: found 5, expected an object with "wall_ns" and "monotonic_ns".)");
    EXPECT_EQ(errorOfFile("PK\x03\x04 a zip file\n"),
              ":1:1: found \"PK\\u0003\\u0004\", expected an object in braces.");
}

TEST_F(TraceReader, AByteOrderMarkInFrontIsNoMatter)
{
    const auto loaded = load("\xEF\xBB\xBF" + std::string(kHeaderLine) + std::string(kEvent) + "\n");
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->store->count(), 1U);
}

TEST_F(TraceReader, AFileThatGrowsIsReadLineByWholeLine)
{
    const std::string event(kEvent);
    writeFile(file(), std::string(kHeaderLine) + event + "\n" + event.substr(0, 20));
    auto opened = TraceStream::open(file(), nullptr, TraceStream::Growth::follow);
    ASSERT_TRUE(opened) << opened.error().text();
    const auto next = [&] {
        const Result<const Event*> read = (*opened)->next();
        EXPECT_TRUE(read) << read.error().text();
        return read && *read != nullptr;
    };
    EXPECT_TRUE(next());
    EXPECT_FALSE(next()) << "a part of a line is none";
    EXPECT_FALSE(next());
    std::ofstream(file(), std::ios::app) << event.substr(20) << "\n" << event << "\n";
    EXPECT_TRUE(next());
    EXPECT_TRUE(next());
    EXPECT_FALSE(next());
    EXPECT_EQ((*opened)->count(), 3U);
    EXPECT_TRUE((*opened)->truncation().empty());
}

TEST_F(TraceReader, ANewerSchemaSaysSo)
{
    const auto loaded = load(R"({"schema":"lockscope-trace","version":2})"
                             "\n");
    ASSERT_FALSE(loaded);
    EXPECT_TRUE(loaded.error().message.english().ends_with(":1:39: found 2, expected version 1."))
        << loaded.error().message.english();
    EXPECT_EQ(loaded.error().hint.english(), "Open it with a newer version of LockScope.");
}

TEST_F(TraceReader, AnEmptyFileIsNoTrace)
{
    EXPECT_EQ(errorOfFile(""), " is empty: a trace begins with a line that names its schema.");
}

TEST_F(TraceReader, AFirstLineCutOffIsNoTrace)
{
    EXPECT_EQ(errorOfFile(kHeaderLine.substr(0, 40)),
              " ends in the middle of its first line: there is nothing to open.");
}

// ---- files that cannot be read ----

TEST_F(TraceReader, MissingFilesAndFoldersSaySo)
{
    const auto missing = loadTrace(m_folder / "none.jsonl");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::ioFailed);
    EXPECT_EQ(missing.error().text(), (m_folder / "none.jsonl").string() +
                                          " cannot be read: No such file or directory. Check the name.");

    const auto folder = loadTrace(m_folder.path());
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, ErrorCode::ioFailed);
    EXPECT_EQ(folder.error().text(), m_folder.path().string() +
                                         " cannot be read: Is a directory. "
                                         "Give the name of a trace file, not of a folder.");
}

TEST_F(TraceReader, CanBeCancelled)
{
    writeFile(file(), std::string(kHeaderLine));
    LoadProgress progress;
    progress.cancel = true;
    const auto loaded = loadTrace(file(), &progress);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::cancelled);
}

TEST_F(TraceReader, TellsItsProgress)
{
    const std::string bytes = std::string(kHeaderLine) + std::string(kEvent) + "\n";
    writeFile(file(), bytes);
    LoadProgress progress;
    ASSERT_TRUE(loadTrace(file(), &progress));
    EXPECT_EQ(progress.bytesTotal, bytes.size());
    EXPECT_EQ(progress.bytesRead, bytes.size());
}

// ---- files that were cut off ----

TEST_F(TraceReader, AFileCutAnywhereOpensUpToThere)
{
    const std::string event =
        R"({"t":5,"e":"acquired","client":12,"node":"lock}-0000000010","token":"0x1f3"})";
    const std::string head = std::string(kHeaderLine) + event + "\n";
    for (std::size_t kept = 0; kept <= event.size(); ++kept) {
        const auto loaded = load(head + event.substr(0, kept));
        ASSERT_TRUE(loaded) << kept << ": " << loaded.error().text();
        const bool whole = kept == event.size();
        EXPECT_EQ(loaded->store->count(), whole ? 2U : 1U) << kept;
        const std::string sentence =
            file().string() + " ends in the middle of line 3: the 1 events before it were read.";
        EXPECT_EQ(loaded->truncation, kept == 0 || whole ? "" : sentence) << kept;
    }
}

TEST_F(TraceReader, ALastLineThatIsWholeButWrongIsAnError)
{
    EXPECT_EQ(errorOfFile(std::string(kHeaderLine) + R"({"t":5,"e":"levitates"})").substr(0, 6), ":2:12:");
}

TEST_F(TraceReader, ATailOfZerosIsACut)
{
    const auto loaded = load(std::string(kHeaderLine) + std::string(kEvent) + "\n" + std::string(512, '\0'));
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->store->count(), 1U);
    EXPECT_NE(loaded->truncation, "");
}

RC_GTEST_FIXTURE_PROP(TraceReader, NoBytesAreTooStrange, (const std::string& junk, std::uint16_t place))
{
    std::string bytes = std::string(kHeaderLine) + std::string(kEvent) + "\n" + std::string(kEvent) + "\n";
    bytes.insert(place % bytes.size(), junk);
    const auto loaded = load(bytes);
    const bool explained = loaded.has_value() || !loaded.error().message.empty();
    RC_ASSERT(explained);
}

TEST_F(TraceReader, LinesLongerThanItsBufferAreRead)
{
    const std::string name(3'000'000, 'n');
    std::string bytes(kHeaderLine);
    for (int i = 0; i < 3; ++i)
        bytes +=
            R"({"t":5,"e":"notice","severity":"info","text":")" + name + "\"}\n" + std::string(kEvent) + "\n";
    const auto loaded = load(bytes);
    ASSERT_TRUE(loaded) << loaded.error().text();
    ASSERT_EQ(loaded->store->count(), 6U);
    EXPECT_EQ(std::get<Notice>(loaded->store->at(4).what).text, name);
}

TEST_F(TraceReader, ALineThatIsTooLongIsNamed)
{
    writeFile(file(), std::string(kHeaderLine) + std::string(kEvent) + "\n");
    std::filesystem::resize_file(file(), 200 * 1024 * 1024); // a hole, without a line's end
    const auto loaded = loadTrace(file());
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().message.english(),
              file().string() + ":3:1: found a line longer than 64 MiB, expected a line of a trace.");
}

TEST_F(TraceReader, ManyEventsNeedLittleMemoryEach)
{
    std::string bytes(kHeaderLine);
    constexpr std::size_t count = 100'000;
    for (std::size_t i = 0; i < count; ++i)
        bytes += R"({"t":)" + std::to_string(i) +
                 R"(,"e":"reply","client":0,"lock":0,"op":"create","outcome":"ok",)"
                 R"("node":"_c_258cf713-a5b0-4b6e-8a7e-2f0b9d6c1e11-lock-)" +
                 std::to_string(1'000'000'000 + i / 8) +
                 R"(","zxid":"0x1f3","count":0})"
                 "\n";
    const auto loaded = load(bytes);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->store->count(), count);
    EXPECT_LE(loaded->store->memoryBytes() / count, 300U);
}

} // namespace
} // namespace lockscope::trace
