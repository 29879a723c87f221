// The foot of the welcome page: what else can be done from there, as buttons that follow their actions. GUI
// thread.
#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QPushButton;

namespace lockscope::ui {

class WelcomeFoot : public QWidget
{
    Q_OBJECT
public:
    WelcomeFoot(const QList<QAction*>& actions, QWidget* parent); // these at the left
    void addQuiet(const QList<QAction*>& actions);                // at the right, after the others
    void setSide(int margin);

private:
    QPushButton* buttonFor(QAction* action);

    QHBoxLayout* m_row;
    QHBoxLayout* m_quietRow;
};

} // namespace lockscope::ui
