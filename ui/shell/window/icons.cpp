#include "ui/shell/window/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace lockscope::ui {

namespace {

QPixmap drawn(const QByteArray& svg, int size)
{
    QSvgRenderer renderer(svg);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

QByteArray source(const QString& name)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

QIcon icon(const QString& name, const QColor& colour)
{
    QByteArray svg = source(name);
    if (svg.isEmpty()) {
        return {};
    }
    svg.replace("currentColor", colour.name().toLatin1());
    QIcon icon;
    for (const int size : {16, 32, 48}) {
        icon.addPixmap(drawn(svg, size));
    }
    return icon;
}

QIcon applicationIcon()
{
    QIcon icon;
    const QByteArray svg = source(QStringLiteral("lockscope"));
    for (const int size : {16, 32, 64, 128, 256}) {
        icon.addPixmap(drawn(svg, size));
    }
    return icon;
}

} // namespace lockscope::ui
