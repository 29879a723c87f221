// What a trace says of an access that the server refused.
#pragma once

#include "core/base/error.h"
#include "core/trace/recorder.h"

namespace lockscope::sim {

// Records the notice access_refused (with right and path) when the access list of a path does not permit it, else path_refused.
void recordRefusal(trace::Recorder& recorder, ClientId client, LockId lock, const Error& error);
// What is the same refusal twice has the same one.
std::pair<std::string, std::string> refusalKey(const Error& error);

} // namespace lockscope::sim
