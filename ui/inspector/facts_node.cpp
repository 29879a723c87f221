// What is known of a child of the lock's path, there or gone.
#include "ui/inspector/inspection_builder.h"

#include "ui/models/format.h"
#include "ui/models/watched_lock_text.h"

#include <array>
#include <utility>
#include <vector>

namespace lockscope::ui {

namespace {

// For programs, in the order of the enum.
constexpr std::array<const char*, 6> kNodePhases = {"joining",   "waits",  "holds",
                                                "releasing", "orphan", "foreign"};
constexpr std::size_t kMaxWatchers = 8; // told by name

} // namespace

void InspectionBuilder::node()
{
    const std::string name = m_inspection.what.node.toStdString();
    const LockId at = m_inspection.what.lock;
    m_inspection.title = format::sequenceShort(name);
    const replay::LockRow* lock = m_state.lock(at);
    const replay::NodeRow* row = m_state.node(at, name);
    if (lock && row)
        nodeThere(*lock, *row);
    else if (const replay::DeletedNode* gone = m_state.deletedNode(at, name))
        nodeGone(*gone);
}

QString InspectionBuilder::nodeKind(const replay::LockRow& lock, const replay::NodeRow& row) const
{
    if (row.kind)
        return watchedKindText(row);
    if (row.phase == replay::NodePhase::foreign || !row.owner.valid())
        return tr("foreign");
    if (m_state.isLease(lock.id, row.name))
        return tr("lease");
    if (row.reads)
        return tr("read");
    return lock.recipe.find("read-write") != trace::Text::npos ? tr("write") : tr("mutex");
}

void InspectionBuilder::nodeThere(const replay::LockRow& lock, const replay::NodeRow& row)
{
    const replay::ClientRow* owner = m_state.client(row.owner);
    const replay::LockUse* one = owner ? owner->lockUse(lock.id, row.name) : nullptr;
    const auto by = [one](EventIndex replay::LockUse::*event) {
        return one ? one->*event : EventIndex::none();
    };
    const bool holds = row.phase == replay::NodePhase::holds || row.phase == replay::NodePhase::releasing;
    const bool waits = row.phase == replay::NodePhase::waits || row.phase == replay::NodePhase::joining;
    section("node", tr("Lock node"));
    addOutside("name", tr("name"), row.name).event = row.createdBy;
    addLock("path", tr("lock"), lock.id);
    add("number", tr("number"),
        row.sequence >= 0 ? format::count(static_cast<quint64>(row.sequence)) : QString(),
        static_cast<qint64>(row.sequence));
    const TonedText status = nodeStatus(row, isWoken(m_state, lock, row));
    Fact& state =
        add("state", tr("state"), status.text, QLatin1String(kNodePhases[static_cast<std::size_t>(row.phase)]));
    state.tone = status.tone;
    state.event = by(&replay::LockUse::phaseBy);
    addPlace(lock.id, row.name, by(&replay::LockUse::decided));
    addClient("owner", tr("owner"), row.owner).event = row.createdBy;
    addSession("session", tr("session"), row.session);
    const QString kind = nodeKind(lock, row);
    add("kind", tr("kind"), kind, kind);
    const QString token = row.token.valid() ? format::zxid(row.token) : QString();
    add("czxid", lock.watched ? tr("czxid") : tr("token (czxid)"), token, token).event =
        token.isEmpty() ? EventIndex::none() : row.createdBy;
    if (lock.watched)
        addMoment("seen_ns", row.before ? tr("there when the watching began") : tr("seen first"), row.created,
                  row.createdBy);
    else
        addMoment("created_ns", tr("created"), row.created, row.createdBy);
    addNode("watches", tr("watches"), lock.id, row.watches).event = by(&replay::LockUse::watchBy);
    addMoment("asked_ns", tr("asked at"),
              waits || holds ? by(&replay::LockUse::asked) : EventIndex::none());
    addWaited(!owner  ? std::nullopt
              : waits ? std::optional(since(row.waitingSince))
              : holds && one && one->asked.valid()
                  ? std::optional(std::max(row.heldSince - row.waitingSince, Duration::zero()))
                  : std::nullopt);
    addMoment("acquired_ns", tr("acquired"), holds ? by(&replay::LockUse::granted) : EventIndex::none());
    addLength("held_ns", tr("held"), holds && !row.heldBefore ? std::optional(since(row.heldSince)) : std::nullopt);
    add("depth", tr("depth"), holds && row.depth > 0 ? tr("×%1").arg(row.depth) : QString(),
        holds ? row.depth : 0)
        .event = holds ? by(&replay::LockUse::depthBy) : EventIndex::none();
    watchers(row);
}

void InspectionBuilder::watchers(const replay::NodeRow& row)
{
    std::size_t count = 0;
    std::vector<std::pair<ClientId, EventIndex>> named; // with the event that said so
    replay::LockUseRef at = row.firstWatcher;
    while (at.valid()) {
        const replay::LockUse* one = m_state.lockUse(at);
        if (!one)
            break;
        if (++count <= kMaxWatchers)
            named.emplace_back(at.client, one->watchBy);
        at = one->nextWatcher;
    }
    if (const trace::Event* seen = event(row.createdBy))
        transaction(seen->cause);
    section("watched_by", tr("Watched by"));
    add("count", tr("clients"), format::count(count), static_cast<qint64>(count));
    for (const auto& [client, by] : named)
        addClient(QByteArray("client").append(QByteArray::number(client.value)).constData(), tr("client"),
                  client)
            .event = by;
}

// What remains of it in the memory of the last ones.
void InspectionBuilder::nodeGone(const replay::DeletedNode& gone)
{
    section("node", tr("Lock node"));
    addOutside("name", tr("name"), gone.name).event = gone.createdBy;
    addLock("path", tr("lock"), m_inspection.what.lock);
    add("number", tr("number"),
        gone.sequence >= 0 ? format::count(static_cast<quint64>(gone.sequence)) : QString(),
        static_cast<qint64>(gone.sequence));
    Fact& state = add("state", tr("state"), tr("gone"), QStringLiteral("gone"));
    state.tone = Tone::muted;
    state.event = gone.by;
    addClient("owner", tr("owner"), gone.owner).event = gone.createdBy;
    addMoment("created_ns", tr("created"), gone.createdBy);
    addMoment("gone_ns", tr("gone"), gone.by);
    add("gone_by", tr("known by"), eventWords(gone.by)).event = gone.by;
    add("woken", tr("clients woken"), format::count(gone.woken), static_cast<qint64>(gone.woken));
    addClient("first_woken", tr("woken first"), gone.firstWoken);
}

} // namespace lockscope::ui
