#include "ui/texts/history_text.h"

#include "ui/models/style/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <chrono>

namespace lockscope::ui {

namespace {

struct HistoryText
{
    Q_DECLARE_TR_FUNCTIONS(History)
};

constexpr int kNodeName = 300;

QString ruleText(history::Rule rule)
{
    using history::Rule;
    switch (rule) {
    case Rule::oneEntitled:
        return HistoryText::tr("one entitled at a time");
    case Rule::orderKept:
        return HistoryText::tr("order kept");
    case Rule::noOrphanNode:
        return HistoryText::tr("no holder's node until its session expired");
    case Rule::noThirdPartyDelete:
        return HistoryText::tr("no delete by another session");
    case Rule::noSequenceWrap:
        return HistoryText::tr("sequence numbers not used up");
    case Rule::oneNaming:
        return HistoryText::tr("one naming scheme");
    case Rule::noHerd:
        return HistoryText::tr("no herd");
    case Rule::noLostWakeup:
        return HistoryText::tr("no lost wake-up");
    case Rule::tokensIncrease:
        return HistoryText::tr("tokens increase");
    case Rule::beliefMatchesServer:
        return HistoryText::tr("belief matches server");
    }
    return {};
}

} // namespace

QString toText(history::Recipe recipe)
{
    using history::Recipe;
    switch (recipe) {
    case Recipe::mutex:
        //: a recipe for locks
        return HistoryText::tr("mutex");
    case Recipe::readWrite:
        return HistoryText::tr("read/write");
    case Recipe::semaphore:
        //: a recipe for locks
        return HistoryText::tr("semaphore");
    case Recipe::leaderLatch:
        return HistoryText::tr("leader latch");
    case Recipe::kazooMutex:
        return HistoryText::tr("kazoo lock");
    case Recipe::kazooReadWrite:
        return HistoryText::tr("kazoo read/write");
    case Recipe::kazooSemaphore:
        return HistoryText::tr("kazoo semaphore");
    case Recipe::zooKeeperCMutex:
        return HistoryText::tr("ZooKeeper C lock");
    case Recipe::fixedName:
        return HistoryText::tr("single node");
    case Recipe::sequential:
        return HistoryText::tr("sequential nodes");
    case Recipe::mixed:
        return HistoryText::tr("two naming schemes");
    case Recipe::election:
        //: a recipe: clients elect a leader
        return HistoryText::tr("election");
    case Recipe::members:
        //: nodes by which clients register; no lock
        return HistoryText::tr("registrations");
    }
    return {};
}

QString toText(const history::Gap& gap)
{
    QString text =
        (gap.byCversion ? HistoryText::tr("A gap: a parent's cversion shows that transactions between %1 "
                                          "and %2 are missing.")
                        : HistoryText::tr("A gap: no transactions between %1 and %2."))
            .arg(format::zxid(gap.after), format::zxid(gap.before));
    text +=
        u' ' + (gap.snapshot
                    ? HistoryText::tr("The history continues from a snapshot.")
                    : HistoryText::tr("Which nodes were there after it is unknown until they are named."));
    if (gap.unconfirmed)
        text += u' ' + HistoryText::tr("Unconfirmed: another leader followed, which may not have had the "
                                       "last transactions before the gap.");
    return text;
}

QString toText(const history::NeverConfirmed& transactions)
{
    return HistoryText::tr(
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
        return HistoryText::tr("– %1: not checked, not recorded in a transaction log").arg(name);
    if (finding.violated == 0 && finding.unknown > 0)
        return HistoryText::tr("– %1: unknown; %2 checked, but gaps hide more")
            .arg(name, format::count(finding.checked));
    if (finding.checked == 0)
        return HistoryText::tr("– %1: nothing to check").arg(name);
    if (finding.violated == 0)
        return HistoryText::tr("✓ %1: %2 checked").arg(name, format::count(finding.checked));
    return HistoryText::tr("✗ %1: violated %2 of %3 times, last at %4 by %5")
        .arg(name, format::count(finding.violated), format::count(finding.checked),
             format::zxid(finding.last), format::plain(finding.node, kNodeName));
}

QString toText(const history::HistoryReader::ClockJump& jump)
{
    return HistoryText::tr("At %1 the leader's clock went back by %2.")
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
    return HistoryText::tr("The server's view only: a transaction log does not contain what clients "
                           "believed. \"Entitled\" is the client that is first by the rule of the recipe.");
}

} // namespace lockscope::ui
