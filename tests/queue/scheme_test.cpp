// Whose node is this: a row for each scheme of the table, with its nodes and the right words, and names that
// look like those of a lock and are none.
#include "core/queue/scheme.h"

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace lockscope::queue {
namespace {

using ::testing::IsEmpty;

const std::string kHex = "0123456789abcdef0123456789abcdef";
const std::string kUuid = "_c_01234567-89ab-cdef-0123-456789abcdef-";
const std::string kNumber = "0000000007";

struct Row
{
    std::string path;
    Library library{};
    Role role{};
    Recipe recipe{}; // of a folder that has only such nodes
    std::string data = {};
};

const std::vector<Row> kRows = {
    {"/l/" + kUuid + "lock-" + kNumber, Library::curator, Role::exclusive, Recipe::mutex},
    {"/l/lock-" + kNumber, Library::curator, Role::exclusive, Recipe::mutex}, // .NET's, too
    {"/l/_c_" + kHex + "-lock-" + kNumber, Library::goZk, Role::exclusive, Recipe::mutex},
    {"/l/" + kUuid + "latch-" + kNumber, Library::curator, Role::leader, Recipe::leaderLatch},
    {"/l/" + kUuid + "__READ__" + kNumber, Library::curator, Role::reader, Recipe::readWrite},
    {"/l/" + kUuid + "__WRIT__" + kNumber, Library::curator, Role::writer, Recipe::readWrite},
    {"/l/ada-R-" + kNumber, Library::curator, Role::reader, Recipe::readWrite, "host-a 17 job"},
    {"/l/ada-W-" + kNumber, Library::curator, Role::writer, Recipe::readWrite, "host-a 17 job"},
    {"/dc/west-W-" + kNumber, Library::curator, Role::none, Recipe::sequential, "host-a"},
    {"/l/lock", Library::curator, Role::fixedName, Recipe::fixedName, "host-a 17 job"},
    {"/l/lock", Library::curator, Role::none, Recipe::sequential, "held by me"},
    {"/s/leases/" + kUuid + "lease-" + kNumber, Library::curator, Role::lease, Recipe::semaphore},
    {"/l/" + kHex + "__lock__" + kNumber, Library::kazoo, Role::exclusive, Recipe::kazooMutex},
    {"/l/" + kHex + "__rlock__" + kNumber, Library::kazoo, Role::reader, Recipe::kazooReadWrite},
    {"/s/" + kHex, Library::kazoo, Role::lease, Recipe::kazooSemaphore},
    {"/l/x-0100000012ab0003-" + kNumber, Library::zooKeeper, Role::exclusive, Recipe::zooKeeperCMutex},
    {"/l/x-72057594037927937-" + kNumber, Library::zooKeeper, Role::exclusive, Recipe::zooKeeperCMutex},
    {"/l/x--72057594037927937-" + kNumber, Library::zooKeeper, Role::exclusive, Recipe::zooKeeperCMutex},
    {"/election/n_" + kNumber, Library::solr, Role::leader, Recipe::election},
    {"/leader/n_" + kNumber, Library::zooKeeper, Role::leader, Recipe::election},
    {"/_zklocking/orders/ex" + kNumber, Library::zkRuby, Role::writer, Recipe::readWrite},
    {"/_zklocking/orders/sh" + kNumber, Library::zkRuby, Role::reader, Recipe::readWrite},
    {"/_zksemaphore/orders/sem" + kNumber, Library::zkRuby, Role::none, Recipe::sequential},
    {"/_zkelection/orders/ballot" + kNumber, Library::zkRuby, Role::leader, Recipe::election},
    {"/hive/default/t/LOCK-SHARED-" + kNumber, Library::hive, Role::reader, Recipe::readWrite},
    {"/hive/default/t/LOCK-SEMI_SHARED-" + kNumber, Library::hive, Role::reader, Recipe::readWrite},
    {"/hive/default/t/LOCK-EXCLUSIVE-" + kNumber, Library::hive, Role::writer, Recipe::readWrite},
    {"/accumulo/i/table_locks/2a/lock-" + kNumber, Library::accumulo, Role::reader, Recipe::readWrite,
     "READ:00000000000000a1"},
    {"/accumulo/i/table_locks/2a/lock-" + kNumber, Library::accumulo, Role::writer, Recipe::readWrite,
     "WRITE:00000000000000a1"},
    {"/accumulo/i/table_locks/2a/lock-" + kNumber, Library::accumulo, Role::exclusive, Recipe::mutex},
    {"/accumulo/i/table_locks/2a/flock#" + kNumber, Library::accumulo, Role::writer, Recipe::readWrite,
     "WRITE:1"},
    {"/accumulo/i/table_locks/2a/flock#READ~1~N~N#" + kNumber, Library::accumulo, Role::none,
     Recipe::sequential},
    {"/accumulo/i/managers/lock/zlock#01234567-89ab-cdef-0123-456789abcdef#" + kNumber, Library::accumulo,
     Role::leader, Recipe::election},
    {"/accumulo/i/masters/lock/zlock-" + kNumber, Library::accumulo, Role::leader, Recipe::election},
    {"/hbase/table-lock/orders/read-" + kNumber, Library::hbase, Role::reader, Recipe::readWrite},
    {"/hbase/table-lock/orders/write-" + kNumber, Library::hbase, Role::writer, Recipe::readWrite},
    {"/l/read-" + kNumber, Library::dotNet, Role::reader, Recipe::readWrite},
    {"/l/write-" + kNumber, Library::dotNet, Role::writer, Recipe::readWrite},
    {"/l/semaphore-" + kNumber, Library::dotNet, Role::none, Recipe::sequential},
    {"/collections/c/leader_elect/shard1/election/72057594037927937-core_node3-n_" + kNumber, Library::solr,
     Role::leader, Recipe::election},
    {"/overseer_elect/election/72057594037927937-host:8983_solr-n_" + kNumber, Library::solr, Role::leader,
     Recipe::election},
    {"/overseer/queue/qnr-" + kNumber, Library::solr, Role::member, Recipe::members},
    {"/hiveserver2/serverUri=h1:10000;version=3.1.2;sequence=" + kNumber, Library::hive, Role::member,
     Recipe::members},
    {"/live_nodes/host:8983_solr", Library::solr, Role::member, Recipe::members},
    {"/clickhouse/tables/t/leader_election/leader_election-" + kNumber, Library::clickHouse, Role::leader,
     Recipe::election},
    {"/clickhouse/tables/t/leader_election/leader_election-" + kNumber, Library::clickHouse, Role::reader,
     Recipe::election, "replica1 (multiple leaders Ok)"},
    {"/clickhouse/tables/t/block_numbers/all/block-" + kNumber, Library::clickHouse, Role::member,
     Recipe::members},
    {"/clickhouse/tables/t/temp/abandonable_lock-" + kNumber, Library::clickHouse, Role::member,
     Recipe::members},
    {"/clickhouse/tables/t/replicas/r1/is_active", Library::clickHouse, Role::member, Recipe::members},
    {"/shedlock/nightly-report", Library::shedLock, Role::none, Recipe::sequential},
    {"/hadoop-ha/ns/ActiveStandbyElectorLock", Library::hadoop, Role::fixedName, Recipe::fixedName},
    {"/hadoop-ha/ns/ActiveBreadCrumb", Library::hadoop, Role::member, Recipe::members},
    {"/controller", Library::kafka, Role::fixedName, Recipe::fixedName},
    {"/brokers/ids/3", Library::kafka, Role::member, Recipe::members},
    {"/config/changes/config_change_" + kNumber, Library::kafka, Role::member, Recipe::members},
    {"/ledgers/underreplication/auditorelection/V_" + kNumber, Library::bookKeeper, Role::leader,
     Recipe::election},
    {"/ledgers/underreplication/locks/urL" + kNumber, Library::bookKeeper, Role::fixedName,
     Recipe::fixedName},
    {"/ledgers/underreplication/ledgers/0000/0000/0000/0007/urL" + kNumber, Library::bookKeeper, Role::member,
     Recipe::members},
    {"/ledgers/available/10.0.0.1:3181", Library::bookKeeper, Role::member, Recipe::members},
    {"/ledgers/available/readonly/10.0.0.1:3181", Library::bookKeeper, Role::member, Recipe::members},
    {"/ledgers/idgen/ID-" + kNumber, Library::bookKeeper, Role::member, Recipe::members},
    {"/mesos/json.info_" + kNumber, Library::mesos, Role::leader, Recipe::election},
    {"/mesos/info_" + kNumber, Library::mesos, Role::leader, Recipe::election},
    {"/mesos/log_replicas/" + kNumber, Library::mesos, Role::member, Recipe::members},
    {"/discovery/prod/search/member_" + kNumber, Library::serverSets, Role::member, Recipe::members,
     R"({"serviceEndpoint":{}})"},
    {"/marathon/leader/member_" + kNumber, Library::serverSets, Role::none, Recipe::sequential, "host:8080"},
    {"/hbase/rs/rs0.example.net,16020,1790532191725", Library::hbase, Role::member, Recipe::members},
    {"/hbase/backup-masters/m1,16000,1790532191725", Library::hbase, Role::member, Recipe::members},
    {"/dubbo/org.Api/providers/dubbo%3A%2F%2F10.0.0.1%3A20880%2Forg.Api%3Ftimestamp%3D1790532191725",
     Library::dubbo, Role::member, Recipe::members},
    {"/q/taken/entry-100-" + kNumber, Library::kazoo, Role::member, Recipe::members},
    {"/q/locks/entry-100-" + kNumber, Library::kazoo, Role::fixedName, Recipe::fixedName},
    {"/p/" + kHex + "__party__", Library::kazoo, Role::member, Recipe::members},
    {"/q/queue-" + kNumber, Library::curator, Role::member, Recipe::members},
    {"/clickhouse/tables/t/replicas/r1/queue/queue-" + kNumber, Library::clickHouse, Role::member,
     Recipe::members},
    {"/q/qn-" + kNumber, Library::zooKeeper, Role::member, Recipe::members},
};

TEST(Scheme, EachHasItsNodes)
{
    std::set<const Scheme*> met;
    for (const Row& row : kRows) {
        const NodeName name = parse(nameOf(row.path), parentOf(row.path));
        EXPECT_EQ(name.library, row.library) << row.path;
        const bool ephemeral = !name.scheme || name.scheme->persistent != Persistent::byDesign;
        EXPECT_EQ(roleOf(name, row.data, ephemeral), row.role) << row.path;
        Seen seen;
        seen.add(name.library, roleOf(name, row.data, ephemeral));
        EXPECT_STREQ(queue::name(seen.recipe(row.library == Library::kazoo)), queue::name(row.recipe))
            << row.path;
        met.insert(name.scheme);
    }
    std::vector<std::string> without;
    for (const Scheme& scheme : schemes())
        if (!met.contains(&scheme))
            without.push_back(std::string(queue::name(scheme.library)) + ": " + std::string(scheme.word));
    EXPECT_THAT(without, IsEmpty()) << "a row of the table that no test row meets";
}

TEST(Scheme, NamesThatOnlyLookLikeOne)
{
    for (const char* path :
         {"/app/block-0000000007", "/app/unlock-0000000007", "/dhcp/release-0000000007",
          "/app/platch-0000000007", "/app/lock-9999999999", "/app/lock-7", "/app/ex0000000007",
          "/app/rs/plain", "/app/spread-0000000007", "/app/job-0000000007", "/app/0000000007",
          "/table_locks/lock-x", "/app/my-controller", "/brokers/topics/3"}) {
        EXPECT_EQ(parse(nameOf(path), parentOf(path)).scheme, nullptr) << path;
    }
}

// A parent that is not known proves nothing.
TEST(Scheme, ANameAloneIsNotEnoughWhereTheParentDecides)
{
    EXPECT_EQ(parse("ex0000000007").scheme, nullptr);
    EXPECT_EQ(parse("lock-0000000007").library, Library::curator);
    EXPECT_EQ(parse("lock-0000000007", "/accumulo/i/table_locks/2a").scheme->persistent,
              Persistent::byDesign);
}

TEST(Scheme, TwoOfThemOnOnePathAreMixed)
{
    Seen seen;
    seen.add(Library::curator, Role::exclusive);
    seen.add(Library::none, Role::none); // of no recipe: it changes nothing
    EXPECT_EQ(seen.recipe(false), Recipe::mutex);
    seen.add(Library::goZk, Role::exclusive); // the same names and order
    EXPECT_EQ(seen.recipe(false), Recipe::mutex);
    seen.add(Library::kazoo, Role::exclusive);
    EXPECT_EQ(seen.recipe(false), Recipe::mixed);
}

} // namespace
} // namespace lockscope::queue
