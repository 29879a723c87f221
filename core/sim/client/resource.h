// What a lock protects: keeps its own record of who uses it, and says loudly when too many do at once. With
// fencing it refuses a token older than the newest it has seen. It may have a content that each holder reads
// when it comes and writes when it goes: a stock of which each takes one, or order numbers. I/O thread.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/trace/recorder.h"

#include <optional>
#include <set>
#include <vector>

namespace lockscope::sim {

struct ResourceUse
{
    std::optional<Zxid> token{}; // none: nothing to fence with
    bool shared = false;         // together with others that share
    std::uint32_t weight = 1;    // of a semaphore: how many permits it has
};

class Resource
{
public:
    Resource(trace::Recorder& recorder, LockId lock, bool fenced, ResourceContent content);

    void setPermits(std::uint32_t permits) { m_permits = permits; }
    // False when the token was refused. Several times for a client that holds several nodes of the lock.
    bool enter(ClientId client, ResourceUse use);
    void leave(ClientId client, bool shared); // its last entry of this kind

private:
    struct Entry
    {
        ClientId client;
        ResourceUse use;
        std::int64_t read = 0; // what it found
    };
    bool isOutdated(const ResourceUse& use) const;
    bool isConflict(ClientId client, const ResourceUse& use, std::optional<Zxid>& other) const;
    void note(ClientId client, trace::ResourceAction action, std::optional<Zxid> token);
    std::int64_t readContent();
    void writeContent(const Entry& entry);

    trace::Recorder& m_recorder;
    LockId m_lock;
    bool m_fenced;
    ResourceContent m_content;
    std::uint32_t m_permits = 1;
    Zxid m_newest{0};
    Zxid m_newestExclusive{0};
    std::vector<Entry> m_inside;
    std::int64_t m_value = 0;         // the stock, or the last order number
    std::int64_t m_unitsTaken = 0;         // how many have taken one
    std::set<std::int64_t> m_issuedNumbers; // order numbers
};

} // namespace lockscope::sim
