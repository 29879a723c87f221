// Draws a widget and all its visible children as one SVG file; text stays text. GUI thread.
#pragma once

#include <QByteArray>

class QWidget;

namespace lockscope::ui {

// The same widget gives the same bytes.
QByteArray svgOf(QWidget& widget);

} // namespace lockscope::ui
