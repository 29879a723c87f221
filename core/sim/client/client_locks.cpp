#include "core/sim/client/client_locks.h"

#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"
#include "core/lock/read_write_lock.h"
#include "core/lock/semaphore.h"
#include "core/sim/client/no_lock.h"
#include "core/sim/client/semaphore_client_lock.h"
#include "core/sim/teaching/flawed_mutex.h"
#include "core/sim/teaching/herd_mutex.h"
#include "core/sim/teaching/herd_read_write_lock.h"
#include "core/sim/teaching/old_read_write_lock.h"

namespace lockscope::sim {

struct ClientLocks::LockInstance
{
    const RunLock* runLock;
    std::shared_ptr<lock::Lock> own{};
    std::unique_ptr<lock::ReadWriteLock> readWrite{};
    std::unique_ptr<lock::HerdReadWriteLock> herdReadWrite{};
    std::unique_ptr<lock::OldReadWriteLock> oldReadWrite{};
    SemaphoreClientLock* semaphore = nullptr; // `own` if it is one
    lock::QueueLock* queue = nullptr;         // `own` if it can be revoked

    lock::Lock& side(bool reads) const
    {
        if (readWrite)
            return reads ? readWrite->readLock() : readWrite->writeLock();
        if (herdReadWrite)
            return reads ? herdReadWrite->readLock() : herdReadWrite->writeLock();
        if (oldReadWrite)
            return reads ? oldReadWrite->readLock() : oldReadWrite->writeLock();
        return *own;
    }
};

namespace {

// Keeps letters and digits only, for use in a node's name.
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

ClientLocks::ClientLocks(ClientLocksSetup setup)
    : m_setup(std::move(setup))
{
    for (const RunLock& runLock : m_setup.runLocks)
        make(runLock);
    if (m_setup.scenario.recipe == Recipe::multiLock) {
        std::vector<std::shared_ptr<lock::Lock>> parts;
        for (const std::unique_ptr<LockInstance>& one : m_locks)
            parts.push_back(one->own);
        m_multiLock = std::make_unique<lock::MultiLock>(std::move(parts));
    }
}

ClientLocks::~ClientLocks() = default;

void ClientLocks::make(const RunLock& runLock)
{
    LockInstance& one = *m_locks.emplace_back(std::make_unique<LockInstance>(LockInstance{&runLock}));
    lock::LockOptions options = m_setup.options;
    options.path = runLock.path;
    const auto observer = std::make_shared<TraceObserver>(m_setup.recorder, m_setup.client, runLock.queue);
    observer->hooks.gate = &m_setup.gate;
    options.observer = observer;
    const zk::SessionPtr& session = m_setup.session;
    const auto acquireMutex = std::make_shared<AcquireMutexObserver>(
        m_setup.recorder, m_setup.client, runLock.acquireMutex, session->scheduler(), m_setup.gate);
    switch (m_setup.scenario.recipe) {
    case Recipe::mutex:
    case Recipe::multiLock: {
        auto mutex = std::make_shared<lock::Mutex>(session, std::move(options));
        one.queue = mutex.get();
        one.own = std::move(mutex);
        break;
    }
    case Recipe::existsMutex:
    case Recipe::unprotectedMutex: {
        const auto flaw =
            m_setup.scenario.recipe == Recipe::existsMutex ? lock::existsWatching : lock::unprotected;
        lock::MutexParts parts = flaw({session, observer});
        options.observer = std::move(parts.observer);
        one.own = std::make_shared<lock::Mutex>(std::move(parts.session), std::move(options));
        break;
    }
    case Recipe::herd:
        one.own = std::make_shared<lock::HerdMutex>(session, std::move(options));
        break;
    case Recipe::oldReadWrite:
        one.oldReadWrite = std::make_unique<lock::OldReadWriteLock>(session, std::move(options));
        break;
    case Recipe::readWrite:
        one.readWrite = std::make_unique<lock::ReadWriteLock>(session, std::move(options));
        break;
    case Recipe::herdReadWrite:
        one.herdReadWrite =
            std::make_unique<lock::HerdReadWriteLock>(session, std::move(options), plain(m_setup.host));
        break;
    case Recipe::semaphore: {
        auto taker = std::make_shared<SemaphoreClientLock>(
            session, lock::SemaphoreOptions{std::move(options), m_setup.scenario.leases, m_setup.leases,
                                            acquireMutex});
        one.semaphore = taker.get();
        one.own = std::move(taker);
        break;
    }
    case Recipe::semaphoreMutex:
        one.own = std::make_shared<lock::SemaphoreMutex>(session, std::move(options), acquireMutex);
        break;
    case Recipe::none:
    case Recipe::watched:
    case Recipe::unknown:
        one.own = std::make_shared<NoLock>(session->scheduler(), runLock.path);
        break;
    }
}

std::vector<ClientLocks::Acquisition> ClientLocks::next(Random& random)
{
    if (m_multiLock)
        return {Acquisition{m_multiLock.get(), m_locks.front()->runLock->resource.get()}};
    if (m_setup.work.takes.empty()) {
        const bool reads =
            isReadWrite(m_setup.scenario.recipe) && random.uniform(1, 100) > m_setup.work.writePercent;
        return {makeAcquisition(Take{0, reads ? Side::shared : Side::exclusive}, random)};
    }
    std::vector<Acquisition> acquisitions;
    for (const Take& take : m_setup.work.takes)
        acquisitions.push_back(makeAcquisition(take, random));
    return acquisitions;
}

ClientLocks::Acquisition ClientLocks::makeAcquisition(const Take& take, Random& random)
{
    const LockInstance& one = *m_locks[take.lock];
    const bool reads = take.side == Side::shared;
    Acquisition acquisition{&one.side(reads), one.runLock->resource.get(),
                            isReadWrite(m_setup.scenario.recipe) && reads};
    if (one.semaphore) {
        acquisition.weight =
            static_cast<std::uint32_t>(random.uniform(m_setup.work.permitsMin, m_setup.work.permitsMax));
        one.semaphore->setLeaseCount(acquisition.weight);
        acquisition.shared = true; // no fencing between leases
    }
    return acquisition;
}

void ClientLocks::onRevoked(std::function<void()> revoked)
{
    for (const std::unique_ptr<LockInstance>& one : m_locks) {
        if (one->queue)
            one->queue->makeRevocable([revoked](OwnerId) { revoked(); });
        if (one->readWrite) {
            one->readWrite->readLock().makeRevocable([revoked](OwnerId) { revoked(); });
            one->readWrite->writeLock().makeRevocable([revoked](OwnerId) { revoked(); });
        }
        if (one->oldReadWrite)
            one->oldReadWrite->makeRevocable([revoked](OwnerId) { revoked(); });
    }
}

} // namespace lockscope::sim
