// Notices about requests that the server refused for lack of rights.
#pragma once

#include "core/base/error.h"
#include "core/trace/recorder.h"

namespace lockscope::sim {

// Records the notice access_refused (with right and path) when the access list of a path does not permit it,
// else path_refused.
void recordRefusal(trace::Recorder& recorder, ClientId client, LockId lock, const Error& error);
// Equal for two refusals of the same right on the same path.
std::pair<std::string, std::string> refusalKey(const Error& error);

} // namespace lockscope::sim
