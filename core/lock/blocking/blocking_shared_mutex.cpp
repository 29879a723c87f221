#include "core/lock/blocking/blocking_shared_mutex.h"

#include "core/lock/read_write_lock.h"

namespace lockscope::lock {

namespace {

// Each side keeps the whole read/write lock alive.
ThreadLock::Recipe makeReadWrite(zk::SessionPtr session, const LockOptions& options)
{
    const auto whole = std::make_shared<ReadWriteLock>(std::move(session), options);
    return {std::shared_ptr<Lock>(whole, &whole->writeLock()),
            std::shared_ptr<Lock>(whole, &whole->readLock())};
}

} // namespace

BlockingSharedMutex::BlockingSharedMutex(const Client& client, std::string path)
    : BlockingSharedMutex(client, LockOptions::at(std::move(path)))
{}

BlockingSharedMutex::BlockingSharedMutex(const Client& client, LockOptions options)
    : BlockingLock(client, std::move(options), makeReadWrite)
{}

} // namespace lockscope::lock
