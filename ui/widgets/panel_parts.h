// Parts that several panels and bars are made of. GUI thread.
#pragma once

#include <QHeaderView>
#include <QListWidget>
#include <QStringList>

class QColor;
class QLabel;
class QTableView;

namespace lockscope::ui {

// The widget, with the name by which tests and style sheets find it.
template <class Widget>
Widget* named(Widget* widget, const char* name)
{
    widget->setObjectName(QLatin1String(name));
    return widget;
}

// Plain text in several lines that can be selected.
void makePlainText(QLabel* label);
// As the style sheet defines it for the properties that it has now.
void repolish(QWidget* widget);
void setTextColour(QWidget* widget, const QColor& colour);
// Has the arrow of the order beside the name of its column; that of the style lies over the end of the name.
class SortHeader : public QHeaderView
{
    Q_OBJECT
public:
    explicit SortHeader(QWidget* parent);

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
    QSize sectionSizeFromContents(int section) const override; // with room for the arrow
};

// Whole rows are selected, none is edited; no grid, no row numbers; rows of this height; a SortHeader.
void setUpRowTable(QTableView* table, int rowHeight);
// "Locks: 3", or "Locks: 1 of 3".
QString lockCountText(int shown, int all);

// One line each; the same lines keep their selection.
void setListLines(QListWidget* list, const QStringList& lines);

// What was not read, or cannot be known: one line each, hidden while there is none.
class ProblemList : public QListWidget
{
    Q_OBJECT
public:
    ProblemList(const QString& name, int height, QWidget* parent);
    void setLines(QStringList lines, int maxCount); // beyond maxCount they are counted
};

} // namespace lockscope::ui
