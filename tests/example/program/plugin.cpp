// A shared library that has the locks inside.
#include <lockscope/lock/blocking/blocking_mutex.h>
#include <lockscope/lock/blocking/client.h>

#include <mutex>

extern "C" bool workUnderTheLock(const char* hosts, const char* path)
{
    const auto client = lockscope::lock::Client::connect({hosts}, lockscope::zk::HubOptions::ownProcess());
    if (!client)
        return false;
    lockscope::lock::BlockingMutex mutex(**client, path);
    const std::lock_guard guard(mutex);
    return mutex.isHeld();
}
