// Moments as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockscope::app {

// "2026-11-23T03:04:05.678Z", with less of it from the right, or with "+02:00" for Z; UTC without either. In ms since the
// Unix epoch. Pure; any thread.
std::optional<std::int64_t> timeFrom(const std::string& text);

} // namespace lockscope::app
