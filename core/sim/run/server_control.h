// Faults of the servers that were started for the run. Implemented by the engine. I/O thread; nothing here
// blocks.
#pragma once

#include "core/base/error.h"
#include "core/base/unique_function.h"
#include "core/sim/script/script.h"

namespace lockscope::sim {

// The only server, the one with this number (from 1), or the leader.
struct ServerChoice
{
    Action::Member member = Action::Member::single;
    std::uint32_t number = 0;
};

class ServerControl
{
public:
    virtual ~ServerControl() = default;
    // Called later on the I/O thread, when the operation on that server has succeeded or failed.
    using Done = UniqueFunction<void(std::uint32_t number, Result<void> result)>;

    // Each starts the operation and returns the number of the server. Errors, returned at once and without a
    // call of `done`: badUsage when there is no such server; from suspend and resume, noServer when it does
    // not run.
    virtual Result<std::uint32_t> suspend(ServerChoice which,
                                          Done done) = 0; // SIGSTOP: connections stay, no answers
    virtual Result<std::uint32_t> resume(ServerChoice which, Done done) = 0;
    virtual Result<std::uint32_t> killNow(ServerChoice which, Done done) = 0;
    virtual Result<std::uint32_t> restart(ServerChoice which, bool withData, Done done) = 0;
};

} // namespace lockscope::sim
