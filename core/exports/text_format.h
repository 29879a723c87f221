// Text from outside on its way into an export: shown as it is, and never more than text. Control characters,
// bidi marks and broken UTF-8 become U+FFFD; what is long is cut with an ellipsis. Pure; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/replay/state/run_state.h"

#include <string>
#include <string_view>

namespace lockscope::exports {

inline constexpr std::size_t kMaxTextBytes = 300; // bytes

std::string plain(std::string_view text, std::size_t most = kMaxTextBytes);
// A cell of a table in CSV (RFC 4180): quoted where that is needed. A text that a spreadsheet would take for
// a formula gets an apostrophe in front.
std::string csvCell(std::string_view text);
// Escaped, for an element or a quoted attribute.
std::string html(std::string_view text, std::size_t most = kMaxTextBytes);
std::string jsonText(std::string_view text);
std::string microseconds(Duration value); // "1234.567"
std::string base64(std::string_view bytes);

std::string clientName(const replay::RunState& state, ClientId client); // "client 7" when it has none
std::string lockPath(const replay::RunState& state, LockId lock);       // empty when there is none

} // namespace lockscope::exports
