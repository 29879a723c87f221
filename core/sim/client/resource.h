// The resource that a lock protects. Tracks the clients that use it and records a conflict when too many do
// at once. With fencing it refuses a token older than the newest one it has seen. Its content, if any, is
// read when a holder enters and written when it leaves: a stock from which each holder takes one, or
// order numbers. I/O thread.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/trace/recorder.h"

#include <optional>
#include <set>
#include <vector>

namespace lockscope::sim {

struct ResourceUse
{
    std::optional<Zxid> token{}; // none: fencing is not possible
    bool shared = false;         // together with others that share
    std::uint32_t weight = 1;    // permits of a semaphore
};

class Resource
{
public:
    Resource(trace::Recorder& recorder, LockId lock, bool fenced, ResourceContent content);

    void setPermits(std::uint32_t permits) { m_permits = permits; }
    // False when the token is refused. A client may enter once for each node that it holds.
    bool enter(ClientId client, ResourceUse use);
    void leave(ClientId client, bool shared); // ends its last entry of this kind

private:
    struct Entry
    {
        ClientId client;
        ResourceUse use;
        std::int64_t read = 0; // the content it found
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
    std::int64_t m_value = 0;               // the stock, or the newest order number
    std::int64_t m_unitsTaken = 0;          // taken from the stock
    std::set<std::int64_t> m_issuedNumbers; // order numbers
};

} // namespace lockscope::sim
