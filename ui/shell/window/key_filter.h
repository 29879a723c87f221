// Corrects two keys for the whole application. Space is a shortcut of the window, but a button, check box or
// list that has the focus needs it, unless it got the focus by a click. Ctrl+F opens the timeline's search,
// unless the focused widget has a search of its own. Installs itself on the application; GUI thread.
#pragma once

#include <QObject>
#include <QWidget>

namespace lockscope::ui {

class KeyFilter : public QObject
{
    Q_OBJECT
public:
    explicit KeyFilter(QWidget* window); // its tool windows count as part of it

signals:
    void findPressed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isFindKey(const QObject* watched, const QEvent* event) const;
    bool isSpaceOfControl(const QObject* watched, const QEvent* event) const;

    QWidget* m_window;
    const QObject* m_clicked =
        nullptr; // the button that got the focus by a click; compared, never dereferenced
};

} // namespace lockscope::ui
