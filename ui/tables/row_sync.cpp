#include "ui/tables/row_sync.h"

#include "ui/models/selection.h"

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
    connect(view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RowSync::chosen);
    connect(view, &QAbstractItemView::clicked, this, &RowSync::chosen);
    connect(selection, &Selection::changed, this, [this] { show(true); });
    show(false);
}

void RowSync::rowsWillChange() { ++m_quiet; }

void RowSync::rowsChanged()
{
    --m_quiet;
    show(false);
}

void RowSync::chosen(const QModelIndex& index)
{
    if (m_quiet > 0 || !index.isValid())
        return;
    ++m_quiet; // the selection tells this view too
    m_rules.choose(index.row());
    --m_quiet;
}

void RowSync::show(bool scroll)
{
    const int row = m_rules.selectedRow();
    QItemSelectionModel* model = m_view->selectionModel();
    if (row == (model->hasSelection() ? m_view->currentIndex().row() : -1))
        return;
    ++m_quiet;
    m_view->setAutoScroll(false);
    if (row < 0) {
        model->clear();
    } else {
        const QModelIndex index = m_view->model()->index(row, 0);
        model->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        if (scroll)
            m_view->scrollTo(index);
    }
    m_view->setAutoScroll(true);
    --m_quiet;
}

} // namespace lockscope::ui
