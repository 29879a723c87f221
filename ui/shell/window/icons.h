// The window's icons: drawings from resources/icons in the colour that is asked for. GUI thread.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace lockscope::ui {

// name: a file of resources/icons without its ending. An empty icon when there is none.
QIcon icon(const QString& name, const QColor& colour);
QIcon applicationIcon();

} // namespace lockscope::ui
