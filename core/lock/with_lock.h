// Acquires a lock, runs a function under it, and releases it on every exit. Scheduler thread.
//
//     auto transfer = [account](const lock::Grant& grant) { return move(account, *grant.token); };
//     const lock::WithLockOptions patient{.timeout = 2s, .attempts = 3};
//     const auto moved = co_await lock::withLock(mutex, owner, patient, transfer);
//
// Pass the function and the options as variables, as above: gcc 12 destroys some temporaries in a co_await
// expression twice (gcc bug 99576): a lambda with captures always, the options when the function throws.
#pragma once

#include "core/lock/lock.h"

#include <boost/asio/this_coro.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace lockscope::lock {

struct WithLockOptions
{
    std::optional<Duration> timeout{}; // of each attempt; none: no limit
    std::uint32_t attempts = 1;        // total number of attempts
    CancelToken cancel{};              // cancels the acquire, not the function
};

namespace with_lock {

// The type that awaiting a coroutine yields; any other type unchanged.
template <class T>
struct AwaitedType
{
    using Type = T;
};
template <class T>
struct AwaitedType<zk::Awaitable<T>>
{
    using Type = T;
};
template <class T>
struct AwaitedType<zk::Task<T>>
{
    using Type = T;
};

template <class T>
struct Outcome
{
    using Type = Result<T>;
};
template <class T>
struct Outcome<Result<T>>
{
    using Type = Result<T>;
};

template <class Fn>
decltype(auto) call(Fn& fn, const Grant& grant)
{
    if constexpr (std::is_invocable_v<Fn&, const Grant&>)
        return fn(grant);
    else
        return fn();
}
template <class Fn>
using Returned = std::remove_cvref_t<decltype(call(std::declval<Fn&>(), std::declval<const Grant&>()))>;
template <class Fn>
using Awaited = typename AwaitedType<Returned<Fn>>::Type;
// The result type of a function or of the coroutine it returns: always a Result.
template <class Fn>
using OutcomeOf = typename Outcome<Awaited<Fn>>::Type;

template <class Fn>
zk::Awaitable<OutcomeOf<Fn>> invoke(Fn* fn, Grant grant)
{
    constexpr bool isAsync = !std::is_same_v<Awaited<Fn>, Returned<Fn>>;
    constexpr bool returnsVoid = std::is_void_v<Awaited<Fn>>;
    if constexpr (isAsync && returnsVoid) {
        co_await zk::asResult(call(*fn, grant));
        co_return OutcomeOf<Fn>{};
    } else if constexpr (isAsync) {
        auto result = co_await zk::asResult(call(*fn, grant));
        co_return std::move(result);
    } else if constexpr (returnsVoid) {
        call(*fn, grant);
        co_return OutcomeOf<Fn>{};
    } else {
        co_return call(*fn, grant);
    }
}

template <class Fn>
zk::Awaitable<OutcomeOf<Fn>> run(Lock* lock, OwnerId owner, WithLockOptions options, Fn fn)
{
    std::optional<Grant> grant;
    for (std::uint32_t left = options.attempts; !grant; --left) {
        if (left == 0) {
            co_return Error{ErrorCode::busy,
                            options.attempts == 1
                                ? message("The lock %1 could not be acquired in %2 attempt.", lock->path(),
                                          options.attempts)
                                : message("The lock %1 could not be acquired in %2 attempts.", lock->path(),
                                          options.attempts),
                            {}};
        }
        const Result<Grant> tried = co_await lock->acquire(owner, options.timeout, options.cancel).asResult();
        if (tried)
            grant = *tried;
        else if (tried.error().code != ErrorCode::timedOut) {
            co_return tried.error();
        }
    }
    std::optional<OutcomeOf<Fn>> outcome;
    std::exception_ptr thrown;
    try {
        OutcomeOf<Fn> result = co_await invoke(&fn, *grant);
        outcome.emplace(std::move(result));
    } catch (...) {
        thrown = std::current_exception();
    }
    // A cancellation of the function must not cancel the release.
    const bool throwsIfCancelled = co_await boost::asio::this_coro::throw_if_cancelled();
    co_await boost::asio::this_coro::throw_if_cancelled(false);
    const Result<void> released = co_await lock->release(owner).asResult();
    co_await boost::asio::this_coro::throw_if_cancelled(throwsIfCancelled);
    if (thrown)
        std::rethrow_exception(thrown);
    if (outcome->has_value() && !released) {
        co_return released.error();
    }
    co_return std::move(*outcome);
}

} // namespace with_lock

// Acquires `lock` for `owner` in up to `options.attempts` attempts, calls `fn` with the Grant (or without
// arguments) and releases the lock. `fn` is a function or a coroutine function that returns nothing, a T or a
// Result<T>; it is kept until its coroutine has ended. The lock must outlive the returned coroutine. Returns
// the result of `fn`; the error busy when all attempts timed out, and any other error of the acquire at once.
// Exceptions of `fn` are rethrown after the release. An error of the release replaces a successful result:
// the lock was lost meanwhile, so another client may have worked at the same time; or, with noAuth, it is
// still held (Lock::release).
template <class Fn>
zk::Awaitable<with_lock::OutcomeOf<std::remove_cvref_t<Fn>>> withLock(Lock& lock, OwnerId owner,
                                                                      WithLockOptions options, Fn&& fn)
{
    using Kept = std::remove_cvref_t<Fn>;
    return with_lock::run<Kept>(&lock, owner, std::move(options), std::forward<Fn>(fn));
}

} // namespace lockscope::lock
