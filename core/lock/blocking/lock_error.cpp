#include "core/lock/blocking/lock_error.h"

namespace lockscope::lock {

namespace {

std::errc standardCode(ErrorCode code)
{
    switch (code) {
    case ErrorCode::noServer:
    case ErrorCode::connectionLost:
    case ErrorCode::sessionLost:
    case ErrorCode::noNode:
        return std::errc::not_connected;
    case ErrorCode::closed:
    case ErrorCode::cancelled:
        return std::errc::operation_canceled;
    case ErrorCode::noAuth:
        return std::errc::permission_denied;
    case ErrorCode::badUsage:
        return std::errc::invalid_argument;
    case ErrorCode::busy:
        return std::errc::resource_deadlock_would_occur;
    case ErrorCode::timedOut:
        return std::errc::timed_out;
    default:
        return std::errc::state_not_recoverable;
    }
}

} // namespace

LockError::LockError(Error error)
    : std::system_error(std::make_error_code(standardCode(error.code)))
{
    std::string text = error.text();
    m_content = std::make_shared<const Content>(Content{std::move(error), std::move(text)});
}

} // namespace lockscope::lock
