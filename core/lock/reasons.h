// What the trace calls the ways in which an acquire fails and a hold is lost. Plain values.
#pragma once

#include "core/base/error.h"
#include "core/trace/event.h"
#include "core/zk/session.h"

namespace lockscope::lock {

trace::FailReason failReason(ErrorCode code);
// Of a session that is lost or closed.
trace::LostReason lostReason(const zk::Session& session);

} // namespace lockscope::lock
