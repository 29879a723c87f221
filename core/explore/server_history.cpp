#include "core/explore/server_history.h"

#include "core/lock/naming.h"

#include <algorithm>

namespace lockscope::explore {

using zk::memory::Change;
using zk::memory::Transaction;

ServerHistory::ServerHistory(std::string path, Before before)
    : m_path(std::move(path))
    , m_before(std::move(before))
{}

bool ServerHistory::isContender(std::string_view path) const
{
    return path.size() > m_path.size() + 1 && path.starts_with(m_path) && path[m_path.size()] == '/' &&
           path.find('/', m_path.size() + 1) == std::string_view::npos;
}

void ServerHistory::follow(const std::vector<Transaction>& log)
{
    for (; m_followed < log.size(); ++m_followed) {
        const Transaction& transaction = log[m_followed];
        m_now = transaction.zxid;
        if (transaction.change == Change::created && isContender(transaction.path))
            made(transaction);
        else if (transaction.change == Change::removed && isContender(transaction.path))
            gone(transaction.path, transaction.zxid, !transaction.session.valid());
        else if (transaction.change == Change::sessionClosed)
            for (const std::string& path : transaction.gone)
                if (isContender(path))
                    gone(path, transaction.zxid, false);
    }
}

void ServerHistory::made(const Transaction& transaction)
{
    Contender contender;
    contender.name = transaction.path.substr(m_path.size() + 1);
    contender.made = transaction.zxid;
    contender.owner = transaction.session;
    contender.overflowed = lock::sequenceOf(contender.name).value_or(0) < 0;
    m_all.push_back(std::make_unique<Contender>(std::move(contender)));
    const Contender* added = m_all.back().get();
    m_overflowed = m_overflowed || added->overflowed;
    if (added->overflowed)
        return;
    const auto place =
        std::upper_bound(m_queue.begin(), m_queue.end(), added,
                         [&](const Contender* a, const Contender* b) { return m_before(a->name, b->name); });
    m_queue.insert(place, added);
}

void ServerHistory::gone(const std::string& path, Zxid when, bool byOthers)
{
    const std::string_view name = std::string_view(path).substr(m_path.size() + 1);
    for (const auto& contender : m_all)
        if (contender->name == name && contender->existsAt(when)) {
            contender->gone = when;
            contender->deletedByOthers = byOthers;
            std::erase(m_queue, contender.get());
        }
}

const Contender* ServerHistory::overflowedNow() const
{
    const auto found = std::find_if(m_all.begin(), m_all.end(), [&](const auto& contender) {
        return contender->overflowed && contender->existsAt(m_now);
    });
    return found == m_all.end() ? nullptr : found->get();
}

// The latest one of this name.
const Contender* ServerHistory::find(std::string_view name) const
{
    const auto found = std::find_if(m_all.rbegin(), m_all.rend(),
                                    [&](const auto& contender) { return contender->name == name; });
    return found == m_all.rend() ? nullptr : found->get();
}

const Contender* ServerHistory::find(Zxid made) const
{
    const auto found = std::ranges::find(m_all, made, [](const auto& contender) { return contender->made; });
    return found == m_all.end() ? nullptr : found->get();
}

std::size_t ServerHistory::placeOf(const Contender* contender) const
{
    return static_cast<std::size_t>(
        std::ranges::find(m_all, contender, [](const auto& one) { return one.get(); }) - m_all.begin());
}

void ServerHistory::appendState(std::string& text, Zxid since) const
{
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        const Contender& contender = *m_all[i];
        if (contender.gone < since && !contender.deletedByOthers)
            continue;
        text.append(contender.name).push_back('\0');
        for (const std::int64_t number : {contender.made.value, contender.gone.value, contender.owner.value})
            text.append(reinterpret_cast<const char*>(&number), sizeof number);
        text.push_back(contender.deletedByOthers ? '1' : '0');
    }
}

bool ServerHistory::wasDeletedByOthers(SessionId session) const
{
    return std::any_of(m_all.begin(), m_all.end(), [&](const auto& contender) {
        return contender->deletedByOthers && contender->owner == session;
    });
}

Queue ServerHistory::queueAt(Zxid when) const
{
    Queue queue;
    for (const auto& contender : m_all)
        if (contender->existsAt(when) && !contender->overflowed)
            queue.push_back(contender.get());
    std::stable_sort(queue.begin(), queue.end(),
                     [&](const Contender* a, const Contender* b) { return m_before(a->name, b->name); });
    return queue;
}

} // namespace lockscope::explore
