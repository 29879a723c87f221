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
    struct Level
    {
        std::uint32_t depth = 0;     // how often it has to unlock
        bool lost = false;           // the hold behind it is gone
        bool refused = false;        // it has unlocked, but the server did not release the lock
        std::uint64_t release = 0;   // the one that is under way
        std::optional<Zxid> token{}; // of the hold
    };
    struct Seat
    {
        OwnerId owner;
        std::thread::id thread;
        bool waiting = false;
        std::array<Level, 2> levels{}; // by Side
        Level& level(Side side) { return levels[static_cast<std::size_t>(side)]; }
    };

    // The caller's, a new one when it has none. Stays where it is until it is left.
    Seat& enter(const Caller& caller);
    Seat* find(ThreadNumber number);
    Seat* find(OwnerId owner);
    // Drops it when the thread neither holds nor waits, and none of its releases is under way.
    void leave(ThreadNumber number);
    std::size_t size() const { return m_seats.size(); }
    // All seats by thread.
    std::map<ThreadNumber, Seat>& all() { return m_seats; }

private:
    std::map<ThreadNumber, Seat> m_seats;
    std::set<OwnerId> m_free; // given back; the next new one is m_seats.size() + m_free.size()
};

} // namespace lockscope::lock
