#include "tests/explore/recipe.h"

#include "core/lock/mutex.h"

namespace lockscope::explore {

namespace {

class MutexLocks final : public Locks
{
public:
    MutexLocks(zk::SessionPtr session, lock::LockOptions options)
        : m_mutex(std::move(session), std::move(options))
    {}
    lock::Lock& side(std::size_t) override { return m_mutex; }

private:
    lock::Mutex m_mutex;
};

class MutexRecipe final : public Recipe
{
public:
    std::string name() const override { return "mutex"; }
    std::size_t sides() const override { return 1; }
    std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options) const override
    {
        return std::make_unique<MutexLocks>(std::move(session), std::move(options));
    }
    std::string queuePath(const std::string& lockPath) const override { return lockPath; }
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

const std::vector<const Recipe*>& recipes()
{
    static const MutexRecipe mutex;
    static const std::vector<const Recipe*> all{&mutex};
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
