// What every table offers: its columns can be chosen, by a menu of the titles, moved and resized, and the
// selected rows copied as text, as CSV or as Markdown, by a menu of the rows and by Ctrl+C. GUI thread.
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
    // For a table whose widths `layOut` sets: the user can set them too. From then on they are kept, until
    // the menu of the titles lets `layOut` set them again.
    void letResize();
    void layOut();      // after a change of the size, the font or what the table has
    void showColumns(); // those that are chosen, whatever their widths
    void addColumns(QMenu* menu);
    const QList<QAction*>& copying() const { return m_copying; } // for a menu of the rows
    QString selectedRows(Format format) const;                   // empty: none is selected

    // The columns in their order, "-2" for column 2 that is not shown, with their width: "1:120"; behind them
    // "widths" if the user has set those, and "sort:1:0" for the order of a table that has no other.
    QStringList saved() const;
    void restore(const QStringList& saved); // what does not fit the table is ignored

private:
    void setOwnWidths(bool own);
    void addCopying(QMenu* menu) { menu->addActions(m_copying); }
    void allowCopying();
    void copy(Format format) const;

    QTableView* m_table;
    int m_always;
    std::function<void()> m_layOut;
    std::vector<bool> m_shown;
    bool m_resizable = false;          // and `layOut` sets the widths otherwise
    Qt::ScrollBarPolicy m_scrolling{}; // then
    bool m_ownWidths = false;          // the user's
    bool m_layingOut = false;
    QList<QAction*> m_copying;
};

} // namespace lockscope::ui
