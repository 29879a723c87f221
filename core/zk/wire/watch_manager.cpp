#include "core/zk/wire/watch_manager.h"

#include <utility>

namespace lockscope::zk::wire {

void WatchManager::add(Table table, const std::string& path, WatchRecordPtr record)
{
    std::vector<WatchRecordPtr>& records = of(table)[path];
    std::erase_if(records, [](const WatchRecordPtr& one) { return !one->handler; });
    records.push_back(std::move(record));
}

void WatchManager::addPersistent(const std::string& path, WatchMode mode)
{
    (mode == WatchMode::persistent ? m_persistent : m_recursive).insert(path);
}

std::vector<WatchRecordPtr> WatchManager::take(WatchKind type, std::string_view path)
{
    std::vector<WatchRecordPtr> taken;
    const auto takeFrom = [&](Table table) {
        Records& records = of(table);
        const auto found = records.find(path);
        if (found == records.end())
            return;
        for (WatchRecordPtr& record : found->second)
            if (record->handler)
                taken.push_back(std::move(record));
        records.erase(found);
    };
    if (type == WatchKind::childrenChanged) {
        takeFrom(Table::child);
        return taken;
    }
    takeFrom(Table::data);
    takeFrom(Table::exist);
    if (type == WatchKind::deleted)
        takeFrom(Table::child);
    return taken;
}

bool WatchManager::isPersistent(WatchKind type, std::string_view path) const
{
    if (m_persistent.contains(path))
        return true;
    if (type == WatchKind::childrenChanged || m_recursive.empty())
        return false;
    for (std::string_view place = path; !place.empty(); place = place.substr(0, place.rfind('/')))
        if (m_recursive.contains(place))
            return true;
    return m_recursive.contains(std::string_view("/"));
}

Watches WatchManager::all() const
{
    Watches watches;
    std::vector<std::string>* const into[] = {&watches.data, &watches.exist, &watches.child};
    for (std::size_t table = 0; table < std::size(m_tables); ++table)
        for (const auto& [path, records] : m_tables[table])
            if (!records.empty())
                into[table]->push_back(path);
    watches.persistent.assign(m_persistent.begin(), m_persistent.end());
    watches.persistentRecursive.assign(m_recursive.begin(), m_recursive.end());
    return watches;
}

void WatchManager::clear()
{
    for (Records& records : m_tables)
        records.clear();
    m_persistent.clear();
    m_recursive.clear();
}

} // namespace lockscope::zk::wire
