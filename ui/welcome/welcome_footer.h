// The footer of the welcome page: buttons that follow their actions. Those that do not fit are hidden, the
// last ones first: the menus have all of them. GUI thread.
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
    void setCalm(bool calm); // only those on the right

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    QPushButton* buttonFor(QAction* action);

    QHBoxLayout* m_row;
    QHBoxLayout* m_secondaryRow;
    bool m_calm = false;
};

} // namespace lockscope::ui
