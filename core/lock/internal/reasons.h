// Translates result codes into error codes, and the end of a session into a reason. Plain values.
#pragma once

#include "core/base/error.h"
#include "core/lock/observer.h"
#include "core/zk/session.h"

namespace lockscope::lock {

// The error of a failed request; a throttled server is busy, not lost.
ErrorCode errorCode(zk::Code code);
// Of a session that is lost or closed.
LostReason lostReason(const zk::Session& session);

} // namespace lockscope::lock
