#include "tests/faults/mixed_locks.h"

#include "core/lock/mutex.h"
#include "tests/faults/loss.h"

#include <fmt/core.h>

namespace lockscope::tests {

namespace {

constexpr Duration kLongestRevocableHold = std::chrono::milliseconds(40);
constexpr Duration kLimit = std::chrono::milliseconds(300);
const std::string kMixedRoot = "/mixed";
const std::string kCount = "/mixed-count";

} // namespace

std::vector<std::string> MixedLocks::queues()
{
    return {kMixedRoot + "/read-write", kMixedRoot + "/semaphore/locks", kMixedRoot + "/semaphore/leases",
            kMixedRoot + "/one", kMixedRoot + "/two"};
}

MixedLocks::MixedLocks(FaultContext& context, ClientId client, zk::SessionPtr session,
                       const FaultExposure& contact, std::uint64_t seed)
    : m_context(context)
    , m_contact(contact)
    , m_client(client)
    , m_session(explore::FlawedSession::over(std::move(session), context.options.flaws))
    , m_random(seed)
{}

// False: the session is over.
zk::Awaitable<bool> MixedLocks::begin()
{
    if (m_begun) {
        co_return true;
    }
    m_leases = std::make_shared<lock::SharedCount>(m_session, kCount, SharedBeliefs::kMaxLeases);
    const Result<std::int32_t> started = co_await m_leases->start().asResult();
    if (!started) {
        if (!co_await expected(started.error()))
            m_context.beliefChecker.violated(started.error().text());
        co_return false;
    }
    const auto at = [](const std::string& path) { return lock::LockOptions::at(kMixedRoot + path); };
    m_readWrite = std::make_unique<lock::ReadWriteLock>(m_session, at("/read-write"));
    m_readWrite->readLock().onLost([this](OwnerId) { lost(Kind::read); });
    m_readWrite->writeLock().onLost([this](OwnerId) { lost(Kind::write); });
    lock::SemaphoreOptions semaphore;
    semaphore.lock = at("/semaphore");
    semaphore.count = m_leases;
    m_semaphore = std::make_unique<lock::Semaphore>(m_session, std::move(semaphore));
    m_semaphore->onLost([this](const lock::Lease&) { lost(Kind::semaphore); });
    for (const char* path : {"/one", "/two"}) {
        m_mutexes.push_back(std::make_shared<lock::Mutex>(m_session, at(path)));
        m_mutexes.back()->makeRevocable([this](OwnerId) {
            m_revoked = true;
            ++m_context.outcomes.revoked;
        });
    }
    m_multi = std::make_unique<lock::MultiLock>(
        std::vector<std::shared_ptr<lock::Lock>>(m_mutexes.begin(), m_mutexes.end()));
    m_multi->onLost([this](OwnerId) { lost(Kind::multi); });
    m_begun = true;
    co_return true;
}

zk::Awaitable<void> MixedLocks::useOne()
{
    const bool ready = co_await begin();
    if (!ready)
        co_return;
    const auto kind = static_cast<Kind>(m_random.uniform(0, 3));
    m_revoked = false;
    switch (kind) {
    case Kind::read:
        co_await use(kind, &m_readWrite->readLock());
        break;
    case Kind::write:
        co_await use(kind, &m_readWrite->writeLock());
        break;
    case Kind::semaphore:
        co_await useSemaphore();
        break;
    case Kind::multi:
        co_await use(kind, m_multi.get());
        break;
    }
}

SharedBeliefs::Pool MixedLocks::poolOf(Kind kind)
{
    if (kind == Kind::read || kind == Kind::write)
        return SharedBeliefs::Pool::readWrite;
    return kind == Kind::semaphore ? SharedBeliefs::Pool::semaphore : SharedBeliefs::Pool::multi;
}

// Of an error of an acquire or of the size of the semaphore.
zk::Awaitable<bool> MixedLocks::expected(Error error)
{
    if (error.code == ErrorCode::timedOut)
        co_return true;
    const bool isLoss = co_await reportsLoss(m_context.hub, m_session, m_contact, error);
    co_return isLoss&& isOver(m_session->phase());
}

void MixedLocks::lost(Kind kind) { m_context.sharedBeliefs.end(poolOf(kind), m_client); }

zk::Awaitable<void> MixedLocks::use(Kind kind, lock::Lock* lock)
{
    m_doing = fmt::format("acquiring {}", lock->path());
    if (kind == Kind::multi && m_random.uniform(0, 1) == 1) {
        co_await askForIt();
    }
    const Result<lock::Grant> grant = co_await lock->acquire(kOwner, kLimit).asResult();
    if (!grant) {
        if (!co_await expected(grant.error()))
            m_context.beliefChecker.violated(fmt::format("Client {} was refused {}: {}", m_client.value,
                                                         lock->path(), grant.error().text()));
        co_return;
    }
    ++m_context.outcomes.mixed;
    const std::uint32_t weight = kind == Kind::read ? 1 : SharedBeliefs::kAll;
    co_await hold(kind, weight);
    const Result<void> released = co_await lock->release(kOwner).asResult();
    if (!released && !co_await reportsLoss(m_context.hub, m_session, m_contact, released.error()))
        m_context.beliefChecker.violated(
            fmt::format("Client {}: {}", m_client.value, released.error().text()));
}

zk::Awaitable<void> MixedLocks::useSemaphore()
{
    m_doing = "acquiring leases";
    if (m_random.uniform(0, 9) == 0) { // the size of the semaphore changes while clients wait and hold
        const auto size = static_cast<std::int32_t>(m_random.uniform(2, SharedBeliefs::kMaxLeases));
        const Result<void> set = co_await m_leases->set(size).asResult();
        if (!set && !co_await expected(set.error()))
            m_context.beliefChecker.violated(set.error().text());
    }
    const auto number = static_cast<std::uint32_t>(m_random.uniform(1, 2));
    const Result<std::vector<lock::Lease>> leases =
        co_await m_semaphore->acquire(kOwner, number, kLimit).asResult();
    if (!leases) {
        if (!co_await expected(leases.error()))
            m_context.beliefChecker.violated(
                fmt::format("Client {} was refused leases: {}", m_client.value, leases.error().text()));
        co_return;
    }
    ++m_context.outcomes.mixed;
    co_await hold(Kind::semaphore, number);
    const Result<void> released = co_await m_semaphore->release(*leases).asResult();
    if (!released && !co_await reportsLoss(m_context.hub, m_session, m_contact, released.error()))
        m_context.beliefChecker.violated(
            fmt::format("Client {}: {}", m_client.value, released.error().text()));
}

zk::Awaitable<void> MixedLocks::hold(Kind kind, std::uint32_t weight)
{
    const SharedBeliefs::Pool pool = poolOf(kind);
    m_context.sharedBeliefs.granted(pool, m_client, weight);
    m_doing = "holding one of several recipes";
    if (kind == Kind::multi) { // until another one asks for it, and not for long
        const MonotonicTime until =
            m_context.hub.now() + Duration{m_random.uniform(0, kLongestRevocableHold.count())};
        while (!m_revoked && m_context.hub.now() < until && !m_context.enough())
            co_await sleepFor(&m_context.hub, std::chrono::milliseconds(1));
    } else {
        co_await sleepFor(&m_context.hub, Duration{m_random.uniform(0, kLongestHold.count())});
    }
    m_context.sharedBeliefs.end(pool, m_client);
    m_doing = "releasing one of several recipes";
}

// Asks whoever holds the first part to give it up.
zk::Awaitable<void> MixedLocks::askForIt()
{
    const auto queue = co_await m_mutexes.front()->participants().asResult();
    if (!queue || queue->empty())
        co_return;
    const std::string node = m_mutexes.front()->path() + "/" + queue->front();
    const Result<void> asked = co_await lock::requestRevocation(m_session, node).asResult();
    if (asked)
        ++m_context.outcomes.revocations;
}

} // namespace lockscope::tests
