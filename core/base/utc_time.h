// Moments as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lockscope {

// Parses "2026-11-23T03:04:05.678Z", shortened from the right, or with "+02:00" instead of Z; without either
// the time is UTC. In ms since the Unix epoch. Pure; any thread.
std::optional<std::int64_t> timeFrom(const std::string& text);

} // namespace lockscope
