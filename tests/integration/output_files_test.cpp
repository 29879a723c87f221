// What lockscope-cli does to the files that it writes, and to standard streams that are closed,
// full or without a reader. Devices are never written by their own names: a mistake would replace them.
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kCsv = "number,";                         // the beginning of the table of handoffs
constexpr const char* kRun = "run bare --clients 1 --cycles 1"; // short, with a server of its own

std::string contentOf(const fs::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

struct OutputFilesTest : testing::Test
{
    OutputFilesTest()
    {
        trace::TraceStore store;
        store.append({TraceTime{}, EventIndex::none(), ClientId::none(), LockId::none(),
                      trace::RunPhaseChanged{trace::RunPhase::finished, {}}});
        for (const char* name : {"t.jsonl", "u.jsonl"})
            EXPECT_TRUE(trace::saveTrace(folder / name, store, store.count()));
        csv = shell("$CLI export csv out.csv t.jsonl") == 0 ? contentOf(folder / "out.csv") : "";
        fs::remove(folder / "out.csv");
        before = entries();
    }

    // Runs a script in the folder; $CLI is the program. Its exit code.
    int shell(const std::string& script)
    {
        const std::string head = "cd '" + folder.path().string() + "'; CLI='" LOCKSCOPE_CLI "'; ";
        Child child("/bin/bash", {"-c", head + script});
        const int code = child.wait();
        output = child.output();
        errors = child.errors();
        return code;
    }
    std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder.path()), {}); }

    const tests::TempFolder folder;
    std::string csv; // what the export of t.jsonl should be
    std::ptrdiff_t before = 0;
    std::string output, errors;
};

// ---- where to ------------------------------------------------------------------------------------------

TEST_F(OutputFilesTest, StandardOutputIsAPipe)
{
    ASSERT_THAT(csv, StartsWith(kCsv));
    // As /dev/stdout is one.
    fs::create_symlink("/proc/self/fd/1", folder / "stdout");
    EXPECT_EQ(shell("set -o pipefail; $CLI export csv stdout t.jsonl | cat"), 0) << errors;
    EXPECT_EQ(output, csv);
    EXPECT_TRUE(fs::is_symlink(folder / "stdout"));
    EXPECT_EQ(shell("set -o pipefail; $CLI export csv - t.jsonl | cat"), 0) << errors;
    EXPECT_EQ(output, csv);
    EXPECT_EQ(entries(), before + 1);
}

TEST_F(OutputFilesTest, StandardOutputIsAFileThatIsAppendedTo)
{
    fs::create_symlink("/proc/self/fd/1", folder / "stdout");
    EXPECT_EQ(shell("echo first > log; $CLI export csv stdout t.jsonl >> log && $CLI export csv - "
                    "t.jsonl >> log"),
              0);
    EXPECT_EQ(contentOf(folder / "log"), "first\n" + csv + csv);
}

TEST_F(OutputFilesTest, AFifoThatNobodyReadsIsWaitedForAloud)
{
    ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
    for (const char* option : {"--trace", "--report"}) { // before the run, and after it
        Child child(LOCKSCOPE_CLI,
                    {"run", "bare", "--clients", "1", "--cycles", "1", option, folder / "fifo"});
        ASSERT_TRUE(eventually([&] {
            return child.errors().find("Waiting for a program that reads") != std::string::npos;
        })) << option;
        child.signal(SIGINT);
        EXPECT_EQ(child.wait(), 128 + SIGINT) << option << ": and can be ended";
    }
}

TEST_F(OutputFilesTest, AnInputThatIsNoFileIsNotSaidToBeMissing)
{
    EXPECT_EQ(shell("mkfifo in.jsonl; $CLI export csv out in.jsonl"), 2);
    EXPECT_THAT(errors, HasSubstr("in.jsonl is no file with a trace"));
}

TEST_F(OutputFilesTest, LinksAreFollowed)
{
    fs::create_directory(folder / "there");
    EXPECT_EQ(shell("echo old > there/real; ln -s there/real link; ln -s there/new dangling; "
                    "$CLI export csv link t.jsonl && $CLI export csv dangling t.jsonl"),
              0)
        << errors;
    EXPECT_EQ(contentOf(folder / "there/real"), csv);
    EXPECT_EQ(contentOf(folder / "there/new"), csv);
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
    EXPECT_EQ(
        shell("rm there/new; $CLI compare t.jsonl u.jsonl --quiet --report dangling; test -L dangling && "
              "test -f there/new"),
        0);
}

TEST_F(OutputFilesTest, WhatCannotBeWrittenIsSaidAndLeavesNothing)
{
    for (const char* options :
         {"export csv no/such/out t.jsonl", "compare t.jsonl u.jsonl --report no/such/out"}) {
        EXPECT_EQ(shell("$CLI " + std::string(options)), 4);
        EXPECT_THAT(errors,
                    HasSubstr("no/such/out: No such file or directory. Choose a folder that exists."));
    }
    fs::create_directory(folder / "d");
    for (const char* options : {"export csv d t.jsonl", "compare t.jsonl u.jsonl --report d/"}) {
        EXPECT_EQ(shell("$CLI " + std::string(options)), 4);
        EXPECT_THAT(errors, HasSubstr("Is a directory"));
    }
    // More than the file may have.
#ifdef __SANITIZE_THREAD__
    const std::string limit = "trap '' XFSZ; ulimit -f 0; "; // before main() its runtime writes a file, too
#else
    const std::string limit = "ulimit -f 0; ";
#endif
    EXPECT_EQ(shell("echo old > out; (" + limit +
                    "exec $CLI export html out t.jsonl) 2>&1 | cat; "
                    "exit ${PIPESTATUS[0]}"),
              4);
    EXPECT_THAT(output, HasSubstr("out: File too large"));
    EXPECT_EQ(contentOf(folder / "out"), "old\n");
    EXPECT_EQ(entries(), before + 2);
}

TEST_F(OutputFilesTest, AReportThatCannotBeWrittenIsSaidBeforeTheRun)
{
    EXPECT_EQ(shell("$CLI " + std::string(kRun) + " --trace run.jsonl --report no/such/out"), 4);
    EXPECT_THAT(errors, HasSubstr("no/such/out: No such file"));
    EXPECT_EQ(entries(), before);
}

// ---- what is read is not replaced ----------------------------------------------------------------------

TEST_F(OutputFilesTest, TheInputIsNotReplaced)
{
    ASSERT_EQ(
        shell(
            "ln -s t.jsonl soft.jsonl; ln t.jsonl hard.jsonl; printf 'clients = 1\\ncycles = 1\\n' > s.toml; "
            "ln -s s.toml soft.toml; ln s.toml hard.toml"),
        0);
    const std::string trace = contentOf(folder / "t.jsonl"), scenario = contentOf(folder / "s.toml");
    for (const char* options :
         {"export csv t.jsonl t.jsonl", "export csv ./t.jsonl t.jsonl", "export csv soft.jsonl t.jsonl",
          "export csv hard.jsonl t.jsonl", "export csv t.jsonl soft.jsonl", "run s.toml --trace s.toml",
          "run s.toml --trace soft.toml", "run s.toml --report hard.toml",
          "run soft.toml --trace $PWD/s.toml", "compare t.jsonl u.jsonl --report t.jsonl",
          "compare u.jsonl t.jsonl --report hard.jsonl"}) {
        EXPECT_EQ(shell("$CLI " + std::string(options)), 2) << options;
        EXPECT_THAT(errors, HasSubstr("would be replaced")) << options;
        EXPECT_EQ(contentOf(folder / "t.jsonl"), trace) << options;
        EXPECT_EQ(contentOf(folder / "s.toml"), scenario) << options;
    }
    EXPECT_EQ(shell("$CLI export csv - t.jsonl 1<>t.jsonl"), 2);
    EXPECT_EQ(contentOf(folder / "t.jsonl"), trace);
}

TEST_F(OutputFilesTest, TwoOutputsAreTwoFiles)
{
    ASSERT_EQ(shell("ln -s both.a.jsonl link"), 0);
    for (const char* options :
         {"run bare --trace both --report ./both", "run bare --trace - --report -",
          "run bare --trace link --report both.a.jsonl",
          "compare bare bare --trace both.jsonl --report both.a.jsonl", "compare bare bare --trace -"}) {
        EXPECT_EQ(shell("$CLI " + std::string(options) + " | cat; exit ${PIPESTATUS[0]}"), 2) << options;
        EXPECT_THAT(errors, HasSubstr("is written by")) << options;
    }
    EXPECT_EQ(shell("mkfifo fifo; $CLI compare bare bare --trace fifo"), 2)
        << "no two names can be made of it";
    EXPECT_EQ(entries(), before + 2);
}

// ---- runs ----------------------------------------------------------------------------------------------

TEST_F(OutputFilesTest, ATraceOnStandardOutput)
{
    EXPECT_EQ(shell("set -o pipefail; $CLI " + std::string(kRun) +
                    " --trace - --report report.json | cat > got.jsonl"),
              0)
        << errors;
    const auto loaded = trace::loadTrace(folder / "got.jsonl");
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->truncation, "");
    EXPECT_EQ(json::parse(contentOf(folder / "report.json")).at("acquired").to_number<int>(), 1);
    EXPECT_THAT(errors, HasSubstr("1 acquired"));
}

TEST_F(OutputFilesTest, AnOldTraceStaysWhenTheRunCannotBegin)
{
    EXPECT_EQ(shell("echo old > run.jsonl; chmod 640 run.jsonl; $CLI run bare --connect 127.0.0.1:1 --trace "
                    "run.jsonl"),
              3);
    EXPECT_EQ(contentOf(folder / "run.jsonl"), "old\n");
    EXPECT_EQ(shell("$CLI run bare --connect 127.0.0.1:1 --trace new.jsonl"), 3);
    EXPECT_EQ(entries(), before + 1);
    EXPECT_EQ(shell("$CLI " + std::string(kRun) + " --trace run.jsonl; stat -c %a run.jsonl"), 0);
    EXPECT_EQ(output, "640\n");
    EXPECT_TRUE(trace::loadTrace(folder / "run.jsonl"));
    EXPECT_EQ(entries(), before + 1);
}

// ---- standard streams ----------------------------------------------------------------------------------

struct StreamCase
{
    const char* command;
    const char* streams; // as a shell redirects them
    int code;
    const char* says = ""; // on standard error, where it is open
};

struct OutputStreamsTest : OutputFilesTest, testing::WithParamInterface<StreamCase>
{};

TEST_P(OutputStreamsTest, ExitsWithTheCodeOfWhatHappened)
{
    const StreamCase& one = GetParam();
    // 4 is a pipe without a reader.
    EXPECT_EQ(shell("mkfifo p; exec 3<>p 4>p 3<&-; $CLI " + std::string(one.command) + " " + one.streams),
              one.code)
        << errors;
    EXPECT_THAT(errors, HasSubstr(one.says));
    if (fs::exists(folder / "out")) {
        EXPECT_THAT(contentOf(folder / "out"), testing::AnyOf(csv, StartsWith("{")))
            << "nothing else gets into it";
    }
}

void PrintTo(const StreamCase& one, std::ostream* out) { *out << one.command << ' ' << one.streams; }

constexpr const char* kList = "list";
constexpr const char* kExport = "export csv out t.jsonl";
constexpr const char* kExportHere = "export csv - t.jsonl";
constexpr const char* kCompare = "compare t.jsonl u.jsonl";
constexpr const char* kMistake = "run bare --clients none";

INSTANTIATE_TEST_SUITE_P(
    Closed, OutputStreamsTest,
    testing::Values(StreamCase{kList, "2>&-", 0}, StreamCase{kList, "<&-", 0},
                    StreamCase{kList, ">&-", 4, "standard output: Bad file descriptor"},
                    StreamCase{kList, "<&- >&- 2>&-", 4}, StreamCase{"--help", ">&-", 4, "standard output"},
                    StreamCase{kExport, "<&- >&- 2>&-", 0}, StreamCase{kExport, ">&-", 0},
                    StreamCase{kExport, "2>&-", 0}, StreamCase{kExportHere, ">&-", 4, "standard output"},
                    StreamCase{kExportHere, ">&- 2>&-", 4}, StreamCase{kExportHere, "2>&-", 0},
                    StreamCase{kCompare, "2>&-", 0}, StreamCase{kCompare, ">&-", 4, "standard output"},
                    StreamCase{"compare t.jsonl u.jsonl --report out", "<&- >&- 2>&-", 4},
                    StreamCase{"compare t.jsonl u.jsonl --report out --quiet", "<&- >&- 2>&-", 0},
                    StreamCase{"compare t.jsonl u.jsonl --report -", "2>&-", 0},
                    StreamCase{kMistake, "2>&-", 2}, StreamCase{kMistake, "<&- >&- 2>&-", 2},
                    StreamCase{"export csv no/such/out t.jsonl", "2>&-", 4}));

INSTANTIATE_TEST_SUITE_P(
    FullOrWithoutAReader, OutputStreamsTest,
    testing::Values(StreamCase{kList, ">/dev/full", 4, "standard output: No space left"},
                    StreamCase{kList, ">&4", 4, "standard output: Broken pipe"},
                    StreamCase{kList, ">/dev/full 2>/dev/full", 4}, StreamCase{kExport, "2>/dev/full", 0},
                    StreamCase{"--help", ">/dev/full", 4, "No space left"},
                    StreamCase{kExportHere, ">/dev/full", 4, "No space left"},
                    StreamCase{kExportHere, ">&4 2>&4", 4},
                    StreamCase{kCompare, ">/dev/full", 4, "No space left"},
                    StreamCase{kCompare, "2>/dev/full", 0}, StreamCase{kCompare, ">&4", 4, "Broken pipe"},
                    StreamCase{"compare t.jsonl u.jsonl --report -", "2>/dev/full", 0},
                    StreamCase{"compare t.jsonl u.jsonl --report -", ">/dev/full", 4, "No space left"},
                    StreamCase{kMistake, "2>/dev/full", 2}, StreamCase{kMistake, "2>&4", 2}));

INSTANTIATE_TEST_SUITE_P(
    ARun, OutputStreamsTest,
    testing::Values(StreamCase{kRun, "2>&-", 0}, StreamCase{kRun, "2>/dev/full", 0},
                    StreamCase{kRun, "2>&4", 0},
                    StreamCase{"run bare --clients 1 --cycles 1 --trace out", "<&- >&- 2>&-", 0},
                    StreamCase{"run bare --clients 1 --cycles 1 --report -", ">/dev/full", 4,
                               "No space left"},
                    StreamCase{"run bare --clients 1 --cycles 1 --trace -", ">&4", 4, "Broken pipe"},
                    StreamCase{"run bare --clients 1 --cycles 1 --trace -", ">/dev/full 2>/dev/full", 4}));

} // namespace
} // namespace lockscope::test
