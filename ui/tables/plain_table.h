// A table without frame, grid and row numbers, with rows of equal height and a plain header. Its columns have
// the widths that layOutColumns() gives them, until the user resizes one. GUI thread.
#pragma once

#include <QHeaderView>
#include <QTableView>

#include "ui/models/style/theme.h"

namespace lockscope::ui {

class TableTools;

class PlainHeader : public QHeaderView
{
    Q_OBJECT
public:
    PlainHeader(Theme* theme, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;

private:
    Theme* m_theme;
};

class PlainTable : public QTableView
{
    Q_OBJECT
public:
    static constexpr int kSide = 14; // margin at the left and right edge
    static constexpr int kCell = 4;  // padding at each side of a cell
    // `lowRowHeight`: the row height used when fewer than kFewRows rows of `rowHeight` fit. Both in pixels.
    PlainTable(Theme* theme, int rowHeight, QWidget* parent, int lowRowHeight = 0);

    void setEmptyText(const QString& text);
    // Lays out changed rows before the next paint. By default Qt does so after it, and the views of a run
    // would show two different moments.
    void layOutNow() { executeDelayedItemsLayout(); }
    // Lets the user choose, move and resize columns, except for hiding `always`, and copy rows. `name`: in
    // the settings.
    TableTools* addTools(const char* name, int always);
    QList<QAction*> copying() const; // of the selected rows
    // A cell without its padding, in the viewport.
    QRect contents(const QRect& cell, int column) const;
    int firstColumn() const; // the first visible one

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    virtual void layOutColumns(int width) = 0;
    void layOut();
    bool wants(int column) const; // the user wants to see it
    // A click on a title sorts the rows, one after the descending order gives them their own order again.
    void letSort();
    Theme* theme() const { return m_theme; }

private:
    static constexpr int kFewRows = 5;
    void applyTheme();
    void applyRowHeight();
    Theme* m_theme;
    TableTools* m_tools = nullptr;
    int m_rowHeight;
    int m_lowRowHeight;
    QString m_emptyText;
};

} // namespace lockscope::ui
