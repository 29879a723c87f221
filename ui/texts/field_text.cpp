#include "ui/texts/field_text.h"

#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/history_text.h"
#include "ui/texts/texts.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

using Diagnosed = field::Diagnosis::Kind;
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
        return Texts::tr("read lock");
    case history::NodeRole::writer:
        return Texts::tr("write lock");
    case history::NodeRole::lease:
        //: what a node asks for
        return Texts::tr("lease");
    default:
        return {};
    }
}

QString secondsText(Duration span)
{
    return format::decimal(std::chrono::duration<double>(std::max(span, Duration{})).count(), 1);
}

} // namespace

QString stuckText(Diagnosed kind)
{
    static constexpr const char* kTexts[]{//: why a lock looks stuck
                                          QT_TRANSLATE_NOOP("Texts", "deadlock"),
                                          QT_TRANSLATE_NOOP("Texts", "persistent node in front"),
                                          QT_TRANSLATE_NOOP("Texts", "foreign node in front"),
                                          QT_TRANSLATE_NOOP("Texts", "entrance blocked"),
                                          QT_TRANSLATE_NOOP("Texts", "two naming schemes"),
                                          QT_TRANSLATE_NOOP("Texts", "session unknown to all servers"),
                                          QT_TRANSLATE_NOOP("Texts", "forgotten node"),
                                          QT_TRANSLATE_NOOP("Texts", "holder silent"),
                                          QT_TRANSLATE_NOOP("Texts", "next has no watch"),
                                          QT_TRANSLATE_NOOP("Texts", "holder waits elsewhere"),
                                          QT_TRANSLATE_NOOP("Texts", "slower than usual"),
                                          QT_TRANSLATE_NOOP("Texts", "empty parents")};
    return enumText<Diagnosed::emptyParents>(kTexts, kind);
}

QString libraryText(const field::Participant& participant)
{
    if (isOurs(participant))
        return QStringLiteral("LockScope");
    if (participant.library == queue::Library::goZk)
        return QStringLiteral("go-zk");
    if (participant.library == queue::Library::zooKeeper)
        return Texts::tr("ZooKeeper recipe");
    if (participant.library != queue::Library::none)
        return QString::fromLatin1(queue::name(participant.library));
    return Texts::tr("unknown library");
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
    return participant.persistent ? Texts::tr("no session") : Texts::tr("not known");
}

QString stateText(const field::Participant& participant)
{
    if (participant.holds)
        //: a client's state: it has the lock
        return Texts::tr("holds");
    if (participant.unknown)
        return Texts::tr("gone before it was read");
    if (participant.foreign)
        //: the state of a node that belongs to no lock: all clients wait for it
        return Texts::tr("in front, of no lock");
    if (!participant.waits)
        //: a client's state: its recipe does not show whether it holds or waits
        return Texts::tr("not known");
    //: a client's state
    return participant.behind.empty() ? Texts::tr("waits")
                                      : Texts::tr("waits behind %1").arg(nodeNumber(participant.behind));
}

QString noHolderText(const field::LockStatus& lock)
{
    const auto ofLibrary = [&lock](const QString& text) {
        return lock.otherLibrary == queue::Library::none
                   ? text
                   : QStringLiteral("%1 (%2)").arg(text, QLatin1String(queue::name(lock.otherLibrary)));
    };
    if (lock.state == field::HoldState::notKnown)
        return ofLibrary(Texts::tr("not known"));
    if (lock.state == field::HoldState::noLock)
        //: instead of a lock's holder: its nodes are registrations
        return ofLibrary(Texts::tr("no lock"));
    if (lock.diagnosis && lock.diagnosis->kind == Diagnosed::foreignInFront)
        //: of a lock: a node that belongs to no lock is in front of all clients
        return Texts::tr("nobody can hold it");
    if (lock.waiting > 0)
        //: of a lock for which clients wait: it has no holder
        return Texts::tr("nobody holds it");
    //: of a lock: it has no holder
    return Texts::tr("free");
}

QString spanText(std::int64_t ms)
{
    ms = std::max<std::int64_t>(ms, 0); // the servers' clock is estimated
    constexpr std::int64_t kMinute = 60'000, kHour = 60 * kMinute;
    const auto number = [](std::int64_t value) { return format::count(static_cast<quint64>(value)); };
    if (ms < 10 * kMinute)
        return millisecondsText(ms);
    return ms < kHour        ? Texts::tr("%1 min").arg(number(ms / kMinute))
           : ms < 48 * kHour ? Texts::tr("%1 h %2 min").arg(number(ms / kHour), number(ms / kMinute % 60))
                             : Texts::tr("%1 d").arg(number(ms / (24 * kHour)));
}

QString sinceText(const field::Participant& participant, std::int64_t nowMs)
{
    if (!participant.holds) {
        const QString waited = spanText(nowMs - participant.createdMs);
        return participant.unknown ? Texts::tr("≥ %1").arg(waited) : waited;
    }
    if (!participant.heldSince)
        return Texts::tr("not known");
    const QString least = spanText(nowMs - participant.heldSince->latestMs);
    return participant.heldSince->exact() ? least : Texts::tr("≥ %1").arg(least);
}

QString silenceText(const field::Participant& participant)
{
    if (!participant.silentAtLeast || !participant.silentAtMost)
        return QStringLiteral("–");
    const QString range = Texts::tr("%1–%2 s").arg(secondsText(*participant.silentAtLeast),
                                                   secondsText(*participant.silentAtMost));
    return participant.timeout > Duration{} ? Texts::tr("%1 of %2", "how long, and of which limit")
                                                  .arg(range, format::duration(participant.timeout))
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
    add(Texts::tr("Node"), format::plain(participant.node, kShownPath));
    const QString role = roleText(participant.role);
    //: heading of a fact: the software library of the program, such as Curator
    add(Texts::tr("Library"),
        role.isEmpty() ? libraryText(participant) : libraryText(participant) + QStringLiteral(" · ") + role);
    //: heading of a fact
    add(Texts::tr("State"), stateText(participant));
    //: heading of a fact: what is written in the node
    add(Texts::tr("Data"), format::plain(participant.data, kShownData));
    //: heading of a fact: of the host that the session comes from
    add(Texts::tr("Address"), participant.address.empty() ? Texts::tr("not known")
                                                          : format::plain(participant.address, kShownData));
    //: heading of a fact: the session that the node belongs to
    add(Texts::tr("Session"),
        //: instead of a session: there is none
        participant.session.valid() ? format::session(participant.session) : Texts::tr("none"));
    //: heading of a fact: when the node was created
    add(Texts::tr("Created"), Texts::tr("%1 UTC").arg(utcText(participant.createdMs)));
    if (participant.holds && participant.heldSince)
        add(Texts::tr("Held since"),
            participant.heldSince->exact()
                ? Texts::tr("%1 UTC (%2)")
                      .arg(utcText(participant.heldSince->latestMs), sinceText(participant, nowMs))
                : Texts::tr("between %1 and %2 UTC")
                      .arg(utcText(participant.heldSince->earliestMs),
                           utcText(participant.heldSince->latestMs)));
    else if (participant.waits)
        add(Texts::tr("Waiting for"), sinceText(participant, nowMs));
    if (participant.silentAtLeast) {
        QString silence = silenceText(participant);
        if (participant.timeout > Duration{})
            silence += u' ' + Texts::tr("(up to a third of the timeout is normal)");
        add(Texts::tr("Silent for"), silence);
    }
    if (participant.expiresIn)
        add(Texts::tr("Expires in at most"), format::duration(*participant.expiresIn));
    return facts;
}

QString watchStateText(const field::Snapshot& snapshot)
{
    const QString since = utcText(snapshot.sinceMs).mid(11, 8);
    switch (snapshot.watching) {
    case field::WatchState::connecting:
        return Texts::tr("Connecting…");
    case field::WatchState::reading:
        return Texts::tr("Reading the nodes…");
    case field::WatchState::everyChange:
        return Texts::tr("Every create and delete is seen, since %1 UTC.").arg(since);
    case field::WatchState::byListing:
        return Texts::tr("The server has no persistent watches (%1): the nodes are listed again after "
                         "each change, and quick changes are missed.")
            .arg(format::plain(snapshot.whyByListing));
    case field::WatchState::outOfContact:
        break;
    }
    return Texts::tr("No contact with ZooKeeper: changes until it is back are not seen.");
}

QString missedText(const field::Snapshot& snapshot)
{
    if (snapshot.watching == field::WatchState::byListing)
        return Texts::tr("quick changes missed");
    if (!snapshot.gaps.empty())
        return Texts::tr("%Ln gaps", nullptr, static_cast<int>(snapshot.gaps.size()));
    if (snapshot.watching == field::WatchState::everyChange)
        return snapshot.statUnknown == 0 ? Texts::tr("nothing missed")
                                         : Texts::tr("%Ln nodes gone before they were read", nullptr,
                                                     static_cast<int>(snapshot.statUnknown));
    return {};
}

QString countsText(const field::Snapshot& snapshot)
{
    QString text = Texts::tr("Nodes created: %1, deleted: %2, gone before they were read: %3.")
                       .arg(format::count(snapshot.nodesCreated), format::count(snapshot.nodesDeleted),
                            format::count(snapshot.statUnknown));
    if (!snapshot.clockAheadMs)
        return text;
    constexpr std::int64_t kAgrees = 100; // ms: the measurement includes a round trip to a busy server
    const std::int64_t ahead = std::abs(*snapshot.clockAheadMs) < kAgrees ? 0 : *snapshot.clockAheadMs;
    const QString by = millisecondsText(std::abs(ahead));
    text +=
        u' ' + (ahead == 0  ? Texts::tr("The server's clock agrees with this computer's.")
                : ahead > 0 ? Texts::tr("The server's clock is about %1 ahead of this computer's.").arg(by)
                            : Texts::tr("The server's clock is about %1 behind this computer's.").arg(by));
    return text;
}

QString endsText(const field::LockStatus& lock)
{
    return Texts::tr("Acquisitions: %1. Holds ended by a delete while the session lived: %2, with the "
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
            lines << Texts::tr("%1 does not exist; waiting for it to be created.").arg(shown);
        if (path.kind == field::PathStatus::Kind::notPermitted)
            lines << Texts::tr("%1 cannot be read: its ACL does not permit it.").arg(shown);
    }
    if (snapshot.unreadable > 0)
        lines << Texts::tr("Nodes without read permission: %1.").arg(format::count(snapshot.unreadable));
    for (const std::string& path : snapshot.foldersNotPermitted)
        lines << Texts::tr("%1 cannot be read: its ACL does not permit it.")
                     .arg(format::plain(path, kShownPath));
    if (snapshot.readOnly)
        lines << Texts::tr("No quorum: the server answers read-only, from a state that may be old.");
    if (snapshot.trouble)
        lines << translateMessage(snapshot.trouble->all(), format::kMessageLength);
    for (const auto& [path, diagnosis] : snapshot.folders)
        lines << format::plain(path, kShownPath) + QStringLiteral(": ") +
                     translateMessage(sentence(diagnosis)) + u' ' + translateMessage(remedy(diagnosis));
    for (const field::WatchGap& gap : snapshot.gaps)
        lines << (gap.toMs ? Texts::tr("Gap: nothing was seen between %1 and %2 UTC.")
                                 .arg(utcText(gap.fromMs), utcText(*gap.toMs))
                           : Texts::tr("Gap: nothing has been seen since %1 UTC.").arg(utcText(gap.fromMs)));
    for (const lockscope::Message& word : snapshot.notPermitted)
        lines << translateMessage(word, format::kMessageLength);
    return lines;
}

} // namespace lockscope::ui
