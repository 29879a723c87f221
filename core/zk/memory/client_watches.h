// The watches of a client, as the C library keeps them: by path in three tables; a path may have several
// watches, and each is called once. After the handle of a watch is destroyed, the watch is not called, but
// stays in its table until it fires. Scheduler thread.
#pragma once

#include "core/zk/memory/messages.h"
#include "core/zk/session.h"

#include <list>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::zk::memory {

enum class WatchTable { data, exists, children };

class ClientWatches
{
public:
    // Shared with the watch handle; empty after the handle's destruction.
    using Shared = std::shared_ptr<WatchHandler>;
    static WatchPtr makeHandle(Shared watch);

    void add(WatchTable table, const std::string& path, Shared watch);
    // Removes and returns the watches that this event fires.
    std::vector<Shared> take(const std::string& path, WatchKind kind);
    bool awaits(const std::string& path, WatchKind kind) const;
    WatchSet all(Zxid since) const; // each path once in each table
    void clear() { m_entries.clear(); }

private:
    struct Entry
    {
        WatchTable table{};
        std::string path;
        Shared watch;
    };
    static bool fires(const Entry& entry, const std::string& path, WatchKind kind);
    std::list<Entry> m_entries;
};

} // namespace lockscope::zk::memory
