// How contenders' nodes are named and ordered under a lock's path; Curator's scheme by default. A value; any
// thread.
//   <path>/_c_<uuid>-lock-0000000042
// Order (Curator's StandardLockInternalsDriver.standardFixForSorting): by the text after the last occurrence
// of the lock name, compared as a string; a name that does not contain it is compared as a whole. All
// children count, including foreign ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::lock {

struct NodeNaming
{
    std::string lockName = "lock-";        // of the lock's own nodes
    std::vector<std::string> otherNames{}; // nodes with one of these are also ordered by the text after it
    std::vector<std::string> writeNames{}; // nodes with one of these are writers; for read locks

    // Curator's read/write lock: both names have the same length, and both kinds share one order.
    static NodeNaming curatorRead();
    static NodeNaming curatorWrite();
    // Own nodes are named as in Curator, and nodes of kazoo's Lock count as contenders in the order of their
    // numbers. kazoo itself needs extra_lock_patterns=["lock-"] to wait for ours; without it the two locks do
    // not exclude each other.
    static NodeNaming withKazoo();
    // The same for kazoo's ReadLock and WriteLock (extra_lock_patterns ["__WRIT__"], and ["__READ__",
    // "__WRIT__"]).
    static NodeNaming readWithKazoo();
    static NodeNaming writeWithKazoo();

    // "_c_<guid>-": identifies the creator when the reply to a create was lost (Curator's ProtectedUtils).
    static std::string protectionPrefix(std::string_view guid);
    // The name to pass to a create: protection prefix + lock name; the server appends ten digits.
    std::string createName(std::string_view guid) const;
    // The text that contenders are ordered by.
    std::string_view sortKey(std::string_view node) const;
    bool isWriter(std::string_view node) const;
};

// The number at the end of a node's name: %010d, or, after the server's counter overflowed, a minus and ten
// digits.
std::optional<std::int32_t> sequenceOf(std::string_view node);

} // namespace lockscope::lock
