// A table without frame, grid or row numbers whose rows all have one height, with our own quiet header. Base
// of the queue and the log. GUI thread.
#pragma once

#include <QHeaderView>
#include <QTableView>

#include "ui/models/theme.h"

namespace lockscope::ui {

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
    static constexpr int kSide = 14; // room at the left and right edge
    static constexpr int kCell = 4;  // room at each side of a cell
    PlainTable(Theme* theme, int rowHeight, QWidget* parent);

    void setEmptyText(const QString& text);
    // Rows that changed are drawn with the next paint. Left to itself Qt lays them out after it: views that show one
    // run would stand at two moments.
    void layOutNow() { executeDelayedItemsLayout(); }
    // Of one cell without its paddings, given the table's viewport.
    QRect contents(const QRect& cell, int column) const;
    int firstColumn() const; // that is shown

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    virtual void layOutColumns(int width) = 0;
    Theme* theme() const { return m_theme; }

private:
    void applyTheme();
    Theme* m_theme;
    int m_rowHeight;
    QString m_emptyText;
};

} // namespace lockscope::ui
