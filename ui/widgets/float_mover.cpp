#include "ui/widgets/float_mover.h"

#include <QApplication>
#include <QDockWidget>
#include <QMouseEvent>
#include <QWindow>

namespace lockscope::ui {

FloatMover::FloatMover(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool FloatMover::isNeeded() { return QGuiApplication::platformName().startsWith(QLatin1String("wayland")); }

// A press on a title arrives at the dock, unless it is on a button or tab of the title.
bool FloatMover::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::MouseButtonPress)
        return QObject::eventFilter(watched, event);
    auto* dock = qobject_cast<QDockWidget*>(watched);
    const auto* press = static_cast<const QMouseEvent*>(event);
    if (!dock || !dock->isFloating() || !dock->widget() || press->button() != Qt::LeftButton ||
        press->position().y() >= dock->widget()->y())
        return QObject::eventFilter(watched, event);
    emit moving(dock);
    dock->windowHandle()->startSystemMove();
    return true;
}

} // namespace lockscope::ui

#include "moc_float_mover.cpp"
