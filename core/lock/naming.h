// How contenders' nodes are named and ordered under a lock's path. A value; Curator's by default. Pure, any
// thread.
//   <path>/_c_<uuid>-lock-0000000042
// Order (Curator's StandardLockInternalsDriver.standardFixForSorting): by the text after the last occurrence
// of the lock name, compared as a string; a name without it counts whole. No child is left out, foreign ones
// count too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lock {

struct NodeNaming
{
    std::string lockName = "lock-";        // of the own nodes
    std::vector<std::string> otherNames{}; // nodes with one of these are ordered by what follows it, too
    std::vector<std::string> writeNames{}; // a node whose name has one of these is a writer; for read locks

    // Curator's read/write lock: both kinds have names of one length and one order.
    static NodeNaming curatorRead();
    static NodeNaming curatorWrite();
    // Own nodes as Curator's, and nodes of kazoo's Lock count as contenders in the order of their numbers.
    // kazoo itself needs extra_lock_patterns=["lock-"] to wait for ours; without it the two do not exclude
    // each other.
    static NodeNaming withKazoo();
    // The same for kazoo's ReadLock and WriteLock (extra_lock_patterns ["__WRIT__"], and ["__READ__",
    // "__WRIT__"]).
    static NodeNaming readWithKazoo();
    static NodeNaming writeWithKazoo();

    // "_c_<guid>-": says whose node it is when the reply to its create was lost (Curator's ProtectedUtils).
    static std::string protectionPrefix(std::string_view guid);
    // What a create is given: protection prefix + lock name; the server appends ten digits.
    std::string createName(std::string_view guid) const;
    // The text that contenders are ordered by.
    std::string_view sortKey(std::string_view node) const;
    bool isWriter(std::string_view node) const;
};

// The number at the end of a node's name: %010d, or a minus and ten digits after the server's counter
// overflowed.
std::optional<std::int32_t> sequenceOf(std::string_view node);

} // namespace lockscope::lock
