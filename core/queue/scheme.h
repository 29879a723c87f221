// Whose node is this: ONE table of the naming schemes of lock recipes, elections, and of nodes that are no
// queue though they look like one. A new scheme is a row in scheme.cpp. Names alone prove little: what else
// is needed is in number.h (the server gave the number) and in the row (the parent, the word in front of the
// number). Pure; any thread.
#pragma once

#include "core/queue/number.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lockscope::queue {

enum class Library : std::uint8_t {
    none,
    curator, // LockScope's own nodes, too
    goZk,
    kazoo,
    zooKeeper, // the recipes that come with ZooKeeper
    zkRuby,
    hive,
    accumulo,
    hbase,
    dotNet, // DistributedLock.ZooKeeper
    solr,
    clickHouse, // and ByConity
    shedLock,
    hadoop,
    kafka,
    bookKeeper,
    mesos,
    serverSets,
    dubbo,
};
inline constexpr std::size_t kLibraries = static_cast<std::size_t>(Library::dubbo) + 1;
const char* name(Library library); // "Apache Hive"; "" for none

enum class Role : std::uint8_t {
    none, // of no known recipe, or of one that does not show who holds
    exclusive,
    writer,
    reader,
    lease,
    leader,    // of an election: the first one leads
    fixedName, // the node itself is the lock
    member,    // a registration, or an item of work: it holds nothing and waits for nothing
};
// Whether nodes of this role wait for one another in a queue.
constexpr bool isContender(Role role)
{
    return role == Role::exclusive || role == Role::writer || role == Role::reader || role == Role::leader ||
           role == Role::fixedName;
}
// Whether a node of this role can hold something.
constexpr bool isOfLock(Role role) { return isContender(role) || role == Role::lease; }

enum class Persistent : std::uint8_t { never, sometimes, byDesign };

// What stands in front of the word.
enum class Front : std::uint8_t {
    anything, // but no letter or digit before a word that begins with one ("block-0000000001" has no "lock-")
    nothing,
    guid,      // "_c_" and a UUID with hyphens and "-": Curator's protection
    plainGuid, // "_c_", 32 hexadecimal digits, "-"
    sessionId, // "x-", the owner's session in hexadecimal or decimal digits, "-"
    hex32,     // 32 hexadecimal digits
};
enum class Ending : std::uint8_t {
    number, // the server's ten digits, directly after the word
    whole,  // none: the front and the word are the whole name; a * in the word stands for any text
};

struct Scheme
{
    Library library{};
    Role role{};
    Front front{};
    std::string_view word{};
    Ending ending = Ending::number;
    std::string_view parent{}; // the end of the parent's path, by components; * is any component
    Persistent persistent = Persistent::never;
    bool roleInData = false; // as in roleOf()
    const char* recipe = ""; // its name in the library
};
std::span<const Scheme> schemes();

struct NodeName
{
    const Scheme* scheme = nullptr; // null: of no known scheme
    Library library = Library::none;
    Role role = Role::none;
    std::size_t keyOffset = 0; // of the text by which the library orders the nodes; 0: the whole name
    bool numbered = false;     // the key is ten digits, so that it sorts like its number
};
// `parent`: the path; without it, schemes that need one are not recognized.
NodeName parse(std::string_view name, std::string_view parent = {});
// Whether the library's own id stands in front: then its clients count the node, whichever library gave it
// its number.
bool hasIdInFront(const NodeName& parsed, std::string_view name);
// The role of a node with this data, where the scheme has it there: "READ..." is a reader, "WRITE..." a
// writer, one of many leaders excludes no other, JSON is a member's, "HOST PID NAME" LockScope's. Items are
// persistent.
Role roleOf(const NodeName& name, std::string_view data, bool ephemeral);
// kazoo's Semaphore: such a node is a lease if the folder of its entrance is beside its parent.
bool isKazooLeaseName(std::string_view name);

// go-zk has Curator's names and order. Both compare the whole name of a node that is not their own with the
// numbers of the others.
constexpr bool countsEveryChild(Library library)
{
    return library == Library::curator || library == Library::goZk;
}
// By which the library's clients sort their nodes: as text, as numbers (go-zk), or as their digits (zk-ruby).
constexpr std::int64_t orderOf(const Number& number, Library library)
{
    const std::int64_t value = number.value;
    return library == Library::goZk     ? value
           : library == Library::zkRuby ? (value < 0 ? -value : value)
                                        : number.order();
}
constexpr bool watchesFirstWriter(Library library) { return countsEveryChild(library); }
// Nodes that wait for one another. Each of Curator's recipes looks for its own words only: to the clients of
// a mutex, the nodes of a latch and of a read-write lock are names that sort behind all numbers.
using Family = std::uint8_t;
inline constexpr std::size_t kFamilies = kLibraries + 2;
constexpr Family familyOf(Library library, Role role)
{
    if (!countsEveryChild(library))
        return static_cast<Family>(library);
    return static_cast<Family>(role == Role::leader ? kLibraries
                               : role == Role::reader || role == Role::writer
                                   ? kLibraries + 1
                                   : std::size_t{Family(Library::curator)});
}
// Whether a client that waits has a watch that the server shows: some try again after a while, without any
// watch.
constexpr bool waitsByWatch(Library library)
{
    return library == Library::curator || library == Library::goZk || library == Library::kazoo ||
           library == Library::zooKeeper || library == Library::hbase || library == Library::dotNet ||
           library == Library::solr;
}

enum class Recipe : std::uint8_t {
    mutex,
    readWrite,
    semaphore,
    leaderLatch,
    kazooMutex,
    kazooReadWrite,
    kazooSemaphore,
    zooKeeperCMutex,
    fixedName,
    sequential, // sequential nodes of no known recipe
    mixed,      // two naming schemes on one path: their clients may not exclude each other
    election,   // of another library than Curator
    members,    // registrations: no lock
};
inline constexpr std::size_t kRecipes = static_cast<std::size_t>(Recipe::members) + 1;
const char* name(Recipe recipe); // "read-write"

// The schemes and roles that were seen on one path.
class Seen
{
public:
    void add(Library library, Role role);
    bool has(Role role) const { return (m_roles & 1U << static_cast<unsigned>(role)) != 0; }
    bool any() const { return m_roles != 0; }
    bool isOfTwoFamilies() const { return (m_families & (m_families - 1)) != 0; }
    // Of nodes that are of no lock, or whose recipe does not show who holds.
    Library otherLibrary() const { return m_otherLibrary; }
    Recipe recipe(bool kazooLeases) const;
    // Whether some node is of a recipe that shows who holds.
    bool showsHolders() const;

private:
    std::uint32_t m_families = 0; // bits, of nodes of locks
    std::uint8_t m_roles = 0;     // bits
    Library m_otherLibrary = Library::none;
};

} // namespace lockscope::queue
