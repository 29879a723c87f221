#include "core/explore/recipe.h"

#include "core/explore/driven_locks.h"
#include "core/lock/multi_lock.h"
#include "core/lock/mutex.h"
#include "core/lock/read_write_lock.h"

#include <algorithm>

namespace lockscope::explore {

namespace {

template <class OneLock>
class LocksOfOne final : public Locks
{
public:
    LocksOfOne(zk::SessionPtr session, lock::LockOptions options)
        : m_lock(std::move(session), std::move(options))
    {}
    lock::Lock& side(std::size_t) override { return m_lock; }

private:
    OneLock m_lock;
};

class MutexRecipe : public Recipe
{
public:
    std::string name() const override { return "mutex"; }
    std::size_t sides() const override { return 1; }
    std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options,
                                const ObserverOf& observerOf) const override
    {
        options.observer = observerOf ? observerOf(0) : nullptr;
        return std::make_unique<LocksOfOne<lock::Mutex>>(std::move(session), std::move(options));
    }
    bool before(std::string_view one, std::string_view other) const override
    {
        return m_naming.sortKey(one) < m_naming.sortKey(other);
    }
    bool holds(const Queue&, std::size_t place) const override { return place == 0; }
    bool compatible(const Queue& holders) const override { return holders.size() <= 1; }
    std::size_t mayWake(const Queue&, std::size_t) const override { return 1; }

private:
    lock::NodeNaming m_naming;
};

class CohortRecipe final : public MutexRecipe
{
public:
    std::string name() const override { return "cohort"; }
    std::size_t threads() const override { return 2; }
    std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options,
                                const ObserverOf& observerOf) const override
    {
        options.observer = observerOf ? observerOf(0) : nullptr;
        return std::make_unique<LocksOfOne<CohortLock>>(std::move(session), std::move(options));
    }
};

// Two mutexes, acquired in the order of their paths. Each is judged like a mutex of its own.
class TwoLocks final : public Locks
{
public:
    TwoLocks(const zk::SessionPtr& session, const lock::LockOptions& options,
             const std::vector<std::string>& paths, const ObserverOf& observerOf)
    {
        std::vector<std::shared_ptr<lock::Lock>> parts;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            lock::LockOptions own = options;
            own.path = paths[i];
            own.observer = observerOf ? observerOf(i) : nullptr;
            own.keptGuid.clear(); // is for one lock
            parts.push_back(std::make_shared<lock::Mutex>(session, std::move(own)));
        }
        m_lock = std::make_unique<lock::MultiLock>(std::move(parts));
    }
    lock::Lock& side(std::size_t) override { return *m_lock; }

private:
    std::unique_ptr<lock::MultiLock> m_lock;
};

class MultiLockRecipe final : public MutexRecipe
{
public:
    std::string name() const override { return "multi-lock"; }
    std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options,
                                const ObserverOf& observerOf) const override
    {
        return std::make_unique<TwoLocks>(session, options, queuePaths(options.path), observerOf);
    }
    std::vector<std::string> queuePaths(const std::string& lockPath) const override
    {
        return {lockPath + "/a", lockPath + "/b"};
    }
    std::vector<std::string> parents(const std::string& lockPath) const override
    {
        return {lockPath, lockPath + "/a", lockPath + "/b"};
    }
};

class ReadWriteLocks final : public Locks
{
public:
    ReadWriteLocks(zk::SessionPtr session, lock::LockOptions options)
        : m_lock(std::move(session), std::move(options))
    {}
    lock::Lock& side(std::size_t which) override
    {
        return which == 0 ? m_lock.writeLock() : m_lock.readLock();
    }

private:
    lock::ReadWriteLock m_lock;
};

class ReadWriteRecipe final : public Recipe
{
public:
    std::string name() const override { return "read-write"; }
    std::size_t sides() const override { return 2; }
    bool followsHandoff() const override { return false; }
    std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options,
                                const ObserverOf& observerOf) const override
    {
        options.observer = observerOf ? observerOf(0) : nullptr;
        return std::make_unique<ReadWriteLocks>(std::move(session), std::move(options));
    }
    bool before(std::string_view one, std::string_view other) const override
    {
        return m_naming.sortKey(one) < m_naming.sortKey(other);
    }
    // A writer when it is the first, a reader when no writer is in front.
    bool holds(const Queue& queue, std::size_t place) const override
    {
        const auto end = queue.begin() + static_cast<std::ptrdiff_t>(place);
        return isWriter(*queue[place]) ? place == 0
                                       : std::none_of(queue.begin(), end, [&](const Contender* ahead) {
                                             return isWriter(*ahead);
                                         });
    }
    bool compatible(const Queue& holders) const override
    {
        return holders.size() <= 1 ||
               std::none_of(holders.begin(), holders.end(),
                            [&](const Contender* holder) { return isWriter(*holder); });
    }
    // A reader watches the first writer, so all of them behind it are woken when that goes, and a writer.
    std::size_t mayWake(const Queue& queue, std::size_t place) const override
    {
        const auto behind = queue.begin() + static_cast<std::ptrdiff_t>(place) + 1;
        return 1 + static_cast<std::size_t>(std::count_if(
                       behind, queue.end(), [&](const Contender* other) { return !isWriter(*other); }));
    }

private:
    bool isWriter(const Contender& contender) const { return m_naming.isWriter(contender.name); }
    lock::NodeNaming m_naming = lock::NodeNaming::curatorRead();
};

// The nodes are the leases: the first two hold, and behind them at most one waits, who holds the acquire
// mutex.
class SemaphoreRecipe final : public Recipe
{
public:
    SemaphoreRecipe() { m_naming.lockName = "lease-"; }
    std::string name() const override { return "semaphore"; }
    std::size_t sides() const override { return 1; }
    std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options,
                                const ObserverOf& observerOf) const override
    {
        options.observer = observerOf ? observerOf(0) : nullptr;
        return std::make_unique<LocksOfOne<SemaphoreLock>>(std::move(session), std::move(options));
    }
    std::vector<std::string> queuePaths(const std::string& lockPath) const override
    {
        return {lockPath + "/leases"};
    }
    std::vector<std::string> parents(const std::string& lockPath) const override
    {
        return {lockPath, lockPath + "/locks", lockPath + "/leases"};
    }
    std::uint32_t holders() const override { return kLeases; }
    bool before(std::string_view one, std::string_view other) const override
    {
        return m_naming.sortKey(one) < m_naming.sortKey(other);
    }
    bool holds(const Queue&, std::size_t place) const override { return place < kLeases; }
    bool compatible(const Queue& holders) const override { return holders.size() <= kLeases; }
    std::size_t mayWake(const Queue&, std::size_t) const override { return 1; }

private:
    lock::NodeNaming m_naming;
};

const std::vector<const Recipe*>& recipes()
{
    static const MutexRecipe mutex;
    static const ReadWriteRecipe readWrite;
    static const SemaphoreRecipe semaphore;
    static const MultiLockRecipe multiLock;
    static const CohortRecipe cohort;
    static const std::vector<const Recipe*> all{&mutex, &readWrite, &semaphore, &multiLock, &cohort};
    return all;
}

} // namespace

const Recipe* recipeNamed(std::string_view name)
{
    for (const Recipe* recipe : recipes())
        if (recipe->name() == name)
            return recipe;
    return nullptr;
}

std::vector<std::string> recipeNames()
{
    std::vector<std::string> names;
    for (const Recipe* recipe : recipes())
        names.push_back(recipe->name());
    return names;
}

} // namespace lockscope::explore
