// Notices about refused requests, such as requests for which the client lacks a right.
#pragma once

#include "core/base/error.h"
#include "core/trace/recorder.h"

namespace lockscope::sim {

// Records the notice access_refused (with right and path) when the access list of a path does not permit the
// request, otherwise path_refused.
void recordRefusal(trace::Recorder& recorder, ClientId client, LockId lock, const Error& error);
// Equal for two refusals of the same right on the same path.
std::pair<std::string, std::string> refusalKey(const Error& error);

} // namespace lockscope::sim
