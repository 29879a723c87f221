// Keeps the mouse and the keys from the window while pictures of it are taken, which would show what they do.
// Messages and dialogs still take them; Escape asks to cancel. GUI thread.
#pragma once

#include <QObject>

class QWidget;

namespace lockscope::ui {

class InputGuard : public QObject
{
    Q_OBJECT
public:
    explicit InputGuard(QWidget* window);
    void setOn(bool on);

signals:
    void cancelRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool guards(const QWidget* widget) const;
    QWidget* m_window;
};

} // namespace lockscope::ui
