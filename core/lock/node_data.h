// What contenders write into their nodes: their identity and, under the announced policy, that they hold the
// lock. Any thread.
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockscope::lock {

// The end of a holder's node data under the announced policy; follows the node's own data and a space.
inline constexpr std::string_view kAnnouncement = "__HOLDS__";
inline constexpr std::size_t kMaxNodeData = 64 * 1024; // bytes; far below the limit of a server

// "HOST PID NAME" of this process. Blanks in a part become underscores.
std::string defaultNodeData();

// badUsage when the data ends with kAnnouncement or is longer than kMaxNodeData.
std::optional<Error> checkNodeData(std::string_view data);

std::string withAnnouncement(std::string_view data);
bool isAnnouncement(std::string_view data);
std::string_view withoutAnnouncement(std::string_view data); // unchanged when there is no announcement

} // namespace lockscope::lock
