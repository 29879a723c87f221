// Which threads use a blocking lock, and with which owner ids: a thread has an owner id while it holds or
// waits; afterwards the id is reused. Pure bookkeeping; one thread at a time.
#pragma once

#include "core/base/ids.h"
#include "core/lock/blocking/blocking_mutex.h"

#include <array>
#include <map>
#include <set>
#include <thread>

namespace lockscope::lock {

// A unique number for a thread of this process: a std::thread::id is reused after its thread has ended, and
// the new thread would be mistaken for the holder.
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
        std::uint32_t depth = 0;   // how many unlocks are due
        bool lost = false;         // the hold was lost
        bool refused = false;      // unlocked, but the server did not release the lock
        std::uint64_t release = 0; // number of the release under way; 0: none
        HeldTokens tokens{};       // of the hold
    };
    struct OwnerEntry
    {
        OwnerId owner;
        std::thread::id thread;
        ThreadNumber number;
        bool waiting = false;
        std::array<HoldState, 2> holdStates{}; // by Side
        HoldState& holdState(Side side) { return holdStates[static_cast<std::size_t>(side)]; }
    };

    // The entry of the caller, created if necessary. References stay valid until removeIfIdle() removes it.
    OwnerEntry& findOrAdd(const Caller& caller);
    OwnerEntry* find(ThreadNumber number);
    OwnerEntry* find(OwnerId owner);
    // Removes the entry when the thread neither holds nor waits and none of its releases is under way.
    void removeIfIdle(ThreadNumber number);
    std::size_t size() const { return m_entries.size(); }
    // All entries by thread.
    std::map<ThreadNumber, OwnerEntry>& all() { return m_entries; }

private:
    std::map<ThreadNumber, OwnerEntry> m_entries;
    std::set<OwnerId> m_free; // free ids; the next new one is m_entries.size() + m_free.size()
};

} // namespace lockscope::lock
