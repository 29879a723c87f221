// The exit codes with which the programs report errors. Any thread.
#pragma once

#include "core/base/error.h"

namespace lockscope {

inline constexpr int kCutShort = 4; // what was written until then is whole

inline int exitCode(ErrorCode code)
{
    switch (code) {
    case ErrorCode::badUsage:
    case ErrorCode::badInput:
    case ErrorCode::limitExceeded:
    case ErrorCode::busy:
        return 2;
    case ErrorCode::noServer:
        return 3;
    default:
        return 4;
    }
}

} // namespace lockscope
