#include "core/sim/client/refusal.h"

namespace lockscope::sim {

namespace {

bool isAccess(const Error& error) { return error.code == ErrorCode::noAuth && !error.path.empty(); }

} // namespace

void recordRefusal(trace::Recorder& recorder, ClientId client, LockId lock, const Error& error)
{
    const bool access = isAccess(error);
    const Message missing =
        message("The ACL of %1 does not grant clients the \"%2\" permission.", error.path, error.right);
    recorder.record(client, lock,
                    trace::Notice{trace::Severity::error, access ? joined(missing, error.hint) : error.all(),
                                  access ? "access_refused" : "path_refused", error.right, error.path});
}

std::pair<std::string, std::string> refusalKey(const Error& error)
{
    return {error.right, isAccess(error) ? error.path : error.message.english()};
}

} // namespace lockscope::sim
