// The error when a file cannot be written. Any thread.
#pragma once

#include "core/base/error.h"
#include "core/base/message.h"

#include <utility>

namespace lockscope::ui {

// `what` names the file and the system's reason.
inline Error writeError(lockscope::Message what)
{
    return {ErrorCode::ioFailed, std::move(what),
            message("Choose another folder, or free some space there.")};
}

} // namespace lockscope::ui
