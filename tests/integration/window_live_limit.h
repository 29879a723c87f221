#pragma once

namespace lockscope::ui {

inline constexpr int kLimit = 60'000; // milliseconds; generous for sanitizers on a busy machine

} // namespace lockscope::ui
