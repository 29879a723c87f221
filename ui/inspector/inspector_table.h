// The Inspector's rows with their links: a click follows a link, Enter the link to the row's event,
// Shift+Enter the link to the item in the row. GUI thread.
#pragma once

#include "ui/tables/plain_table.h"

namespace lockscope::ui {

class InspectorDelegate;
class InspectorModel;

class InspectorTable : public PlainTable
{
    Q_OBJECT
public:
    static constexpr int kRowHeight = 25;
    InspectorTable(InspectorModel* model, Theme* theme, QWidget* parent);
    QModelIndex hovered() const { return m_hovered; }
    void fitRows();

signals:
    void linkFollowed(const QModelIndex& cell);

protected:
    void layOutColumns(int width) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    // The link under the mouse; invalid: none.
    QModelIndex linkAt(QPoint place) const;
    void hover(const QModelIndex& cell);
    InspectorModel* m_model;
    InspectorDelegate* m_delegate;
    QPersistentModelIndex m_hovered;
    QPersistentModelIndex m_pressed;
};

} // namespace lockscope::ui
