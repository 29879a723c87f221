// Several locks as one, all or none (the InterProcessMultiLock of Curator). They are acquired in the order of
// their paths, so that two multi-locks over the same locks never deadlock; each path may occur once.
// Reentrant if its parts are. All parts must share one scheduler. Scheduler thread.
#pragma once

#include "core/lock/lock.h"

#include <memory>
#include <vector>

namespace lockscope::lock {

class MultiLock final : public Lock
{
public:
    // Throws std::invalid_argument when there is no part, or a null part.
    explicit MultiLock(std::vector<std::shared_ptr<Lock>> parts);
    ~MultiLock() override; // ends waiting acquires (closed) and releases holds, in the background

    MultiLock(MultiLock&& other) noexcept; // as in QueueLock
    MultiLock& operator=(MultiLock&& other) noexcept;

    // The grant has a token for each part. The limit and the cancellation apply to the whole acquire. When a
    // part fails or is lost meanwhile, the acquired parts are released and the error of that part is
    // returned. It waits for these releases for kCleanUpTimeout at most; then they continue in the
    // background, so that a part without a connection does not block the caller. Own errors: badUsage (two
    // parts have the same path), busy (the owner is already acquiring it), limitExceeded (it holds it
    // kMaxDepth times).
    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never()) override;
    // Releases one level of every part, even if other parts fail; returns the first error in the order of the
    // paths. When a part was lost, it releases all levels of the others. Parts that the server refuses to
    // release (noAuth) stay held: the next release tries them again, the next acquire continues with them.
    // The multi-lock is held only while all its parts are.
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override; // of this lock, not of its parts
    // Called once per hold when a part is lost; the others stay held until release() or the next acquire().
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override;
    const std::string& path() const override; // all paths: "/a + /b"
    zk::Scheduler& scheduler() override;

private:
    struct State;
    class Acquisition;
    static zk::Task<Result<Grant>> acquire(std::shared_ptr<State> state, OwnerId owner,
                                           std::optional<Duration> limit, CancelToken own,
                                           CancelToken callers);
    static zk::Task<Result<void>> release(std::shared_ptr<State> state, OwnerId owner);
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
