// The exception of the blocking locks: a std::system_error, which code written for standard mutexes catches,
// with the Error of the library inside. A value; any thread.
#pragma once

#include "core/base/error.h"

#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace lockscope::lock {

// code() is an ErrorCode, and equal to one of std::errc:
//   not_connected                  no session with ZooKeeper, or the hold was lost
//   operation_canceled             the client or the lock was closed
//   permission_denied              ZooKeeper's access rules forbid it
//   invalid_argument               invalid path or option, or the root of the connection is missing
//   resource_deadlock_would_occur  the caller would wait for itself
//   state_not_recoverable          anything else; what() says what
class LockError : public std::system_error
{
public:
    explicit LockError(Error error)
        : std::system_error(make_error_code(error.code))
    {
        std::string text = error.text();
        m_content = std::make_shared<const Content>(Content{std::move(error), std::move(text)});
    }

    const char* what() const noexcept override { return m_content->text.c_str(); }
    const Error& error() const noexcept { return m_content->error; }

private:
    struct Content
    {
        Error error;
        std::string text;
    };
    std::shared_ptr<const Content> m_content; // copying an exception must not throw
};

} // namespace lockscope::lock
