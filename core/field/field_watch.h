// Watching the locks of others on a thread of its own. What is known is a snapshot that anyone may take at
// any time; what happens is reported on that thread. It writes nothing to the ensemble: its session has no
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

    // Before start(); called on the watching thread, must not block. Events in the order of the server, as a
    // history has them: what is queued, entitled and ended; `applied` and `gap` as of LockWatcher::listen().
    void onEvent(history::LockListener listener, std::function<void()> applied = {},
                 GapListener gap = {});
    void onSnapshot(std::function<void(SnapshotPtr)> listener); // some times a second
    // Keeps what happens, so that runs can be had of it. `written`: what sessions are called in files.
    void record(std::shared_ptr<const trace::SessionNames> written);

    void start();
    void stop(); // closes the session in an orderly way; blocks at most about 3 s
    // Any thread. Never null. A lock whose path has been gone for some minutes is in the one after stop()
    // only.
    SnapshotPtr snapshot() const;
    std::optional<Error> failure() const; // there was never any contact, or it cannot go on
    // Whose participants the snapshots have.
    void showDetails(std::set<std::string> locks);
    // The run of these locks since the watching began, or for as long as there is room, and on from here:
    // until the next call or stop(). `ready` is called on the watching thread. Needs record(). Shows their
    // details, too.
    using RunReady = std::function<void(std::shared_ptr<const trace::TraceStore>)>;
    void beginRun(std::set<std::string> locks, RunReady ready);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::field
