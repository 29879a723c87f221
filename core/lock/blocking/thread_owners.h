// Which threads use a blocking lock, and as which owners of the recipe's: a thread has an owner id while it
// holds or waits, and the id goes to another one afterwards. Pure bookkeeping; one thread at a time.
#pragma once

#include "core/base/ids.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <thread>

namespace lockscope::lock {

enum class Side : std::uint8_t { exclusive, shared };

// A thread of this process, never the same number twice: a std::thread::id comes again when its thread has
// ended, and the newcomer would be taken for the holder.
using ThreadNumber = base::StrongId<struct ThreadNumberTag, std::uint64_t>;

struct Caller
{
    ThreadNumber number;
    std::thread::id id;
    static Caller current(); // any thread
};

class ThreadOwners
{
public:
    struct HoldState
    {
        std::uint32_t depth = 0;     // how often it has to unlock
        bool lost = false;           // the hold behind it is gone
        bool refused = false;        // it has unlocked, but the server did not release the lock
        std::uint64_t release = 0;   // the one that is under way
        std::optional<Zxid> token{}; // of the hold
    };
    struct OwnerEntry
    {
        OwnerId owner;
        std::thread::id thread;
        bool waiting = false;
        std::array<HoldState, 2> holdStates{}; // by Side
        HoldState& holdState(Side side) { return holdStates[static_cast<std::size_t>(side)]; }
    };

    // The caller's, a new one when it has none. Stays where it is until it is left.
    OwnerEntry& findOrAdd(const Caller& caller);
    OwnerEntry* find(ThreadNumber number);
    OwnerEntry* find(OwnerId owner);
    // Drops it when the thread neither holds nor waits, and none of its releases is under way.
    void removeIfIdle(ThreadNumber number);
    std::size_t size() const { return m_entries.size(); }
    // All seats by thread.
    std::map<ThreadNumber, OwnerEntry>& all() { return m_entries; }

private:
    std::map<ThreadNumber, OwnerEntry> m_entries;
    std::set<OwnerId> m_free; // given back; the next new one is m_entries.size() + m_free.size()
};

} // namespace lockscope::lock
