// Translates between error codes, result codes and the reasons in the trace. Plain values.
#pragma once

#include "core/base/error.h"
#include "core/trace/event.h"
#include "core/zk/session.h"

namespace lockscope::lock {

trace::FailReason failReason(ErrorCode code);
// The error of a failed request; a throttled server is busy, not lost.
ErrorCode errorCode(zk::Code code);
// Of a session that is lost or closed.
trace::LostReason lostReason(const zk::Session& session);

} // namespace lockscope::lock
