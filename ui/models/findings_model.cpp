#include "ui/models/findings_model.h"

#include "ui/models/core_messages.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

using replay::FindingKind;

struct FindingTexts
{
    const char* title;
    const char* open; // nothing was checked yet
    const char* kept; // of %n checks
};

// The texts differ for locks with several holders, and for locks without an order.
FindingTexts wordsOf(FindingKind kind, LockSharing manner)
{
    if (kind == FindingKind::oneHolder && manner == LockSharing::readers)
        return {QT_TRANSLATE_NOOP("Findings", "Readers together, a writer alone"),
                QT_TRANSLATE_NOOP("Findings", "the lock has not been acquired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln grants checked, never another holder beside a writer")};
    if (kind == FindingKind::oneHolder && manner == LockSharing::leases)
        return {QT_TRANSLATE_NOOP("Findings", "Lease limit respected"),
                QT_TRANSLATE_NOOP("Findings", "no lease has been acquired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln grants checked, never too many leases out")};
    if (kind == FindingKind::orderKept && manner == LockSharing::unordered)
        return {QT_TRANSLATE_NOOP("Findings", "Order kept"),
                QT_TRANSLATE_NOOP("Findings", "not checked: this recipe has no order"), ""};
    if (kind == FindingKind::orderKept && manner == LockSharing::readers)
        return {QT_TRANSLATE_NOOP("Findings", "Order kept"),
                QT_TRANSLATE_NOOP("Findings", "the lock has not been acquired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln grants, none blocked by an earlier request")};
    switch (kind) {
    case FindingKind::oneHolder:
        return {QT_TRANSLATE_NOOP("Findings", "One holder at a time"),
                QT_TRANSLATE_NOOP("Findings", "the lock has not been acquired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln grants checked, never two holders on the server")};
    case FindingKind::orderKept:
        return {QT_TRANSLATE_NOOP("Findings", "Order kept"),
                QT_TRANSLATE_NOOP("Findings", "the lock has not been acquired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln grants, each to the lowest number")};
    case FindingKind::noHerd:
        return {QT_TRANSLATE_NOOP("Findings", "No herd"),
                QT_TRANSLATE_NOOP("Findings", "no watch has fired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln wake-ups, one client each")};
    case FindingKind::noOrphanNode:
        return {QT_TRANSLATE_NOOP("Findings", "No orphan node"),
                QT_TRANSLATE_NOOP("Findings", "no node has been deleted yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln nodes followed until they were gone")};
    case FindingKind::noLostWakeup:
        return {QT_TRANSLATE_NOOP("Findings", "No lost wake-up"),
                QT_TRANSLATE_NOOP("Findings", "no watched node has been deleted yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln watched nodes gone, every waiter noticed")};
    case FindingKind::tokensIncrease:
        return {QT_TRANSLATE_NOOP("Findings", "Tokens increase"),
                QT_TRANSLATE_NOOP("Findings", "the lock has not been acquired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln tokens, each above the one before")};
    case FindingKind::beliefMatchesServer:
        return {QT_TRANSLATE_NOOP("Findings", "Belief matches the server"),
                QT_TRANSLATE_NOOP("Findings", "the lock has not been acquired yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln holds, none went on after its node was gone")};
    case FindingKind::noDeadlock:
        return {QT_TRANSLATE_NOOP("Findings", "No deadlock"),
                QT_TRANSLATE_NOOP("Findings", "no client has waited for a lock yet"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln waits checked, no cycle of waiting clients")};
    case FindingKind::noStrayWatch:
        return {QT_TRANSLATE_NOOP("Findings", "No stray watch"),
                QT_TRANSLATE_NOOP("Findings", "only exists can leave one, and no client has called it"),
                QT_TRANSLATE_N_NOOP("Findings", "%Ln watches set with exists, each can still fire")};
    }
    return {"", "", ""};
}

QString translated(const char* text) { return QCoreApplication::translate("Findings", text); }

std::vector<ClientId> disputers(const replay::RunState& state, FindingKind kind)
{
    return kind == FindingKind::oneHolder && state.findings.of(kind).ok()
               ? replay::clientsActingOnLostLock(state)
               : std::vector<ClientId>();
}

QString sentenceOf(const replay::Finding& finding, const replay::RunState& state)
{
    const FindingTexts words = wordsOf(finding.kind, lockSharing(state));
    const QString checked = format::count(finding.checked);
    if (finding.violated > 0) {
        const QString detail = translateMessage(finding.lastViolation);
        return finding.violated == 1
                   ? detail
                   : FindingsModel::tr("%1 times. Last: %2").arg(format::count(finding.violated), detail);
    }
    if (finding.checked == 0 && replay::onlyWatches(state))
        return FindingsModel::tr("not checked: an observer does not see what clients do and believe");
    if (finding.checked == 0)
        return translated(words.open);
    if (finding.kind == FindingKind::noHerd && finding.maxWoken > 1)
        return FindingsModel::tr("%1 wake-ups, at most %2 clients at once: readers that go in together")
            .arg(checked, format::count(finding.maxWoken));
    return QCoreApplication::translate("Findings", words.kept, nullptr, static_cast<int>(finding.checked));
}

} // namespace

FindingStatus findingStatus(const replay::RunState& state, FindingKind kind, bool expected)
{
    const replay::Finding& finding = state.findings.of(kind);
    return finding.violated > 0              ? (expected ? FindingStatus::expected : FindingStatus::violated)
           : !disputers(state, kind).empty() ? FindingStatus::disputed
           : finding.checked > 0             ? FindingStatus::kept
                                             : FindingStatus::open;
}

QString disputed(const QString& rule, const replay::RunState& state)
{
    const std::vector<ClientId> clients = replay::clientsActingOnLostLock(state);
    if (clients.empty())
        return rule;
    return clients.size() == 1 ? FindingsModel::tr("%1, but %2 acts on a lock it lost")
                                     .arg(rule, format::plain(state.client(clients.front())->name, 40))
                               : FindingsModel::tr("%1, but %2 clients act on a lock they lost")
                                     .arg(rule, format::count(clients.size()));
}

QString findingText(const replay::RunState& state, FindingKind kind, bool expected)
{
    const QString sentence = sentenceOf(state.findings.of(kind), state);
    switch (findingStatus(state, kind, expected)) {
    case FindingStatus::disputed:
        return disputed(sentence, state);
    case FindingStatus::expected:
        return FindingsModel::tr("As the scenario shows: %1").arg(sentence);
    default:
        return sentence;
    }
}

FindingsModel::FindingsModel(RunModel* run, QObject* parent)
    : RowsModel(parent)
    , m_run(run)
{
    followRun(run);
    refresh();
}

void FindingsModel::refresh()
{
    std::vector<FindingItem> next;
    const replay::RunState& state = m_run->state();
    if (m_run->hasRun()) {
        for (const replay::Finding& finding : state.findings.all) {
            next.push_back({finding.kind, finding.checked, finding.violated, finding.maxWoken,
                            m_run->expectsViolation(finding.kind), finding.lastViolation,
                            disputers(state, finding.kind), lockSharing(state), replay::onlyWatches(state)});
        }
    }
    // Unexpected violations first, then expected ones: a low view must not hide them.
    for (const bool expected : {true, false})
        std::stable_partition(next.begin(), next.end(), [expected](const FindingItem& item) {
            return item.violated > 0 && (expected || !item.expected);
        });
    assignRows(std::move(next));
}

FindingStatus FindingsModel::verdict(int row) const
{
    return findingStatus(m_run->state(), item(row).kind, item(row).expected);
}

QString FindingsModel::title(int row) const
{
    return translated(wordsOf(item(row).kind, item(row).sharing).title);
}

QString FindingsModel::sentence(int row) const
{
    return findingText(m_run->state(), item(row).kind, item(row).expected);
}

const std::vector<replay::Violation>& FindingsModel::violations(int row) const
{
    return m_run->state().findings.of(item(row).kind).violations;
}

int FindingsModel::violatedCount() const
{
    return static_cast<int>(std::count_if(rows().begin(), rows().end(),
                                          [](const FindingItem& item) { return item.violated > 0; }));
}

int FindingsModel::checkedCount() const
{
    return static_cast<int>(std::count_if(rows().begin(), rows().end(),
                                          [](const FindingItem& item) { return item.checked > 0; }));
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const int row = index.row();
    if (role == Qt::DisplayRole)
        return title(row);
    if (role == Qt::AccessibleTextRole) {
        switch (verdict(row)) {
        case FindingStatus::open:
            return tr("%1: not checked yet, %2").arg(title(row), sentence(row));
        case FindingStatus::kept:
            return tr("%1: holds, %2").arg(title(row), sentence(row));
        case FindingStatus::disputed:
            return tr("%1: disputed, %2").arg(title(row), sentence(row));
        case FindingStatus::expected:
            return tr("%1: violated as expected. %2").arg(title(row), sentence(row));
        case FindingStatus::violated:
            return tr("%1: violated. %2").arg(title(row), sentence(row));
        }
    }
    return {};
}

} // namespace lockscope::ui

#include "moc_findings_model.cpp"
