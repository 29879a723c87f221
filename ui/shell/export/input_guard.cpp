#include "ui/shell/export/input_guard.h"

#include "ui/shell/messages/message_bar.h"
#include "ui/shell/messages/message_list.h"

#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QWidget>

namespace lockscope::ui {

namespace {

bool isInput(QEvent::Type type)
{
    switch (type) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
    case QEvent::HoverEnter:
    case QEvent::HoverMove:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
    case QEvent::ShortcutOverride:
    case QEvent::ContextMenu:
    case QEvent::ToolTip:
    case QEvent::DragEnter:
    case QEvent::Drop:
        return true;
    default:
        return false;
    }
}

} // namespace

InputGuard::InputGuard(QWidget* window)
    : QObject(window)
    , m_window(window)
{}

void InputGuard::setOn(bool on) { on ? qApp->installEventFilter(this) : qApp->removeEventFilter(this); }

bool InputGuard::guards(const QWidget* widget) const
{
    for (const QWidget* each = widget; each; each = each->parentWidget()) {
        if (qobject_cast<const MessageBar*>(each) || qobject_cast<const MessageBell*>(each) ||
            qobject_cast<const QDialog*>(each)) {
            return false;
        }
        if (each == m_window) {
            return true;
        }
    }
    return false;
}

bool InputGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (!isInput(event->type()) || !watched->isWidgetType() ||
        !guards(static_cast<const QWidget*>(watched))) {
        return QObject::eventFilter(watched, event);
    }
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept(); // else it may be a shortcut
    } else if (event->type() == QEvent::KeyPress &&
               static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        emit cancelRequested();
    }
    return true;
}

} // namespace lockscope::ui

#include "moc_input_guard.cpp"
