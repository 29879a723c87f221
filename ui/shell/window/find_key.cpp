#include "ui/shell/window/find_key.h"

#include <QApplication>
#include <QKeyEvent>

namespace lockscope::ui {

namespace {

bool isPartOf(const QWidget* part, const QWidget* window)
{
    while (part && part != window)
        part = part->parentWidget();
    return part != nullptr;
}

} // namespace

FindKey::FindKey(QWidget* window)
    : QObject(window)
    , m_window(window)
{}

// A key that is the shortcut of whatever has the focus does not come as a key press.
bool FindKey::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find) ||
        !watched->isWidgetType() || QApplication::activeModalWidget() || QApplication::activePopupWidget() ||
        !isPartOf(static_cast<QWidget*>(watched), m_window))
        return QObject::eventFilter(watched, event);
    emit pressed();
    return true;
}

} // namespace lockscope::ui
