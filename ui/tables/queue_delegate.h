// Draws a cell of the queue. GUI thread.
#pragma once

#include "ui/tables/cell_delegate.h"

namespace lockscope::ui {

class QueueModel;
class QueueView;

class QueueDelegate : public CellDelegate
{
    Q_OBJECT
public:
    static constexpr int kDotRoom = 14;
    QueueDelegate(const QueueModel* model, Theme* theme, QueueView* view);
    // A state in two parts, such as "holds · frozen", or only its second part when both do not fit: other
    // cells show the first.
    static QString fitting(const QString& state, const QFontMetrics& metrics, int width);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    QString wholeText(const QModelIndex& index) const override;
    bool isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QRect textBox(const QRect& cell, int column) const;
    QFont fontOf(int column) const;
    const QueueModel* m_model;
    const QueueView* m_view;
};

} // namespace lockscope::ui
