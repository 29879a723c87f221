// The window's icons: drawings from resources/icons in a given color. GUI thread.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace lockscope::ui {

// `name`: a file of resources/icons without its suffix. Returns an empty icon if there is no such file.
QIcon icon(const QString& name, const QColor& colour);
QIcon applicationIcon();

} // namespace lockscope::ui
