// Makes the standard streams usable in whatever state the parent process left them. Depends only on system
// headers.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>

namespace lockscope {

// Opens those of the descriptors 0, 1 and 2 that are closed, so that no file gets one of these numbers.
// Reading from descriptor 0 or writing to descriptors 1 and 2 still fails.
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

// Call this first in main(). From then on, a write to a pipe without a reader or beyond the file size limit
// fails instead of ending the program.
inline void prepareStandardStreams()
{
    occupyStandardDescriptors();
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

// Writes all of the text, or as much as standard error accepts; a failure could not be reported anywhere
// else.
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
