#include "ui/models/rows/findings_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

using replay::FindingKind;

std::vector<ClientId> disputers(const replay::RunState& state, FindingKind kind)
{
    return kind == FindingKind::oneHolder && state.findings.of(kind).ok()
               ? replay::clientsActingOnLostLock(state)
               : std::vector<ClientId>();
}

QString sentenceOf(const replay::Finding& finding)
{
    const QString detail = translateMessage(finding.detail());
    return finding.violated > 1
               ? FindingsModel::tr("%1 times. Last: %2").arg(format::count(finding.violated), detail)
               : detail;
}

QString titleOf(FindingKind kind, LockSharing sharing)
{
    return translateMessage(replay::findingTitle(kind, sharing));
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
    const QString sentence = sentenceOf(state.findings.of(kind));
    switch (findingStatus(state, kind, expected)) {
    case FindingStatus::disputed:
        return sentence + u' ' + disputed(titleOf(kind, lockSharing(state)), state);
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

QString FindingsModel::title(int row) const { return titleOf(item(row).kind, item(row).sharing); }

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
