#include "ui/texts/watched_lock_text.h"

#include "ui/models/style/format.h"
#include "ui/texts/field_text.h"
#include "ui/texts/texts.h"

#include <chrono>

namespace lockscope::ui {

namespace {

constexpr int kPath = 60;

} // namespace

QString watchedEmptyText(const replay::LockRow& lock)
{
    const QString path = format::plain(lock.path, kPath);
    if (!lock.place)
        return Texts::tr("%1 has not been read yet.").arg(path);
    switch (lock.place->kind) {
    case trace::PathKind::missing:
        return Texts::tr("%1 does not exist yet; waiting for it to be created.").arg(path);
    case trace::PathKind::folder:
        return Texts::
            tr("%1 is a folder of locks, not a lock: %2 of its %3 children are locks. Look at one of them.")
                .arg(path, format::count(lock.place->locks), format::count(lock.place->children));
    case trace::PathKind::queue:
        break;
    }
    return Texts::tr("%1 has no children: no client holds it or waits for it.").arg(path);
}

QString watchedOwnerText(const replay::NodeRow& node)
{
    if (node.session.valid())
        return Texts::tr("session %1").arg(format::sessionShort(node.session));
    return node.token.valid() ? Texts::tr("no session") : Texts::tr("session not known");
}

QString watchedKindText(const replay::NodeRow& node)
{
    switch (node.kind.value_or(queue::Role::none)) {
    case queue::Role::none:
        return Texts::tr("not a lock node");
    case queue::Role::exclusive:
        //: what a node asks for
        return Texts::tr("lock");
    case queue::Role::reader:
        return Texts::tr("read lock");
    case queue::Role::writer:
        return Texts::tr("write lock");
    case queue::Role::leader:
        //: what a node asks for: to lead
        return Texts::tr("leadership");
    default:
        break;
    }
    //: what a node asks for
    return Texts::tr("lease");
}

QString watchedDoubtText(const replay::NodeRow& node)
{
    const auto kind = node.kind.value_or(queue::Role::none);
    if (node.phase != replay::NodePhase::foreign)
        return {};
    if (kind == queue::Role::none)
        return Texts::tr("No lock library that LockScope knows uses this naming scheme.");
    return kind == queue::Role::lease
               ? Texts::tr("Holds or waits: the number of leases is not known.")
               : Texts::tr(
                     "Nodes of another kind are in front: whether its library waits for them is not known.");
}

QString watchedWaitText(const replay::NodeRow& node, TraceTime now)
{
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(now - node.waitingSince);
    const QString text = spanText(waited.count());
    return node.waitsLonger ? Texts::tr("≥ %1").arg(text) : text;
}

QString watchedUnknownText()
{
    return Texts::tr("The server's view only: what the clients do and believe is not known.");
}

} // namespace lockscope::ui
