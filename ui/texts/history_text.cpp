#include "ui/texts/history_text.h"

#include "ui/models/style/format.h"
#include "ui/texts/texts.h"

#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <chrono>

namespace lockscope::ui {

namespace {

constexpr int kNodeName = 300;

QString ruleText(history::Rule rule)
{
    static constexpr const char* kTexts[]{
        QT_TRANSLATE_NOOP("Texts", "one entitled at a time"),
        QT_TRANSLATE_NOOP("Texts", "order kept"),
        QT_TRANSLATE_NOOP("Texts", "no holder's node until its session expired"),
        QT_TRANSLATE_NOOP("Texts", "no delete by another session"),
        QT_TRANSLATE_NOOP("Texts", "sequence numbers not used up"),
        QT_TRANSLATE_NOOP("Texts", "one naming scheme"),
        QT_TRANSLATE_NOOP("Texts", "no herd"),
        QT_TRANSLATE_NOOP("Texts", "no lost wake-up"),
        QT_TRANSLATE_NOOP("Texts", "tokens increase"),
        QT_TRANSLATE_NOOP("Texts", "belief matches server")};
    return enumText<history::Rule::beliefMatchesServer>(kTexts, rule);
}

} // namespace

QString toText(history::Recipe recipe)
{
    using history::Recipe;
    switch (recipe) {
    case Recipe::mutex:
        //: a recipe for locks
        return Texts::tr("mutex");
    case Recipe::readWrite:
        return Texts::tr("read/write");
    case Recipe::semaphore:
        //: a recipe for locks
        return Texts::tr("semaphore");
    case Recipe::leaderLatch:
        return Texts::tr("leader latch");
    case Recipe::kazooMutex:
        return Texts::tr("kazoo lock");
    case Recipe::kazooReadWrite:
        return Texts::tr("kazoo read/write");
    case Recipe::kazooSemaphore:
        return Texts::tr("kazoo semaphore");
    case Recipe::zooKeeperCMutex:
        return Texts::tr("ZooKeeper C lock");
    case Recipe::fixedName:
        return Texts::tr("single node");
    case Recipe::sequential:
        return Texts::tr("sequential nodes");
    case Recipe::mixed:
        return Texts::tr("two naming schemes");
    case Recipe::election:
        //: a recipe: clients elect a leader
        return Texts::tr("election");
    case Recipe::members:
        //: nodes by which clients register; no lock
        return Texts::tr("registrations");
    }
    return {};
}

QString toText(const history::Gap& gap)
{
    QString text =
        (gap.byCversion ? Texts::tr("A gap: a parent's cversion shows that transactions between %1 "
                                    "and %2 are missing.")
                        : Texts::tr("A gap: no transactions between %1 and %2."))
            .arg(format::zxid(gap.after), format::zxid(gap.before));
    text +=
        u' ' + (gap.snapshot ? Texts::tr("The history continues from a snapshot.")
                             : Texts::tr("Which nodes were there after it is unknown until they are named."));
    if (gap.unconfirmed)
        text += u' ' + Texts::tr("Unconfirmed: another leader followed, which may not have had the "
                                 "last transactions before the gap.");
    return text;
}

QString toText(const history::NeverConfirmed& transactions)
{
    return Texts::tr(
               "Left out: %1 transactions from %2 to %3, which were never confirmed. Another leader went on "
               "without them.")
        .arg(format::count(transactions.transactions), format::zxid(transactions.first),
             format::zxid(transactions.last));
}

// The sign and the words both state the result: ✓ kept, ✗ violated, – not checked.
QString toText(const history::RuleFinding& finding)
{
    const QString name = ruleText(finding.rule);
    if (!finding.canBeChecked)
        return Texts::tr("– %1: not checked, not recorded in a transaction log").arg(name);
    if (finding.violated == 0 && finding.unknown > 0)
        return Texts::tr("– %1: unknown; %2 checked, but gaps hide more")
            .arg(name, format::count(finding.checked));
    if (finding.checked == 0)
        return Texts::tr("– %1: nothing to check").arg(name);
    if (finding.violated == 0)
        return Texts::tr("✓ %1: %2 checked").arg(name, format::count(finding.checked));
    return Texts::tr("✗ %1: violated %2 of %3 times, last at %4 by %5")
        .arg(name, format::count(finding.violated), format::count(finding.checked),
             format::zxid(finding.last), format::plain(finding.node, kNodeName));
}

QString toText(const history::HistoryReader::ClockJump& jump)
{
    return Texts::tr("At %1 the leader's clock went back by %2.")
        .arg(format::zxid(jump.zxid), millisecondsText(jump.backMs));
}

QString utcText(std::int64_t timeMs)
{
    return QDateTime::fromMSecsSinceEpoch(timeMs, QTimeZone::utc())
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

QString localTimeText(std::int64_t timeMs)
{
    return QDateTime::fromMSecsSinceEpoch(timeMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz t"));
}

QString millisecondsText(std::int64_t ms)
{
    constexpr std::int64_t kMaxMs = std::int64_t{1} << 43; // the maximum that fits into nanoseconds
    return format::duration(std::chrono::milliseconds(std::clamp<std::int64_t>(ms, 0, kMaxMs)));
}

QString serverViewOnlyText()
{
    return Texts::tr("The server's view only: a transaction log does not contain what clients "
                     "believed. \"Entitled\" is the client that is first by the rule of the recipe.");
}

} // namespace lockscope::ui
