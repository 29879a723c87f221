// A widget as a picture file: PNG pixel for pixel, or SVG with text as text. The same widget gives the same
// bytes. When writing fails, a file that existed before is left unchanged. GUI thread.
#pragma once

#include "core/base/error.h"
#include "ui/shell/export/svg_picture.h"

#include <QImage>
#include <QString>

class QWidget;

namespace lockscope::ui {

// The path's suffix, .png or .svg, selects the format. Errors: badUsage for any other suffix, ioFailed.
Result<void> savePicture(QWidget& widget, const QString& path, double scale = 1.0);
// Draws `scale` pixels for each pixel of the widget.
QImage pictureOf(QWidget& widget, double scale = 1.0);
QByteArray pngOf(QWidget& widget, double scale);

} // namespace lockscope::ui
