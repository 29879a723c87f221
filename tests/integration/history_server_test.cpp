// Histories out of the files of real servers: what the built-in scenarios did, from the log alone; an
// ensemble whose leader was killed; a server that is killed and started again while its log is followed.
#include "core/history/history.h"
#include "core/history/history_trace_builder.h"
#include "core/history/waits.h"
#include "core/replay/fold/reducer.h"
#include "core/server/process/managed_server.h"
#include "core/trace/trace_file.h"
#include "tests/integration/child.h"
#include "tests/server/started_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace lockscope::test {
namespace {

namespace fs = std::filesystem;
using history::EndReason;
using history::History;
using history::LockEvent;
using history::QueueEntry;
using server::ManagedServer;
using testing::IsSupersetOf;
using testing::SizeIs;

fs::path logsOf(const fs::path& directory) { return directory / "data" / "version-2"; }

struct Holder
{
    std::string node;
    Zxid created;
    bool reads = false;
    bool operator==(const Holder&) const = default;
    friend void PrintTo(const Holder& holder, std::ostream* out)
    {
        *out << holder.node << " " << holder.created.value;
    }
};

struct HistoryRun
{
    std::unique_ptr<History> history;
    std::map<std::string, std::vector<Holder>>
        holders; // by the parent's path, in the order in which they were entitled
    trace::TraceStore store;
};

std::unique_ptr<HistoryRun> read(const fs::path& folder, const std::string& lock)
{
    auto run = std::make_unique<HistoryRun>();
    auto opened = History::open({folder}, {.lock = lock, .queueEntries = true});
    EXPECT_TRUE(opened) << opened.error().text();
    if (!opened)
        return run;
    run->history = std::move(*opened);
    history::HistoryTraceBuilder events(run->store);
    run->history->listen([&](const LockEvent& event) {
        events.add(event);
        if (event.kind == LockEvent::Kind::entitled)
            run->holders[std::string(event.node.parent)].push_back(
                {std::string(event.node.name), event.node.created,
                 event.node.name.find("__READ__") != std::string_view::npos});
    });
    while (run->history->read(1U << 30) == history::HistoryReader::State::more) {
    }
    events.finish(run->history->lastMs());
    return run;
}

// Who holds together comes in any order.
std::vector<Holder> inOrder(std::vector<Holder> holders, bool leases)
{
    const auto together = [leases](const Holder& a, const Holder& b) {
        return leases || (a.reads && b.reads);
    };
    for (auto from = holders.begin(); from != holders.end();) {
        auto to = std::find_if(from, holders.end(), [&](const Holder& one) { return !together(*from, one); });
        to = std::max(to, from + 1);
        std::sort(from, to, [](const Holder& a, const Holder& b) { return a.created < b.created; });
        from = to;
    }
    return holders;
}

std::map<std::string, std::vector<Holder>> holdersByTrace(const trace::TraceStore& store)
{
    std::map<LockId, std::string> paths;
    std::map<std::string, std::vector<Holder>> holders;
    for (std::size_t i = 0; i < store.count(); ++i) {
        const trace::Event& event = store.at(i);
        if (const auto* added = std::get_if<trace::LockAdded>(&event.what))
            paths[event.lock] = added->path;
        if (const auto* acquired = std::get_if<trace::Acquired>(&event.what))
            holders[paths[event.lock]].push_back({std::string(acquired->node), acquired->token,
                                                  acquired->node.find("__READ__") != std::string_view::npos});
    }
    return holders;
}

// How much of all waits for the lock was this; each wait is the sum of its parts.
std::int64_t waitedFor(queue::WaitPart wanted, const History& history, const std::string& lock)
{
    const history::LockWaits waits(history, lock);
    std::int64_t all = 0;
    for (const QueueEntry* entry : waits.entries())
        if (const auto split = waits.of(*entry)) {
            std::int64_t sum = 0;
            for (const auto& part : split->parts)
                sum += part.value_or(0);
            EXPECT_EQ(sum, split->whole) << entry->node;
            all += split->of(wanted).value_or(0);
        }
    return all;
}

struct RunToRead
{
    const char* name;
    bool leases = false;
    bool expires = false;
};

TEST(HistoryOfServers, TheBuiltInsAreInItInTheOrderOfTheirTraces)
{
    const std::vector<RunToRead> scenarios = {
        {"herd"}, {"read-write"}, {"semaphore", true}, {"kill-holder"}, {"freeze-holder", false, true}};
    const auto server = server::testing::startOrFail();
    ASSERT_TRUE(server);
    const tests::TempFolder folder;
    std::vector<std::unique_ptr<Child>> runs;
    const auto lockOf = [](const RunToRead& scenario) { return std::string("/history/") + scenario.name; };
    const auto traceOf = [&](const RunToRead& scenario) {
        return folder / (std::string(scenario.name) + ".jsonl").c_str();
    };
    for (const RunToRead& scenario : scenarios)
        runs.push_back(std::make_unique<Child>(
            LOCKSCOPE_CLI,
            std::vector<std::string>{"run", scenario.name, "--connect", server->address(), "--lock",
                                     lockOf(scenario), "--trace", traceOf(scenario), "--quiet"}));
    for (std::size_t i = 0; i < runs.size(); ++i)
        EXPECT_EQ(runs[i]->wait(), 0) << scenarios[i].name << runs[i]->errors();
    for (const RunToRead& scenario : scenarios) {
        const auto traced = trace::loadTrace(traceOf(scenario));
        ASSERT_TRUE(traced) << traced.error().text();
        const auto expected = holdersByTrace(*traced->store);
        ASSERT_FALSE(expected.empty());
        const auto run = read(logsOf(server->directory()), lockOf(scenario));
        ASSERT_TRUE(run->history);
        EXPECT_THAT(run->history->takeDamage(), SizeIs(0));
        for (const auto& [path, holders] : expected) {
            EXPECT_FALSE(holders.empty()) << scenario.name;
            EXPECT_EQ(inOrder(run->holders[path], scenario.leases), inOrder(holders, scenario.leases))
                << scenario.name << " " << path;
        }
        std::set<EndReason> ends;
        for (const QueueEntry& stay : run->history->queueEntries())
            ends.insert(stay.reason);
        EXPECT_EQ(ends.contains(EndReason::sessionExpired), scenario.expires) << scenario.name;
        EXPECT_EQ(waitedFor(queue::WaitPart::silentHolder, *run->history, lockOf(scenario)) > 0,
                  scenario.expires)
            << scenario.name << ": who waited for the frozen holder";
        // The trace of it, folded: as many grants as in the run's own.
        replay::RunState state;
        for (std::size_t i = 0; i < run->store.count(); ++i)
            replay::apply(state, run->store, i);
        EXPECT_TRUE(state.findings.of(replay::FindingKind::oneHolder).ok()) << scenario.name;
        EXPECT_TRUE(state.findings.of(replay::FindingKind::orderKept).ok()) << scenario.name;
        EXPECT_EQ(state.findings.of(replay::FindingKind::beliefMatchesServer).checked, 0u);
    }
}

// What the files of one member say of each node, as far as all members have the transactions.
std::set<std::string> historyUntil(const History& history, Zxid last)
{
    std::set<std::string> all;
    for (const QueueEntry& stay : history.queueEntries()) {
        if (stay.created > last || stay.unconfirmed)
            continue;
        const bool ended = stay.ended.valid() && stay.ended <= last;
        all.insert(
            stay.parent + "/" + stay.node + " " + std::to_string(stay.created.value) + " " +
            (ended ? std::string(name(stay.reason)) + " " + std::to_string(stay.ended.value) : "open"));
    }
    return all;
}

TEST(HistoryOfServers, EveryMemberOfAnEnsembleTellsTheSame)
{
    auto started = ManagedServer::start({.members = 3});
    ASSERT_TRUE(started) << started.error().text();
    ManagedServer& ensemble = **started;
    const auto hasQuorum = [&] {
        ensemble.status();
        return ensemble.hasQuorum();
    };
    Child run(LOCKSCOPE_CLI,
              {"run", "five-clients", "--connect", ensemble.hosts(), "--lock", "/history/ensemble",
               "--cycles", "40", "--hold", "20ms", "--think", "0ms", "--quiet"});
    // The clients are at work: the leader's log has their nodes.
    ASSERT_TRUE(eventually(hasQuorum));
    const std::size_t leader = *ensemble.leader();
    const auto atWork = [&](std::size_t member) {
        auto opened = History::open({logsOf(ensemble.directory(member))}, {.lock = "/history/ensemble"});
        if (!opened)
            return false;
        while ((*opened)->read(1U << 30) == history::HistoryReader::State::more) {
        }
        const auto locks = (*opened)->locks();
        return !locks.empty() && locks[0].ends.released >= 20;
    };
    ASSERT_TRUE(eventually([&] { return atWork(leader); }));
    ASSERT_TRUE(ensemble.killNow(leader));
    ASSERT_TRUE(eventually([&] {
        ensemble.status();
        return ensemble.hasQuorum() && ensemble.leader() != leader;
    }));
    ASSERT_TRUE(ensemble.respawn(true, leader));
    run.wait();
    ASSERT_TRUE(eventually([&] {
        for (const server::MemberStatus& member : ensemble.status())
            if (member.mode.empty())
                return false;
        return true;
    }));
    // What is written now comes to the member that was down, too.
    Child more(LOCKSCOPE_CLI,
               {"run", "two-clients", "--connect", ensemble.hosts(), "--lock", "/history/ensemble",
                "--cycles", "2", "--hold", "1ms", "--think", "0ms", "--quiet"});
    EXPECT_EQ(more.wait(), 0) << more.errors();

    std::vector<std::unique_ptr<HistoryRun>> members;
    Zxid common;
    for (std::size_t i = 0; i < ensemble.size(); ++i) {
        members.push_back(read(logsOf(ensemble.directory(i)), "/history/ensemble"));
        ASSERT_TRUE(members.back()->history);
        const Zxid last = members.back()->history->last();
        common = i == 0 ? last : std::min(common, last);
    }
    EXPECT_GT(common.value >> 32, 1) << "the second leader's transactions are in all of them";
    const std::set<std::string> first = historyUntil(*members[0]->history, common);
    EXPECT_GT(first.size(), 20u);
    for (std::size_t i = 1; i < members.size(); ++i) {
        const std::set<std::string> other = historyUntil(*members[i]->history, common);
        // Who came back by a snapshot never saw what happened in between.
        if (members[i]->history->gaps().empty() && members[0]->history->gaps().empty())
            EXPECT_EQ(other, first) << i;
        else
            EXPECT_GT(other.size(), 20u) << i;
    }
    std::int64_t withoutLeader = 0;
    for (const auto& member : members)
        withoutLeader += waitedFor(queue::WaitPart::leaderChange, *member->history, "/history/ensemble");
    EXPECT_GT(withoutLeader, 0) << "clients waited while there was none";
}

std::map<std::int64_t, fs::path> logFilesIn(const fs::path& folder) // by the zxid in their names
{
    std::map<std::int64_t, fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const std::string name = entry.path().filename().string(); name.starts_with("log."))
            files[std::stoll(name.substr(4), nullptr, 16)] = entry.path();
    return files;
}

std::string bytesOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// As of a server that died while it wrote: half a record is at the end of what it wrote.
void tearTail(const fs::path& log)
{
    const std::string bytes = bytesOf(log);
    std::fstream out(log, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(static_cast<std::streamoff>(bytes.find_last_not_of('\0') + 1));
    out.write("\0\0\0\0\x12\x34\x56\x78\0\0\0\x40half", 16);
}

// A server that begins a new log after every hundred transactions at most.
std::unique_ptr<ManagedServer> startRollingOver(const tests::TempFolder& folder)
{
    const std::string java = folder / "java";
    std::ofstream(java) << "#!/bin/sh\nfor each; do shift; case $each in -Dzookeeper.snapCount=*) "
                           "each=-Dzookeeper.snapCount=100;; esac\n"
                           "set -- \"$@\" \"$each\"; done\nexec java \"$@\"\n";
    fs::permissions(java, fs::perms::owner_all);
    ManagedServer::Options options;
    options.java.java = java;
    return server::testing::startOrFail(options);
}

struct Told
{
    std::map<std::string, std::pair<EndReason, Zxid>>
        ends; // of the nodes of which it is known whether they held
    std::size_t unknown = 0, gaps = 0, damage = 0;
    std::uint64_t transactions = 0, neverConfirmed = 0;
    Zxid last;
    std::int64_t longestHoldMs = 0;
};

Told tellOf(const std::vector<fs::path>& logs, const std::string& lock = "/history/files")
{
    Told told;
    auto opened = History::open(logs, {.lock = lock, .queueEntries = true});
    EXPECT_TRUE(opened) << opened.error().text();
    if (!opened)
        return told;
    const History& history = **opened;
    while ((*opened)->read(1U << 30) == history::HistoryReader::State::more) {
    }
    for (const QueueEntry& stay : history.queueEntries()) {
        if (stay.endedMs && stay.reason != EndReason::unknown && !stay.unsure)
            told.ends[stay.node] = {stay.reason, stay.ended};
        else
            ++told.unknown;
    }
    for (const history::LockSummary& summary : history.locks())
        told.longestHoldMs = summary.longestHoldMs;
    told.gaps = history.gaps().size();
    told.damage = (*opened)->takeDamage().size();
    told.transactions = history.transactions();
    told.last = history.last();
    for (const history::NeverConfirmed& one : history.neverConfirmed())
        told.neverConfirmed += one.transactions;
    return told;
}

// What is done to a server's files changes how much is known, and never what is said.
TEST(HistoryOfServers, NothingIsSaidThatTheWholeLogDoesNotSay)
{
    const tests::TempFolder folder;
    const auto server = startRollingOver(folder);
    ASSERT_TRUE(server);
    Child run(LOCKSCOPE_CLI,
              {"run", "five-clients", "--connect", server->address(), "--lock", "/history/files", "--cycles",
               "40", "--hold", "2ms", "--think", "1ms", "--quiet"});
    EXPECT_EQ(run.wait(), 0) << run.errors();
    const fs::path logs = logsOf(server->directory());
    const Told whole = tellOf({logs});
    EXPECT_GE(whole.ends.size(), 200u);
    EXPECT_EQ(whole.gaps + whole.damage + whole.unknown, 0u);
    const auto copy = [&](const char* name) {
        fs::copy(logs, folder / name);
        return logFilesIn(folder / name);
    };
    const auto expectTrue = [&](const Told& part, const char* what) {
        for (const auto& [node, end] : part.ends) {
            const auto known = whole.ends.find(node);
            ASSERT_NE(known, whole.ends.end()) << what << node;
            EXPECT_EQ(end, known->second) << what << ": " << node << " " << name(end.first);
        }
        EXPECT_LE(part.longestHoldMs, whole.longestHoldMs) << what;
        EXPECT_LT(part.transactions, whole.transactions) << what;
        EXPECT_GT(part.gaps, 0u) << what;
    };

    auto files = copy("renamed");
    ASSERT_GE(files.size(), 4u);
    int number = 99'999;
    for (const auto& [zxid, file] : files)
        fs::rename(file, folder / "renamed" / ("log." + std::to_string(number--)));
    const Told renamed = tellOf({folder / "renamed"});
    EXPECT_EQ(renamed.ends, whole.ends);
    EXPECT_EQ(renamed.gaps + renamed.damage + renamed.unknown, 0u);

    files = copy("compressed");
    for (const auto& [zxid, file] : files)
        EXPECT_EQ(Child("/usr/bin/gzip", {file.string()}).wait(), 0);
    const Told compressed = tellOf({folder / "compressed"});
    EXPECT_EQ(compressed.ends, whole.ends);
    EXPECT_EQ(compressed.gaps + compressed.damage + compressed.unknown, 0u);

    files = copy("missing");
    fs::remove(std::next(files.begin())->second);
    expectTrue(tellOf({folder / "missing"}), "a log is missing");

    files = copy("alone");
    fs::remove(std::next(files.begin())->second);
    for (const auto& entry : fs::directory_iterator(folder / "alone"))
        if (entry.path().filename().string().starts_with("snapshot."))
            fs::remove(entry.path());
    expectTrue(tellOf({folder / "alone"}), "a log and the snapshots are missing");

    files = copy("damaged");
    const std::string written = bytesOf(std::next(files.begin())->second);
    std::fstream damaged(std::next(files.begin())->second, std::ios::binary | std::ios::in | std::ios::out);
    damaged.seekp(static_cast<std::streamoff>(written.find_last_not_of('\0') / 2));
    damaged.write(std::string(500, 'x').data(), 500);
    damaged.close();
    const Told partly = tellOf({folder / "damaged"});
    expectTrue(partly, "a log is damaged in the middle");
    EXPECT_EQ(partly.damage, 1u);
}

// The leader logs what its clients ask for after all others are gone. They come back without it, and go on.
TEST(HistoryOfServers, WhatADeposedLeaderAloneWroteIsLeftOut)
{
    const char* const lock = "/history/deposed";
    auto started = ManagedServer::start({.members = 3});
    ASSERT_TRUE(started) << started.error().text();
    ManagedServer& ensemble = **started;
    const auto hasQuorum = [&] {
        ensemble.status();
        return ensemble.hasQuorum();
    };
    ASSERT_TRUE(eventually(hasQuorum));
    const std::size_t leader = *ensemble.leader();
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < ensemble.size(); ++i)
        if (i != leader)
            others.push_back(i);
    Child run(LOCKSCOPE_CLI,
              {"run", "five-clients", "--connect", ensemble.member(leader).address, "--lock", lock,
               "--cycles", "0", "--duration", "600s", "--hold", "1ms", "--think", "0ms", "--quiet"});
    const auto told = [&](const std::vector<std::size_t>& members) {
        std::vector<fs::path> logs;
        for (const std::size_t member : members)
            logs.push_back(logsOf(ensemble.directory(member)));
        return tellOf(logs, lock);
    };
    ASSERT_TRUE(eventually([&] { return told({leader}).ends.size() >= 20; }));
    for (const std::size_t other : others)
        ASSERT_TRUE(ensemble.killNow(other));
    const Zxid confirmed = told(others).last;
    ASSERT_TRUE(eventually([&] { return told({leader}).last > confirmed; }));
    run.signal(SIGKILL);
    run.wait();
    ASSERT_TRUE(ensemble.killNow(leader));
    for (const std::size_t other : others)
        ASSERT_TRUE(ensemble.respawn(true, other));
    ASSERT_TRUE(eventually(hasQuorum));
    Child more(LOCKSCOPE_CLI,
               {"run", "two-clients", "--connect", ensemble.hosts(), "--lock", "/history/later", "--cycles",
                "2", "--hold", "1ms", "--think", "0ms", "--quiet"});
    EXPECT_EQ(more.wait(), 0) << more.errors();
    for (const std::size_t other : others)
        ASSERT_TRUE(ensemble.killNow(other)); // nothing is written any more

    const Told without = told(others);
    const Told with = told({leader, others[0], others[1]});
    EXPECT_GT(with.neverConfirmed, 0u);
    EXPECT_EQ(with.ends, without.ends);
    EXPECT_EQ(with.unknown, without.unknown);
    EXPECT_EQ(with.transactions, without.transactions);
    EXPECT_EQ(with.gaps, 0u);
    EXPECT_EQ(with.longestHoldMs, without.longestHoldMs);
}

// While it is followed, the log goes on in a new file after every hundred transactions at most, the server is
// killed in the middle of a write, and started again. Beside what was followed, the referee reads the same
// files.
TEST(HistoryOfServers, FollowsALogThatIsRolledOverOfAServerThatIsKilledAndStartedAgain)
{
    const tests::TempFolder folder;
    const auto server = startRollingOver(folder);
    ASSERT_TRUE(server);
    const fs::path logs = logsOf(server->directory());
    const auto startWork = [&](const std::string& hold) {
        return std::make_unique<Child>(
            LOCKSCOPE_CLI, std::vector<std::string>{"run", "two-clients", "--connect", server->address(),
                                                    "--lock", "/history/followed", "--cycles", "25", "--hold",
                                                    hold, "--think", "0ms", "--quiet"});
    };
    const auto first = startWork("1ms");
    EXPECT_EQ(first->wait(), 0) << first->errors();
    Child follower(LOCKSCOPE_CLI, {"history", logs, "--follow", "--lock", "/history/followed", "--report",
                                   folder / "r.json"});
    const auto followed = [&](std::size_t releases) {
        return eventually([&] {
            const std::string text = follower.output();
            std::size_t count = 0;
            for (std::size_t at = text.find(" released "); at != std::string::npos;
                 at = text.find(" released ", at + 1))
                ++count;
            return count >= releases;
        });
    };
    ASSERT_TRUE(followed(50)) << follower.output();
    // Fifty acquisitions are a hundred transactions of nodes: more than the server puts into one file here.
    const std::size_t filesBefore = logFilesIn(logs).size();
    const auto second = startWork("1ms");
    EXPECT_EQ(second->wait(), 0) << second->errors();
    ASSERT_TRUE(followed(100)) << follower.output();
    const std::size_t filesRolledOver = logFilesIn(logs).size();
    EXPECT_GT(filesRolledOver, filesBefore) << "rolled over while it was followed";
    const auto third = startWork("40ms"); // goes on when the server is back
    ASSERT_TRUE(followed(101)) << follower.output();
    ASSERT_TRUE(server->killNow());
    tearTail(logFilesIn(logs).rbegin()->second);
    // A server that starts removes the logs that its newest three snapshots do not need.
    const fs::path kept = folder / "kept";
    fs::create_directory(kept);
    const auto keep = [&] {
        for (const auto& [zxid, file] : logFilesIn(logs))
            fs::copy_file(file, kept / file.filename(), fs::copy_options::overwrite_existing);
    };
    keep();
    ASSERT_TRUE(server->restart());
    third->wait();
    ASSERT_TRUE(followed(150)) << follower.output();
    follower.signal(SIGINT);
    EXPECT_EQ(follower.wait(), 0) << follower.errors();

    keep();
    const auto files = logFilesIn(kept);
    EXPECT_GT(files.size(), filesRolledOver) << "the server that was started again has a file of its own";
    std::vector<std::string> arguments{LOCKSCOPE_REFEREE};
    for (const auto& [zxid, file] : files)
        arguments.push_back(file);
    Child referee("/usr/bin/python3", arguments);
    ASSERT_EQ(referee.wait(), 0) << referee.errors();
    const boost::json::value judged = boost::json::parse(referee.output()).at("/history/followed");
    std::ifstream report(folder / "r.json");
    const boost::json::value parsed =
        boost::json::parse(std::string{std::istreambuf_iterator<char>(report), {}});
    EXPECT_TRUE(parsed.at("gaps").as_array().empty());
    const boost::json::value& lock = parsed.at("locks").at(0);
    EXPECT_EQ(lock.at("path"), "/history/followed");
    EXPECT_GE(lock.at("acquisitions").to_number<int>(), 150);
    for (const char* key : {"acquisitions", "handoffs", "deepest_queue"})
        EXPECT_EQ(lock.at(key).to_number<std::int64_t>(), judged.at(key).to_number<std::int64_t>()) << key;
    for (const auto& [reason, count] : judged.at("ends").as_object())
        EXPECT_EQ(lock.at("ends").at(reason).to_number<std::int64_t>(), count.to_number<std::int64_t>())
            << reason;
}

} // namespace
} // namespace lockscope::test
