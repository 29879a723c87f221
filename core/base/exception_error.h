// What a program says about an exception that was not handled. Any thread.
#pragma once

#include "core/base/error.h"

#include <exception>
#include <new>
#include <string>
#include <system_error>

namespace lockscope {

inline Error exceptionError(const std::exception& exception)
{
    const auto* system = dynamic_cast<const std::system_error*>(&exception);
    if (system && system->code() == std::errc::resource_unavailable_try_again) // std::thread
        return {ErrorCode::internal,
                message("The system permits no more threads or memory for this program."),
                message("Raise its limits (ulimit -u, ulimit -v).")};
    if (dynamic_cast<const std::bad_alloc*>(&exception))
        return {ErrorCode::internal, message("There is not enough memory."),
                message("End other programs, or raise the limit (ulimit -v).")};
    return {ErrorCode::internal, message("Internal error: %1.", std::string(exception.what())), {}};
}

} // namespace lockscope
