#include "ui/shell/export/svg_composer.h"

#include "ui/shell/export/clipping_svg_device.h"

#include <QLocale>
#include <QPainter>
#include <QWidget>

namespace lockscope::ui {

SvgComposer::SvgComposer(QWidget& widget)
    : m_size(widget.size())
{
    addWidget(widget, {});
}

QByteArray SvgComposer::bytes() const
{
    const QByteArray width = QByteArray::number(m_size.width());
    const QByteArray height = QByteArray::number(m_size.height());
    return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
           "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
           "version=\"1.1\" "
           "xml:lang=\"" + // else Chinese is drawn with the glyphs of another country
           QLocale().bcp47Name().toUtf8() +
           "\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height +
           "\">\n<title>LockScope</title>\n"
           "<defs>\n" +
           m_clips + "</defs>\n" + m_body + "</svg>\n";
}

void SvgComposer::addWidget(QWidget& widget, const QPoint& place)
{
    const QByteArray id = QByteArray::number(m_next++);
    const QRect box = widget.rect();
    m_clips += "<clipPath id=\"clip" + id + "\"><rect x=\"0\" y=\"0\" width=\"" +
               QByteArray::number(box.width()) + "\" height=\"" + QByteArray::number(box.height()) +
               "\"/></clipPath>\n";
    m_body += "<g transform=\"translate(" + QByteArray::number(place.x()) + ',' +
              QByteArray::number(place.y()) + ")\" clip-path=\"url(#clip" + id + ")\">\n";
    addDrawing(widget, id);
    for (QObject* child : widget.children()) {
        auto* part = qobject_cast<QWidget*>(child);
        if (part && !part->isWindow() && part->isVisibleTo(&widget) && part->geometry().intersects(box)) {
            addWidget(*part, part->pos());
        }
    }
    m_body += "</g>\n";
}

void SvgComposer::addDrawing(QWidget& widget, const QByteArray& id)
{
    ClippingSvgDevice svg(widget.size(), id);
    {
        QPainter painter(&svg);
        const bool window = widget.isWindow();
        widget.render(&painter, {}, {}, window ? QWidget::DrawWindowBackground : QWidget::RenderFlags());
    }
    m_clips += svg.clips();
    m_body += svg.body();
}

} // namespace lockscope::ui
