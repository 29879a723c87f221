#include "core/sim/recipe_locks.h"

#include "core/lock/mutex.h"
#include "core/lock/read_write_lock.h"
#include "core/lock/teaching/flawed_mutex.h"
#include "core/lock/teaching/herd_mutex.h"
#include "core/lock/teaching/herd_read_write_lock.h"

namespace lockscope::sim {

struct RecipeLocks::Impl
{
    std::unique_ptr<lock::Lock> mutex;
    std::unique_ptr<lock::ReadWriteLock> readWrite;
    std::unique_ptr<lock::HerdReadWriteLock> herdReadWrite;
    std::uint32_t writePercent = 0;
};

namespace {

// Part of a node's name: plain letters and digits only.
std::string plain(const std::string& name)
{
    std::string host;
    for (const char character : name)
        if ((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
            (character >= '0' && character <= '9'))
            host += character;
    return host.empty() ? "host" : host;
}

} // namespace

RecipeLocks::RecipeLocks(const zk::SessionPtr& session, const Scenario& scenario, lock::LockOptions options,
                         const std::string& host)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->writePercent = scenario.writePercent;
    switch (scenario.recipe) {
    case Recipe::mutex:
        m_impl->mutex = std::make_unique<lock::Mutex>(session, std::move(options));
        break;
    case Recipe::existsMutex:
        m_impl->mutex = std::make_unique<lock::Mutex>(session, lock::existsWatching(std::move(options)));
        break;
    case Recipe::unprotectedMutex:
        m_impl->mutex = std::make_unique<lock::Mutex>(session, lock::unprotected(std::move(options)));
        break;
    case Recipe::herd:
        m_impl->mutex = std::make_unique<lock::HerdMutex>(session, std::move(options));
        break;
    case Recipe::readWrite:
        m_impl->readWrite = std::make_unique<lock::ReadWriteLock>(session, std::move(options));
        break;
    case Recipe::herdReadWrite:
        m_impl->herdReadWrite =
            std::make_unique<lock::HerdReadWriteLock>(session, std::move(options), plain(host));
        break;
    }
}

RecipeLocks::~RecipeLocks() = default;

RecipeLocks::Turn RecipeLocks::next(Random& random) const
{
    if (m_impl->mutex)
        return Turn{m_impl->mutex.get(), false};
    const bool reads = random.uniform(1, 100) > m_impl->writePercent;
    if (m_impl->readWrite) {
        lock::ReadWriteLock& both = *m_impl->readWrite;
        return reads ? Turn{&both.readLock(), true} : Turn{&both.writeLock(), false};
    }
    lock::HerdReadWriteLock& both = *m_impl->herdReadWrite;
    return reads ? Turn{&both.readLock(), true} : Turn{&both.writeLock(), false};
}

} // namespace lockscope::sim
