// The key that finds (Ctrl+F) opens the search of the timeline wherever the focus is, unless what has the
// focus has a search of its own. Without it, what is typed to be found would be taken for commands. Installed
// on the application; GUI thread.
#pragma once

#include <QObject>
#include <QWidget>

namespace lockscope::ui {

class FindKey : public QObject
{
    Q_OBJECT
public:
    explicit FindKey(QWidget* window);

signals:
    void pressed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_window; // its tool windows count as it
};

} // namespace lockscope::ui
