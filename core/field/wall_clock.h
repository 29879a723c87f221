// The wall clock in ms since the Unix epoch. Any thread.
#pragma once

#include <chrono>
#include <cstdint>

namespace lockscope::field {

inline std::int64_t wallMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace lockscope::field
