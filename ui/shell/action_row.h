// Buttons side by side for some of the window's actions, at the foot of a card. GUI thread.
#pragma once

#include <QWidget>

class QAction;

namespace lockscope::ui {

class ActionRow : public QWidget
{
    Q_OBJECT
public:
    ActionRow(const QList<QAction*>& actions, QWidget* parent);
};

} // namespace lockscope::ui
