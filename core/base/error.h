// How functions report a failure: an Error is a code, a sentence for a person, and a hint on what to do about
// it. Result<T> carries either a value or an Error. Plain values, any thread.
#pragma once

#include "core/base/message.h"

#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace lockscope {

enum class ErrorCode {
    badUsage,       // a command line or a scenario that cannot be run
    badInput,       // a file with unexpected content
    ioFailed,       // reading or writing a file failed
    noServer,       // no ZooKeeper server answers
    limitExceeded,  // a limit of the machine or of the program
    connectionLost, // outcome unknown: the session is suspended
    sessionLost,    // the session is lost, and its ephemeral nodes with it
    closed,         // closed by this program
    noNode,
    nodeExists,
    noAuth,
    timedOut,
    cancelled,
    notOwner, // a release of a lock that is not held
    busy,
    unsupported,
    internal,
};

// The category "lockscope". Its codes are equal to conditions of std::errc: not_connected (noServer,
// connectionLost, sessionLost, noNode), operation_canceled (closed, cancelled), permission_denied (noAuth),
// invalid_argument (badUsage), resource_deadlock_would_occur (busy), timed_out (timedOut); all others to
// state_not_recoverable.
const std::error_category& errorCategory() noexcept;
inline std::error_code make_error_code(ErrorCode code) noexcept
{
    return {static_cast<int>(code) + 1, errorCategory()}; // 0 is no error
}

struct Error
{
    ErrorCode code = ErrorCode::internal;
    Message message; // a sentence: the cause and the place
    Message hint;    // what to do; may be empty
    // For noAuth: the missing permission ("create", "read", "write" or "delete"), and the node whose ACL does
    // not grant it. Empty when unknown.
    std::string right{};
    std::string path{};

    Message all() const { return joined(message, hint); }
    std::string text() const { return all().english(); }
};

// Thrown only when Result::value() is called on an error, which is a bug in the caller.
class ErrorException : public std::runtime_error
{
public:
    explicit ErrorException(Error error)
        : std::runtime_error(error.text())
        , m_error(std::move(error))
    {}
    const Error& error() const { return m_error; }

private:
    Error m_error;
};

BOOST_NORETURN inline void throw_exception_from_error(const Error& error, const boost::source_location&)
{
    throw ErrorException(error);
}

template <class T>
using Result = boost::system::result<T, Error>;

} // namespace lockscope

template <>
struct std::is_error_code_enum<lockscope::ErrorCode> : std::true_type
{};
