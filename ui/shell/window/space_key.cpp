#include "ui/shell/window/space_key.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QKeyEvent>

namespace lockscope::ui {

bool SpaceKey::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn && watched->isWidgetType()) {
        const auto* focus = static_cast<QFocusEvent*>(event);
        m_clicked =
            focus->reason() == Qt::MouseFocusReason ? qobject_cast<QAbstractButton*>(watched) : nullptr;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool space = key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier;
        if (space && watched != m_clicked &&
            (qobject_cast<QAbstractButton*>(watched) || qobject_cast<QComboBox*>(watched))) {
            event->accept();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lockscope::ui
