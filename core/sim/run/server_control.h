// The servers as far as a run may do things to them; only ones that were started for the run. Made by the
// engine. I/O thread; nothing here blocks.
#pragma once

#include "core/base/error.h"
#include "core/base/unique_function.h"
#include "core/sim/script/script.h"

namespace lockscope::sim {

// Which of them: the only one, one by its number from 1, or the leader.
struct ServerChoice
{
    Action::Member member = Action::Member::single;
    std::uint32_t number = 0;
};

class ServerControl
{
public:
    virtual ~ServerControl() = default;
    // Called later on the I/O thread, when it has been done to that server or has failed.
    using Done = UniqueFunction<void(std::uint32_t number, Result<void> result)>;

    // Each begins it and returns the number of the one that is meant. Errors, of which `done` does not hear:
    // badUsage when there is none such, noServer when it does not run.
    virtual Result<std::uint32_t> suspend(ServerChoice which,
                                          Done done) = 0; // it keeps its connections and answers nothing
    virtual Result<std::uint32_t> resume(ServerChoice which, Done done) = 0;
    virtual Result<std::uint32_t> killNow(ServerChoice which, Done done) = 0;
    virtual Result<std::uint32_t> restart(ServerChoice which, bool withData, Done done) = 0;
};

} // namespace lockscope::sim
