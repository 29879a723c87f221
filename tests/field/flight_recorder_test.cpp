// The recording of a long watch: the ring, the saved files, when something is saved, and what it refuses.
#include "core/field/flight_recorder.h"
#include "core/field/ring_files.h"
#include "core/field/save_triggers.h"
#include "core/trace/trace_file.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <variant>

namespace lockscope::field {
namespace {

namespace fs = std::filesystem;
using history::LockEvent;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kBegin = 1'700'000'000'000;

class FlightRecorderTest : public ::testing::Test
{
protected:
    void open(FlightRecorder::Options options)
    {
        options.folder = folder / "ring";
        auto opened = FlightRecorder::open(std::move(options));
        ASSERT_TRUE(opened) << opened.error().text();
        recorder = std::move(*opened);
    }
    void event(LockEvent::Kind kind, const std::string& name, std::int64_t ms)
    {
        LockEvent noted;
        noted.kind = kind;
        noted.node.lockPath = noted.node.parent = "/locks/a";
        noted.node.name = name;
        noted.node.data = "10.1.2.3";
        noted.node.session = SessionId{7};
        noted.node.created = Zxid{1};
        noted.node.role = queue::Role::exclusive;
        noted.zxid = Zxid{ms};
        noted.timeMs = ms;
        recorder->noteEvent(noted);
        recorder->noteApplied();
    }
    void pump(std::int64_t ms)
    {
        const Result<void> done = recorder->pump(ms);
        EXPECT_TRUE(done) << done.error().text();
    }
    std::vector<fs::path> files(const std::string& front) const
    {
        std::vector<fs::path> found;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder / "ring"))
            if (entry.path().filename().string().starts_with(front))
                found.push_back(entry.path());
        std::sort(found.begin(), found.end());
        return found;
    }
    // The nodes that a file's end has, and, with a +, those that it has seen to come.
    static std::set<std::string> nodesIn(const fs::path& file)
    {
        const auto loaded = trace::loadTrace(file);
        if (!loaded)
            return {loaded.error().text()};
        std::set<std::string> nodes;
        if (!loaded->truncation.empty())
            nodes.insert(loaded->truncation.english());
        for (std::size_t i = 0; i < loaded->store->count(); ++i) {
            const trace::Event& event = loaded->store->at(i);
            if (const auto* seen = std::get_if<trace::NodeSeen>(&event.what))
                nodes.insert((event.cause.valid() ? "+" : "") + std::string(seen->node));
            if (const auto* gone = std::get_if<trace::NodeVanished>(&event.what))
                nodes.erase(std::string(gone->node));
        }
        return nodes;
    }

    static std::int64_t beginOf(const fs::path& file)
    {
        const auto loaded = trace::loadTrace(file);
        return loaded ? loaded->store->header().wallNanoseconds / 1'000'000 : 0;
    }

    tests::TempFolder folder;
    std::unique_ptr<FlightRecorder> recorder;
};

TEST_F(FlightRecorderTest, EachFileBeginsWithTheNodesThatThereAre)
{
    open({.keep = seconds(40)});
    event(LockEvent::Kind::queued, "lock-0000000000", kBegin);
    event(LockEvent::Kind::entitled, "lock-0000000000", kBegin);
    pump(kBegin + 100);
    event(LockEvent::Kind::queued, "lock-0000000001", kBegin + 200);
    pump(kBegin + 300);
    ASSERT_EQ(files("ring").size(), 1U);
    EXPECT_THAT(nodesIn(files("ring").front()), ElementsAre("+lock-0000000001", "lock-0000000000"))
        << "while it grows";
    event(LockEvent::Kind::ended, "lock-0000000000", kBegin + 400);
    pump(kBegin + 6'000); // an eighth of 40 s is over
    ASSERT_EQ(files("ring").size(), 2U);
    EXPECT_THAT(nodesIn(files("ring").back()), ElementsAre("lock-0000000001"));
    EXPECT_THAT(nodesIn(files("ring").front()), ElementsAre("+lock-0000000001"));
    for (std::int64_t ms = 12'000; ms < 120'000; ms += 1'000)
        pump(kBegin + ms);
    EXPECT_LE(files("ring").size(), 10U);
    EXPECT_GE(files("ring").size(), 8U);
    EXPECT_THAT(nodesIn(files("ring").front()), ElementsAre("lock-0000000001"));
    EXPECT_TRUE(recorder->finish(kBegin + 120'000));
}

TEST_F(FlightRecorderTest, TheRingIsBoundedInBytes)
{
    open({.keep = std::chrono::hours(10), .keepBytes = FlightRecorder::kLeastBytes, .before = seconds(1)});
    std::int64_t ms = kBegin;
    std::uint64_t most = 0;
    for (int turn = 0; turn < 100; ++turn, ms += 100) {
        for (int i = 0; i < 100; ++i) {
            event(LockEvent::Kind::queued, "lock-0000000000", ms);
            event(LockEvent::Kind::ended, "lock-0000000000", ms);
        }
        pump(ms);
        std::uint64_t bytes = 0;
        for (const fs::path& file : files("ring"))
            bytes += fs::file_size(file);
        most = std::max(most, bytes);
    }
    EXPECT_LE(most, FlightRecorder::kLeastBytes * 5 / 4) << "and the file that is written";
    EXPECT_GE(most, FlightRecorder::kLeastBytes / 2);
}

TEST_F(FlightRecorderTest, ASavedFileHasWhatWasBeforeAndWhatCameAfter)
{
    open({.keep = std::chrono::hours(1), .before = seconds(10), .after = seconds(5)});
    pump(kBegin);
    event(LockEvent::Kind::queued, "lock-0000000000", kBegin);
    event(LockEvent::Kind::queued, "lock-0000000001", kBegin + 1'000);
    event(LockEvent::Kind::ended, "lock-0000000001", kBegin + 2'000); // 18 s before
    event(LockEvent::Kind::queued, "lock-0000000002", kBegin + 15'000);
    pump(kBegin + 20'000);
    const auto saved = recorder->save("wait > 10s on /locks/a", "/locks/a", kBegin + 20'000);
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_EQ(saved->filename(), "save-20231114T221340.000Z-locks-a.jsonl");
    EXPECT_THAT(nodesIn(*saved), ElementsAre("+lock-0000000002", "lock-0000000000")) << "at once";
    EXPECT_EQ(trace::loadTrace(*saved)->store->header().title, "wait > 10s on /locks/a");
    event(LockEvent::Kind::queued, "lock-0000000003", kBegin + 24'000);
    pump(kBegin + 24'500);
    pump(kBegin + 25'500);
    event(LockEvent::Kind::queued, "lock-0000000004", kBegin + 26'000);
    pump(kBegin + 26'500);
    EXPECT_THAT(nodesIn(*saved), ElementsAre("+lock-0000000002", "+lock-0000000003", "lock-0000000000"));
    for (int i = 0; i < 8; ++i)
        EXPECT_TRUE(recorder->save("one", "/locks/a", kBegin + 30'000)) << "each has a name of its own";
    const auto ninth = recorder->save("one", "/locks/a", kBegin + 30'000);
    ASSERT_FALSE(ninth);
    EXPECT_EQ(ninth.error().code, ErrorCode::limitExceeded);
    EXPECT_EQ(files("save").size(), 9U);
}

TEST_F(FlightRecorderTest, ASavedFileBeginsWhenSomethingWasKnown)
{
    constexpr std::int64_t kWatched = kBegin + 60'000;
    open({.keep = std::chrono::hours(1), .before = std::chrono::minutes(5), .after = seconds(1)});
    event(LockEvent::Kind::queued, "lock-0000000000", kBegin); // it was there when the watch began
    pump(kWatched);
    const auto early = recorder->save("early", "/locks/a", kWatched);
    ASSERT_TRUE(early);
    EXPECT_EQ(beginOf(*early), kWatched);
    EXPECT_THAT(nodesIn(*early), ElementsAre("lock-0000000000"));
    std::int64_t ms = kWatched + 2'000;
    event(LockEvent::Kind::queued, "lock-0000000001", ms);
    pump(ms);
    for (std::size_t noted = 0; noted < FlightRecorder::kMaxKept; noted += 10, ++ms) // more than are kept
        for (int i = 0; i < 10; ++i)
            recorder->noteGap(ms, ms);
    pump(ms);
    const auto late = recorder->save("late", "/locks/a", ms);
    ASSERT_TRUE(late);
    EXPECT_GE(beginOf(*late), kWatched + 2'000) << "the second node was not there before";
    EXPECT_THAT(nodesIn(*late), ElementsAre("lock-0000000000", "lock-0000000001"));
}

TEST_F(FlightRecorderTest, ManyNodesAreNotWrittenAgainAtEachTurn)
{
    open({.keep = std::chrono::hours(1), .keepBytes = FlightRecorder::kLeastBytes});
    for (int i = 0; i < 1'000; ++i)
        event(LockEvent::Kind::queued, "lock-000000" + std::to_string(1'000 + i), kBegin);
    for (int i = 0; i < 20; ++i)
        pump(kBegin + 250 * i);
    const std::vector<fs::path> ring = files("ring");
    ASSERT_EQ(ring.size(), 1U);
    EXPECT_GT(fs::file_size(ring.front()), FlightRecorder::kLeastBytes / 8);
}

// The file that cannot be followed by another one is given up before it takes all memory.
TEST_F(FlightRecorderTest, MemoryIsBoundedWhileNoFileCanBeBegun)
{
    open({.keep = std::chrono::hours(10)});
    pump(kBegin);
    fs::rename(folder / "ring", folder / "away");
    std::int64_t ms = kBegin;
    const auto write = [&] {
        for (int i = 1'000; i < 2'000; ++i) {
            const std::string node = std::string(1'000, 'x') + "-lock-000000" + std::to_string(i);
            event(LockEvent::Kind::queued, node, ms);
            event(LockEvent::Kind::ended, node, ms);
        }
        ms += 2'000;
        return static_cast<bool>(recorder->pump(ms));
    };
    int turns = 0;
    while (write() && turns < 60)
        ++turns;
    EXPECT_LT(turns, 60) << "nothing ended the file";
    event(LockEvent::Kind::queued, "lock-0000000007", ms);
    EXPECT_FALSE(recorder->pump(ms += 250)) << "it is still the same";
    fs::rename(folder / "away", folder / "ring");
    ASSERT_EQ(files("ring").size(), 1U);
    EXPECT_THAT(nodesIn(files("ring").front()), Not(::testing::Contains("+lock-0000000007")));
    pump(ms += 2'000);
    ASSERT_EQ(files("ring").size(), 2U) << "there is room again";
    EXPECT_THAT(nodesIn(files("ring").back()), ElementsAre("lock-0000000007"));
}

TEST_F(FlightRecorderTest, GoesOnWhereAnotherProcessWasKilled)
{
    open({.keep = seconds(40)});
    event(LockEvent::Kind::queued, "lock-0000000000", kBegin);
    pump(kBegin);
    recorder.reset(); // without finish()
    ASSERT_EQ(files("ring").size(), 1U);
    std::ofstream(folder / "ring/ring-x.jsonl.new") << ""; // it had no line yet
    open({.keep = seconds(40)});
    pump(kBegin + 10'000);
    EXPECT_EQ(files("ring").size(), 2U);
    for (std::int64_t ms = 11'000; ms < 80'000; ms += 1'000)
        pump(kBegin + ms);
    EXPECT_THAT(files("ring").front().filename().string(), Not(HasSubstr("T221320.000")))
        << "the old file is removed in its time";
}

TEST_F(FlightRecorderTest, RemovesNothingOfOthersAndNothingThatIsNew)
{
    const std::string full(200'000, 'x');
    fs::create_directory(folder / "ring");
    const std::vector<std::string> own = {"ring-20991231T235959.000Z.jsonl",
                                          "ring-20991231T235959.000Z-2.jsonl"};
    const std::vector<std::string> kept = {"ring-important.jsonl", "ring-20201231T235959.000Z-mine.jsonl",
                                           "save-of-me.jsonl"};
    for (const auto& names : {own, kept})
        for (const std::string& name : names)
            std::ofstream(folder.path() / "ring" / name) << full;
    open({.keep = seconds(40), .keepBytes = FlightRecorder::kLeastBytes}); // the clock was set back since
    std::int64_t ms = kBegin;
    const auto write = [&](int turns) {
        for (int turn = 0; turn < turns; ++turn, ms += 100) {
            for (int i = 0; i < 50; ++i) {
                event(LockEvent::Kind::queued, "lock-0000000000", ms);
                event(LockEvent::Kind::ended, "lock-0000000000", ms);
            }
            pump(ms);
        }
    };
    const auto exists = [&](const std::string& name) { return fs::exists(folder.path() / "ring" / name); };
    write(1);
    const std::vector<fs::path> begun = files("ring-2023");
    ASSERT_EQ(begun.size(), 1U);
    EXPECT_TRUE(exists(own[0]));
    write(150);
    EXPECT_FALSE(exists(own[0])) << "it was recorded first";
    EXPECT_FALSE(exists(own[1]));
    EXPECT_FALSE(files("ring-2023").empty());
    EXPECT_FALSE(fs::exists(begun.front())) << "by its size";
    for (const std::string& name : kept)
        EXPECT_TRUE(exists(name)) << name;
}

// What is later than the time up to which all is known is not in the next file again.
TEST_F(FlightRecorderTest, FilesOfTheRingDoNotOverlap)
{
    open({.keep = seconds(40)});
    pump(kBegin);
    event(LockEvent::Kind::queued, "lock-0000000000", kBegin + 6'200);
    pump(kBegin + 6'000);
    event(LockEvent::Kind::queued, "lock-0000000001", kBegin + 6'200);
    pump(kBegin + 6'300);
    ASSERT_EQ(files("ring").size(), 2U);
    EXPECT_THAT(nodesIn(files("ring").front()), ElementsAre("+lock-0000000000"));
    EXPECT_THAT(nodesIn(files("ring").back()), ElementsAre("+lock-0000000001", "lock-0000000000"));
}

// What a window reads while the recorder writes.
TEST_F(FlightRecorderTest, AFollowerReadsWhatIsWrittenAndGoesOnToTheNextFile)
{
    using State = RingFollower::State;
    open({.keep = seconds(40)});
    event(LockEvent::Kind::queued, "lock-0000000000", kBegin);
    pump(kBegin + 100);
    const fs::path first = files("ring").front();
    ASSERT_TRUE(RingFollower::isWritten(first));
    EXPECT_FALSE(RingFollower::isWritten(folder / "ring" / "save-20261128T203015.123Z-x.jsonl"));
    auto opened = RingFollower::open(first);
    ASSERT_TRUE(opened) << opened.error().text();
    RingFollower& follower = **opened;
    const auto nodes = [&follower] {
        std::set<std::string> seen;
        for (std::size_t i = 0; i < follower.store()->count(); ++i)
            if (const auto* node = std::get_if<trace::NodeSeen>(&follower.store()->at(i).what))
                seen.emplace(node->node);
        return seen;
    };
    EXPECT_THAT(nodes(), ElementsAre("lock-0000000000"));
    const auto store = follower.store();
    EXPECT_EQ(follower.read().value(), State::waiting);
    event(LockEvent::Kind::queued, "lock-0000000001", kBegin + 200);
    pump(kBegin + 300);
    EXPECT_EQ(follower.read().value(), State::waiting);
    EXPECT_THAT(nodes(), ElementsAre("lock-0000000000", "lock-0000000001"));
    EXPECT_EQ(follower.store(), store) << "the same run goes on";
    event(LockEvent::Kind::queued, "lock-0000000002", kBegin + 5'900);
    pump(kBegin + 6'000); // an eighth of 40 s is over
    ASSERT_EQ(files("ring").size(), 2U);
    EXPECT_FALSE(RingFollower::isWritten(first)) << "it has its end";
    EXPECT_EQ(follower.read().value(), State::waiting);
    EXPECT_EQ(follower.read().value(), State::newFile);
    EXPECT_EQ(follower.file(), files("ring").back());
    EXPECT_NE(follower.store(), store);
    EXPECT_THAT(nodes(), ElementsAre("lock-0000000000", "lock-0000000001", "lock-0000000002"));
    EXPECT_TRUE(recorder->finish(kBegin + 7'000));
    recorder.reset();
    EXPECT_EQ(follower.read().value(), State::ended);
    EXPECT_FALSE(RingFollower::isWritten(follower.file()));
}

TEST_F(FlightRecorderTest, WhatItDoesNotRecordIn)
{
    const auto refused = [&](const fs::path& where) {
        const auto opened = FlightRecorder::open({.folder = where});
        return opened ? Error{} : opened.error();
    };
    open({});
    EXPECT_EQ(refused(folder / "ring").code, ErrorCode::busy);
    EXPECT_THAT(refused(folder / "ring").text(), HasSubstr("Another process records in"));
    std::ofstream(folder / "file") << "";
    EXPECT_EQ(refused(folder / "file").code, ErrorCode::ioFailed);
    EXPECT_EQ(refused(folder / "no/such").code, ErrorCode::ioFailed);
    EXPECT_EQ(refused(folder.path()).code, ErrorCode::badUsage);
    EXPECT_THAT(refused(folder.path()).text(), HasSubstr("a file that is none of a recording"));
    EXPECT_TRUE(fs::exists(folder / "file"));
}

TEST(SaveTriggersTest, OnceForEachTimeThatItBegins)
{
    using Kind = SaveTrigger::Kind;
    SaveTriggers triggers({{Kind::wait, seconds(10), "wait > 10s"},
                           {Kind::hold, seconds(5), "hold > 5s"},
                           {Kind::expiry, {}, "expiry"},
                           {Kind::verdict, {}, "verdict"}});
    const auto why = [&](const Snapshot& snapshot) {
        std::vector<std::string> all;
        for (const SaveTriggers::Fired& fired : triggers.update(snapshot))
            all.push_back(fired.why);
        return all;
    };
    Snapshot snapshot;
    snapshot.atMs = kBegin;
    LockStatus& row = snapshot.locks.emplace_back();
    row.path = "/a";
    row.longestWaitNowMs = 10'000;
    row.holder.emplace().heldSince = HeldSince{kBegin - 9'000, kBegin - 5'000};
    EXPECT_THAT(why(snapshot), IsEmpty()) << "no more than that is certain";
    row.longestWaitNowMs = 10'001;
    snapshot.atMs = kBegin + 1;
    EXPECT_THAT(why(snapshot), ElementsAre("wait > 10s on /a", "hold > 5s on /a"));
    EXPECT_THAT(why(snapshot), IsEmpty()) << "it goes on";
    row.longestWaitNowMs = 0;
    EXPECT_THAT(why(snapshot), IsEmpty());
    row.longestWaitNowMs = 11'000;
    row.ends.sessionGone = 1;
    EXPECT_THAT(why(snapshot), ElementsAre("wait > 10s on /a", "expiry on /a")) << "again";
    row.ends.sessionGone = 2;
    row.diagnosis.emplace().kind = Diagnosis::Kind::holderSilent;
    EXPECT_THAT(why(snapshot), ElementsAre("expiry on /a", "verdict holder_silent on /a"));
    row.diagnosis->kind = Diagnosis::Kind::deadlock;
    EXPECT_THAT(why(snapshot), ElementsAre("verdict deadlock on /a"));
}

} // namespace
} // namespace lockscope::field
