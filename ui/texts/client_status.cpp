#include "ui/texts/client_status.h"

#include "ui/models/run/lock_role.h"
#include "ui/models/run/short_names.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"
#include "ui/texts/texts.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kShownName = 24;
constexpr std::size_t kMostCompared = 64; // clients

using replay::ClientPhase;
using replay::NodePhase;
using trace::SessionPhase;

// What all clients have in common is left out first. Of what is still too long, both ends are kept.
QString shortName(const replay::RunState& state, const QString& name)
{
    if (state.clients.size() <= kMostCompared)
        for (const QString& shorter : ShortNames(state).variantsOf(name).split(kVariantSeparator))
            if (shorter.size() <= kShownName)
                return shorter;
    const QString last = lastWords(name, kShownName);
    if (last.size() <= kShownName)
        return last;
    QString begin = last.left(kShownName / 2), end = last.right(kShownName - kShownName / 2 - 1);
    if (begin.back().isHighSurrogate())
        begin.chop(1);
    if (end.front().isLowSurrogate())
        end.remove(0, 1);
    return begin + QStringLiteral("…") + end;
}

TonedText waits(const replay::ClientRow& client, std::optional<QueuePlace> place)
{
    if (!place)
        //: a client's state
        return {Texts::tr("waits"), Tone::waits};
    if (place->next)
        return {Texts::tr("waits · next"), Tone::waits};
    if (place->ahead > 0)
        return {Texts::tr("waits · %1 ahead").arg(format::count(place->ahead)), Tone::waits};
    return client.asleep() ? TonedText{Texts::tr("waits · first"), Tone::waits}
                           //: a client's state: its watch has fired
                           : TonedText{Texts::tr("woken"), Tone::wake};
}

QString holds(std::uint16_t depth)
{
    return depth > 1 ? Texts::tr("holds ×%1").arg(depth)
                     //: a client's state: it has the lock
                     : Texts::tr("holds");
}

TraceTime sinceThen(TraceTime now, TraceTime then) { return std::max(now - then, TraceTime::zero()); }

// The time until the server expires a session that has been silent since `quietSince`, perhaps slightly
// earlier. With an unknown timeout, the time of silence.
QString quietTime(const QString& what, const replay::ClientRow& client, TraceTime now,
                  std::optional<TraceTime> quietSince)
{
    if (!quietSince)
        return what;
    if (client.sessionTimeout <= Duration{})
        return Texts::tr("%1 for %2").arg(what, format::duration(sinceThen(now, *quietSince)));
    const Duration left = *quietSince + client.sessionTimeout - now;
    return what + QStringLiteral(" · ") +
           (left > Duration{} ? Texts::tr("expires in %1").arg(format::duration(left))
                              : Texts::tr("expires now"));
}

} // namespace

std::size_t holdersInFront(const replay::LockRow& lock)
{
    const auto waiter = std::find_if(lock.queue.begin(), lock.queue.end(), [](const replay::NodeRow& node) {
        return node.phase != NodePhase::holds && node.phase != NodePhase::releasing;
    });
    return static_cast<std::size_t>(waiter - lock.queue.begin());
}

std::optional<QueuePlace> queuePlace(const replay::RunState& state, LockId lock, trace::Text node)
{
    const replay::LockRow* row = state.lock(lock);
    const replay::NodeRow* found = node.empty() ? nullptr : state.node(lock, node);
    if (!row || !found)
        return std::nullopt;
    const auto ahead = static_cast<std::size_t>(found - row->queue.data());
    return QueuePlace{ahead, ahead > 0 && ahead == holdersInFront(*row)};
}

bool isWoken(const replay::RunState& state, const replay::LockRow& lock, const replay::NodeRow& node)
{
    const bool isFirst = !lock.queue.empty() && lock.queue.front().name == node.name;
    const replay::ClientRow* owner = state.client(node.owner);
    const replay::LockUse* one = owner ? owner->lockUse(lock.id, node.name) : nullptr;
    // Behind others, only a deletion wakes the owner, which then lists again. Otherwise it has yet to set its
    // watch.
    return one && one->phase == ClientPhase::waiting && !one->asleep() &&
           (isFirst || (one->wokenBy.valid() && one->step == replay::Step::list));
}

bool isWaitingWithoutNode(const replay::ClientRow& client, bool hasNode)
{
    const bool deaf = client.frozen || client.session == SessionPhase::suspended;
    return deaf && !hasNode && client.phase == ClientPhase::waiting && !client.node.empty();
}

TonedText clientStatus(const replay::ClientRow& client, std::optional<QueuePlace> place)
{
    if (client.isStale)
        return {Texts::tr("believes it holds"), Tone::stale};
    if (isWaitingWithoutNode(client, place.has_value()))
        return {Texts::tr("believes it waits"), Tone::stale};
    if (client.phase == ClientPhase::lost || client.session == SessionPhase::lost)
        return {Texts::tr("session lost"), Tone::stale};
    if (client.frozen)
        return {client.phase == ClientPhase::holding ? Texts::tr("holds · frozen") : Texts::tr("frozen"),
                Tone::frozen};
    if (client.session == SessionPhase::suspended)
        //: a client's state: it has no contact with the server
        return {client.phase == ClientPhase::holding ? Texts::tr("holds? · suspended")
                                                     : Texts::tr("suspended"),
                Tone::frozen};
    switch (client.phase) {
    case ClientPhase::connecting:
        //: a client's state: it connects with the server
        return {Texts::tr("connects"), Tone::muted};
    case ClientPhase::idle:
        //: a client's state: it does not want the lock now
        return {Texts::tr("idle"), Tone::faint};
    case ClientPhase::thinking:
        //: a client's state: it lets time pass before it asks for the lock
        return {Texts::tr("thinks"), Tone::faint};
    case ClientPhase::joining:
        //: a client's state: it creates its node
        return {Texts::tr("joins"), Tone::muted};
    case ClientPhase::waiting:
        return waits(client, place);
    case ClientPhase::holding:
        return {holds(client.depth), Tone::holds};
    case ClientPhase::releasing:
        //: a client's state: it deletes its node
        return {Texts::tr("releases"), Tone::holds};
    case ClientPhase::lost:
        break; // handled above
    case ClientPhase::finished:
        //: a client's state: it has ended its work
        return {Texts::tr("done"), Tone::faint};
    case ClientPhase::removed:
        //: a client's state: it has left the run
        return {Texts::tr("removed"), Tone::faint};
    }
    return {};
}

TonedText clientDetail(const replay::ClientRow& client, TraceTime now, std::optional<TraceTime> quietSince)
{
    if (client.isStale) {
        return {Texts::tr("the server deleted its node %1 ago")
                    .arg(format::duration(sinceThen(now, client.staleSince))),
                Tone::stale};
    }
    if (client.frozen)
        return {quietTime(Texts::tr("no heartbeat"), client, now, quietSince), Tone::muted};
    if (client.session == SessionPhase::suspended)
        return {quietTime(Texts::tr("no answer"), client, now, quietSince), Tone::muted};
    if (client.session == SessionPhase::connecting || !client.sessionId.valid()) {
        const bool hadOne = client.phase == ClientPhase::lost || client.acquired > 0;
        return {hadOne ? Texts::tr("no new session yet") : Texts::tr("no session yet"), Tone::muted};
    }
    // A shared session is named after its process; its number matters less.
    const QString session =
        client.process.empty()
            ? Texts::tr("session %1").arg(format::sessionShort(client.sessionId, client.sessionDigits))
            : Texts::tr("process %1").arg(format::plain(client.process, 24));
    const QString acquired = format::count(client.acquired);
    if (client.failed > 0)
        return {Texts::tr("%1 · %2 acquired, %3 failed").arg(session, acquired, format::count(client.failed)),
                Tone::muted};
    return {Texts::tr("%1 · %2 acquired").arg(session, acquired), Tone::muted};
}

bool hasRunningTime(const replay::ClientRow& client)
{
    return client.isStale || client.frozen || client.session == SessionPhase::suspended;
}

QString gateStepText(GateStep step)
{
    static constexpr const char* kSteps[]{
        //: a step that is next: to create the node
        QT_TRANSLATE_NOOP("Texts", "create"), QT_TRANSLATE_NOOP("Texts", "continue after create"),
        //: a step that is next: to list the children
        QT_TRANSLATE_NOOP("Texts", "list"),
        //: a step that is next: to find out from the list who is in front
        QT_TRANSLATE_NOOP("Texts", "decide"),
        //: a step that is next: to set a watch
        QT_TRANSLATE_NOOP("Texts", "watch"),
        //: a step that is next: to wait for the watch
        QT_TRANSLATE_NOOP("Texts", "sleep"), QT_TRANSLATE_NOOP("Texts", "continue after the wake-up"),
        //: a step that is next: to hold the lock
        QT_TRANSLATE_NOOP("Texts", "hold"), QT_TRANSLATE_NOOP("Texts", "re-enter"),
        //: a step that is next: to release the lock, or one level of it
        QT_TRANSLATE_NOOP("Texts", "release"),
        //: a step that is next: to delete the node
        QT_TRANSLATE_NOOP("Texts", "delete"), QT_TRANSLATE_NOOP("Texts", "continue after delete")};
    return enumText<GateStep::gone>(kSteps, step);
}

QString gatePositionText(GateStep step)
{
    switch (step) {
    case GateStep::created:
        return Texts::tr("after create");
    case GateStep::woken:
        return Texts::tr("after the wake-up");
    case GateStep::gone:
        return Texts::tr("after delete");
    default:
        return Texts::tr("before %1").arg(gateStepText(step));
    }
}

QString stoppedAtText(GateStep step)
{
    switch (step) {
    case GateStep::created:
        return Texts::tr("stopped after create");
    case GateStep::woken:
        return Texts::tr("stopped after the wake-up");
    case GateStep::gone:
        return Texts::tr("stopped after delete");
    default:
        return Texts::tr("stopped before %1").arg(gateStepText(step));
    }
}

QString clientName(const replay::RunState& state, ClientId id)
{
    const replay::ClientRow* client = state.client(id);
    if (client && !client->name.empty()) {
        const QString name = format::plain(client->name);
        return name.size() <= kShownName ? name : shortName(state, name);
    }
    return id.valid() ? format::defaultClientName(id) : Texts::tr("a client");
}

QString lockLabel(const replay::RunState& state, LockId id)
{
    const replay::LockRow* lock = state.lock(id);
    if (!lock)
        //: instead of the path of a lock that is not known
        return Texts::tr("lock");
    const auto part = [](std::string_view path, std::size_t fromEnd) {
        for (; fromEnd > 0 && path.find('/') != std::string_view::npos; --fromEnd)
            path = path.substr(0, path.rfind('/'));
        return format::plain(path.substr(path.rfind('/') + 1), 24);
    };
    // A semaphore has two queues: that of the leases, and below the same path that of its entrance.
    const LockRole role = lockRole(state, id);
    const QString name = part(lock->path, role == LockRole::leases || role == LockRole::entrance ? 1 : 0);
    return role == LockRole::entrance ? Texts::tr("%1 entrance").arg(name) : name;
}

QString lockUseText(const replay::RunState& state, const replay::ClientRow& client)
{
    QStringList holding;
    QStringList waiting;
    client.forEach([&](const replay::LockUse& one) {
        QString name = lockLabel(state, one.lock);
        const replay::LockRow* lock = state.lock(one.lock);
        const replay::NodeRow* node = state.node(one.lock, one.node);
        if (lock && node && isReadWrite(lock->kind()))
            name = node->reads ? Texts::tr("%1 (read)").arg(name) : Texts::tr("%1 (write)").arg(name);
        if (one.holds())
            holding << name;
        else if (one.waits())
            waiting << name;
    });
    if (holding.size() + waiting.size() < 2)
        return {};
    const auto list = [](const QStringList& all) {
        QStringList names; // several leases of one semaphore are counted
        for (const QString& name : all)
            if (!names.contains(name))
                names << name;
        for (QString& name : names)
            if (const auto times = all.count(name); times > 1)
                name = Texts::tr("%1 ×%2").arg(name, QString::number(times));
        return names.size() > 3 ? Texts::tr("%1 locks").arg(names.size()) : names.join(QStringLiteral(", "));
    };
    if (waiting.isEmpty())
        return Texts::tr("holds %1").arg(list(holding));
    if (holding.isEmpty())
        return Texts::tr("waits for %1").arg(list(waiting));
    return Texts::tr("holds %1, waits for %2").arg(list(holding), list(waiting));
}

TonedText nodeStatus(const replay::NodeRow& node, bool woken)
{
    switch (node.phase) {
    case NodePhase::joining:
        return {Texts::tr("joins"), node.ownerFrozen ? Tone::frozen : Tone::muted};
    case NodePhase::waits:
        //: a client's state: it does not run, so it sends nothing
        return node.ownerFrozen ? TonedText{Texts::tr("frozen"), Tone::frozen}
               : woken          ? TonedText{Texts::tr("woken"), Tone::wake}
                                : TonedText{Texts::tr("waits"), Tone::waits};
    case NodePhase::holds:
        return node.ownerFrozen ? TonedText{Texts::tr("holds · frozen"), Tone::frozen}
                                : TonedText{Texts::tr("holds"), Tone::holds};
    case NodePhase::releasing:
        return {Texts::tr("releases"), Tone::holds};
    case NodePhase::orphan:
        //: a node's state: its client does not know of it
        return {Texts::tr("orphan"), Tone::stale};
    case NodePhase::foreign:
        //: a node's state: it belongs to no client of the run
        return {!node.kind                        ? Texts::tr("foreign")
                : *node.kind == queue::Role::none ? Texts::tr("not a lock node")
                                                  : Texts::tr("not known"),
                Tone::muted};
    }
    return {};
}

} // namespace lockscope::ui
