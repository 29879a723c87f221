#include "ui/tables/row_sync.h"

#include "ui/models/run/selection.h"

#include <QItemSelectionModel>

#include <utility>

namespace lockscope::ui {

RowSync::RowSync(QAbstractItemView* view, QAbstractItemModel* model, Selection* selection, Rules rules)
    : QObject(view)
    , m_view(view)
    , m_rules(std::move(rules))
{
    connect(model, &QAbstractItemModel::rowsAboutToBeInserted, this, &RowSync::rowsWillChange);
    connect(model, &QAbstractItemModel::rowsAboutToBeRemoved, this, &RowSync::rowsWillChange);
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &RowSync::rowsWillChange);
    view->setModel(model);
    connect(model, &QAbstractItemModel::rowsInserted, this, &RowSync::rowsChanged);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &RowSync::rowsChanged);
    connect(model, &QAbstractItemModel::modelReset, this, &RowSync::rowsChanged);
    // A view that gets the focus makes a row current that the user has not chosen.
    connect(view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (m_view->selectionModel()->isSelected(current))
                    chosen(current);
            });
    connect(view, &QAbstractItemView::clicked, this, &RowSync::chosen);
    connect(selection, &Selection::changed, this, [this] {
        m_scrollPending = true;
        show();
    });
    show();
}

bool RowSync::isInSight() const
{
    const QModelIndex current = m_view->currentIndex();
    return m_view->selectionModel()->isSelected(current) &&
           m_view->viewport()->rect().contains(m_view->visualRect(current));
}

void RowSync::rowsWillChange()
{
    ++m_programmaticChanges;
    m_wasInSight = isInSight();
}

void RowSync::rowsChanged()
{
    --m_programmaticChanges;
    show();
    if (m_wasInSight && !isInSight() && m_rules.selectedRow() >= 0)
        m_view->scrollTo(m_view->currentIndex());
}

void RowSync::chosen(const QModelIndex& index)
{
    if (m_programmaticChanges > 0 || !index.isValid())
        return;
    ++m_programmaticChanges; // the selection notifies this view too
    m_rules.choose(index.row());
    --m_programmaticChanges;
}

void RowSync::show()
{
    const int row = m_rules.selectedRow();
    const bool scroll = row >= 0 && std::exchange(m_scrollPending, false);
    QItemSelectionModel* model = m_view->selectionModel();
    const bool marked = row == (model->hasSelection() ? m_view->currentIndex().row() : -1);
    if (marked && !scroll)
        return;
    ++m_programmaticChanges;
    m_view->setAutoScroll(false);
    const QModelIndex index = m_view->model()->index(row, 0);
    if (row < 0)
        model->clear();
    else if (!marked)
        model->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (scroll) {
        m_view->doItemsLayout(); // new rows have no geometry yet
        m_view->scrollTo(index);
    }
    m_view->setAutoScroll(true);
    --m_programmaticChanges;
}

} // namespace lockscope::ui

#include "moc_row_sync.cpp"
