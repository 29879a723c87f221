// One view as a card that can be moved, put on top of another, floated and hidden. GUI thread.
#pragma once

#include <QDockWidget>

#include "ui/shell/card.h"
#include "ui/shell/views.h"

namespace lockscope::ui {

class DockCard : public QDockWidget
{
    Q_OBJECT
public:
    DockCard(const ViewEntry& entry, Look* look, QWidget* parent);
    CardHeader* header() const { return m_header; }
    QString name() const { return m_name; }
    QWidget* view() const { return m_view; }

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QString m_name;
    QWidget* m_view;
    CardHeader* m_header;
};

} // namespace lockscope::ui
