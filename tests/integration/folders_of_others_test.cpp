// Folders as other people's programs make them, on a real server: what `who` says of each, with which exit
// code, and that the server's log and a watch of the whole tree say the same. No program of theirs runs: only
// their nodes are made.
#include "tests/integration/child.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <boost/json.hpp>

#include <map>
#include <set>
#include <sstream>

namespace lockscope::tests {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using zk::CreateMode;

struct Folder
{
    std::string name;  // of the folder at the top; one word
    std::string asked; // below it
    // A line each: SESSION, then + (persistent), ~ (ephemeral), both with # (sequential), = (write), -
    // (delete), then the path and the data. {u1} is Curator's protection, {h1} 32 hexadecimal digits.
    std::string nodes;
    int code = 0;
    std::vector<std::string> words; // in the line of `who`
    std::string log;                // recipe and number of acquisitions; empty: the log knows no lock there
};

const std::vector<Folder> kFolders = {
    // ---- semaphores ----
    {"zombie",
     "/shard",
     R"(a + /shard
a ~# /shard-__lock__/{h1}__lock__ host-a:28137
b ~# /shard-__lock__/{h2}__lock__ host-b:28137
c ~# /shard-__lock__/{h3}__lock__ host-c:28137)",
     1,
     {"nobody has a lease; 3 waiting", "{h1}__lock__0000000000, is host-a:28137, session 0x"},
     "kazoo-semaphore 0"},
    {"entrance",
     "/shard-__lock__",
     "a ~# /shard-__lock__/{h1}__lock__",
     3,
     {"a part of the semaphore /entrance/shard"},
     ""},
    {"salt",
     "/job",
     R"(a + /job/{h1} minion1.example
a + /job-__lock__
b ~# /job-__lock__/{h2}__lock__ minion2.example)",
     0,
     {"held by minion1.example", "persistent: it outlives its client, since 2", "1 waiting"},
     "kazoo-semaphore 1"},
    {"lease",
     "/pool",
     R"(a + /pool/locks
a ~# /pool/leases/{u1}lease- host-a 1 app
b ~# /pool/leases/{u2}lease- host-b 2 app)",
     0,
     {"held by host-a 1 app", "and 1 more; 0 waiting"},
     "semaphore 2"},
    {"leases",
     "/pool/leases",
     R"(a + /pool/locks
a ~# /pool/leases/{u1}lease- host-a 1 app)",
     3,
     {"a part of the semaphore /leases/pool"},
     ""},
    {"nolease",
     "/pool",
     R"(a + /pool/leases
a ~# /pool/locks/{u1}lock- host-a 1 app)",
     1,
     {"nobody has a lease; 1 waiting"},
     "semaphore 0"},
    // ---- who waits for whom ----
    {"hive",
     "/orders",
     R"(a ~# /orders/LOCK-SHARED- q1:1700000000001:IMPLICIT:select
b ~# /orders/LOCK-SHARED- q2
c ~# /orders/LOCK-SHARED- q3
d ~# /orders/LOCK-EXCLUSIVE- q4
b - /orders/LOCK-SHARED-0000000001)",
     0,
     {"and 1 more; 1 waiting."},
     "read-write 3"},
    {"hivekept",
     "/orders",
     "a +# /orders/LOCK-EXCLUSIVE- q1:1700000000001:EXPLICIT:lock",
     0,
     {"persistent by design"},
     "read-write 1"},
    {"accumulo",
     "/table_locks/2a",
     R"(a +# /table_locks/2a/lock- READ:00000000000000a1
a +# /table_locks/2a/lock- READ:00000000000000a2
a +# /table_locks/2a/lock- WRITE:00000000000000a3)",
     0,
     {"persistent by design", "and 1 more; 1 waiting."},
     "read-write 2"},
    {"readers",
     "/l",
     R"(a ~# /l/{u1}__READ__ host-a 1 r
b ~# /l/{u2}__READ__ host-b 1 r
c ~# /l/{u3}__WRIT__ host-c 1 w
d ~# /l/{u4}__READ__ host-d 1 r)",
     0,
     {"held by host-a 1 r", "and 1 more; 2 waiting"},
     "read-write 2"},
    {"ownreader",
     "/l",
     R"(a ~# /l/{u1}__WRIT__ host-a 1 w
a ~ /l/{u2}__READ__0000000000 host-a 1 r
c ~# /l/{u3}__READ__ host-c 1 r)",
     0,
     {"and 1 more; 1 waiting"},
     "read-write 2"},
    {"latchandlock",
     "/l",
     R"(a ~# /l/{u1}latch- id-a
b ~# /l/{u2}lock- host-b 1 j
c ~# /l/{u3}lock- host-c 1 j)",
     0,
     {"and 1 more; 1 waiting", "do not exclude each other"},
     "mixed 2"},
    {"lockandreader",
     "/l",
     R"(a ~# /l/{u1}lock- host-a 1 j
b ~# /l/{u2}__READ__ host-b 1 j)",
     0,
     {"and 1 more; 0 waiting", "do not exclude each other"},
     "mixed 2"},
    {"kazooandcurator",
     "/l",
     R"(a ~# /l/{u1}lock- host-a 1 j
b ~# /l/{h2}__lock__ worker-b)",
     0,
     {"and 1 more; 0 waiting", "do not exclude each other"},
     "mixed 2"},
    {"replicas",
     "/leader_election",
     R"(a ~# /leader_election/leader_election- r1 (multiple leaders Ok)
b ~# /leader_election/leader_election- r2 (multiple leaders Ok))",
     0,
     {"and 1 more; 0 waiting"},
     "election 2"},
    {"mesos",
     "/m",
     R"(a ~# /m/json.info_ {"id":"1"}
b ~# /m/json.info_ {"id":"2"})",
     0,
     {"json.info_0000000000", "1 waiting"},
     "election 1"},
    {"aurora",
     "/s",
     R"(a ~# /s/{u1}lock-
b ~# /s/{u2}lock-
a ~# /s/member_ {"serviceEndpoint":{}})",
     0,
     {"{u1}lock-0000000000", "; 1 waiting"},
     "mutex 1"},
    {"solr",
     "/election",
     R"(a ~# /election/72057594037927936-core_node1-n_
b ~# /election/72057594037927937-core_node2-n_
c ~ /election/72057594037927938-core_node3-n_0000000001)",
     0,
     {"core_node1-n_0000000000", "2 waiting"},
     "election 1"},
    {"gaps",
     "/l",
     R"(a ~# /l/{h1}__lock__ w1
b ~# /l/{h2}__lock__ w2
c ~# /l/{h3}__lock__ w3
b - /l/{h2}__lock__0000000001)",
     0,
     {"held by w1", "1 waiting"},
     "kazoo-mutex 1"},
    {"capitals",
     "/l",
     R"(a ~# /l/_c_0000000A-85DE-4050-ADE6-795E59212DFA-lock- HOST-A 1 J
b ~# /l/_c_0000000B-85DE-4050-ADE6-795E59212DFA-lock-)",
     0,
     {"held by HOST-A 1 J", "1 waiting"},
     "mutex 1"},
    {"javas",
     "/l",
     R"(a ~# /l/x--72057594037927937-
b ~# /l/x-72057594037927938-)",
     0,
     {"x--72057594037927937-0000000000", "1 waiting"},
     "c-mutex 1"},
    {"rubys",
     "/_zklocking/job",
     R"(a ~# /_zklocking/job/sh
b ~# /_zklocking/job/sh
c ~# /_zklocking/job/ex)",
     0,
     {"and 1 more; 1 waiting"},
     "read-write 2"},
    // ---- nobody can hold behind a node of no lock ----
    {"meta",
     "/l",
     R"(a + /l/.meta x
a ~# /l/{u1}lock- host-a 1 j)",
     1,
     {"nobody can hold it: the node .meta is in front", "(no session); 1 waiting"},
     "mutex 0"},
    {"config",
     "/l",
     R"(b ~ /l/!config v1
a ~# /l/{u1}lock- host-a 1 j)",
     1,
     {"nobody can hold it: the node !config", "(session 0x"},
     "mutex 0"},
    {"behind",
     "/l",
     R"(b + /l/config
b + /l/2024
a ~# /l/{u1}lock- host-a 1 j)",
     0,
     {"held by host-a 1 j"},
     "mutex 1"},
    {"kazoosown",
     "/l",
     R"(b + /l/.meta
a ~# /l/{h1}__lock__ worker-a)",
     0,
     {"held by worker-a"},
     "kazoo-mutex 1"},
    // ---- the owner's words ----
    {"spark",
     "/l",
     "a ~# /l/{u1}lock- application_1795760000000_0042",
     0,
     {"held by 127.0.0.1:", "data \"application_1795760000000_0042\""},
     "mutex 1"},
    {"overwritten",
     "/leader",
     R"(a ~ /leader node-7:8080
b = /leader node-8:8080)",
     0,
     {"held by 127.0.0.1:", "data written after its creation, perhaps by another client: \"node-8:8080\""},
     ""},
    {"markup",
     "/l",
     "a ~# /l/{u1}lock- <b>\x1b[2J&\x01</b>",
     0,
     {"data \"<b>\xEF\xBF\xBD[2J&\xEF\xBF\xBD</b>\""},
     "mutex 1"},
    {"shedlock1",
     "/shedlock/report",
     "a + /shedlock/report 2026-11-28T02:10:00.000Z",
     3,
     {"not known to be a lock", "persistent node with data", "2026-11-28T02:10:00.000Z"},
     ""},
    {"shedlocks",
     "/shedlock",
     "a + /shedlock/report 2026-11-28T02:10:00.000Z",
     3,
     {"not known who holds", "ShedLock"},
     ""},
    // ---- no locks, and what is not known ----
    {"regions",
     "/hbase/rs",
     R"(a ~ /hbase/rs/rs0.example.net,16020,1790532191725
b ~ /hbase/rs/rs1.example.net,16020,1790532193004)",
     3,
     {"no lock; 2 registrations (Apache HBase"},
     ""},
    {"clocks",
     "/workers",
     R"(a ~ /workers/etl-1795761000 wk0:9000
b ~ /workers/etl-1795761042 wk1:9000)",
     3,
     {"no lock by its name", "2 child nodes (2 ephemeral)", "may be registrations"},
     ""},
    {"members",
     "/search",
     R"(a ~# /search/member_ {"host":"a"}
b ~# /search/member_ {"host":"b"})",
     3,
     {"no lock; 2 registrations (ServerSets)"},
     "members 0"},
    {"replicated",
     "/log_replicas",
     R"(a ~# /log_replicas/ log-replica(1)@10.0.0.1:5050
b ~# /log_replicas/ log-replica(1)@10.0.0.2:5050)",
     3,
     {"no lock; 2 registrations (Apache Mesos"},
     "members 0"},
    {"hiveserver2",
     "/hs2",
     R"(a ~# /hs2/serverUri=h1:10000;version=3.1.2;sequence= h1
b ~# /hs2/serverUri=h2:10000;version=3.1.2;sequence= h2)",
     3,
     {"no lock; 2 registrations (Apache Hive"},
     "members 0"},
    {"overseer",
     "/queue",
     R"(a ~# /queue/qnr-
a + /queue/qn-0000000000 {})",
     3,
     {"no lock"},
     "members 0"},
    {"items", "/q", "a +# /q/queue- x", 3, {"no lock; 1 persistent node (Curator, DistributedQueue)"}, ""},
    {"brokers", "/brokers/ids", "a ~ /brokers/ids/1 {}", 3, {"no lock; 1 registration (Apache Kafka"}, ""},
    {"controller1",
     "/controller",
     "a ~ /controller {\"brokerid\":1}",
     0,
     {"data \"{\"brokerid\":1}\""},
     "fixed-name 1"},
    {"hadoop",
     "/ActiveBreadCrumb",
     "a + /ActiveBreadCrumb ns",
     3,
     {"no lock; 1 persistent node (Apache Hadoop"},
     ""},
    {"permits",
     "/l",
     R"(a ~# /l/semaphore-
b ~# /l/semaphore-
c ~# /l/semaphore-
a = /l/semaphore-0000000000 ACQUIRED)",
     3,
     {"not known who holds: 3 nodes (.NET DistributedLock, Semaphore)"},
     "sequential 0"},
    {"ranges",
     "/table_locks/3",
     R"(a +# /table_locks/3/flock#WRITE~FATE:USER:0f~PYQ==~PYg==#
a +# /table_locks/3/flock#WRITE~FATE:USER:1f~Pbg==~N#)",
     3,
     {"not known who holds", "Apache Accumulo"},
     ""},
    {"slots",
     "/w",
     R"(a ~ /w/slot-0000000000
b ~ /w/slot-0000000001)",
     3,
     {"not known who holds: 2 sequential nodes of no known recipe"},
     "sequential 0"},
    {"digits",
     "/d",
     R"(a ~# /d/shard2024-
b ~# /d/shard2024-)",
     3,
     {"of no known recipe"},
     "sequential 0"},
    {"groups",
     "/g",
     R"(a ~# /g/0 {"container":"a"}
b ~# /g/0 {"container":"b"})",
     3,
     {"of no known recipe"},
     "sequential 0"},
    {"protected", "/p", "a ~# /p/{u1}task-", 3, {"of no known recipe"}, "sequential 0"},
    {"parties", "/p", "a ~ /p/{h1}__party__ m1", 3, {"no lock; 1 registration (kazoo, Party)"}, ""},
    {"barrier",
     "/b",
     R"(a ~ /b/{h1} m1
b ~ /b/{h2} m2
a + /b/ready)",
     3,
     {"no lock by its name"},
     ""},
    {"empty", "/e", "a + /e", 1, {"free; no client holds it"}, ""},
    {"nothing", "/there", "a + /other", 1, {"there is no such path"}, ""},
};

std::string expanded(std::string text)
{
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        const bool hex = text.compare(at, 2, "{h") == 0, uuid = text.compare(at, 2, "{u") == 0;
        if ((!hex && !uuid) || text.size() < at + 4 || text[at + 3] != '}')
            continue;
        const char number = text[at + 2];
        text.replace(at, 4,
                     hex ? "0123456789abcdef0123456789abcd0" + std::string(1, number)
                         : "_c_0000000" + std::string(1, number) + "-85de-4050-ade6-795e59212dfa-");
    }
    return text;
}

class FoldersOfOthers : public ZkTest
{
protected:
    void TearDown() override
    {
        m_sessions.clear();
        ZkTest::TearDown();
    }
    zk::Session& session(const std::string& name)
    {
        HubSessionPtr& one = m_sessions[name];
        if (!one)
            one = world->connect();
        return *one;
    }
    void make(const Folder& folder)
    {
        std::istringstream lines(expanded(folder.nodes));
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::string who, what, path, data;
            words >> who >> what >> path;
            std::getline(words >> std::ws, data);
            path = "/" + folder.name + path;
            for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1))
                if (m_made.insert(path.substr(0, at)).second)
                    world->create(session(who), path.substr(0, at));
            if (what == "=") {
                EXPECT_EQ(world->set(session(who), path, data).code, zk::Code::ok) << line;
            } else if (what == "-") {
                EXPECT_EQ(world->remove(session(who), path), zk::Code::ok) << line;
            } else {
                const CreateMode mode = what == "+"    ? CreateMode::persistent
                                        : what == "~"  ? CreateMode::ephemeral
                                        : what == "+#" ? CreateMode::persistentSequential
                                                       : CreateMode::ephemeralSequential;
                EXPECT_EQ(world->create(session(who), path, data, mode).code, zk::Code::ok) << line;
                m_made.insert(path);
            }
        }
    }
    std::string run(const std::vector<std::string>& arguments, int code)
    {
        test::Child child(LOCKSCOPE_CLI, arguments);
        EXPECT_EQ(child.wait(), code) << child.output() << child.errors();
        return child.output();
    }
    // The locks of a report, by path.
    std::map<std::string, json::object> locks(const std::vector<std::string>& arguments)
    {
        std::map<std::string, json::object> all;
        const json::value report = json::parse(run(arguments, 0));
        for (const json::value& one : report.at("locks").as_array())
            all[std::string(one.at("path").as_string())] = one.as_object();
        return all;
    }

private:
    std::map<std::string, HubSessionPtr> m_sessions;
    std::set<std::string> m_made;
};

TEST_F(FoldersOfOthers, AreToldAsTheyAre)
{
    for (const Folder& folder : kFolders)
        make(folder);
    for (const Folder& folder : kFolders) {
        SCOPED_TRACE(folder.name);
        const std::string line =
            run({"who", "/" + folder.name + folder.asked, "--connect", server().address()}, folder.code);
        for (const std::string& words : folder.words)
            EXPECT_THAT(line, HasSubstr(expanded(words)));
    }
    const auto live =
        locks({"watch", server().address(), "--tree", "/", "--duration", "1ms", "--report", "-"});
    const auto log = locks({"history", server().directory() / "data", "--report", "-"});
    for (const Folder& folder : kFolders) {
        const auto found = log.find("/" + folder.name + folder.asked);
        EXPECT_EQ(found == log.end() ? std::string()
                                     : std::string(found->second.at("recipe").as_string()) + " " +
                                           std::to_string(found->second.at("acquisitions").to_number<int>()),
                  folder.log)
            << folder.name;
    }
    for (const auto& [path, lock] : live) {
        const auto found = log.find(path);
        ASSERT_NE(found, log.end()) << path << " is only seen live";
        EXPECT_EQ(lock.at("recipe"), found->second.at("recipe")) << path;
        EXPECT_EQ(lock.at("ends").at("open"), found->second.at("ends").at("open")) << path;
    }
    EXPECT_EQ(live.size(), log.size());
}

} // namespace
} // namespace lockscope::tests
