#include "core/queue/scheme.h"

#include "core/queue/owner.h"
#include "core/queue/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace lockscope::queue {

namespace {

using enum Library;
using enum Front;
constexpr Role kItem = Role::member; // of work: no client waits for it in the folder
constexpr Persistent kItems = Persistent::byDesign;
constexpr Ending kWhole = Ending::whole;

// The first row that fits decides. Below each group: where its facts are from.
constexpr std::array kSchemes = {
    // ---- nodes that are no queue, but whose names end like one ----
    // ClickHouse src/Storages/MergeTree/EphemeralLockInZooKeeper.cpp; ReplicatedMergeTree's
    // replicas/NAME/is_active
    Scheme{clickHouse, Role::member, nothing, "block-", {}, "block_numbers/*", {}, false, "block numbers"},
    Scheme{clickHouse, Role::member, nothing, "abandonable_lock-", {}, {}, {}, false, "block numbers"},
    Scheme{clickHouse, Role::member, nothing, "is_active", kWhole, "replicas/*", {}, false, "replica"},
    Scheme{clickHouse, kItem, nothing, "queue-", {}, "replicas/*/queue", kItems, false, "replication queue"},
    // twitter-archive/commons src/java/com/twitter/common/zookeeper/Group.java (DEFAULT_NODE_NAME_PREFIX),
    // ServerSetImpl.java (JSON), CandidateImpl.java (the same names, for an election)
    Scheme{serverSets, Role::member, nothing, "member_", {}, {}, {}, true, "ServerSets"},
    // apache/mesos src/zookeeper/group.cpp, src/log: members of the replicated log have no label
    Scheme{mesos, Role::member, nothing, "", {}, "log_replicas", {}, false, "replicas of the log"},
    // apache/bookkeeper bookkeeper-server .../meta/ZkLedgerUnderreplicationManager.java (urL%010d of the
    // ledger's id)
    Scheme{bookKeeper,
           Role::fixedName,
           nothing,
           "urL*",
           kWhole,
           "underreplication/locks",
           {},
           false,
           "ledger lock"},
    Scheme{
        bookKeeper, kItem, nothing, "urL*", kWhole, {}, Persistent::byDesign, false, "ledger to replicate"},
    Scheme{bookKeeper, Role::member, nothing, "*", kWhole, "ledgers/available", {}, false, "bookies"},
    Scheme{bookKeeper, Role::member, nothing, "*", kWhole, "available/readonly", {}, false, "bookies"},
    Scheme{bookKeeper, kItem, nothing, "ID-", {}, "idgen", {}, false, "numbers for ledgers"},
    // apache/hbase hbase-zookeeper .../ZNodePaths.java (rsZNode; host,port,start code in ms)
    Scheme{hbase, Role::member, nothing, "*,*,*", kWhole, "rs", {}, false, "region servers"},
    Scheme{hbase, Role::member, nothing, "*,*,*", kWhole, "backup-masters", {}, false, "backup masters"},
    // apache/dubbo dubbo-registry-zookeeper .../ZookeeperRegistry.java (<root>/<service>/<category>/<url>)
    Scheme{dubbo, Role::member, nothing, "*%3A%2F%2F*", kWhole, {}, {}, false, "registry"},
    // apache/kafka core/src/main/scala/kafka/zk/ZkData.scala
    Scheme{kafka, Role::member, nothing, "*", kWhole, "brokers/ids", {}, false, "brokers"},
    Scheme{kafka, kItem, nothing, "config_change_", {}, {}, kItems, false, "notifications"},
    // apache/solr solr/core .../cloud/ZkController.java
    Scheme{solr, Role::member, nothing, "*", kWhole, "live_nodes", {}, false, "live nodes"},
    // apache/solr solr/core .../cloud/OverseerTaskQueue.java (replies; the work is named qn-)
    Scheme{solr, kItem, nothing, "qnr-", {}, {}, {}, false, "Overseer queue"},
    // apache/hive service .../server/HiveServer2.java (serverUri=...), Kyuubi's and Livy's serviceUri=...
    Scheme{hive, Role::member, nothing, "serv*Uri=*;sequence=", {}, {}, {}, false, "service discovery"},
    // python-zk/kazoo kazoo/recipe/queue.py, party.py; apache/curator .../recipes/queue, apache/zookeeper
    // recipes/queue
    // (LockingQueue: who works on an item has an ephemeral node of its name)
    Scheme{kazoo, Role::fixedName, nothing, "entry-*", kWhole, "locks", {}, false, "LockingQueue"},
    Scheme{kazoo, kItem, nothing, "entry-*", kWhole, {}, kItems, false, "Queue"},
    Scheme{kazoo, Role::member, hex32, "__party__", kWhole, {}, {}, false, "Party"},
    Scheme{curator, kItem, nothing, "queue-", {}, {}, kItems, false, "DistributedQueue"},
    Scheme{zooKeeper, kItem, nothing, "qn-", {}, {}, kItems, false, "queue"},
    // ---- Hadoop, Kafka, HBase, Solr: the node of a fixed name is the leader's ----
    // apache/hadoop hadoop-common .../ha/ActiveStandbyElector.java (LOCK_FILENAME, BREADCRUMB_FILENAME)
    Scheme{hadoop,
           Role::fixedName,
           nothing,
           "ActiveStandbyElectorLock",
           kWhole,
           {},
           {},
           false,
           "ActiveStandbyElector"},
    Scheme{hadoop,
           Role::member,
           nothing,
           "ActiveBreadCrumb",
           kWhole,
           {},
           Persistent::byDesign,
           false,
           "ActiveStandbyElector"},
    // apache/kafka core/src/main/scala/kafka/zk/ZkData.scala (ControllerZNode)
    Scheme{kafka, Role::fixedName, nothing, "controller", kWhole, {}, {}, false, "controller"},
    // lukas-krecan/ShedLock .../zookeeper/curator/ZookeeperCuratorLockProvider.java: held until the time in
    // its data
    Scheme{shedLock, Role::none, nothing, "*", kWhole, "shedlock", Persistent::byDesign, false, "ShedLock"},
    // ---- Hive, Accumulo, HBase ----
    // apache/hive ql .../lockmgr/zookeeper/ZooKeeperHiveLockManager.java: who is refused tries again later,
    // unwatched;
    // LOCK TABLE makes persistent nodes
    Scheme{hive,
           Role::reader,
           nothing,
           "LOCK-SHARED-",
           {},
           {},
           Persistent::byDesign,
           false,
           "ZooKeeperHiveLockManager"},
    Scheme{hive,
           Role::reader,
           nothing,
           "LOCK-SEMI_SHARED-",
           {},
           {},
           Persistent::byDesign,
           false,
           "ZooKeeperHiveLockManager"},
    Scheme{hive,
           Role::writer,
           nothing,
           "LOCK-EXCLUSIVE-",
           {},
           {},
           Persistent::byDesign,
           false,
           "ZooKeeperHiveLockManager"},
    // apache/accumulo core .../fate/zookeeper/ZooQueueLock.java (to 2.0), FateLock.java (from 2.1),
    // ServiceLock.java
    Scheme{accumulo,
           Role::exclusive,
           nothing,
           "lock-",
           {},
           "table_locks/*",
           Persistent::byDesign,
           true,
           "table lock"},
    Scheme{accumulo, Role::exclusive, nothing, "flock#", {}, {}, Persistent::byDesign, true, "table lock"},
    Scheme{accumulo,
           Role::none,
           nothing,
           "flock#*",
           kWhole,
           {},
           Persistent::byDesign,
           false,
           "table lock of rows"},
    Scheme{accumulo, Role::leader, nothing, "zlock-", {}, {}, {}, false, "service lock"},
    Scheme{accumulo, Role::leader, nothing, "zlock#*#", {}, {}, {}, false, "service lock"},
    // apache/hbase 0.95 to 1.x hbase-server .../zookeeper/lock/ZKInterProcessLockBase.java,
    // TableLockManager.java
    Scheme{hbase, Role::reader, nothing, "read-", {}, "table-lock/*", {}, false, "table lock"},
    Scheme{hbase, Role::writer, nothing, "write-", {}, "table-lock/*", {}, false, "table lock"},
    // madelson/DistributedLock src/DistributedLock.ZooKeeper/ (lock-, read-, write-, semaphore-); `lock-` is
    // below
    Scheme{dotNet, Role::reader, nothing, "read-", {}, {}, {}, false, "ReaderWriterLock"},
    Scheme{dotNet, Role::writer, nothing, "write-", {}, {}, {}, false, "ReaderWriterLock"},
    Scheme{dotNet, Role::none, nothing, "semaphore-", {}, {}, {}, false, "Semaphore"}, // the size is nowhere
    // zk-ruby/zk lib/zk/locker/*.rb, lib/zk/election.rb
    Scheme{zkRuby, Role::writer, nothing, "ex", {}, "_zklocking/*", {}, false, "ExclusiveLocker"},
    Scheme{zkRuby, Role::reader, nothing, "sh", {}, "_zklocking/*", {}, false, "SharedLocker"},
    Scheme{zkRuby, Role::none, nothing, "sem", {}, "_zksemaphore/*", {}, false, "Semaphore"},
    Scheme{zkRuby, Role::leader, nothing, "ballot", {}, "_zkelection/*", {}, false, "Election"},
    // ---- elections by sequential nodes ----
    // apache/mesos src/master/contender, src/master/detector: the lowest number leads
    Scheme{mesos, Role::leader, nothing, "json.info_", {}, {}, {}, false, "master"},
    Scheme{mesos, Role::leader, nothing, "info_", {}, "mesos", {}, false, "master"},
    // apache/bookkeeper .../meta/ZkLedgerAuditorManager.java
    Scheme{bookKeeper, Role::leader, nothing, "V_", {}, "auditorelection", {}, false, "auditor"},
    // apache/solr solr/core .../cloud/LeaderElector.java (session id, context, n_)
    Scheme{solr, Role::leader, anything, "n_", {}, "election", {}, false, "LeaderElector"},
    // ByConity src/Coordination/LeaderElection.h, ClickHouse until 2021
    Scheme{clickHouse, Role::leader, nothing, "leader_election-", {}, {}, {}, true, "leader election"},
    // apache/zookeeper zookeeper-recipes/zookeeper-recipes-election .../LeaderElectionSupport.java,
    // recipes.md
    Scheme{zooKeeper, Role::leader, anything, "n_", {}, {}, {}, false, "leader election"},
    // ---- ZooKeeper's own lock, C and Java ----
    // apache/zookeeper zookeeper-recipes/zookeeper-recipes-lock/src/main/c/src/zoo_lock.c, .../WriteLock.java
    Scheme{zooKeeper, Role::exclusive, sessionId, "", {}, {}, {}, false, "lock"},
    // ---- kazoo ----
    // python-zk/kazoo kazoo/recipe/lock.py; Salt's salt/modules/zk_concurrency.py makes persistent leases
    Scheme{kazoo, Role::reader, anything, "__rlock__", {}, {}, Persistent::sometimes, false, "ReadLock"},
    Scheme{kazoo, Role::exclusive, anything, "__lock__", {}, {}, Persistent::sometimes, false, "Lock"},
    Scheme{kazoo, Role::lease, hex32, "", kWhole, {}, Persistent::sometimes, false, "Semaphore"},
    // ---- Curator, LockScope, go-zookeeper, and libraries that use their names ----
    // apache/curator curator-recipes .../locks/*.java, .../leader/LeaderLatch.java; go-zookeeper/zk lock.go
    Scheme{goZk, Role::exclusive, plainGuid, "lock-", {}, {}, {}, false, "Lock"},
    Scheme{curator, Role::exclusive, anything, "lock-", {}, {}, {}, false, "InterProcessMutex"},
    Scheme{curator, Role::leader, guid, "latch-", {}, {}, {}, false, "LeaderLatch"},
    Scheme{curator, Role::lease, anything, "lease-", {}, {}, {}, false, "InterProcessSemaphoreV2"},
    Scheme{curator, Role::reader, anything, "__READ__", {}, {}, {}, false, "InterProcessReadWriteLock"},
    Scheme{curator, Role::writer, anything, "__WRIT__", {}, {}, {}, false, "InterProcessReadWriteLock"},
    // LockScope's herd
    Scheme{curator, Role::reader, anything, "-R-", {}, {}, {}, true, "a lock for teaching"},
    Scheme{curator, Role::writer, anything, "-W-", {}, {}, {}, true, "a lock for teaching"},
    Scheme{curator, Role::fixedName, nothing, "lock", kWhole, {}, {}, true, "a lock for teaching"},
};

constexpr std::size_t kHexDigits = 32, kUuid = 36;

constexpr bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool isAlphanumeric(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool allHexDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isHexDigit);
}

bool isProtection(std::string_view text, std::size_t guidLength)
{
    constexpr std::string_view kBegin = "_c_";
    return text.size() == kBegin.size() + guidLength + 1 && text.starts_with(kBegin) && text.ends_with('-') &&
           std::all_of(text.begin() + kBegin.size(), text.end() - 1,
                       [guidLength](char c) { return isHexDigit(c) || (guidLength == kUuid && c == '-'); });
}

// `text`: what stands in front of the word.
bool fits(Front front, std::string_view text, std::string_view word = {})
{
    switch (front) {
    case anything:
        return text.empty() || word.empty() || !isAlphanumeric(word.front()) || !isAlphanumeric(text.back());
    case nothing:
        return text.empty();
    case guid:
        return isProtection(text, kUuid);
    case plainGuid:
        return isProtection(text, kHexDigits);
    case sessionId: // of "x-1000a2b3c4d0001-"; Java's is decimal, and may be negative
        if (text.size() < 4 || !text.starts_with("x-") || !text.ends_with('-'))
            return false;
        text = text.substr(2, text.size() - 3);
        return allHexDigits(text.starts_with('-') ? text.substr(1) : text);
    case hex32:
        return text.size() == kHexDigits && allHexDigits(text);
    }
    return false;
}

// * stands for any text, also an empty one.
bool matches(std::string_view text, std::string_view pattern)
{
    for (;;) {
        const std::size_t star = pattern.find('*');
        if (star == std::string_view::npos)
            return text == pattern;
        if (!text.starts_with(pattern.substr(0, star)))
            return false;
        text.remove_prefix(star);
        pattern.remove_prefix(star + 1);
        if (pattern.empty())
            return true;
        const std::string_view next = pattern.substr(0, pattern.find('*'));
        if (next.size() == pattern.size())
            return text.ends_with(next);
        const std::size_t at = text.find(next);
        if (at == std::string_view::npos)
            return false;
        text.remove_prefix(at);
    }
}

bool endsWithComponents(std::string_view path, std::string_view pattern)
{
    while (!pattern.empty()) {
        const std::string_view wanted = nameOf(pattern), there = nameOf(path);
        if (there.empty() || (wanted != "*" && wanted != there))
            return false;
        pattern = pattern.size() == wanted.size() ? std::string_view() : parentOf(pattern);
        path = parentOf(path);
    }
    return true;
}

bool matchesWhole(const Scheme& scheme, std::string_view name)
{
    if (scheme.front == nothing)
        return scheme.word.find('*') == std::string_view::npos ? name == scheme.word
                                                               : matches(name, scheme.word);
    return name.ends_with(scheme.word) &&
           fits(scheme.front, name.substr(0, name.size() - scheme.word.size()), scheme.word);
}

// `before`: what stands in front of the number.
bool matchesNumbered(const Scheme& scheme, std::string_view before)
{
    if (scheme.word.find('*') != std::string_view::npos)
        return matches(before, scheme.word);
    return before.ends_with(scheme.word) &&
           fits(scheme.front, before.substr(0, before.size() - scheme.word.size()), scheme.word);
}

// Reading a log parses millions of names: the first and the last character leave few of the rows to be tried.
using Rows = std::array<std::uint64_t, (kSchemes.size() + 63) / 64>; // bits, in the order of the table

struct RowsByEnds
{
    std::array<Rows, 256> byFirst{}, byLast{};
    Rows ofEmpty{};

    constexpr void add(std::size_t row, const Scheme& scheme)
    {
        const std::string_view word = scheme.word;
        const char first = scheme.front == nothing && !word.empty()            ? word.front()
                           : scheme.front == guid || scheme.front == plainGuid ? '_'
                           : scheme.front == sessionId                         ? 'x'
                                                                               : '*';
        const char last = word.empty() ? '*' : word.back();
        const std::uint64_t bit = std::uint64_t{1} << row % 64;
        for (std::size_t c = 0; c < byFirst.size(); ++c) {
            if (first == '*' || static_cast<unsigned char>(first) == c)
                byFirst[c][row / 64] |= bit;
            if (last == '*' || static_cast<unsigned char>(last) == c)
                byLast[c][row / 64] |= bit;
        }
        if (word.empty())
            ofEmpty[row / 64] |= bit;
    }
    Rows of(std::string_view text) const
    {
        if (text.empty())
            return ofEmpty;
        Rows rows = byFirst[static_cast<unsigned char>(text.front())];
        for (std::size_t part = 0; part < rows.size(); ++part)
            rows[part] &= byLast[static_cast<unsigned char>(text.back())][part];
        return rows;
    }
};

struct RowsThatFit
{
    RowsByEnds numbered; // by what stands in front of the number
    RowsByEnds whole;    // by the name
    constexpr RowsThatFit()
    {
        for (std::size_t row = 0; row < kSchemes.size(); ++row)
            (kSchemes[row].ending == Ending::number ? numbered : whole).add(row, kSchemes[row]);
    }
};
constexpr RowsThatFit kRowsThatFit;

} // namespace

std::span<const Scheme> schemes() { return kSchemes; }

const char* name(Library library)
{
    constexpr std::array<const char*, kLibraries> kNames = {"",
                                                            "Curator",
                                                            "go-zookeeper",
                                                            "kazoo",
                                                            "ZooKeeper's recipes",
                                                            "zk-ruby",
                                                            "Apache Hive",
                                                            "Apache Accumulo",
                                                            "Apache HBase",
                                                            ".NET DistributedLock",
                                                            "Apache Solr",
                                                            "ClickHouse",
                                                            "ShedLock",
                                                            "Apache Hadoop",
                                                            "Apache Kafka",
                                                            "Apache BookKeeper",
                                                            "Apache Mesos",
                                                            "ServerSets",
                                                            "Apache Dubbo"};
    return kNames[static_cast<std::size_t>(library)];
}

NodeName parse(std::string_view name, std::string_view parent)
{
    const std::optional<Number> number = numberOf(name);
    const std::string_view before = number ? name.substr(0, number->at) : std::string_view();
    for (std::size_t part = 0; part < Rows{}.size(); ++part) {
        std::uint64_t rows = name.empty() ? 0 : kRowsThatFit.whole.of(name)[part];
        if (number)
            rows |= kRowsThatFit.numbered.of(before)[part];
        for (; rows != 0; rows &= rows - 1) {
            const Scheme& scheme = kSchemes[part * 64 + static_cast<std::size_t>(std::countr_zero(rows))];
            const bool byNumber = scheme.ending == Ending::number;
            if ((!scheme.parent.empty() && !endsWithComponents(parent, scheme.parent)) ||
                (byNumber ? !matchesNumbered(scheme, before) : !matchesWhole(scheme, name)))
                continue;
            return {&scheme, scheme.library, scheme.role, byNumber ? number->at : 0,
                    byNumber && name.size() - number->at == kDigits};
        }
    }
    return {};
}

bool hasIdInFront(const NodeName& parsed, std::string_view name)
{
    if (!parsed.scheme)
        return false;
    const Scheme& scheme = *parsed.scheme;
    if (scheme.front != anything)
        return scheme.front != nothing;
    const std::string_view before = scheme.ending == Ending::number ? name.substr(0, parsed.keyOffset) : name;
    const std::string_view text =
        before.substr(0, before.size() - std::min(before.size(), scheme.word.size()));
    return fits(guid, text) || fits(plainGuid, text) || fits(hex32, text);
}

Role roleOf(const NodeName& name, std::string_view data, bool ephemeral)
{
    if (name.role == Role::member && ephemeral && name.scheme->persistent == kItems)
        return Role::none;
    if (!name.scheme || !name.scheme->roleInData)
        return name.role;
    if (name.role == Role::member)
        return data.starts_with('{') ? name.role : Role::none;
    if (name.library == curator) { // LockScope's
        const std::string identity = identityOf(data);
        return std::count(identity.begin(), identity.end(), ' ') == 2 ? name.role : Role::none;
    }
    return data.starts_with("READ") || data.ends_with(kManyLeaders) ? Role::reader
           : data.starts_with("WRITE")                              ? Role::writer
                                                                    : name.role;
}

bool isKazooLeaseName(std::string_view name) { return fits(hex32, name); }

const char* name(Recipe recipe)
{
    constexpr std::array<const char*, kRecipes> kNames = {
        "mutex",           "read-write", "semaphore",  "leader-latch", "kazoo-mutex", "kazoo-read-write",
        "kazoo-semaphore", "c-mutex",    "fixed-name", "sequential",   "mixed",       "election",
        "members"};
    return kNames[static_cast<std::size_t>(recipe)];
}

void Seen::add(Library library, Role role)
{
    m_roles = static_cast<std::uint8_t>(m_roles | 1U << static_cast<unsigned>(role));
    if (isOfLock(role))
        m_families |= 1U << familyOf(library, role);
    else if (library != Library::none)
        m_otherLibrary = library;
}

bool Seen::showsHolders() const
{
    constexpr unsigned kNotShown =
        1U << static_cast<unsigned>(Role::none) | 1U << static_cast<unsigned>(Role::member);
    return (m_roles & ~kNotShown) != 0;
}

Recipe Seen::recipe(bool kazooLeases) const
{
    const auto only = [this](Library library, Role role = Role::exclusive) {
        return m_families == 1U << familyOf(library, role);
    };
    if (has(Role::lease))
        return kazooLeases ? Recipe::kazooSemaphore : Recipe::semaphore;
    if (has(Role::fixedName))
        return Recipe::fixedName;
    if (!showsHolders())
        return has(Role::none) || !has(Role::member) ? Recipe::sequential : Recipe::members;
    if (isOfTwoFamilies())
        return Recipe::mixed;
    const bool shared = has(Role::reader) || has(Role::writer);
    if (only(kazoo))
        return shared ? Recipe::kazooReadWrite : Recipe::kazooMutex;
    if (only(zooKeeper))
        return has(Role::leader) ? Recipe::election : Recipe::zooKeeperCMutex;
    if (only(clickHouse))
        return Recipe::election;
    if (has(Role::leader))
        return has(Role::exclusive)          ? Recipe::mixed
               : only(curator, Role::leader) ? Recipe::leaderLatch
                                             : Recipe::election;
    if (shared) // Accumulo's nodes all belong together
        return has(Role::exclusive) && !only(accumulo) ? Recipe::mixed : Recipe::readWrite;
    return Recipe::mutex;
}

} // namespace lockscope::queue
