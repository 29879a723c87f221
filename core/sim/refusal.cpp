#include "core/sim/refusal.h"

namespace lockscope::sim {

namespace {

bool isAccess(const Error& error) { return error.code == ErrorCode::noAuth && !error.path.empty(); }

} // namespace

void recordRefusal(trace::Recorder& recorder, ClientId client, LockId lock, const Error& error)
{
    const bool access = isAccess(error);
    const std::string missing =
        "The access list of " + error.path + " does not give a client the right \"" + error.right + "\".";
    recorder.record(client, lock,
                    trace::Notice{trace::Severity::error, access ? missing + " " + error.hint : error.text(),
                                  access ? "access_refused" : "path_refused", error.right, error.path});
}

std::pair<std::string, std::string> refusalKey(const Error& error)
{
    return {error.right, isAccess(error) ? error.path : error.message};
}

} // namespace lockscope::sim
