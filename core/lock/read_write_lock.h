// The InterProcessReadWriteLock of Curator (since 5.5.0, CURATOR-621) on one session: readers share, a writer
// is exclusive; fair; both sides reentrant per owner. A reader waits for the first writer ahead of it. An
// owner of the write lock gets the read lock at once, with the number of the writer, so that waiting writers
// stay behind it when the write lock is released (downgrade). An upgrade from read to write waits for itself:
// give it a limit. Scheduler thread.
#pragma once

#include "core/lock/queue_lock.h"

#include <memory>
#include <vector>

namespace lockscope::lock {

class ReadWriteLock
{
public:
    using executor_type = boost::asio::any_io_executor;
    // `options.naming` is ignored: the names are those of Curator, optionally with the nodes of kazoo.
    struct Naming
    {
        NodeNaming read = NodeNaming::curatorRead();
        NodeNaming write = NodeNaming::curatorWrite();
    };
    ReadWriteLock(zk::SessionPtr session, LockOptions options)
        : ReadWriteLock(std::move(session), std::move(options), {})
    {}
    ReadWriteLock(zk::SessionPtr session, LockOptions options, Naming naming);
    ReadWriteLock(ReadWriteLock&& other) noexcept; // as in QueueLock; references to the two sides stay valid
    ReadWriteLock& operator=(ReadWriteLock&& other) noexcept;
    ~ReadWriteLock();

    QueueLock& readLock();
    QueueLock& writeLock();

    struct Participants
    {
        std::vector<std::string> readers; // each in the order of the queue
        std::vector<std::string> writers;
    };
    zk::Task<Result<Participants>> participants();
    executor_type get_executor() { return m_session->scheduler().executor(); }

private:
    class Side;
    std::unique_ptr<Side> m_write;
    std::unique_ptr<Side> m_read;
    zk::SessionPtr m_session;
    NodeNaming m_naming;
};

} // namespace lockscope::lock
