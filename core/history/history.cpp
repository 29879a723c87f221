#include "core/history/history.h"

#include <algorithm>

namespace lockscope::history {

namespace {

constexpr std::size_t kLongestHost = 253;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool looksLikeHost(std::string_view text)
{
    return !text.empty() && text.size() <= kLongestHost &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return isDigit(c) || isLetter(c) || c == '.' || c == '-' || c == '_' || c == ':';
           });
}

} // namespace

std::string identityOf(std::string_view data)
{
    const std::size_t space = data.find(' ');
    if (space == std::string_view::npos) // an address alone: of a bare word nobody knows what it means
        return looksLikeHost(data) && data.find_first_of(".:") != std::string_view::npos ? std::string(data) : "";
    const std::string_view host = data.substr(0, space);
    const std::string_view rest = data.substr(space + 1);
    const std::string_view pid = rest.substr(0, rest.find(' '));
    const std::string_view name = pid.size() < rest.size() ? rest.substr(pid.size() + 1) : std::string_view();
    const bool fits = looksLikeHost(host) && !pid.empty() && std::all_of(pid.begin(), pid.end(), isDigit) &&
                      (name.empty() || looksLikeHost(name));
    return fits ? std::string(data) : "";
}

History::History(Options options)
    : m_options(std::move(options))
    , m_table(LockTable::Options{m_options.session, m_options.fixedNames})
    , m_counting(!m_options.sinceMs)
{}

Result<std::unique_ptr<History>> History::open(const std::vector<std::filesystem::path>& paths, Options options)
{
    Result<HistoryFiles> files = findHistory(paths);
    if (!files)
        return files.error();
    const bool follow = options.follow;
    std::unique_ptr<History> history(new History(std::move(options)));
    history->m_table.listen([self = history.get()](const LockEvent& event) { self->onLockEvent(event); });
    history->m_reader = std::make_unique<HistoryReader>(std::move(*files), paths, follow, *history);
    return history;
}

bool History::isChosen(std::string_view path) const
{
    const auto isBelow = [path](std::string_view wanted) {
        return wanted.empty() || wanted == "/" ||
               (path.starts_with(wanted) && (path.size() == wanted.size() || path[wanted.size()] == '/'));
    };
    return m_options.locks.empty() ? isBelow(m_options.lock)
                                   : std::any_of(m_options.locks.begin(), m_options.locks.end(), isBelow);
}

std::vector<std::string> History::fixedNames() const
{
    std::vector<std::string> names;
    for (LockSummary& lock : locks())
        if (lock.recipe == Recipe::fixedName)
            names.push_back(std::move(lock.path));
    return names;
}

void History::onGap(const Gap& gap)
{
    m_gaps.push_back(gap);
    if (gap.unconfirmed)
        m_unconfirmed = gap;
    if (m_gapListener)
        m_gapListener(gap);
}

// It ended in the gap, nobody knows how, and the leader that made it is the one whose tail may have been lost.
bool History::isUnconfirmed(const LockNode& node) const
{
    return m_unconfirmed && node.created.valid() && node.created.value >> 32 == m_unconfirmed->after.value >> 32;
}

bool History::onTransaction(const Transaction& transaction)
{
    if (m_options.untilMs && transaction.timeMs > *m_options.untilMs)
        return false;
    if (!m_counting && transaction.timeMs >= *m_options.sinceMs) {
        m_counting = true;
        m_table.restartCounts();
        m_gaps.clear();
        std::erase_if(m_stays, [](const Stay& stay) { return stay.endedMs.has_value(); });
        m_openStays.clear();
        for (std::size_t i = 0; i < m_stays.size(); ++i)
            m_openStays[m_stays[i].parent + "/" + m_stays[i].node] = i;
    }
    if (m_counting) {
        if (m_transactions++ == 0) {
            m_first = transaction.zxid;
            m_firstMs = transaction.timeMs;
        }
        m_last = transaction.zxid;
        m_lastMs = transaction.timeMs;
    }
    m_table.apply(transaction);
    return true;
}

void History::onNodes(const std::vector<LockTable::SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs)
{
    m_nodesRead = true;
    m_table.resync(nodes, zxid, timeMs);
    m_unconfirmed.reset();
    m_lastMs = std::max(m_lastMs, timeMs);
}

void History::onLockEvent(const LockEvent& event)
{
    if (!isChosen(event.node.lockPath) && !isChosen(event.node.parent))
        return;
    if (m_options.stays) {
        m_findings.add(event);
        keepStay(event);
    }
    if (m_listener)
        m_listener(event);
}

void History::keepStay(const LockEvent& event)
{
    if (m_options.session && event.node.session != *m_options.session)
        return;
    const LockNode& node = event.node;
    std::string path = std::string(node.parent) + "/" + std::string(node.name);
    if (event.kind == LockEvent::Kind::queued) {
        Stay stay;
        stay.lockPath = node.lockPath;
        stay.parent = node.parent;
        stay.node = node.name;
        stay.identity = identityOf(node.data);
        stay.dataBytes = node.data.size();
        if (m_options.withData)
            stay.data = node.data;
        stay.session = node.session;
        stay.created = node.beforeLog ? Zxid::none() : node.created;
        stay.createdMs = node.createdMs;
        stay.beforeLog = node.beforeLog;
        m_openStays[std::move(path)] = m_stays.size();
        m_stays.push_back(std::move(stay));
        return;
    }
    const auto known = m_openStays.find(path);
    if (known == m_openStays.end())
        return;
    Stay& stay = m_stays[known->second];
    if (event.kind == LockEvent::Kind::entitled)
        stay.entitledMs = event.timeMs;
    if (event.kind != LockEvent::Kind::ended)
        return;
    stay.unconfirmed = event.reason == EndReason::unknown && isUnconfirmed(node);
    if (!node.entitled)
        stay.entitledMs.reset();
    stay.ended = event.zxid;
    stay.endedMs = event.timeMs;
    stay.reason = event.reason;
    stay.endedBy = event.by;
    m_openStays.erase(known);
}

std::vector<LockSummary> History::locks() const
{
    std::vector<LockSummary> all = m_table.summaries();
    std::erase_if(all, [this](const LockSummary& lock) { return !isChosen(lock.path); });
    return all;
}

} // namespace lockscope::history
