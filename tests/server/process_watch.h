// What tests look at from outside: is a process there, is a directory there, who listens. Waits with a
// deadline.
#pragma once

#include "core/base/time.h"
#include "core/server/deadline.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <poll.h>
#include <signal.h>

namespace lockscope::server::testing {

inline bool isProcessAlive(pid_t process)
{
    if (process <= 0)
        return false;
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string stat;
    if (!std::getline(file, stat))
        return false;
    // "PID (name) STATE ...": a zombie has ended and only waits for its parent to notice.
    const auto state = stat.substr(stat.rfind(')') + 2, 1);
    return state != "Z" && state != "X";
}

template <class Condition>
bool becomesTrue(Condition condition, Duration within = std::chrono::seconds(20))
{
    const auto deadline = deadlineIn(within);
    while (!condition()) {
        if (MonotonicClock::now() >= deadline)
            return false;
        ::poll(nullptr, 0, 5);
    }
    return true;
}

inline std::size_t entriesIn(const std::filesystem::path& directory)
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory))
        ++count;
    return count;
}

} // namespace lockscope::server::testing
