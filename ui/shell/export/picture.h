// A widget as a picture file: PNG pixel for pixel, or SVG or PDF with text as text. The same widget gives the
// same PNG or SVG, byte for byte. When writing fails, a file that existed before is left unchanged. GUI
// thread.
#pragma once

#include "core/base/error.h"
#include "ui/shell/export/svg_picture.h"

#include <QImage>
#include <QString>

class QPagedPaintDevice;
class QWidget;

namespace lockscope::ui {

// The path's suffix, .png, .svg or .pdf, selects the format. Errors: badUsage for any other suffix, ioFailed.
Result<void> savePicture(QWidget& widget, const QString& path, double scale = 1.0);
// Draws `scale` pixels for each pixel of the widget.
QImage pictureOf(QWidget& widget, double scale = 1.0);
// Draws the widget on a page, as large as it fits. False: the page cannot be written.
bool print(QWidget& widget, QPagedPaintDevice& page);
QByteArray pngOf(const QImage& picture);
// Any thread.
Result<void> writePicture(const QByteArray& bytes, const QString& path);

} // namespace lockscope::ui
