// A recipe as the explorer sees it: how to make its locks on a session, and what the nodes on the server
// mean. To explore another recipe, implement this interface: the explorer asks for nothing else.
// recipeNamed() has the recipes of core/lock. Immutable; any thread.
#pragma once

#include "core/explore/server_history.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"

#include <functional>
#include <memory>
#include <optional>
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

// Of the locks that one client makes: what observes the nodes in a queue of the recipe. Empty: nothing does.
using ObserverOf = std::function<std::shared_ptr<lock::Observer>(std::size_t queue)>;

class Recipe
{
public:
    virtual ~Recipe() = default;
    virtual std::string name() const = 0;
    virtual std::size_t sides() const = 0;
    virtual std::size_t threads() const { return 1; } // of a client, that share a node when there are several
    virtual std::unique_ptr<Locks> make(zk::SessionPtr session, lock::LockOptions options,
                                        const ObserverOf& observerOf = {}) const = 0;

    // The parents of the contenders' nodes, for the lock's path: several when the lock consists of several,
    // each of which must keep the rules.
    virtual std::vector<std::string> queuePaths(const std::string& lockPath) const { return {lockPath}; }
    // The nodes that the recipe makes before those of its contenders.
    virtual std::vector<std::string> parents(const std::string& lockPath) const
    {
        return queuePaths(lockPath);
    }
    virtual std::uint32_t holders() const { return 1; }   // at most, of those who exclude each other
    virtual bool followsHandoff() const { return true; }  // LockOptions::handoff makes a difference
    virtual bool noticesDeletion() const { return true; } // a holder, that its node was deleted by another
    // Whether the resource that the lock protects refuses older tokens; none: no resource is looked at.
    virtual std::optional<bool> fenced() const { return std::nullopt; }
    // The random part of the names of a session's nodes, when their order makes a difference; empty: any.
    virtual std::string guidFor(std::uint32_t /*session*/) const { return {}; }
    virtual std::string shownAs() const { return name(); }                       // in a trace
    virtual bool before(std::string_view one, std::string_view other) const = 0; // by the nodes' names
    // By the server's word the node at this place holds the lock.
    virtual bool holds(const Queue& queue, std::size_t place) const = 0;
    // These may hold at the same time.
    virtual bool compatible(const Queue& holders) const = 0;
    // How many others may be woken when the node at this place goes.
    virtual std::size_t mayWake(const Queue& queue, std::size_t place) const = 0;
};

// "mutex", "read-write", "semaphore", "multi-lock", "cohort". Null when there is none of this name; lives as
// long as the program.
const Recipe* recipeNamed(std::string_view name);
std::vector<std::string> recipeNames();

} // namespace lockscope::explore
