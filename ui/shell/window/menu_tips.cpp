#include "ui/shell/window/menu_tips.h"

#include "ui/models/style/format.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

namespace lockscope::ui {

MenuTips::MenuTips(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool MenuTips::eventFilter(QObject* watched, QEvent* event)
{
    auto* menu = event->type() == QEvent::ToolTip ? qobject_cast<QMenu*>(watched) : nullptr;
    if (!menu || !menu->toolTipsVisible())
        return QObject::eventFilter(watched, event);
    QAction* action = menu->actionAt(static_cast<QHelpEvent*>(event)->pos());
    const bool said =
        action && action->toolTip() != format::withoutMnemonic(action->text()); // not only the text
    const QRect entry = action ? menu->actionGeometry(action) : QRect();
    QToolTip::showText(menu->mapToGlobal(QPoint(menu->width(), entry.top() - entry.height() / 2)),
                       said ? action->toolTip() : QString(), menu, entry);
    return true;
}

} // namespace lockscope::ui
