// What stands between a worker and the server: the faults that the run itself has put there. A worker that
// believes wrongly that it holds is excused only while this says so: from the beginning of a fault until,
// after its end, the server has answered it again, or its session is known to be over. I/O thread.
#pragma once

#include "core/base/time.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace lockscope::tests {

enum class Cause {
    killed,          // its session was ended by a second connection
    frozen,          // it is not served
    connectionReset, // once
    linkCut,         // for a time
    linkMuted,       // what it sends is kept back
    packetLost,      // a request or a reply, and the connection with it
    serverStopped,   // the server stands still
    serverDown,      // it was killed
    machineStall,    // not ours: this process or the server was not run for a time
};
inline constexpr std::size_t kCauses = 9;
std::string_view describe(Cause cause);

class FaultExposure
{
public:
    using FaultId = std::uint64_t;

    FaultId begin(Cause cause, MonotonicTime now);
    void end(FaultId fault, MonotonicTime now); // harmless when it has ended
    // The server has answered a question that was sent in this epoch.
    void confirmContact(std::uint64_t epoch);
    // What was done to the old session does not touch the new one.
    void newSession();

    std::uint64_t epoch() const { return m_epoch; } // changes with every beginning and end
    bool inForce() const { return !m_inForce.empty(); }

    struct Excuse
    {
        Cause cause;                        // of the fault that began first
        MonotonicTime since;                // its beginning
        std::optional<MonotonicTime> ended; // of the last one; none while one is in force
    };
    const std::optional<Excuse>& excuse() const { return m_excuse; }

private:
    std::map<FaultId, Cause> m_inForce;
    std::optional<Excuse> m_excuse;
    FaultId m_next = 1;
    std::uint64_t m_epoch = 0;
};

} // namespace lockscope::tests
