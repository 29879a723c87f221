// A row of buttons for some of the window's actions, at the bottom of a card. Where the full texts do not
// fit, the buttons show the actions' icon texts; the tool tips have the full texts. GUI thread.
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
