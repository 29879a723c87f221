// When a recording of watched locks is worth saving: by what a snapshot says, once for each time that it
// begins to be so. One thread.
#pragma once

#include "core/base/time.h"
#include "core/field/snapshot.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace lockscope::field {

struct SaveTrigger
{
    // wait, hold: one of a lock has lasted longer than `over` and is not over. expiry: a holder's session has
    // ended, which a watch cannot tell from a close. verdict: one is given.
    enum class Kind : std::uint8_t { wait, hold, expiry, verdict };
    Kind kind{};
    Duration over{};
    std::string text{}; // as it was given
};

class SaveTriggers
{
public:
    explicit SaveTriggers(std::vector<SaveTrigger> triggers)
        : m_triggers(std::move(triggers))
    {}
    struct Fired
    {
        std::string why, lock; // "wait > 10s on /locks/orders"
    };
    std::vector<Fired> update(const Snapshot& snapshot);

private:
    using Key = std::tuple<std::size_t, std::string, int>; // the trigger, the lock, the kind of the verdict
    const std::vector<SaveTrigger> m_triggers;
    std::set<Key> m_last;                        // what was so at the last update
    std::map<std::string, std::uint64_t> m_gone; // sessions of holders that have ended, by lock
};

} // namespace lockscope::field
