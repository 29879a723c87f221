// The watches as the client's library keeps them: by path in three tables, several on one path, each called
// once. Whoever drops the handle is not called, but the watch stays in its table until it fires. Scheduler
// thread.
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
    // Shared with the handle; empty once nobody is interested.
    using Shared = std::shared_ptr<WatchHandler>;
    static WatchPtr makeHandle(Shared watch);

    void add(WatchTable table, const std::string& path, Shared watch);
    // The ones that this event fires, taken out.
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
