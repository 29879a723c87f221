// One way to say that something failed: an error is a code of its layer, a sentence for a person, and what
// to do about it. Result<T> carries either a value or an Error. Plain values, any thread.
#pragma once

#include "core/base/message.h"

#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace lockscope {

enum class ErrorCode {
    badUsage,        // a command line or a scenario that cannot be run
    badInput,        // a file that is not what it should be
    ioFailed,        // reading or writing a file failed
    noServer,        // no ZooKeeper to be had
    limitExceeded,   // a limit of the machine or of the program
    connectionLost,  // outcome unknown: the session is suspended
    sessionLost,     // the session is gone, and its ephemeral nodes with it
    closed,          // closed by ourselves
    noNode,
    nodeExists,
    noAuth,
    timedOut,
    cancelled,
    notOwner,        // released what was not held
    busy,
    unsupported,
    internal,
};

struct Error
{
    ErrorCode code = ErrorCode::internal;
    Message message; // a sentence: the cause and the place
    Message hint;    // what to do, may be empty
    // Of noAuth: the right that is missing, "create", "read", "write" or "delete", and the node whose access list does
    // not give it. Empty when that is not known.
    std::string right{};
    std::string path{};

    Message all() const { return joined(message, hint); }
    std::string text() const { return all().english(); }
};

// Raised only by Result::value() on an error: a bug of the caller.
class ErrorException : public std::runtime_error
{
public:
    explicit ErrorException(Error error) : std::runtime_error(error.text()), m_error(std::move(error)) {}
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
