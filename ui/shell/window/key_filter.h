// Corrects keys for the whole application. Space is a shortcut of the window, but a focused button, check box
// or combo box needs it, unless a button got the focus by a click. Ctrl+F opens the timeline's search, unless
// the focused widget has its own search. What is typed on after a menu that the display server closed, or
// never let open (Wayland refuses one whose key is up again), was meant for the menu and does nothing. Where
// no keyboard layout has Latin letters, which Qt then cannot find, a letter is the command of its place on
// the keyboard. Installs itself on the application; GUI thread.
#pragma once

#include <QObject>
#include <QWidget>

namespace lockscope::ui {

class KeyFilter : public QObject
{
    Q_OBJECT
public:
    explicit KeyFilter(QWidget* window); // includes the windows that are its children

signals:
    void findPressed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isFindKey(const QObject* watched, const QEvent* event) const;
    bool isMeantForClosedMenu(const QObject* watched, QEvent* event);
    bool isSpaceOfControl(const QObject* watched, const QEvent* event) const;
    bool triggersByPlace(const QObject* watched, const QEvent* event) const;
    void noteInput();

    QWidget* m_window;
    bool m_menuWasClosed = false; // by the display server, and no click or other key has followed
    bool m_inInput = false;       // a key or a button of the mouse is handled
    const QObject* m_clicked =
        nullptr; // the button that got the focus by a click; compared, never dereferenced
};

} // namespace lockscope::ui
