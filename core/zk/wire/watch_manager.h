// The watches of one session on the client side: determines which handlers an event calls, and which watches
// to set again after a reconnect. Paths are as the server sees them. One thread.
#pragma once

#include "core/zk/wire/messages.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::zk::wire {

// A one-shot watch; the destruction of its handle clears the handler.
struct WatchRecord
{
    WatchHandler handler;
};
using WatchRecordPtr = std::shared_ptr<WatchRecord>;

class WatchManager
{
public:
    enum class Table { data, exist, child };

    void add(Table table, const std::string& path, WatchRecordPtr record);
    void addPersistent(const std::string& path, WatchMode mode);
    // Removes and returns the one-shot watches that this event fires.
    std::vector<WatchRecordPtr> take(WatchKind type, std::string_view path);
    bool isPersistent(WatchKind type, std::string_view path) const;
    Watches all() const;
    void clear();

private:
    using Records = std::map<std::string, std::vector<WatchRecordPtr>, std::less<>>;
    Records& of(Table table) { return m_tables[static_cast<std::size_t>(table)]; }

    Records m_tables[3];
    std::set<std::string, std::less<>> m_persistent, m_recursive;
};

} // namespace lockscope::zk::wire
