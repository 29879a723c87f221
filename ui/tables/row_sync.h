// Synchronizes the current row of a view with the window's selection, without taking the keyboard focus.
// Inserted and removed rows never change the selection, and a selected row that is visible stays visible.
// Owned by the view. GUI thread.
#pragma once

#include <QAbstractItemView>
#include <QObject>

#include <functional>

namespace lockscope::ui {

class Selection;

class RowSync : public QObject
{
    Q_OBJECT
public:
    struct Rules
    {
        std::function<int()> selectedRow;    // the row of the selection; -1: none
        std::function<void(int row)> choose; // the user chose a row
    };
    // Sets the view's model: RowSync must handle row changes before the view does.
    RowSync(QAbstractItemView* view, QAbstractItemModel* model, Selection* selection, Rules rules);

    void show(); // shows the selection in the view

private:
    void rowsWillChange();
    void rowsChanged();
    void chosen(const QModelIndex& index);
    bool isInSight() const; // the selected row
    QAbstractItemView* m_view;
    Rules m_rules;
    bool m_scrollPending = false; // scroll to the selection as soon as it has a row
    bool m_wasInSight = false;
    int m_programmaticChanges = 0; // > 0: changes of the current row are not the user's
};

} // namespace lockscope::ui
