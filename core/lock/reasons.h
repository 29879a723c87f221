// What the trace calls the ways in which an acquire fails and a hold is lost, and what callers are told of a
// request that failed. Plain values.
#pragma once

#include "core/base/error.h"
#include "core/trace/event.h"
#include "core/zk/session.h"

namespace lockscope::lock {

trace::FailReason failReason(ErrorCode code);
// Of a request that was not carried out: a server that is too busy (throttled) is busy, not lost.
ErrorCode errorCode(zk::Code code);
// Of a session that is lost or closed.
trace::LostReason lostReason(const zk::Session& session);

} // namespace lockscope::lock
