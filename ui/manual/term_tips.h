// Explains ZooKeeper's terms on hover: whatever names one, in any widget of the window, gets a tool tip with
// its explanation below its own. GUI thread.
#pragma once

#include <QObject>
#include <QString>

class QHelpEvent;
class QWidget;

namespace lockscope::ui {

class TermTips : public QObject
{
    Q_OBJECT
public:
    explicit TermTips(QWidget* window);
    // What is written there; empty: nothing that is known.
    static QString textUnder(QWidget* widget, QPoint at);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void answer(QWidget* widget, QHelpEvent* event);

    QWidget* m_window;
    bool m_asking = false; // the widget itself
};

} // namespace lockscope::ui
