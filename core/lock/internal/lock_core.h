// What a recipe does for its lock (RecipeLock), and what recipes with nodes have in common. Kept alive by
// work under way. Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"
#include "core/lock/internal/reasons.h"
#include "core/lock/internal/recipe_hooks.h"
#include "core/lock/internal/user_listeners.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"

#include <memory>

namespace lockscope::lock {

// Of a RecipeLock.
struct LockCore
{
    explicit LockCore(zk::Scheduler& its)
        : scheduler(its)
        , lostListeners(its)
    {}
    virtual ~LockCore() = default;
    LockCore(const LockCore&) = delete;
    LockCore& operator=(const LockCore&) = delete;

    // `self` is this core: the lock may be destroyed before these coroutines begin, and while they wait.
    virtual zk::Task<Result<Grant>> acquire(std::shared_ptr<LockCore> self, OwnerId owner,
                                            std::optional<Duration> limit, LinkedCancelToken cancel) = 0;
    virtual zk::Task<Result<void>> release(std::shared_ptr<LockCore> self, OwnerId owner) = 0;
    virtual std::uint16_t depth(OwnerId owner) const = 0;
    virtual const std::string& path() const = 0;
    virtual void explainTimeouts() {}
    virtual std::optional<Refusal> takeRefusal(OwnerId) { return std::nullopt; }
    virtual void shutDown() = 0; // ends waiting acquires; releases holds, in the background

    zk::Scheduler& scheduler;
    UserListeners<OwnerId> lostListeners;
    bool isShutDown = false;
};

// What the cores of all recipes with nodes of their own have in common: the client of these nodes, the gate,
// and the end of the session. Core: the derived class, with loseAll(LostReason).
template <class Core>
struct NodeCore : std::enable_shared_from_this<Core>
{
    // `path`: the parent of the nodes.
    NodeCore(zk::SessionPtr session, std::string path, NodeNaming naming, const LockOptions& options)
        : nodeClient(std::move(session), std::move(path), std::move(naming), options.observer,
                     options.onError)
        , gate(RecipeHooks::of(options.observer.get()).gate)
    {}

    // To be called when a shared_ptr owns the core.
    void listenToSession()
    {
        sessionListener =
            nodeClient.session().addListener([weak = this->weak_from_this()](zk::SessionPhase phase) {
                const auto self = weak.lock();
                if (self && isOver(phase))
                    self->loseAll(lostReason(self->nodeClient.session()));
            });
    }
    void stopListening() { nodeClient.session().removeListener(sessionListener); }

    LockNodeClient nodeClient;
    StepGate* gate;
    ListenerId sessionListener = 0;
};

} // namespace lockscope::lock
