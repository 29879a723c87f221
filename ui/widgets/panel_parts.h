// Parts that several panels and bars are made of. GUI thread.
#pragma once

#include <QHeaderView>
#include <QListWidget>
#include <QStringList>

#include <functional>

class QAction;
class QColor;
class QLabel;
class QTableView;

namespace lockscope::ui {

// Sets the object name by which tests and style sheets find the widget, and returns the widget.
template <class Widget>
Widget* named(Widget* widget, const char* name)
{
    widget->setObjectName(QLatin1String(name));
    return widget;
}

// A command of the table of commands whose keys work while the focus is in the widget: `act` does it.
QAction* addCommandTo(QWidget* widget, const char* name, std::function<void()> act);

// Makes the label show plain, word-wrapped text that can be selected.
void makePlainText(QLabel* label);
// Applies the style sheet again, after a change of a property that it depends on.
void repolish(QWidget* widget);
void setTextColour(QWidget* widget, const QColor& colour);
// A header with the sort arrow beside the column's name: the arrow of the style covers the end of the name.
class SortHeader : public QHeaderView
{
    Q_OBJECT
public:
    explicit SortHeader(QWidget* parent);

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
    QSize sectionSizeFromContents(int section) const override; // with room for the arrow
};

// Sets up a read-only table of rows of this height, selected as a whole: a SortHeader, no grid, no row
// numbers.
void setUpRowTable(QTableView* table, int rowHeight);
// "Locks: 3", or "Locks: 1 of 3".
QString lockCountText(int shown, int all);

// Shows one line per item. If the lines are unchanged, the selection stays.
void setListLines(QListWidget* list, const QStringList& lines);

// Problems such as data that could not be read, one line each. Hidden while there are none.
class ProblemList : public QListWidget
{
    Q_OBJECT
public:
    ProblemList(const QString& name, int height, QWidget* parent);
    void setLines(QStringList lines, int maxCount); // lines beyond maxCount are only counted
};

} // namespace lockscope::ui
