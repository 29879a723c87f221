// A widget as a picture file: PNG pixel for pixel, or SVG with text as text. The same widget gives the same
// bytes. A picture that cannot be written leaves what was there before. GUI thread.
#pragma once

#include "core/base/error.h"

#include <QImage>
#include <QString>

class QWidget;

namespace lockscope::ui {

// By the ending of the path: .png or .svg. badUsage for another one, ioFailed when it cannot be written.
Result<void> savePicture(QWidget& widget, const QString& path, double scale = 1.0);
// `scale` pixels of the picture for each of the widget's.
QImage pictureOf(QWidget& widget, double scale = 1.0);
QByteArray svgOf(QWidget& widget);

} // namespace lockscope::ui
