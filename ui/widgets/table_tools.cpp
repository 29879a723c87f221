#include "ui/widgets/table_tools.h"

#include "core/exports/text_format.h"
#include "ui/models/style/retranslate.h"
#include "ui/widgets/panel_parts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lockscope::ui {

namespace {

const QString kOwnWidths = QStringLiteral("widths");

QString cellText(const QModelIndex& index)
{
    const QVariant shown = index.data();
    return (shown.isValid() ? shown : index.data(Qt::AccessibleTextRole)).toString();
}

QString csvText(const QString& text) { return QString::fromStdString(exports::csvCell(text.toStdString())); }

QString markdownText(QString text)
{
    return text.replace(u'\\', QLatin1String("\\\\")).replace(u'|', QLatin1String("\\|"));
}

// A line of these cells.
QString lineOf(QStringList cells, TableTools::Format format)
{
    switch (format) {
    case TableTools::Format::text:
        return cells.join(u'\t').trimmed();
    case TableTools::Format::csv:
        std::transform(cells.begin(), cells.end(), cells.begin(), csvText);
        return cells.join(u',');
    case TableTools::Format::markdown:
        break;
    }
    std::transform(cells.begin(), cells.end(), cells.begin(), markdownText);
    return QStringLiteral("| %1 |").arg(cells.join(QStringLiteral(" | ")));
}

} // namespace

TableTools::TableTools(const char* name, QTableView* table, int always, std::function<void()> layOut)
    : QObject(table)
    , m_table(table)
    , m_always(always)
    , m_layOut(std::move(layOut))
    , m_shown(static_cast<std::size_t>(table->model()->columnCount()), true)
    , m_copying{addCommandTo(table, "table.copy", [this] { copy(Format::text); }), new QAction(this),
                new QAction(this)}
{
    setObjectName(QLatin1String(name));
    QHeaderView* titles = table->horizontalHeader();
    titles->setSectionsMovable(true);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(m_copying[1], &QAction::triggered, this, [this] { copy(Format::csv); });
    connect(m_copying[2], &QAction::triggered, this, [this] { copy(Format::markdown); });
    onRetranslate(table, [this] {
        m_copying[1]->setText(tr("Copy as C&SV"));
        m_copying[2]->setText(tr("Copy as &Markdown"));
    });
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TableTools::allowCopying);
    connect(table->model(), &QAbstractItemModel::modelReset, this, &TableTools::allowCopying);
    allowCopying();
    const auto offer = [this](QWidget* where, QWidget* coordinates, auto add) {
        if (where->contextMenuPolicy() != Qt::DefaultContextMenu)
            return;
        where->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(where, &QWidget::customContextMenuRequested, this,
                [this, coordinates, add](const QPoint& place) {
                    auto* menu = new QMenu(m_table);
                    menu->setAttribute(Qt::WA_DeleteOnClose);
                    (this->*add)(menu);
                    menu->popup(coordinates->mapToGlobal(place));
                });
    };
    offer(table, table->viewport(), &TableTools::addCopying);
    offer(titles, titles->viewport(), &TableTools::addColumns);
}

void TableTools::letResize()
{
    m_resizable = true;
    m_scrolling = m_table->horizontalScrollBarPolicy();
    QHeaderView* titles = m_table->horizontalHeader();
    titles->setSectionResizeMode(QHeaderView::Interactive);
    connect(titles, &QHeaderView::sectionResized, this, [this] {
        if (!m_layingOut)
            setOwnWidths(true);
    });
}

void TableTools::setOwnWidths(bool own)
{
    m_ownWidths = own;
    m_table->setHorizontalScrollBarPolicy(own ? Qt::ScrollBarAsNeeded : m_scrolling);
}

void TableTools::layOut()
{
    const QScopedValueRollback<bool> guard(m_layingOut, true);
    if (m_layOut && !m_ownWidths)
        m_layOut();
    else if (!m_layOut)
        showColumns();
}

void TableTools::showColumns()
{
    const QScopedValueRollback<bool> guard(m_layingOut, true);
    for (int column = 0; column < static_cast<int>(m_shown.size()); ++column)
        m_table->setColumnHidden(column, !isShown(column));
}

void TableTools::setShown(int column, bool shown)
{
    m_shown[static_cast<std::size_t>(column)] = shown || column == m_always;
    m_ownWidths ? showColumns() : layOut();
}

void TableTools::addColumns(QMenu* menu)
{
    for (int column = 0; column < static_cast<int>(m_shown.size()); ++column) {
        QAction* shown =
            menu->addAction(m_table->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        shown->setCheckable(true);
        shown->setChecked(isShown(column));
        shown->setEnabled(column != m_always);
        connect(shown, &QAction::toggled, this, [this, column](bool on) { setShown(column, on); });
    }
    if (!m_resizable)
        return;
    menu->addSeparator();
    //: of the columns of a table
    QAction* fit = menu->addAction(tr("Fit to the Width"), this, [this] {
        setOwnWidths(false);
        layOut();
    });
    fit->setEnabled(m_ownWidths);
}

// Its key stays the table's: otherwise Qt would copy the current cell with it.
void TableTools::allowCopying()
{
    for (QAction* way : m_copying.mid(1))
        way->setEnabled(m_table->selectionModel()->hasSelection());
}

QString TableTools::selectedRows(Format format) const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    const QHeaderView* header = m_table->horizontalHeader();
    std::vector<int> columns;
    for (int place = 0; place < header->count(); ++place)
        if (const int column = header->logicalIndex(place); isShown(column))
            columns.push_back(column);
    const auto line = [&](auto&& text) {
        QStringList cells;
        for (const int column : columns)
            cells << text(column);
        return lineOf(cells, format);
    };
    QStringList lines;
    if (format != Format::text && !rows.isEmpty())
        lines << line([&](int column) {
            return m_table->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        });
    if (format == Format::markdown && !rows.isEmpty())
        lines << line([](int) { return QStringLiteral("---"); });
    for (const QModelIndex& row : rows)
        lines << line([&](int column) { return cellText(row.siblingAtColumn(column)); });
    return lines.join(u'\n');
}

void TableTools::copy(Format format) const
{
    if (const QString rows = selectedRows(format); !rows.isEmpty())
        QGuiApplication::clipboard()->setText(rows);
}

QStringList TableTools::saved() const
{
    QStringList columns;
    const QHeaderView* header = m_table->horizontalHeader();
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        columns << QStringLiteral("%1%2:%3")
                       .arg(isShown(column) ? QString() : QStringLiteral("-"))
                       .arg(column)
                       .arg(header->sectionSize(column));
    }
    if (m_ownWidths)
        columns << kOwnWidths;
    if (m_table->isSortingEnabled() && !header->isSortIndicatorClearable())
        columns << QStringLiteral("sort:%1:%2")
                       .arg(header->sortIndicatorSection())
                       .arg(header->sortIndicatorOrder());
    return columns;
}

void TableTools::restore(const QStringList& saved)
{
    QHeaderView* header = m_table->horizontalHeader();
    const qsizetype count = header->count();
    if (saved.size() < count)
        return;
    if (m_resizable)
        setOwnWidths(saved.mid(count).contains(kOwnWidths));
    const QScopedValueRollback<bool> guard(m_layingOut, true);
    for (int place = 0; place < header->count(); ++place) {
        const QString number = saved[place].section(u':', 0, 0);
        const int column = std::abs(number.toInt()), width = saved[place].section(u':', 1).toInt();
        if (column >= header->count() || header->visualIndex(column) < place)
            return;
        header->moveSection(header->visualIndex(column), place);
        m_shown[static_cast<std::size_t>(column)] = !number.startsWith(u'-') || column == m_always;
        if ((!m_layOut || m_ownWidths) && width > 0 &&
            header->sectionResizeMode(column) == QHeaderView::Interactive)
            header->resizeSection(column, width);
    }
    for (const QString& more : saved.mid(count))
        if (const int column = more.section(u':', 1, 1).toInt();
            more.startsWith(QLatin1String("sort:")) && m_table->isSortingEnabled() && column < count)
            m_table->sortByColumn(column, more.endsWith(u'0') ? Qt::AscendingOrder : Qt::DescendingOrder);
    m_ownWidths ? showColumns() : layOut();
}

} // namespace lockscope::ui

#include "moc_table_tools.cpp"
