#include "ui/locks/watch_text.h"

#include "ui/locks/history_text.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

struct WatchText
{
    Q_DECLARE_TR_FUNCTIONS(WatchedLocks)
};

using Kind = field::Diagnosis::Kind;
constexpr int kShownPath = 200;
constexpr int kShownData = 120;

QString nodeNumber(const std::string& node) { return format::sequenceNumber(node); }

// LockScope's own library writes "HOST PID NAME".
bool isOurs(const field::Participant& participant)
{
    return std::count(participant.who.begin(), participant.who.end(), ' ') == 2;
}

QString roleText(history::NodeRole role)
{
    switch (role) {
    case history::NodeRole::reader:
        return WatchText::tr("read lock");
    case history::NodeRole::writer:
        return WatchText::tr("write lock");
    case history::NodeRole::lease:
        //: what a node asks for
        return WatchText::tr("lease");
    default:
        return {};
    }
}

QString secondsText(Duration span)
{
    return format::decimal(std::chrono::duration<double>(std::max(span, Duration{})).count(), 1);
}

} // namespace

QString stuckText(Kind kind)
{
    switch (kind) {
    case Kind::persistentInFront:
        return WatchText::tr("persistent node in front");
    case Kind::foreignInFront:
        return WatchText::tr("foreign node in front");
    case Kind::namesDoNotExclude:
        return WatchText::tr("two naming schemes");
    case Kind::forgottenNode:
        return WatchText::tr("forgotten node");
    case Kind::deadlock:
        //: why a lock looks stuck
        return WatchText::tr("deadlock");
    case Kind::holderSilent:
        return WatchText::tr("holder silent");
    case Kind::nextWithoutWatch:
        return WatchText::tr("next has no watch");
    case Kind::ownerUnknown:
        return WatchText::tr("session unknown to all servers");
    case Kind::holderWaits:
        return WatchText::tr("holder waits elsewhere");
    case Kind::slowerThanUsual:
        return WatchText::tr("slower than usual");
    case Kind::emptyParents:
        return WatchText::tr("empty parents");
    case Kind::entranceBlocked:
        return WatchText::tr("entrance blocked");
    }
    return {};
}

QString libraryText(const field::Participant& participant)
{
    if (isOurs(participant))
        return QStringLiteral("LockScope");
    if (participant.library == queue::Library::goZk)
        return QStringLiteral("go-zk");
    if (participant.library == queue::Library::zooKeeper)
        return WatchText::tr("ZooKeeper recipe");
    if (participant.library != queue::Library::none)
        return QString::fromLatin1(queue::name(participant.library));
    return WatchText::tr("unknown library");
}

QString whoText(const field::Participant& participant)
{
    std::string name = nameOf(participant);
    // The sessions of one process have the same identity: the port tells which of them it is.
    if (name == participant.who && name.find(' ') != std::string::npos && !participant.address.empty())
        name += ' ' + participant.address.substr(participant.address.rfind(':'));
    if (!name.empty())
        return format::plain(name, kShownData);
    if (participant.session.valid())
        return format::session(participant.session);
    return participant.persistent ? WatchText::tr("no session") : WatchText::tr("not known");
}

QString stateText(const field::Participant& participant)
{
    if (participant.holds)
        //: a client's state: it has the lock
        return WatchText::tr("holds");
    if (participant.unknown)
        return WatchText::tr("gone before it was read");
    if (participant.foreign)
        //: the state of a node that belongs to no lock: all clients wait for it
        return WatchText::tr("in front, of no lock");
    if (!participant.waits)
        //: a client's state: its recipe does not show whether it holds or waits
        return WatchText::tr("not known");
    //: a client's state
    return participant.behind.empty() ? WatchText::tr("waits")
                                      : WatchText::tr("waits behind %1").arg(nodeNumber(participant.behind));
}

QString noHolderText(const field::LockStatus& lock)
{
    const auto ofLibrary = [&lock](const QString& text) {
        return lock.otherLibrary == queue::Library::none
                   ? text
                   : QStringLiteral("%1 (%2)").arg(text, QLatin1String(queue::name(lock.otherLibrary)));
    };
    if (lock.state == field::HoldState::notKnown)
        return ofLibrary(WatchText::tr("not known"));
    if (lock.state == field::HoldState::noLock)
        //: instead of a lock's holder: its nodes are registrations
        return ofLibrary(WatchText::tr("no lock"));
    if (lock.diagnosis && lock.diagnosis->kind == Kind::foreignInFront)
        //: of a lock: a node that belongs to no lock is in front of all clients
        return WatchText::tr("nobody can hold it");
    if (lock.waiting > 0)
        //: of a lock for which clients wait: it has no holder
        return WatchText::tr("nobody holds it");
    //: of a lock: it has no holder
    return WatchText::tr("free");
}

QString spanText(std::int64_t ms)
{
    ms = std::max<std::int64_t>(ms, 0); // the servers' clock is estimated
    constexpr std::int64_t kMinute = 60'000, kHour = 60 * kMinute;
    const auto number = [](std::int64_t value) { return format::count(static_cast<quint64>(value)); };
    if (ms < 10 * kMinute)
        return millisecondsText(ms);
    return ms < kHour        ? WatchText::tr("%1 min").arg(number(ms / kMinute))
           : ms < 48 * kHour ? WatchText::tr("%1 h %2 min").arg(number(ms / kHour), number(ms / kMinute % 60))
                             : WatchText::tr("%1 d").arg(number(ms / (24 * kHour)));
}

QString sinceText(const field::Participant& participant, std::int64_t nowMs)
{
    if (!participant.holds)
        return spanText(nowMs - participant.createdMs);
    if (!participant.heldSince)
        return WatchText::tr("not known");
    const QString least = spanText(nowMs - participant.heldSince->latestMs);
    return participant.heldSince->exact() ? least : WatchText::tr("≥ %1").arg(least);
}

QString silenceText(const field::Participant& participant)
{
    if (!participant.silentAtLeast || !participant.silentAtMost)
        return QStringLiteral("–");
    const QString range = WatchText::tr("%1–%2 s").arg(secondsText(*participant.silentAtLeast),
                                                       secondsText(*participant.silentAtMost));
    return participant.timeout > Duration{}
               ? WatchText::tr("%1 of %2").arg(range, format::duration(participant.timeout))
               : range;
}

QList<std::pair<QString, QString>> participantFacts(const field::Participant& participant, std::int64_t nowMs)
{
    QList<std::pair<QString, QString>> facts;
    const auto add = [&facts](const QString& label, const QString& value) {
        if (!value.isEmpty())
            facts << std::pair(label, value);
    };
    //: heading of a fact: the path of the node
    add(WatchText::tr("Node"), format::plain(participant.node, kShownPath));
    const QString role = roleText(participant.role);
    //: heading of a fact: the software library of the program, such as Curator
    add(WatchText::tr("Library"),
        role.isEmpty() ? libraryText(participant) : libraryText(participant) + QStringLiteral(" · ") + role);
    //: heading of a fact
    add(WatchText::tr("State"), stateText(participant));
    //: heading of a fact: what is written in the node
    add(WatchText::tr("Data"), format::plain(participant.data, kShownData));
    //: heading of a fact: of the host that the session comes from
    add(WatchText::tr("Address"), participant.address.empty()
                                      ? WatchText::tr("not known")
                                      : format::plain(participant.address, kShownData));
    //: heading of a fact: the session that the node belongs to
    add(WatchText::tr("Session"),
        //: instead of a session: there is none
        participant.session.valid() ? format::session(participant.session) : WatchText::tr("none"));
    //: heading of a fact: when the node was created
    add(WatchText::tr("Created"), WatchText::tr("%1 UTC").arg(utcText(participant.createdMs)));
    if (participant.holds && participant.heldSince)
        add(WatchText::tr("Held since"),
            participant.heldSince->exact()
                ? WatchText::tr("%1 UTC (%2)")
                      .arg(utcText(participant.heldSince->latestMs), sinceText(participant, nowMs))
                : WatchText::tr("between %1 and %2 UTC")
                      .arg(utcText(participant.heldSince->earliestMs),
                           utcText(participant.heldSince->latestMs)));
    else if (participant.waits)
        add(WatchText::tr("Waiting for"), sinceText(participant, nowMs));
    if (participant.silentAtLeast) {
        QString silence = silenceText(participant);
        if (participant.timeout > Duration{})
            silence += u' ' + WatchText::tr("(up to a third of the timeout is normal)");
        add(WatchText::tr("Silent for"), silence);
    }
    if (participant.expiresIn)
        add(WatchText::tr("Expires in at most"), format::duration(*participant.expiresIn));
    return facts;
}

QString watchStateText(const field::Snapshot& snapshot)
{
    const QString since = utcText(snapshot.sinceMs).mid(11, 8);
    switch (snapshot.watching) {
    case field::WatchState::connecting:
        return WatchText::tr("Connecting…");
    case field::WatchState::reading:
        return WatchText::tr("Reading the nodes…");
    case field::WatchState::everyChange:
        return WatchText::tr("Every create and delete is seen, since %1 UTC.").arg(since);
    case field::WatchState::byListing:
        return WatchText::tr("The server has no persistent watches (%1): the nodes are listed again after "
                             "each change, and quick changes are missed.")
            .arg(format::plain(snapshot.whyByListing));
    case field::WatchState::outOfContact:
        break;
    }
    return WatchText::tr("No contact with ZooKeeper: changes until it is back are not seen.");
}

QString missedText(const field::Snapshot& snapshot)
{
    if (snapshot.watching == field::WatchState::byListing)
        return WatchText::tr("quick changes missed");
    if (!snapshot.gaps.empty())
        return WatchText::tr("%Ln gaps", nullptr, static_cast<int>(snapshot.gaps.size()));
    if (snapshot.watching == field::WatchState::everyChange)
        return snapshot.statUnknown == 0 ? WatchText::tr("nothing missed")
                                         : WatchText::tr("%Ln nodes gone before they were read", nullptr,
                                                         static_cast<int>(snapshot.statUnknown));
    return {};
}

QString countsText(const field::Snapshot& snapshot)
{
    QString text = WatchText::tr("Nodes created: %1, deleted: %2, gone before they were read: %3.")
                       .arg(format::count(snapshot.nodesCreated), format::count(snapshot.nodesDeleted),
                            format::count(snapshot.statUnknown));
    if (!snapshot.clockAheadMs)
        return text;
    constexpr std::int64_t kAgrees = 100; // ms: the measurement includes a round trip to a busy server
    const std::int64_t ahead = std::abs(*snapshot.clockAheadMs) < kAgrees ? 0 : *snapshot.clockAheadMs;
    const QString by = millisecondsText(std::abs(ahead));
    text += u' ' + (ahead == 0 ? WatchText::tr("The server's clock agrees with this computer's.")
                    : ahead > 0
                        ? WatchText::tr("The server's clock is about %1 ahead of this computer's.").arg(by)
                        : WatchText::tr("The server's clock is about %1 behind this computer's.").arg(by));
    return text;
}

QString endsText(const field::LockStatus& lock)
{
    return WatchText::tr("Acquisitions: %1. Holds ended by a delete while the session lived: %2, with the "
                         "session: %3, not known: %4; "
                         "still open: %5. Gave up waiting: %6.")
        .arg(format::count(lock.acquisitions), format::count(lock.ends.deletedSessionAlive),
             format::count(lock.ends.sessionGone), format::count(lock.ends.unknown),
             format::count(lock.ends.open), format::count(lock.ends.gaveUp));
}

QStringList watchProblems(const field::Snapshot& snapshot)
{
    QStringList lines;
    for (const field::PathStatus& path : snapshot.paths) {
        const QString shown = format::plain(path.path, kShownPath);
        if (path.kind == field::PathStatus::Kind::missing &&
            snapshot.watching != field::WatchState::connecting)
            lines << WatchText::tr("%1 does not exist; waiting for it to be created.").arg(shown);
        if (path.kind == field::PathStatus::Kind::notPermitted)
            lines << WatchText::tr("%1 cannot be read: its ACL does not permit it.").arg(shown);
    }
    if (snapshot.unreadable > 0)
        lines << WatchText::tr("Nodes without read permission: %1.").arg(format::count(snapshot.unreadable));
    for (const std::string& path : snapshot.foldersNotPermitted)
        lines << WatchText::tr("%1 cannot be read: its ACL does not permit it.")
                     .arg(format::plain(path, kShownPath));
    if (snapshot.readOnly)
        lines << WatchText::tr("No quorum: the server answers read-only, from a state that may be old.");
    if (snapshot.trouble)
        lines << translateMessage(snapshot.trouble->all(), format::kMessageLength);
    for (const auto& [path, diagnosis] : snapshot.folders)
        lines << format::plain(path, kShownPath) + QStringLiteral(": ") +
                     translateMessage(sentence(diagnosis)) + u' ' + translateMessage(remedy(diagnosis));
    for (const field::WatchGap& gap : snapshot.gaps)
        lines << (gap.toMs
                      ? WatchText::tr("Gap: nothing was seen between %1 and %2 UTC.")
                            .arg(utcText(gap.fromMs), utcText(*gap.toMs))
                      : WatchText::tr("Gap: nothing has been seen since %1 UTC.").arg(utcText(gap.fromMs)));
    for (const lockscope::Message& word : snapshot.notPermitted)
        lines << translateMessage(word, format::kMessageLength);
    return lines;
}

} // namespace lockscope::ui
