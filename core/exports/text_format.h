// Makes the text of a trace safe for an export: it is shown literally and never interpreted. Control
// characters, bidi marks and broken UTF-8 become U+FFFD; long text is cut with an ellipsis. Pure; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/replay/state/run_state.h"

#include <string>
#include <string_view>

namespace lockscope::exports {

inline constexpr std::size_t kMaxTextBytes = 300;

std::string plain(std::string_view text, std::size_t most = kMaxTextBytes);
// A CSV cell (RFC 4180), quoted where needed. Text that a spreadsheet would take for a formula gets a leading
// apostrophe.
std::string csvCell(std::string_view text);
// Escaped, for an element or a quoted attribute.
std::string html(std::string_view text, std::size_t most = kMaxTextBytes);
std::string jsonText(std::string_view text);
std::string microseconds(Duration value); // "1234.567"
std::string base64(std::string_view bytes);

// "client 7" for a client without a name; empty for no client.
std::string clientName(const replay::RunState& state, ClientId client);
std::string lockPath(const replay::RunState& state, LockId lock); // empty for no lock

} // namespace lockscope::exports
