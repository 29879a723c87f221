// A library that is preloaded into the Java of a server: its disk takes as long and its wall clock is as
// wrong as ServerControls says. The other clocks are the machine's, as when an administrator sets the date.
// Java looks these functions up when it starts, on any thread.
#include "tests/faults/server_controls.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using lockscope::tests::ServerControls;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

ServerControls* mapControls()
{
    const int file = ::open(lockscope::tests::kControlsFile, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(ServerControls)) != 0)
        return nullptr;
    void* const memory = ::mmap(nullptr, sizeof(ServerControls), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    return memory == MAP_FAILED ? nullptr : static_cast<ServerControls*>(memory);
}

// A file of zeros is a ServerControls. Without one nothing is changed, and the run finds no count.
ServerControls* controls()
{
    static ServerControls* const mapped = mapControls();
    return mapped;
}

void delaySync()
{
    const std::int64_t delay = controls() ? controls()->syncDelayNs.load() : 0;
    if (delay <= 0)
        return;
    ++controls()->slowSyncs;
    const timespec pause{delay / kSecond, delay % kSecond};
    ::nanosleep(&pause, nullptr);
}

} // namespace

extern "C" {

int fsync(int file)
{
    delaySync();
    return static_cast<int>(::syscall(SYS_fsync, file));
}

int fdatasync(int file)
{
    delaySync();
    return static_cast<int>(::syscall(SYS_fdatasync, file));
}

int clock_gettime(clockid_t clock, timespec* now) noexcept
{
    const auto failed = static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
    const std::int64_t shift =
        failed == 0 && clock == CLOCK_REALTIME && controls() ? controls()->clockShiftNs.load() : 0;
    if (shift != 0) {
        ++controls()->shiftedReads;
        const std::int64_t shifted = now->tv_sec * kSecond + now->tv_nsec + shift;
        *now = timespec{shifted / kSecond, shifted % kSecond};
    }
    return failed;
}

} // extern "C"
