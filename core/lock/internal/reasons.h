// Translates result codes into error codes, and the end of a session into a reason. Plain values.
#pragma once

#include "core/base/error.h"
#include "core/lock/observer.h"
#include "core/zk/session.h"

namespace lockscope::lock {

// The error of a failed request; throttled becomes busy, not connectionLost.
ErrorCode errorCode(zk::Code code);
// For a session that is lost or closed.
LostReason lostReason(const zk::Session& session);

} // namespace lockscope::lock
