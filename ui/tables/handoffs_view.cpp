#include "ui/tables/handoffs_view.h"

#include "ui/models/rows/handoffs_model.h"
#include "ui/models/run/go_to_event.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/tables/row_sync.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/table_tools.h"

#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kHandoffRowHeight = 26;
constexpr int kHandoffFilterMargin = 6;
constexpr int kHandoffCellPadding = 12; // both sides
} // namespace

HandoffsView::HandoffsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_model(new HandoffsModel(run, this))
    , m_rows(new QSortFilterProxyModel(this))
{
    m_rows->setSourceModel(m_model);
    m_rows->setSortRole(HandoffsModel::SortRole);
    m_rows->setFilterRole(HandoffsModel::FilterRole);
    m_rows->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto* filter = named(new QLineEdit(this), "handoffsFilter");
    filter->setClearButtonEnabled(true);
    auto* table = named(new QTableView(this), "handoffs");
    setUpRowTable(table, kHandoffRowHeight);
    table->setFrameShape(QFrame::NoFrame);
    table->setMinimumHeight(kHandoffRowHeight); // the card says what can be read; Qt asks for three rows
    const auto handoffOf = [this](int row) {
        return m_model->handoff(m_rows->mapToSource(m_rows->index(row, 0)).row());
    };
    new RowSync(table, m_rows, selection,
                {[this, run, selection] {
                     const auto index = selection->now().kind == Selected::Kind::handoff
                                            ? run->timeline().handoffAt(selection->selectedEvent())
                                            : std::nullopt;
                     return index ? m_rows->mapFromSource(m_model->index(static_cast<int>(*index), 0)).row()
                                  : -1;
                 },
                 [selection, handoffOf](int row) {
                     selection->selectHandoff(handoffOf(row).acquiredEvent, handoffOf(row).to);
                 }});
    table->setSortingEnabled(true);
    table->sortByColumn(HandoffsModel::Number, Qt::DescendingOrder);
    m_tools = new TableTools("handoffsTable", table, HandoffsModel::To, [this, table] {
        m_tools->showColumns();
        table->resizeColumnsToContents();
        const QFontMetrics metrics(table->font());
        const auto leastWidth = [&](int column, const char* widest) { // of later rows
            const int width = metrics.horizontalAdvance(QLatin1String(widest)) + kHandoffCellPadding;
            table->setColumnWidth(column, std::max(table->columnWidth(column), width));
        };
        leastWidth(HandoffsModel::Number, "00,000");
        leastWidth(HandoffsModel::At, "00:00:00.000 000");
        for (int column = HandoffsModel::Latency; column < HandoffsModel::ColumnCount; ++column)
            leastWidth(column, "0 min 00 s");
    });
    m_tools->letResize();
    auto* above = new QHBoxLayout;
    above->setContentsMargins(kHandoffFilterMargin, 0, kHandoffFilterMargin, 0);
    above->addWidget(filter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kHandoffFilterMargin, 0, 0);
    column->setSpacing(kHandoffFilterMargin);
    column->addLayout(above);
    column->addWidget(table, 1);
    setFocusProxy(table);
    connect(filter, &QLineEdit::textChanged, m_rows,
            [this](const QString& text) { m_rows->setFilterFixedString(text.trimmed()); });
    connect(table, &QAbstractItemView::activated, this, [run, selection, handoffOf](const QModelIndex& row) {
        const replay::Handoff one = handoffOf(row.row());
        goToEvent(*run, *selection, one.acquiredEvent, one.to);
        selection->selectHandoff(one.acquiredEvent, one.to);
    });
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_rows, changed, this, &HandoffsView::updateCaption);
    connect(m_rows, &QAbstractItemModel::modelReset, this, &HandoffsView::updateCaption);
    connect(m_rows, &QAbstractItemModel::rowsInserted, m_tools, &TableTools::layOut,
            Qt::SingleShotConnection);
    connect(theme, &Theme::wallClockChanged, table->viewport(), qOverload<>(&QWidget::update));
    onRetranslate(this, [this, filter, table] {
        filter->setPlaceholderText(tr("Filter by client or lock"));
        filter->setAccessibleName(filter->placeholderText());
        table->setAccessibleName(tr("Handoffs"));
        updateCaption();
    });
}

void HandoffsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_model->setShown(true);
}

void HandoffsView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_model->setShown(false);
}

void HandoffsView::updateCaption()
{
    const int shown = m_rows->rowCount(), all = m_model->rowCount();
    const auto number = [](int count) { return format::count(static_cast<quint64>(count)); };
    setCaption(all == 0       ? tr("No handoff yet.")
               : shown == all ? tr("%Ln handoffs", nullptr, all)
                              : tr("%1 of %2 handoffs").arg(number(shown), number(all)));
}

} // namespace lockscope::ui

#include "moc_handoffs_view.cpp"
