#include "core/lock/blocking/blocking_mutex.h"

#include "core/lock/mutex.h"

namespace lockscope::lock {

namespace {

LockOptions optionsFor(std::string path)
{
    LockOptions options;
    options.path = std::move(path);
    return options;
}

ThreadLock::Make maker(LockOptions options)
{
    return [options = std::move(options)](zk::SessionPtr session) {
        return ThreadLock::Recipe{std::make_shared<Mutex>(std::move(session), options), nullptr};
    };
}

} // namespace

BlockingMutex::BlockingMutex(const Client& client, std::string path)
    : BlockingMutex(client, optionsFor(std::move(path)))
{}

BlockingMutex::BlockingMutex(const Client& client, LockOptions options)
    : m_lock(client, options.path, maker(options))
{}

} // namespace lockscope::lock
