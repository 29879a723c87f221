// The standard streams of a program, whatever its parent made of them. Depends on nothing but the system.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>

namespace lockscope {

// Opens what is closed of 0, 1 and 2, so that no file gets one of these numbers; reading or writing there
// stays an error.
inline void occupyStandardDescriptors()
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) >= 0)
            continue;
        const int wrongMode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", wrongMode) < 0 && ::open("/", O_RDONLY | O_DIRECTORY) < 0)
            ::_exit(127);
    }
}

// To be called first in main(). A reader that is gone and a file at its size limit, too, are errors of that
// write from now on, not the end of the program.
inline void prepareStandardStreams()
{
    occupyStandardDescriptors();
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

// All of it, or as much as standard error takes: there is no other place to complain about it.
inline void writeToStandardError(std::string_view text) noexcept
{
    constexpr int kPatienceMs = 1000;
    while (!text.empty()) {
        const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
        pollfd ready{STDERR_FILENO, POLLOUT, 0};
        if (written > 0)
            text.remove_prefix(static_cast<std::size_t>(written));
        else if (errno == EAGAIN ? ::poll(&ready, 1, kPatienceMs) <= 0 : errno != EINTR)
            return;
    }
}

} // namespace lockscope
