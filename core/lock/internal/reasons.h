// Translates result codes into error codes, and the end of a session into a reason; errors of several
// recipes. Plain values.
#pragma once

#include "core/base/error.h"
#include "core/lock/observer.h"
#include "core/zk/session.h"

#include <string>

namespace lockscope::lock {

// The error of a failed request; throttled becomes busy, not connectionLost.
ErrorCode errorCode(zk::Code code);
// For a session that is lost or closed.
LostReason lostReason(const zk::Session& session);

Error destroyedError(const std::string& path); // closed: of a call on a lock that was destroyed
Error tooDeepError(const std::string& path);   // limitExceeded: of an acquire beyond kMaxDepth

} // namespace lockscope::lock
