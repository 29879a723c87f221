// SIGINT, SIGTERM and SIGHUP as a descriptor, so that they are read in a loop and interrupt nothing.
#pragma once

#include <sys/signalfd.h>

#include <csignal>

namespace lockscope::app {

// For the calling thread and those it starts later: to be called before there are others. The caller closes
// it.
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

} // namespace lockscope::app
