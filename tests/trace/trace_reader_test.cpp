#include "core/trace/event_codec.h"
#include "tests/trace/trace_samples.h"

#include <rapidcheck/gtest.h>

namespace lockscope::trace {
namespace {

class TraceReader : public ::testing::Test
{
protected:
    Result<LoadedTrace> load(std::string_view bytes)
    {
        writeFile(file(), bytes);
        return loadTrace(file());
    }
    // The error of a trace whose second line this is, without the file's name.
    std::string errorOf(std::string_view line)
    {
        return errorOfFile(std::string(kHeaderLine) + std::string(line) + "\n");
    }
    std::string errorOfFile(std::string_view bytes)
    {
        const Result<LoadedTrace> loaded = load(bytes);
        if (loaded)
            return "(opened)";
        EXPECT_EQ(loaded.error().code, ErrorCode::badInput);
        std::string message = loaded.error().message;
        const std::string name = file().string();
        EXPECT_TRUE(message.starts_with(name)) << message;
        return message.substr(std::min(name.size(), message.size()));
    }
    std::filesystem::path file() const { return m_folder / "run.jsonl"; }

    Folder m_folder;
};

constexpr std::string_view kEvent = R"({"t":5,"e":"request","client":0,"lock":0,"op":"create","node":"a"})";

TEST_F(TraceReader, SaysWhatIsWrongAndWhere)
{
    struct Case
    {
        std::string_view line;
        std::string_view error;
    };
    const Case cases[] = {
        {R"({"t":5,"e":"levitates"})",
         R"(:2:12: found "levitates", expected the name of an event that this version knows, like "acquired".)"},
        {R"({"t":5,"e":"client_removed","mood":"bad"})",
         R"(:2:29: found "mood", expected a field of this event.)"},
        {R"({"t":5,"e":"client_added","name":7,"colour":0})",
         R"(:2:34: found 7, expected a text in quotes.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":"red"})",
         R"(:2:47: found "red", expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":65536})",
         R"(:2:47: found 65536, expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":-1})",
         R"(:2:47: found -1, expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":1.5})",
         R"(:2:47: found 1.5, expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a"})",
         R"(:2:37: found the end of the line, expected the field "colour".)"},
        {R"({"t":5,"e":"request","op":"erase"})",
         R"(:2:27: found "erase", expected one of "create", "delete", "getChildren", "getData", "setData", "exists", "sync".)"},
        {R"({"t":5,"e":"request","op":"sync","watch":1})", R"(:2:42: found 1, expected true or false.)"},
        {R"({"t":5,"e":"acquired","token":"1f3"})",
         R"(:2:31: found "1f3", expected a hexadecimal number in quotes like "0x1f3".)"},
        {R"({"t":5,"e":"acquired","token":"0x"})",
         R"(:2:31: found "0x", expected a hexadecimal number in quotes like "0x1f3".)"},
        {R"({"t":5,"e":"acquired","token":"0x1f3z"})",
         R"(:2:31: found "0x1f3z", expected a hexadecimal number in quotes like "0x1f3".)"},
        {R"({"t":-5,"e":"client_removed"})",
         R"(:2:6: found -5, expected a whole number from 0 to 4611686018427387904.)"},
        {R"({"e":"client_removed"})", R"(:2:22: found the end of the line, expected the field "t".)"},
        {R"({"t":5})", R"(:2:7: found the end of the line, expected the field "e".)"},
        {R"({"t":5,"t":6,"e":"client_removed"})", R"(:2:8: found "t", expected each field once.)"},
        {R"({"t":5,"e":"notice","severity":"info","text":"a","text":"b"})",
         R"(:2:50: found "text", expected each field once.)"},
        {R"({"t":5,"e":"client_removed","cause":0})",
         R"(:2:37: found 0, expected the number of an event before this one, which is 0.)"},
        {R"({"t":5,"e":"client_removed","client":1001})",
         R"(:2:38: found 1001, expected a whole number from 0 to 1000.)"},
        {R"({"t":5,"e":"client_removed","lock":60000})",
         R"(:2:36: found 60000, expected a whole number from 0 to 1000.)"},
        {R"({"t":5,"e":"client_removed"} trailing)",
         R"(:2:30: found "trailing", expected the end of the line.)"},
        {R"([1,2])", R"(:2:1: found "[1", expected an object in braces.)"},
        {R"(hello)", R"(:2:1: found "hello", expected an object in braces.)"},
        {"", R"(:2:1: found an empty line, expected an object in braces.)"},
    };
    for (const Case& one : cases)
        EXPECT_EQ(errorOf(one.line), one.error) << one.line;
}

TEST_F(TraceReader, LinesThatAreNotJsonNameTheirPlace)
{
    EXPECT_EQ(errorOf(R"({"t":5 "e":"client_removed"})"),
              R"(:2:8: found "e", expected JSON: fields in braces, with a comma between.)");
    EXPECT_EQ(errorOf(R"({"t":5,"e":"client_removed")"),
              ":2:28: found the end of the line, expected a closing brace.");
    EXPECT_EQ(errorOf(R"({"t":5,"e":"client_removed)"),
              ":2:27: found the end of the line, expected a closing quote.");
    EXPECT_EQ(errorOf("{\"t\":5,\"e\":\"\xff\"}"), ":2:13: found \"\\ufffd\", expected text in UTF-8.");
    EXPECT_EQ(errorOf("{\"t\":5,\"e\":\"a\x01\"}"),
              ":2:14: found \"\\u0001\", expected an escaped control character.");
}

TEST_F(TraceReader, ColumnsCountCharacters)
{
    EXPECT_EQ(errorOf(R"({"t":5,"e":"client_added","name":"éé锁","colour":true})"),
              R"(:2:49: found "true", expected a whole number from 0 to 65535.)");
}

TEST_F(TraceReader, LongWrongTextIsNotRepeatedWhole)
{
    const std::string error = errorOf(R"({"t":5,"e":")" + std::string(5000, 'x') + R"("})");
    EXPECT_LT(error.size(), 200U);
    EXPECT_NE(error.find("xxx...\""), std::string::npos) << error;
}

TEST_F(TraceReader, NamesTheLine)
{
    const std::string file =
        std::string(kHeaderLine) + std::string(kEvent) + "\n" + std::string(kEvent) + "\n{}\n";
    EXPECT_EQ(errorOfFile(file), R"(:4:2: found the end of the line, expected the field "t".)");
}

TEST_F(TraceReader, TimeDoesNotGoBack)
{
    EXPECT_EQ(errorOfFile(std::string(kHeaderLine) + R"({"t":9,"e":"client_finished"})"
                                                     "\n"
                                                     R"({"t":9,"e":"client_finished"})"
                                                     "\n"
                                                     R"({"t":8,"e":"client_finished"})"
                                                     "\n"),
              ":4:1: found time 8, expected a time not before 9, the one of the line before.");
}

TEST_F(TraceReader, CausesPointBackwards)
{
    const std::string first = std::string(kHeaderLine) + R"({"t":9,"e":"client_finished"})"
                                                         "\n";
    EXPECT_EQ(errorOfFile(first + R"({"t":9,"e":"client_finished","cause":0})"
                                  "\n"),
              "(opened)");
    EXPECT_EQ(errorOfFile(first + R"({"t":9,"e":"client_finished","cause":1})"
                                  "\n"),
              ":3:38: found 1, expected the number of an event before this one, which is 1.");
}

TEST_F(TraceReader, FieldsMayComeInAnyOrder)
{
    const auto loaded =
        load(std::string(kHeaderLine) + R"({ "node":"n", "token":"0x7", "client":2, "e":"acquired", "t":5 })"
                                        "\r\n");
    ASSERT_TRUE(loaded) << loaded.error().text();
    const Acquired& acquired = std::get<Acquired>(loaded->store->at(0).what);
    EXPECT_EQ(acquired.node, "n");
    EXPECT_EQ(acquired.token, Zxid{7});
    EXPECT_EQ(loaded->store->at(0).client, ClientId{2});
}

// ---- older files
// --------------------------------------------------------------------------------------------

TEST_F(TraceReader, WhatOlderFilesSayOfALinkBecomesFields)
{
    using std::chrono::milliseconds;
    struct Case
    {
        std::string_view words;
        LinkState link;
    };
    const Case cases[] = {
        {"cut", {.cut = true}},
        {"50ms slower each way", {.delay = milliseconds(50)}},
        {"1s slower each way, +- 5ms, 1000 bytes a second",
         {.delay = milliseconds(1000), .jitter = milliseconds(5), .bytesPerSecond = 1000}},
        {"0 slower each way, +- 2m", {.jitter = std::chrono::minutes(2)}},
        {"nothing reaches the server, nothing comes from the server, half-open",
         {.mutedToServer = true, .mutedToClient = true, .halfOpen = true}},
        {"cut, bent", {.words = "cut, bent"}},
        {"50 parsecs slower each way", {.words = "50 parsecs slower each way"}},
        {"99999999999999h slower each way", {.words = "99999999999999h slower each way"}},
        {"9 bytes a second longer", {.words = "9 bytes a second longer"}},
    };
    for (const Case& each : cases) {
        const auto loaded =
            load(std::string(kHeaderLine) + R"({"t":5,"e":"link_state","client":0,"fault":")" +
                 std::string(each.words) + "\"}\n");
        ASSERT_TRUE(loaded) << loaded.error().text();
        EXPECT_EQ(std::get<LinkState>(loaded->store->at(0).what), each.link) << each.words;
    }
}

// ---- the first line
// --------------------------------------------------------------------------------------------

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

TEST_F(TraceReader, ANewerSchemaSaysSo)
{
    const auto loaded = load(R"({"schema":"lockscope-trace","version":2})"
                             "\n");
    ASSERT_FALSE(loaded);
    EXPECT_TRUE(loaded.error().message.ends_with(":1:39: found 2, expected version 1."))
        << loaded.error().message;
    EXPECT_EQ(loaded.error().hint, "Open it with a newer version of LockScope.");
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

// ---- files that cannot be read
// ---------------------------------------------------------------------------------

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

// ---- files that were cut off
// -----------------------------------------------------------------------------------

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
