#include "ui/compare/compare_table_model.h"

#include "ui/models/style/format.h"
#include "ui/texts/compare_words.h"

namespace lockscope::ui {

using replay::Better;
using replay::ComparisonRow;
using replay::Measure;

CompareTableModel::CompareTableModel(const replay::Comparison& comparison, ComparedLoad load, QString a,
                                     QString b, Theme* theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_comparison(replay::withoutWorkloadEffects(comparison, load.match))
    , m_load(std::move(load))
    , m_a(std::move(a))
    , m_b(std::move(b))
    , m_theme(theme)
{
    connect(theme, &Theme::changed, this, [this] {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1), {Qt::ForegroundRole, Qt::FontRole});
    });
}

int CompareTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(replay::kMeasures);
}

int CompareTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

bool CompareTableModel::better(const ComparisonRow& row, int column) const
{
    if (row.displaysEqual()) // equal numbers get no tick
        return false;
    return (column == aColumn && row.better == Better::a) || (column == bColumn && row.better == Better::b);
}

bool CompareTableModel::violated(const ComparisonRow& row, int column) const
{
    return row.measure == Measure::findings && ((column == aColumn && !m_comparison.violatedA.empty()) ||
                                                (column == bColumn && !m_comparison.violatedB.empty()));
}

QString CompareTableModel::text(const ComparisonRow& row, int column) const
{
    if (column == measureColumn)
        return compare_words::title(row.measure);
    if (column == ratioColumn)
        return compare_words::ratio(row, m_load.match);
    const QString words = compare_words::value(m_comparison, row, column == aColumn ? Better::a : Better::b);
    return better(row, column) ? QStringLiteral("✓ ") + words : words;
}

QString CompareTableModel::explanation(const ComparisonRow& row) const
{
    const QString meaning = meaningOf(row.measure);
    return m_load.match.affects(row.measure)
               ? tr("%1 It depends on the workload, and the two workloads differ.").arg(meaning)
               : meaning;
}

QString CompareTableModel::meaningOf(Measure measure) const
{
    switch (measure) {
    case Measure::wakeUpsPerRelease:
        return tr("The average number of watches that fire when a watched node is deleted.");
    case Measure::requestsPerAcquisition:
        return tr(
            "The requests that a client sends for one acquisition, from its acquire call to the end of its "
            "release.");
    case Measure::handoffP50:
    case Measure::handoffP99:
        return tr("From the release to the next acquisition: the median, or the 99th percentile.");
    case Measure::waitP50:
    case Measure::waitP99:
        return tr("From the acquire call to the acquisition: the median, or the 99th percentile.");
    case Measure::acquisitions:
        return tr("How often the lock was acquired. An acquisition of a free lock, or again by the same "
                  "client, is not a handoff.");
    case Measure::duration:
        return tr("From the start of the run, when the server was ready, to its end.");
    case Measure::fairness:
        return tr("Jain's index of the acquisitions per client: 1 when all clients have the same number.");
    case Measure::longestOvertaking:
        return tr(
            "The largest number of clients that asked after a waiting client and were served before it.");
    case Measure::timedOut:
        return tr("The number of waits that timed out.");
    case Measure::findings:
        return tr("The findings that the run violates.");
    }
    return {};
}

QVariant CompareTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const ComparisonRow& row = m_comparison.rows[static_cast<std::size_t>(index.row())];
    const bool best = better(row, index.column());
    const bool unjudged = m_load.match.affects(row.measure);
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(
            Qt::AlignVCenter | (index.column() == measureColumn ? Qt::AlignLeft : Qt::AlignRight)));
    case Qt::ForegroundRole:
        return violated(row, index.column())               ? m_theme->palette().staleText
               : best                                      ? m_theme->palette().holdsText
               : unjudged && index.column() == ratioColumn ? m_theme->palette().textMuted
                                                           : m_theme->palette().text;
    case Qt::FontRole: {
        QFont font = m_theme->fonts().text;
        font.setBold(best || violated(row, index.column()) || (index.column() == ratioColumn && !unjudged));
        return font;
    }
    case Qt::ToolTipRole:
        return format::toolTip(explanation(row));
    case Qt::AccessibleTextRole:
        return best ? tr("%1, better").arg(text(row, index.column())) : text(row, index.column());
    default:
        return {};
    }
}

QVariant CompareTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (section == measureColumn ? Qt::AlignLeft : Qt::AlignRight)));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case aColumn:
        return m_a;
    case bColumn:
        return m_b;
    case ratioColumn:
        return tr("left compared with right");
    default:
        return QString();
    }
}

} // namespace lockscope::ui

#include "moc_compare_table_model.cpp"
