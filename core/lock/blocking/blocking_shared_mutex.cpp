#include "core/lock/blocking/blocking_shared_mutex.h"

#include "core/lock/read_write_lock.h"

namespace lockscope::lock {

namespace {

LockOptions optionsFor(std::string path)
{
    LockOptions options;
    options.path = std::move(path);
    return options;
}

// Both sides keep the whole alive.
ThreadLock::Make maker(LockOptions options)
{
    return [options = std::move(options)](zk::SessionPtr session) {
        const auto whole = std::make_shared<ReadWriteLock>(std::move(session), options);
        return ThreadLock::Recipe{std::shared_ptr<QueueLock>(whole, &whole->writeLock()),
                                  std::shared_ptr<QueueLock>(whole, &whole->readLock())};
    };
}

} // namespace

BlockingSharedMutex::BlockingSharedMutex(const Client& client, std::string path)
    : BlockingSharedMutex(client, optionsFor(std::move(path)))
{}

BlockingSharedMutex::BlockingSharedMutex(const Client& client, LockOptions options)
    : m_lock(client, options.path, maker(options))
{}

} // namespace lockscope::lock
