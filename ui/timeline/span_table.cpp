#include "ui/timeline/span_table.h"

#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/table_tools.h"

#include <QKeyEvent>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <array>

namespace lockscope::ui {

namespace {
constexpr int kSpanRowHeight = 24;
enum SpanColumn {
    Who,
    Holds,
    Held,
    Share,
    HeldP50,
    HeldMost,
    Waits,
    Waited,
    WaitP50,
    WaitMost,
    Handoffs,
    HandoffP50,
    HandoffMost,
    SpanColumns
};
constexpr std::array<TableColumn, SpanColumns> kSpanColumns{
    {//: table head
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Client")},
     //: table head: how many
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Holds"), "", true},
     //: table head: for how long in all
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Held"), "", true},
     //: table head: the part of the time in which the lock was held
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Share"),
      QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Of the measured time, without pauses of the run."),
      true},
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Hold p50"), "", true},
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Longest Hold"), "", true},
     //: table head: how many
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Waits"), "", true},
     //: table head: for how long in all
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Waited"), "", true},
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Wait p50"), "", true},
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Longest Wait"), "", true},
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Handoffs"),
      QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "To this client."), true},
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Handoff p50"), "", true},
     {QT_TRANSLATE_NOOP("lockscope::ui::SpanModel", "Longest Handoff"), "", true}}};

// The row of all clients stays above the others.
class SpanRows : public QSortFilterProxyModel
{
public:
    explicit SpanRows(SpanModel* model)
        : QSortFilterProxyModel(model)
    {
        setSourceModel(model);
        setSortRole(Qt::UserRole);
        setSortLocaleAware(true);
    }

protected:
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override
    {
        if (a.row() == 0 || b.row() == 0)
            return (a.row() == 0) == (sortOrder() == Qt::AscendingOrder);
        return QSortFilterProxyModel::lessThan(a, b);
    }
};
} // namespace

SpanModel::SpanModel(QObject* parent)
    : ColumnsModel(kSpanColumns, parent)
{}

void SpanModel::set(std::vector<StretchShare> rows, QStringList names, Duration running)
{
    const bool sameRows = rows.size() == m_rows.size();
    if (!sameRows)
        beginResetModel();
    m_rows = std::move(rows);
    m_names = std::move(names);
    m_running = running;
    if (!sameRows)
        endResetModel();
    else if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, SpanColumns - 1));
}

QVariant SpanModel::cell(int row, int column, int role) const
{
    const StretchShare& share = m_rows[static_cast<std::size_t>(row)];
    const bool shown = role == Qt::DisplayRole;
    if (!shown && role != Qt::UserRole)
        return {};
    if (column == Who)
        return m_names[row];
    if (column == Share)
        return shown ? QVariant(format::percent(share.partOf(m_running))) : share.partOf(m_running);
    const Spread& spread = column < Waits ? share.holds : column < Handoffs ? share.waits : share.handoffs;
    if (column == Holds || column == Waits || column == Handoffs)
        return shown ? QVariant(format::count(spread.count)) : QVariant::fromValue<qulonglong>(spread.count);
    const Duration time = column == Held || column == Waited                               ? spread.total
                          : column == HeldP50 || column == WaitP50 || column == HandoffP50 ? spread.p50
                                                                                           : spread.longest;
    if (!shown)
        return QVariant::fromValue<qlonglong>(time.count());
    return spread.count == 0 ? QStringLiteral("–") : format::duration(time);
}

SpanTable::SpanTable(QWidget* parent)
    : QWidget(parent)
    , m_model(new SpanModel(this))
    , m_table(named(new QTableView(this), "spanTable"))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    setFocusProxy(m_table);
    setUpRowTable(m_table, kSpanRowHeight);
    m_table->setFrameShape(QFrame::NoFrame);
    auto* rows = new SpanRows(m_model);
    m_table->setModel(rows);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(Held, Qt::DescendingOrder);
    m_tools = new TableTools("spanTable", m_table, Who, [this] {
        m_tools->showColumns();
        m_table->resizeColumnsToContents();
    });
    m_tools->letResize();
    connect(m_table, &QAbstractItemView::clicked, this, [this, rows](const QModelIndex& index) {
        emit chosen(m_model->client(rows->mapToSource(index).row()));
    });
    onRetranslate(this, [this] { m_table->setAccessibleName(tr("Measured range")); });
    hide();
}

void SpanTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit left();
    else
        QWidget::keyPressEvent(event);
}

void SpanTable::show(const std::optional<MeasuredStretch>& stretch, const StretchStatistics& statistics,
                     const LaneNames& names)
{
    std::vector<StretchShare> rows;
    QStringList who;
    if (stretch) {
        rows.push_back(statistics.all);
        //: all clients
        who << tr("All");
        for (const StretchShare& share : statistics.clients) {
            rows.push_back(share);
            who << names.name(share.client);
        }
    }
    const bool first = m_model->rowCount() == 0;
    m_model->set(std::move(rows), who, stretch ? stretch->running : Duration::zero());
    if (first)
        m_tools->layOut();
}

} // namespace lockscope::ui

#include "moc_span_table.cpp"
