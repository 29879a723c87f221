#include "core/field/field_watch.h"

#include "core/field/lock_watcher.h"

#include <boost/asio/post.hpp>

#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace lockscope::field {

struct FieldWatch::Impl
{
    explicit Impl(WatchOptions options)
        : watcher(std::make_shared<LockWatcher>(scheduler, std::move(options)))
    {}

    boost::asio::io_context io{1};
    zk::wire::IoScheduler scheduler{io};
    std::shared_ptr<LockWatcher> watcher;
    std::function<void(SnapshotPtr)> onSnapshot;
    std::shared_ptr<LockRecording> recording; // null: no events are kept
    std::shared_ptr<const trace::SessionNames> written;
    std::thread thread;
    mutable std::mutex mutex; // guards the members below
    SnapshotPtr last = std::make_shared<Snapshot>();
    std::optional<Error> failed;
};

FieldWatch::FieldWatch(WatchOptions options)
    : m_impl(std::make_unique<Impl>(std::move(options)))
{}

FieldWatch::~FieldWatch() { stop(); }

void FieldWatch::onEvent(history::LockListener listener, std::function<void()> applied, GapListener gap)
{
    m_impl->watcher->listen(std::move(listener), std::move(applied), std::move(gap));
}
void FieldWatch::onSnapshot(std::function<void(SnapshotPtr)> listener)
{
    m_impl->onSnapshot = std::move(listener);
}

void FieldWatch::record(std::shared_ptr<const trace::SessionNames> written)
{
    m_impl->recording = std::make_shared<LockRecording>();
    m_impl->written = std::move(written);
    m_impl->watcher->record(m_impl->recording);
}

void FieldWatch::start()
{
    Impl& impl = *m_impl;
    impl.watcher->onSnapshot([&impl](SnapshotPtr snapshot) {
        {
            const std::lock_guard lock(impl.mutex);
            impl.last = snapshot;
        }
        if (impl.onSnapshot)
            impl.onSnapshot(std::move(snapshot));
    });
    impl.watcher->onFailure([&impl](const Error& error) {
        const std::lock_guard lock(impl.mutex);
        impl.failed = error;
    });
    impl.thread = std::thread([&impl] {
        try {
            impl.watcher->start();
            impl.io.run();
        } catch (const std::exception& error) { // bad_alloc or a full trace must not end the program
            const std::lock_guard lock(impl.mutex);
            impl.failed =
                Error{ErrorCode::internal, message("Watching the locks failed: %1.", error.what()), {}};
        }
    });
}

void FieldWatch::stop()
{
    Impl& impl = *m_impl;
    if (!impl.thread.joinable())
        return;
    const auto end = [&impl] {
        if (!impl.watcher)
            return;
        const SnapshotPtr last = impl.watcher->snapshot();
        {
            const std::lock_guard lock(impl.mutex);
            impl.last = last;
        }
        impl.watcher->stop();
        if (impl.recording)
            impl.recording->endRun(last->atMs);
        impl.watcher.reset();
        // The context runs out of work once the server has answered the close, or the limit of the close has
        // passed.
        impl.scheduler.cancelAll();
    };
    boost::asio::post(impl.io, [&impl, end] {
        if (impl.watcher)
            impl.watcher->settle([&impl, end] { boost::asio::post(impl.io, end); });
    });
    impl.thread.join();
    if (!impl.watcher)
        return;
    // An exception has ended the thread: close what it left open while everything that this needs still
    // exists.
    try {
        end();
        impl.io.restart();
        impl.io.poll();
    } catch (const std::exception&) { // the failure is already recorded
        impl.watcher.reset();
        impl.scheduler.cancelAll();
    }
}

SnapshotPtr FieldWatch::snapshot() const
{
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->last;
}

std::optional<Error> FieldWatch::failure() const
{
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->failed;
}

void FieldWatch::showDetails(std::set<std::string> locks)
{
    boost::asio::post(m_impl->io, [impl = m_impl.get(), locks = std::move(locks)] {
        if (impl->watcher)
            impl->watcher->showDetails(locks);
    });
}

void FieldWatch::beginRun(std::set<std::string> locks, RunReady ready)
{
    boost::asio::post(m_impl->io, [impl = m_impl.get(), locks = std::move(locks), ready = std::move(ready)] {
        if (!impl->watcher || !impl->recording)
            return;
        impl->watcher->showDetails(locks);
        const SnapshotPtr now = impl->watcher->snapshot();
        LockRecording::Source source{locks,        {},        now->paths,   now->server,
                                     now->sinceMs, now->atMs, impl->written};
        for (const LockStatus& row : now->locks)
            if (locks.contains(row.path))
                source.rows.push_back(row);
        ready(impl->recording->beginRun(source));
    });
}

} // namespace lockscope::field
