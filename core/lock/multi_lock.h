// Several locks as one: all or none (Curator's InterProcessMultiLock). They are taken in the order of their
// paths, whatever order they are given in, so that two of these over the same locks never wait for each
// other; each path may be there once. Re-entrant when its parts are. All parts belong to one scheduler;
// scheduler thread.
#pragma once

#include "core/lock/lock.h"

#include <memory>
#include <vector>

namespace lockscope::lock {

class MultiLock final : public Lock
{
public:
    explicit MultiLock(std::vector<std::shared_ptr<Lock>> parts); // one or more
    ~MultiLock() override; // gives up what is waiting and releases what is held, in the background

    // The grant has a token for each part. The limit and the cancel are for all parts together. When one
    // fails, those that were taken are given back, and its error is the one that is returned. The giving back
    // is waited for kCleanUpTimeout at most and then goes on in the background: a part without a connection
    // must not hold the caller. A part that is lost meanwhile ends it, too. Errors of its own: badUsage (two
    // parts have the same path: the second one would wait for the first), busy (the owner is acquiring it
    // already).
    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never()) override;
    // One level of every part, each whatever happens to the others; the error is the first one in the order
    // of the paths. When a part was lost, this gives back all levels of the others. Parts that the server
    // refuses to release (noAuth) stay held: the next release tries these again, the next acquire goes on
    // with them. The lock as a whole is held, then, only while all its parts are.
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override; // of this lock, not of its parts
    // When any part is lost, once; the others stay held until release().
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override;
    const std::string& path() const override; // all of them: "/a + /b"
    zk::Scheduler& scheduler() override;

private:
    struct State;
    class Acquisition;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
