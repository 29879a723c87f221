// A recipe as the explorer sees it: how to make its locks on a session, and what the nodes on the server
// mean. To explore another recipe, describe it here and add it to recipeNamed(). Immutable; any thread.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/lock_options.h"
#include "tests/explore/server_history.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::explore {

// The locks of one session: a mutex is one, a read/write lock two sides.
class Locks
{
public:
    virtual ~Locks() = default;
    virtual lock::Lock& side(std::size_t which) = 0;
};

class Recipe
{
public:
    virtual ~Recipe() = default;
    virtual std::string name() const = 0;
    virtual std::size_t sides() const = 0;
    virtual std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options) const = 0;

    // The parent of the contenders' nodes, for the lock's path.
    virtual std::string queuePath(const std::string& lockPath) const = 0;
    virtual bool before(std::string_view one, std::string_view other) const = 0; // by the nodes' names
    // By the server's word the node at this place holds the lock.
    virtual bool holds(const Queue& queue, std::size_t place) const = 0;
    // These may hold at the same time.
    virtual bool compatible(const Queue& holders) const = 0;
    // How many others may be woken when the node at this place goes.
    virtual std::size_t mayWake(const Queue& queue, std::size_t place) const = 0;
};

// "mutex", "readWrite", "semaphore". Null when there is none of this name; lives as long as the program.
const Recipe* recipeNamed(std::string_view name);
std::vector<std::string> recipeNames();

} // namespace lockscope::explore
