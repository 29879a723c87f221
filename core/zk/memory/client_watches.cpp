#include "core/zk/memory/client_watches.h"

#include "core/zk/memory/tree.h"

#include <algorithm>

namespace lockscope::zk::memory {

namespace {

class Handle final : public Watch
{
public:
    explicit Handle(ClientWatches::Shared watch)
        : m_watch(std::move(watch))
    {}
    ~Handle() override { *m_watch = nullptr; }

private:
    ClientWatches::Shared m_watch;
};

} // namespace

WatchPtr ClientWatches::makeHandle(Shared watch) { return std::make_unique<Handle>(std::move(watch)); }

void ClientWatches::add(WatchTable table, const std::string& path, Shared watch)
{
    m_entries.push_back(Entry{table, path, std::move(watch)});
}

// Like collectWatchers in zk_hashtable.c of the C library.
bool ClientWatches::fires(const Entry& entry, const std::string& path, WatchKind kind)
{
    if (entry.path != path)
        return false;
    switch (kind) {
    case WatchKind::created:
    case WatchKind::changed:
        return entry.table != WatchTable::children;
    case WatchKind::childrenChanged:
        return entry.table == WatchTable::children;
    case WatchKind::deleted:
        return true;
    }
    return false;
}

std::vector<ClientWatches::Shared> ClientWatches::take(const std::string& path, WatchKind kind)
{
    std::vector<Shared> taken;
    // Child watches come first, as in the C library.
    m_entries.sort([](const Entry& one, const Entry& other) {
        return one.table == WatchTable::children && other.table != WatchTable::children;
    });
    for (auto entry = m_entries.begin(); entry != m_entries.end();) {
        if (fires(*entry, path, kind)) {
            taken.push_back(std::move(entry->watch));
            entry = m_entries.erase(entry);
        } else {
            ++entry;
        }
    }
    return taken;
}

bool ClientWatches::awaits(const std::string& path, WatchKind kind) const
{
    return std::any_of(m_entries.begin(), m_entries.end(),
                       [&](const Entry& entry) { return fires(entry, path, kind) && *entry.watch; });
}

WatchSet ClientWatches::all(Zxid since) const
{
    WatchSet set;
    set.since = since;
    for (const Entry& entry : m_entries) {
        if (entry.table == WatchTable::data)
            addOnce(set.data, entry.path);
        else if (entry.table == WatchTable::exists)
            addOnce(set.exists, entry.path);
        else
            addOnce(set.children, entry.path);
    }
    return set;
}

} // namespace lockscope::zk::memory
