// What every table offers: its columns can be chosen and moved, by a menu of the titles, and the selected
// rows copied as text, as CSV or as Markdown, by a menu of the rows and by Ctrl+C. GUI thread.
#pragma once

#include <QMenu>
#include <QObject>
#include <QStringList>

#include <functional>
#include <vector>

class QTableView;

namespace lockscope::ui {

class TableTools : public QObject
{
    Q_OBJECT
public:
    enum class Format { text, csv, markdown };

    // The table has its model, and its own menus if it wants any. `always`: the column that is always shown.
    // `layOut` gives the chosen columns their room; without it they are just shown. `name`: of the table in
    // the settings.
    TableTools(const char* name, QTableView* table, int always, std::function<void()> layOut = {});

    bool isShown(int column) const { return m_shown[static_cast<std::size_t>(column)]; } // if there is room
    void setShown(int column, bool shown);
    void addColumns(QMenu* menu);
    const QList<QAction*>& copying() const { return m_copying; } // for a menu of the rows
    QString selectedRows(Format format) const;                   // empty: none is selected

    // The columns in their order, "-2" for column 2 that is not shown, with their width: "1:120".
    QStringList saved() const;
    void restore(const QStringList& saved); // what does not fit the table is ignored

private:
    void layOut();
    void addCopying(QMenu* menu) { menu->addActions(m_copying); }
    void allowCopying();
    void copy(Format format) const;

    QTableView* m_table;
    int m_always;
    std::function<void()> m_layOut;
    std::vector<bool> m_shown;
    QList<QAction*> m_copying;
};

} // namespace lockscope::ui
