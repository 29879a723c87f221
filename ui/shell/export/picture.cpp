#include "ui/shell/export/picture.h"

#include "ui/models/atomic_file.h"
#include "ui/shell/export/svg_composer.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QWidget>

namespace lockscope::ui {

namespace {

Error cannotWrite(const QString& path, const QString& reason)
{
    return {ErrorCode::ioFailed,
            QStringLiteral("The picture %1 cannot be written: %2.").arg(path, reason).toStdString(),
            "Choose another place, or make room there."};
}

QByteArray pngOf(QWidget& widget, double scale)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pictureOf(widget, scale).save(&buffer, "PNG");
    return bytes;
}

} // namespace

QImage pictureOf(QWidget& widget, double scale)
{
    QImage image(widget.size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(widget.palette().color(QPalette::Window));
    widget.render(&image);
    return image;
}

QByteArray svgOf(QWidget& widget) { return SvgComposer(widget).bytes(); }

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
                     QStringLiteral("%1 is not a picture's name.").arg(path).toStdString(),
                     "A picture's name ends in .png or .svg."};
    }
    AtomicFile file(path);
    if (!file.put(bytes)) {
        return cannotWrite(path, file.fault());
    }
    return {};
}

} // namespace lockscope::ui
