// The servers as far as a run may do things to them; only ones that were started for the run. Made by the
// engine. I/O thread; nothing here blocks for longer than milliseconds.
#pragma once

#include "core/base/error.h"
#include "core/sim/script.h"

namespace lockscope::sim {

// Which of them: the only one, one by its number from 1, or the leader.
struct ServerChoice
{
    Deed::Member member = Deed::Member::single;
    std::uint32_t number = 0;
};

class ServerHand
{
public:
    virtual ~ServerHand() = default;
    // Each returns the number of the one that was meant. Error badUsage when there is none such.
    virtual Result<std::uint32_t>
    suspend(ServerChoice which) = 0; // it keeps its connections and answers nothing
    virtual Result<std::uint32_t> resume(ServerChoice which) = 0;
    virtual Result<std::uint32_t> killNow(ServerChoice which) = 0;
    virtual Result<std::uint32_t> restart(ServerChoice which, bool withData) = 0;
};

} // namespace lockscope::sim
