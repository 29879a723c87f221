#include "core/lock/blocking/blocking_mutex.h"

#include "core/lock/mutex.h"

namespace lockscope::lock {

namespace {

ThreadLock::Recipe makeMutex(zk::SessionPtr session, const LockOptions& options)
{
    return {std::make_shared<Mutex>(std::move(session), options), nullptr};
}

} // namespace

BlockingMutex::BlockingMutex(const Client& client, std::string path)
    : BlockingMutex(client, LockOptions::at(std::move(path)))
{}

BlockingMutex::BlockingMutex(const Client& client, LockOptions options)
    : BlockingLock(client, std::move(options), makeMutex)
{}

} // namespace lockscope::lock
