// Explains ZooKeeper's terms on hover: text in any widget of the window that mentions a term gets a tool tip
// with the explanation, below the widget's own tool tip. GUI thread.
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
    // The text of the widget at this point; empty when there is none or the kind of widget is not supported.
    static QString textUnder(QWidget* widget, QPoint at);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void answer(QWidget* widget, QHelpEvent* event);

    QWidget* m_window;
    bool m_asking = false; // while the widget is asked for its own tool tip
};

} // namespace lockscope::ui
