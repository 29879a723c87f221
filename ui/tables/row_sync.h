// Keeps the current row of a view and the selection of the window the same: what a person chooses in the view
// is selected everywhere, what is selected elsewhere is shown in the view, without taking the keyboard focus.
// Rows that come and go never choose anything. GUI thread; owned by the view.
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
        std::function<int()> selectedRow;    // of what is selected in the window; -1 = not among the rows
        std::function<void(int row)> choose; // the person chose a row
    };
    // Gives the view its model: this must hear of row changes before the view does.
    RowSync(QAbstractItemView* view, QAbstractItemModel* model, Selection* selection, Rules rules);

    void show(); // the selection in the view

private:
    void rowsWillChange();
    void rowsChanged();
    void chosen(const QModelIndex& index);
    QAbstractItemView* m_view;
    Rules m_rules;
    bool m_scrollPending = false; // what was selected is to come into sight, once it has a row
    int m_programmaticChanges = 0;           // > 0: the current row moves by itself
};

} // namespace lockscope::ui
