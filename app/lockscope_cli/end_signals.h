// SIGINT, SIGTERM and SIGHUP as a descriptor: they are read in a loop and interrupt nothing.
#pragma once

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace lockscope::app {

// For the calling thread and those it starts later: call it before there are other threads. The caller closes
// the descriptor.
inline int openEndSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Waits at most this long. True if there is a signal, which is consumed: the next call waits for another one.
inline bool takeEndSignal(int signals, int waitMilliseconds)
{
    pollfd asked{signals, POLLIN, 0};
    signalfd_siginfo info{};
    return ::poll(&asked, 1, waitMilliseconds) > 0 && ::read(signals, &info, sizeof info) == sizeof info;
}

} // namespace lockscope::app
