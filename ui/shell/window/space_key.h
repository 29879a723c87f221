// The space bar is a shortcut of the window, but a button, a list or a check box that has the focus needs it
// for itself; not a button that has it only because it was clicked. Installed on the application; GUI thread.
#pragma once

#include <QObject>

namespace lockscope::ui {

class SpaceKey : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QObject* m_clicked = nullptr; // compared, never used
};

} // namespace lockscope::ui
