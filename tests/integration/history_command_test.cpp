// lockscope-cli history: report, table, trace and exit codes, on files made for it.
#include "core/trace/trace_file.h"
#include "tests/history/log_writer.h"
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;
using tests::kA;
using tests::kB;
using tests::LogWriter;

const std::string kFirst = "/l/a-lock-0000000000", kSecond = "/l/a-lock-0000000001";

struct HistoryCommandTest : testing::Test
{
    HistoryCommandTest()
    {
        log.at(0).open(kA).queue(kA, kFirst, "10.1.2.3").at(5).queue(kB, kSecond).at(25).expire(kA);
        log.writeTo(folder / "logs");
    }
    int run(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "history");
        Child child(LOCKSCOPE_CLI, arguments);
        const int code = child.wait();
        output = child.output();
        errors = child.errors();
        return code;
    }
    std::string logs() const { return folder / "logs"; }
    static std::string contentOf(const fs::path& path)
    {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }

    struct Folder : tests::TempFolder
    {
        Folder() { fs::create_directory(*this / "logs"); }
    } folder;
    LogWriter log;
    std::string output, errors;
};

TEST_F(HistoryCommandTest, TheReportHasItsKeys)
{
    ASSERT_EQ(run({logs(), "--report", "-"}), 0) << errors;
    const json::object report = json::parse(output).as_object();
    EXPECT_EQ(report.at("transactions").to_number<int>(), 4);
    EXPECT_EQ(report.at("first_zxid"), "0x1");
    EXPECT_EQ(report.at("last_zxid"), "0x4");
    EXPECT_TRUE(report.at("gaps").as_array().empty());
    ASSERT_EQ(report.at("locks").as_array().size(), 1u);
    const json::value expected = json::parse(R"({"path":"/l","recipe":"mutex","acquisitions":2,"handoffs":1,
        "ends":{"released":0,"gave_up":0,"session_closed":0,"session_expired":1,"deleted_by_other":0,"open":1},
        "longest_hold_ms":25,"longest_wait_ms":20,"deepest_queue":2,"last_used":"2023-11-14T22:13:20.025Z"})");
    EXPECT_EQ(report.at("locks").at(0), expected) << output;
}

TEST_F(HistoryCommandTest, TableAndCsv)
{
    ASSERT_EQ(run({logs()}), 0);
    EXPECT_THAT(output, HasSubstr("/l "));
    ASSERT_EQ(run({logs(), "--quiet", "--report", folder / "out.csv"}), 0);
    EXPECT_EQ(output, "");
    EXPECT_THAT(contentOf(folder / "out.csv"),
                HasSubstr("/l,mutex,2,1,0,0,0,1,0,1,25,20,2,2023-11-14T22:13:20.025Z,0\n"));
}

// On the screen they are compared with other logs; in a file they would be as good as a password.
TEST_F(HistoryCommandTest, SessionIdsAreWrittenOnlyWhenAskedFor)
{
    const std::string real = "0x100000000000001";
    ASSERT_EQ(run({logs(), "--lock", "/l", "--report", folder / "r.json", "--trace", folder / "t.jsonl"}), 0)
        << errors;
    EXPECT_THAT(output, HasSubstr(real));
    EXPECT_THAT(contentOf(folder / "r.json"), Not(HasSubstr(real)));
    EXPECT_THAT(contentOf(folder / "t.jsonl"), Not(HasSubstr(real)));
    ASSERT_EQ(run({logs(), "--lock", "/l", "--report", "-", "--real-session-ids"}), 0);
    EXPECT_THAT(output, HasSubstr(real));
    EXPECT_TRUE(json::parse(output).at("real_session_ids").as_bool());
    EXPECT_EQ(json::parse(output).at("locks").at(0).at("nodes").at(0).at("end"), "session_expired");
}

// ZooKeeper's own recipe names its nodes after sessions.
TEST_F(HistoryCommandTest, SessionIdsInNamesAreWrittenOnlyWhenAskedFor)
{
    const std::string id = "0100000000000001", under = "/own/x-" + id + "-0000000000";
    log.at(30).queue(kB, under).at(40).expire(kB);
    log.writeTo(folder / "logs");
    const std::vector<std::string> command{logs(), "--lock", "/own", "--quiet"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), command.begin(), command.end());
        return more;
    };
    for (const char* file : {"r.json", "r.csv", "t.jsonl"}) {
        const std::string path = folder / file;
        ASSERT_EQ(run(with({file[0] == 't' ? "--trace" : "--report", path})), 0) << errors;
        EXPECT_THAT(contentOf(path), HasSubstr("/own"));
        EXPECT_THAT(contentOf(path), Not(HasSubstr(id))) << file;
    }
    ASSERT_EQ(run(with({"--report", folder / "r.json", "--real-session-ids"})), 0) << errors;
    EXPECT_THAT(contentOf(folder / "r.json"),
                HasSubstr(under + " stayed until its holder's session expired"));
}

TEST_F(HistoryCommandTest, TheTraceHasTheServersWordAlone)
{
    ASSERT_EQ(run({logs(), "--quiet", "--trace", folder / "t.jsonl"}), 0) << errors;
    const auto loaded = trace::loadTrace(folder / "t.jsonl");
    ASSERT_TRUE(loaded) << loaded.error().text();
    std::size_t seen = 0, vanished = 0, gone = 0;
    for (std::size_t i = 0; i < loaded->store->count(); ++i) {
        const trace::Payload& what = loaded->store->at(i).what;
        seen += std::holds_alternative<trace::NodeSeen>(what);
        vanished += std::holds_alternative<trace::NodeVanished>(what);
        gone += std::holds_alternative<trace::SessionGone>(what);
        EXPECT_FALSE(std::holds_alternative<trace::Acquired>(what));
        EXPECT_FALSE(std::holds_alternative<trace::SessionState>(what));
    }
    EXPECT_EQ(seen, 2u);
    EXPECT_EQ(vanished, 1u);
    EXPECT_EQ(gone, 1u);
}

TEST_F(HistoryCommandTest, ATraceThatCannotHaveAllParticipantsSaysSo)
{
    const std::vector<std::string> command{logs(), "--quiet", "--trace", folder / "t.jsonl"};
    ASSERT_EQ(run(command), 0);
    EXPECT_EQ(errors, "");
    for (int i = 0; i <= 65'000; ++i) {
        const std::string number = std::to_string(i);
        log.queue(kB + 1 + i, "/crowd/a-lock-" + std::string(10 - number.size(), '0') + number);
    }
    log.writeTo(folder / "logs");
    ASSERT_EQ(run(command), 0) << errors;
    EXPECT_THAT(errors, HasSubstr("locks or participants"));
}

TEST_F(HistoryCommandTest, ExitCodes)
{
    EXPECT_EQ(run({folder / "none"}), 2);
    EXPECT_THAT(errors, HasSubstr("none"));
    tests::writeBytes(folder / "text", "no log at all, but long enough");
    EXPECT_EQ(run({folder / "text"}), 2);
    EXPECT_THAT(errors, HasSubstr("byte 0"));
    EXPECT_EQ(run({logs(), folder / "text", "--report", "-"}), 4) << "a part was read";
    EXPECT_EQ(json::parse(output).at("damage").at(0).at("kind"), "not_a_log");
    tests::writeBytes(folder / "snapshot.9", "ZKSN, and no more");
    EXPECT_EQ(run({folder / "snapshot.9"}), 2) << "nothing was read";
    EXPECT_THAT(errors, HasSubstr("snapshot.9, byte"));
    EXPECT_EQ(run({logs(), "--lock", "/none"}), 0);
    EXPECT_THAT(errors, HasSubstr("/none"));
    EXPECT_EQ(run({logs(), "--since", "yesterday"}), 2);
    EXPECT_EQ(run({logs(), "--session", "12 34"}), 2);
    EXPECT_EQ(run({logs(), "--lock", "l"}), 2);
    for (const std::string& read : {logs() + "/log.1", logs()})
        for (const char* option : {"--report", "--trace"})
            EXPECT_EQ(run({read, option, logs() + "/log.1"}), 2) << "it is read";
    EXPECT_EQ(contentOf(logs() + "/log.1"), log.bytes());
}

TEST_F(HistoryCommandTest, APartThatIsMissingIsSaid)
{
    LogWriter(9)
        .at(90)
        .queue(kA, "/l/a-lock-0000000005")
        .at(95)
        .remove(kA, "/l/a-lock-0000000005")
        .writeTo(folder / "logs", 9);
    ASSERT_EQ(run({logs(), "--lock", "/l", "--report", folder / "r.json", "--trace", folder / "t.jsonl"}), 4)
        << errors;
    EXPECT_THAT(output, HasSubstr("unknown until they are named"));
    EXPECT_THAT(output, HasSubstr("of 1 more node it is unknown whether it held"));
    EXPECT_THAT(output, HasSubstr("whether and when 1 of its 2 acquisitions ended is unknown"));
    EXPECT_THAT(output, Not(HasSubstr("\nok")));
    const json::object report = json::parse(contentOf(folder / "r.json")).as_object();
    const json::object& lock = report.at("locks").at(0).as_object();
    EXPECT_EQ(lock.at("ends").at("unknown").to_number<int>(), 1);
    EXPECT_EQ(lock.at("ends").at("open").to_number<int>(), 0) << "what may have ended is not held";
    EXPECT_EQ(lock.at("ends").at("end_unknown").to_number<int>(), 1);
    EXPECT_EQ(lock.at("missed_creates").to_number<int>(), 3);
    const json::object& second = lock.at("nodes").at(1).as_object();
    EXPECT_EQ(second.at("end"), "unknown");
    EXPECT_TRUE(second.at("ended").is_null());
    EXPECT_EQ(second.at("known_until"), "2023-11-14T22:13:20.025Z");
    const json::object& third = lock.at("nodes").at(2).as_object();
    EXPECT_EQ(third.at("end"), "left");
    EXPECT_EQ(third.at("held"), "unknown");
    EXPECT_TRUE(third.at("entitled").is_null());
    for (const json::value& one : report.at("findings").as_array())
        EXPECT_TRUE(one.at("ok").is_null() || one.at("name") == "no_orphan_node") << one.at("name");
}

TEST_F(HistoryCommandTest, SnapshotsAloneShowTheLocksOfTheirTime)
{
    fs::create_directory(folder / "snapshots");
    for (const auto& [name, czxid] : {std::pair("snapshot.3", 2), std::pair("snapshot.9", 7)})
        tests::writeBytes(
            folder / "snapshots" / name,
            tests::snapshotBytes({{"", 0, 0}, {"/l", 0, 1, tests::kStartMs, "", 1}, {kFirst, kA, czxid}}));
    ASSERT_EQ(run({folder / "snapshots", "--lock", "/l", "--report", folder / "r.json"}), 0) << errors;
    EXPECT_THAT(output, HasSubstr("the snapshot of 0x9 has, as of 2023-11-14T22:13:20.000Z or later"));
    EXPECT_THAT(output, HasSubstr("holds"));
    const json::value report = json::parse(contentOf(folder / "r.json"));
    EXPECT_EQ(report.at("snapshot_zxid"), "0x9");
    EXPECT_EQ(report.at("locks").at(0).at("acquisitions").to_number<int>(), 1);
}

TEST_F(HistoryCommandTest, OneKeyGivesTheSamePseudonyms)
{
    tests::writeBytes(folder / "key", "0123456789abcdef0123456789abcdef");
    const auto session = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {logs(), "--lock", "/l", "--report", "-"});
        EXPECT_EQ(run(more), 0) << errors;
        return std::string(json::parse(output).at("locks").at(0).at("nodes").at(0).at("session").as_string());
    };
    const std::string key = folder / "key";
    EXPECT_EQ(session({"--key-file", key}), session({"--key-file", key}));
    EXPECT_NE(session({}), session({}));
    EXPECT_EQ(run({logs(), "--key-file", folder / "none"}), 4);
    EXPECT_EQ(run({logs(), "--key-file", logs() + "/log.1", "--real-session-ids"}), 2);
}

TEST_F(HistoryCommandTest, NamesAndDataAreWrittenWhenAskedFor)
{
    tests::writeBytes(folder / "names", "10.1.2.3 settlement\n");
    ASSERT_EQ(run({logs(), "--lock", "/l", "--report", "-", "--names", folder / "names", "--trace",
                   folder / "t.jsonl"}),
              0)
        << errors;
    const json::value plain = json::parse(output);
    EXPECT_EQ(plain.at("locks").at(0).at("nodes").at(0).at("who"), "settlement");
    EXPECT_FALSE(plain.at("locks").at(0).at("nodes").at(0).as_object().contains("data"));
    EXPECT_FALSE(plain.as_object().contains("with_data"));
    EXPECT_THAT(contentOf(folder / "t.jsonl"), AllOf(HasSubstr("settlement"), Not(HasSubstr("10.1.2.3"))));
    ASSERT_EQ(run({logs(), "--lock", "/l", "--report", "-", "--with-data", "--real-session-ids", "--trace",
                   folder / "t.jsonl"}),
              0);
    EXPECT_EQ(json::parse(output).at("locks").at(0).at("nodes").at(0).at("data"), "10.1.2.3");
    EXPECT_TRUE(json::parse(output).at("with_data").as_bool());
    const auto trace = trace::loadTrace(folder / "t.jsonl");
    ASSERT_TRUE(trace);
    EXPECT_THAT(trace->store->header().title, HasSubstr("with the data"));
    EXPECT_EQ(trace->store->header().sessionIds, trace::SessionIds::real);
    EXPECT_THAT(contentOf(folder / "t.jsonl"), HasSubstr("0x100000000000001"));
    EXPECT_EQ(run({logs(), "--names", folder / "none"}), 4);
}

TEST_F(HistoryCommandTest, FindingsSayWhatWasNotChecked)
{
    ASSERT_EQ(run({logs(), "--lock", "/l", "--report", "-"}), 0);
    std::map<std::string, json::object> findings;
    const json::value report = json::parse(output);
    for (const json::value& one : report.at("findings").as_array())
        findings[std::string(one.at("name").as_string())] = one.as_object();
    EXPECT_EQ(findings["one_entitled"].at("checked").to_number<int>(), 2);
    EXPECT_TRUE(findings["one_entitled"].at("ok").as_bool());
    EXPECT_FALSE(findings["no_orphan_node"].at("ok").as_bool());
    EXPECT_TRUE(findings["belief_matches_server"].at("ok").is_null());
}

TEST_F(HistoryCommandTest, SinceAndUntil)
{
    ASSERT_EQ(run({logs(), "--report", "-", "--since", "2023-11-14T23:13:20.004+01:00", "--until",
                   "2023-11-14T22:13:20.010Z"}),
              0);
    EXPECT_EQ(json::parse(output).at("transactions").to_number<int>(), 1);
    ASSERT_EQ(run({logs(), "--report", "-", "--since", "2030-01-01"}), 0);
    EXPECT_EQ(json::parse(output).at("transactions").to_number<int>(), 0);
    EXPECT_EQ(json::parse(output).at("locks").at(0).at("acquisitions").to_number<int>(), 1)
        << "the one that lasts";
    EXPECT_EQ(run({logs(), "--since", "2030-01-01", "--until", "2029-01-01"}), 2);
}

TEST_F(HistoryCommandTest, SeveralLocks)
{
    log.queue(kB, "/l2/a-lock-0000000000").queue(kB, "/l3/a-lock-0000000000");
    log.writeTo(folder / "logs");
    ASSERT_EQ(run({logs(), "--lock", "/l", "--lock", "/l3/", "--report", "-"}), 0) << errors;
    const json::value report = json::parse(output);
    ASSERT_EQ(report.at("locks").as_array().size(), 2u);
    EXPECT_EQ(report.at("locks").at(0).at("nodes").as_array().size(), 2u);
    EXPECT_EQ(report.at("locks").at(1).at("path"), "/l3");
    EXPECT_EQ(report.at("locks").at(1).at("nodes").as_array().size(), 1u);
    EXPECT_TRUE(report.at("unconfirmed_tail").is_null());
}

TEST_F(HistoryCommandTest, ATornTailIsSaidAndTheRestRead)
{
    const std::string whole = log.bytes();
    tests::writeBytes(folder / "logs/log.1", whole.substr(0, whole.size() - 3));
    ASSERT_EQ(run({logs(), "--report", "-"}), 0);
    EXPECT_THAT(errors, HasSubstr("log.1, byte "));
    EXPECT_EQ(json::parse(output).at("transactions").to_number<int>(), 3);
}

// A path of a megabyte, with markup and control characters in it.
TEST_F(HistoryCommandTest, AHostilePath)
{
    const std::string path = "/<b>\n\x1b[31m" + std::string(1'000'000, 'x');
    log.queue(kB, path + "/lock-0000000000");
    log.writeTo(folder / "logs");
    ASSERT_EQ(run({logs()}), 0);
    EXPECT_THAT(output, Not(HasSubstr("\x1b")));
    EXPECT_LT(output.size(), 10'000u);
    ASSERT_EQ(run({logs(), "--report", "-"}), 0);
    EXPECT_EQ(json::parse(output).at("locks").as_array().size(), 2u);
}

TEST_F(HistoryCommandTest, FollowsUntilItIsInterrupted)
{
    const std::string report = folder / "r.json";
    Child child(LOCKSCOPE_CLI, {"history", logs(), "--follow", "--lock", "/l", "--report", report});
    ASSERT_TRUE(eventually([&] { return child.output().find("session_expired") != std::string::npos; }));
    const std::size_t written = log.size();
    log.at(30).remove(kB, kSecond);
    std::ofstream(folder / "logs/log.1", std::ios::binary | std::ios::app) << log.bytes().substr(written);
    ASSERT_TRUE(eventually([&] { return child.output().find("released") != std::string::npos; }))
        << child.output();
    child.signal(SIGINT);
    EXPECT_EQ(child.wait(), 0) << child.errors();
    EXPECT_EQ(json::parse(contentOf(report)).at("transactions").to_number<int>(), 5);
}

} // namespace
} // namespace lockscope::test
