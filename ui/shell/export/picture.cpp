#include "ui/shell/export/picture.h"

#include "ui/models/run/atomic_file.h"
#include "ui/shell/export/write_error.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QWidget>

namespace lockscope::ui {

QByteArray pngOf(QWidget& widget, double scale)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictureOf(widget, scale).save(&buffer, "PNG");
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
        bytes = pngOf(widget, scale);
    } else if (ending == QLatin1String("svg")) {
        bytes = svgOf(widget);
    } else {
        return Error{ErrorCode::badUsage,
                     message("%1 is not the name of a picture file.", path.toStdString()),
                     message("The name must end in .png or .svg.")};
    }
    AtomicFile file(path);
    if (!file.put(bytes)) {
        return writeError(
            message("The picture %1 cannot be written: %2.", path.toStdString(), file.fault().toStdString()));
    }
    return {};
}

} // namespace lockscope::ui
