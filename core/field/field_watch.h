// Watches the locks of other programs on its own thread. Any thread may take a snapshot of the current state
// at any time; events are reported on the watching thread. Writes nothing to the ensemble: its session has no
// request that could.
#pragma once

#include "core/base/error.h"
#include "core/field/snapshot.h"
#include "core/field/watch_options.h"
#include "core/history/lock_event.h"
#include "core/trace/store.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace lockscope::field {

class FieldWatch
{
public:
    // `options.hosts`: numeric.
    explicit FieldWatch(WatchOptions options);
    ~FieldWatch(); // = stop()
    FieldWatch(const FieldWatch&) = delete;
    FieldWatch& operator=(const FieldWatch&) = delete;

    // Call before start(). The listeners are called on the watching thread and must not block. Events come in
    // the server's order, as in a history: queued, entitled and ended; `applied` and `gap` as in
    // LockWatcher::listen().
    void onEvent(history::LockListener listener, std::function<void()> applied = {}, GapListener gap = {});
    void onSnapshot(std::function<void(SnapshotPtr)> listener); // several times a second
    // Keeps the events for beginRun(). `written`: the names of sessions in files.
    void record(std::shared_ptr<const trace::SessionNames> written);

    void start();
    void stop(); // closes the session in an orderly way; blocks at most about 3 s
    // Any thread. Never null. A lock whose path has been gone for some minutes is only in the snapshot after
    // stop().
    SnapshotPtr snapshot() const;
    std::optional<Error> failure() const; // there was never any contact, or the watch cannot continue
    // Includes the participants of these locks in the snapshots.
    void showDetails(std::set<std::string> locks);
    // Makes a run of these locks, from the begin of the watch (or as far back as events are kept), that grows
    // until the next call or stop(). `ready` is called on the watching thread. Needs record(). Includes
    // showDetails() for them.
    using RunReady = std::function<void(std::shared_ptr<const trace::TraceStore>)>;
    void beginRun(std::set<std::string> locks, RunReady ready);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::field
