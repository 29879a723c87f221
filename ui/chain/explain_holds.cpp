// The words for who holds, and what its release will do.
#include "ui/chain/chain_text.h"
#include "ui/chain/client_explainer.h"
#include "ui/models/client_status.h"
#include "ui/models/format.h"

#include <algorithm>

namespace lockscope::ui {

using chain::ChainText;
using chain::RecipeKind;

std::size_t ClientExplainer::holding(bool readers) const
{
    if (!m_lock)
        return 0;
    return static_cast<std::size_t>(
        std::count_if(m_lock->queue.begin(), m_lock->queue.end(), [readers](const replay::NodeRow& node) {
            return (node.phase == replay::NodePhase::holds || node.phase == replay::NodePhase::releasing) &&
                   (!readers || node.reads);
        }));
}

// What its release will do to those who watch.
QString ClientExplainer::release() const
{
    if (m_kind == RecipeKind::leases)
        return tr("When it gives the lease back, whoever is first at the entrance may take it.");
    std::size_t watchers = 0;
    ClientId one = ClientId::none();
    for (const replay::ClientRow& client : m_state.clients) {
        client.forEach([&](const replay::LockUse& each) {
            const bool watches = m_kind == RecipeKind::herdReadWrite
                                     ? each.watchesList
                                     : !each.watches.empty() && each.watches == m_client.node;
            if (each.lock != m_shown || !watches || client.id == m_client.id)
                return;
            ++watchers;
            one = client.id;
        });
    }
    const QString count = format::count(watchers);
    if (watchers == 0)
        return tr("Nobody watches its node at the moment.");
    if (watchers == 1)
        return tr("When it releases, that wakes only %1.").arg(ChainText::clientName(m_state, one));
    if (m_kind == RecipeKind::herd)
        return tr("When it releases, all %1 who watch the node are woken, and one of them gets it.")
            .arg(count);
    if (m_kind == RecipeKind::herdReadWrite)
        return tr("When it releases, all %1 who watch the list are woken.").arg(count);
    return tr("When it releases, the %1 who watch its node are woken.").arg(count);
}

// With others: what it holds is not the lock alone.
Explanation ClientExplainer::holdsBeside() const
{
    const QString at = since(m_client.heldSince);
    if (m_kind == RecipeKind::leases) {
        const auto permits = m_lock ? m_lock->permits : 1U;
        if (permits == 1)
            return {tr("%1 has had the only lease since %2.").arg(m_name, at), release()};
        return {tr("%1 has had a lease since %2; %3 of %4 are out.")
                    .arg(m_name, at, format::count(holding(false)), format::count(permits)),
                release()};
    }
    const std::size_t readers = holding(true);
    if (!m_reads)
        return {tr("%1 has held the lock for writing since %2, alone.").arg(m_name, at), release()};
    return {readers > 1 ? tr("%1 has held the lock for reading since %2, one of %3 readers.")
                              .arg(m_name, at, format::count(readers))
                        : tr("%1 has held the lock for reading since %2.").arg(m_name, at),
            tr("Readers hold together. %1").arg(release())};
}

Explanation ClientExplainer::holds() const
{
    const QString at = since(m_client.heldSince);
    QString why = release();
    if (m_client.depth > 1)
        why = tr("It entered %1 times: only its last release deletes the node. %2")
                  .arg(format::count(m_client.depth), why);
    switch (m_kind) {
    case RecipeKind::readWrite:
    case RecipeKind::herdReadWrite:
    case RecipeKind::leases:
        return holdsBeside();
    case RecipeKind::herd:
        return {tr("%1 has held the lock since %2: it created the one node.").arg(m_name, at), why};
    case RecipeKind::entrance:
        return {tr("%1 has been first at the entrance since %2: it may look for a lease.").arg(m_name, at),
                tr("When it has one, it lets the next one in.")};
    case RecipeKind::several:
        return {tr("%1 has held %2 since %3: its node %4 is first.")
                    .arg(m_name, lockLabel(m_state, m_shown), at, m_node),
                why};
    case RecipeKind::none:
        return {tr("%1 has been in the protected section since %2, without a lock.").arg(m_name, at), {}};
    case RecipeKind::queue:
        break;
    }
    return {tr("%1 has held the lock since %2: its node %3 is first.").arg(m_name, at, m_node), why};
}

} // namespace lockscope::ui
