// Lets the compositor move a floated dock that is dragged by its title. Wayland lets no program place its
// windows, so there Qt's own dragging leaves the dock where it is and docks it at the release. Installs
// itself on the application; GUI thread.
#pragma once

#include <QObject>

class QDockWidget;
class QMouseEvent;

namespace lockscope::ui {

class FloatMover : public QObject
{
    Q_OBJECT
public:
    explicit FloatMover(QObject* parent);
    // True when the display server is one that needs it.
    static bool isNeeded();

signals:
    void moving(QDockWidget* dock);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lockscope::ui
