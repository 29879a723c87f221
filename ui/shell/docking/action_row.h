// Buttons side by side for some of the window's actions, at the foot of a card. Where their words do not fit they
// have the actions' icon texts; the tool tip has the full text. GUI thread.
#pragma once

#include <QWidget>

class QAction;
class QPushButton;

namespace lockscope::ui {

class ActionRow : public QWidget
{
    Q_OBJECT
public:
    ActionRow(const QList<QAction*>& actions, QWidget* parent);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitTexts();
    QList<QAction*> m_actions;
    QList<QPushButton*> m_buttons;
};

} // namespace lockscope::ui
