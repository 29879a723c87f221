// A lock whose owners are threads, over a recipe that is bound to one session: the next acquire creates a new
// recipe on the next session. The implementation of the blocking mutexes. Its state lives on the I/O thread;
// these functions are called on other threads and wait for that thread.
#pragma once

#include "core/base/error.h"
#include "core/base/listeners.h"
#include "core/base/time.h"
#include "core/lock/blocking/thread_owners.h"
#include "core/zk/session.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace lockscope::lock {

class Client;
struct LockOptions;

// How long unlock() waits for the server.
inline constexpr Duration kUnlockTimeout = std::chrono::seconds(1);

// A hold that was lost before it was unlocked: with its session, or because its node was deleted.
struct LostHold
{
    std::thread::id thread;
    std::optional<Zxid> token{};    // of that hold
    std::vector<PartToken> parts{}; // of a multi-lock
};
using LostCallback = std::function<void(const LostHold&)>;

class ThreadLock
{
public:
    // The recipe on one session; `shared` is empty for a mutex.
    struct Recipe
    {
        std::shared_ptr<Lock> exclusive;
        std::shared_ptr<Lock> shared;
    };
    using RecipeFactory = std::function<Recipe(zk::SessionPtr, const LockOptions&)>;

    ThreadLock(const Client& client, LockOptions options, RecipeFactory makeRecipe);
    // Releases holds in the background and fails waiting calls with the error closed. Afterwards the only
    // callback is the client's onError, for a node that cannot be deleted.
    ~ThreadLock();
    // No other thread may use either lock meanwhile. A moved-from lock may only be destroyed or assigned to.
    ThreadLock(ThreadLock&& other) noexcept = default;
    ThreadLock& operator=(ThreadLock&& other) noexcept;

    void lock(Side side);
    bool tryLock(Side side, Duration limit); // zero or less: a single try
    void unlock(Side side) noexcept;         // errors go to the client's onError
    Result<void> release(Side side);
    std::optional<HeldTokens> held(Side side) const; // by the calling thread; does not wait
    ListenerId onLost(LostCallback callback);
    void removeLostListener(ListenerId listener);
    const std::string& path() const { return m_path; }

private:
    struct State;
    Result<Grant> acquire(Side side, std::optional<Duration> limit);
    Result<void> release(Side side, bool reports);
    static void shutDown(const std::shared_ptr<State>& state) noexcept;

    std::string m_path;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
