// The footer of the welcome page: buttons that follow their actions. GUI thread.
#pragma once

#include <QWidget>

class QAction;
class QHBoxLayout;
class QPushButton;

namespace lockscope::ui {

class WelcomeFooter : public QWidget
{
    Q_OBJECT
public:
    WelcomeFooter(const QList<QAction*>& actions, QWidget* parent); // on the left
    void addSecondary(const QList<QAction*>& actions);              // on the right, after the others
    void setSideMargin(int margin);

private:
    QPushButton* buttonFor(QAction* action);

    QHBoxLayout* m_row;
    QHBoxLayout* m_secondaryRow;
};

} // namespace lockscope::ui
