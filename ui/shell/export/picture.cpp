#include "ui/shell/export/picture.h"

#include "ui/models/run/atomic_file.h"
#include "ui/shell/export/forwarding_engine.h"
#include "ui/shell/export/write_error.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QWidget>

#include <algorithm>

namespace lockscope::ui {

namespace {

QByteArray pdfOf(QWidget& widget)
{
    constexpr double kPointsPerPixel = 72.0 / 96;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter page(&buffer);
    page.setPageSize(QPageSize(QSizeF(widget.size()) * kPointsPerPixel, QPageSize::Point));
    page.setPageMargins(QMarginsF());
    print(widget, page);
    return bytes;
}

} // namespace

bool print(QWidget& widget, QPagedPaintDevice& page)
{
    QPainter painter;
    if (!painter.begin(&page))
        return false;
    const QRect room = painter.viewport();
    const double scale =
        std::min(double(room.width()) / widget.width(), double(room.height()) / widget.height());
    painter.translate((room.width() - scale * widget.width()) / 2, 0);
    painter.scale(scale, scale);
    drawWithParts(widget, painter);
    return painter.end();
}

QByteArray pngOf(const QImage& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return bytes;
}

QImage pictureOf(QWidget& widget, double scale)
{
    QImage image(widget.size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(widget.palette().color(QPalette::Window));
    widget.render(&image);
    return image;
}

Result<void> savePicture(QWidget& widget, const QString& path, double scale)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (ending == QLatin1String("png")) {
        bytes = pngOf(pictureOf(widget, scale));
    } else if (ending == QLatin1String("svg")) {
        bytes = svgOf(widget);
    } else if (ending == QLatin1String("pdf")) {
        bytes = pdfOf(widget);
    } else {
        return Error{ErrorCode::badUsage,
                     message("%1 is not the name of a picture file.", path.toStdString()),
                     message("The name must end in .png, .svg or .pdf.")};
    }
    return writePicture(bytes, path);
}

Result<void> writePicture(const QByteArray& bytes, const QString& path)
{
    AtomicFile file(path);
    if (!file.put(bytes)) {
        return writeError(
            message("The picture %1 cannot be written: %2.", path.toStdString(), file.fault().toStdString()));
    }
    return {};
}

} // namespace lockscope::ui
