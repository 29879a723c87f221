#include "ui/shell/svg_composer.h"

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QWidget>

namespace lockscope::ui {

namespace {

// What is inside the svg element, without its title and description.
QByteArray inside(const QByteArray& svg)
{
    const auto open = svg.indexOf("<svg");
    const auto from = svg.indexOf('>', open) + 1;
    const auto to = svg.lastIndexOf("</svg>");
    QString text = QString::fromUtf8(svg.mid(from, to - from));
    static const QRegularExpression aside("<(title|desc)>[^<]*</\\1>\\s*");
    return text.remove(aside).trimmed().toUtf8();
}

} // namespace

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
           "width=\"" +
           width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height +
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
    QByteArray drawing = fragment(widget);
    drawing.replace("\"gradient", "\"w" + id + "gradient"); // ids are unique in each fragment only
    drawing.replace("#gradient", "#w" + id + "gradient");
    m_body += drawing + '\n';
    for (QObject* child : widget.children()) {
        auto* part = qobject_cast<QWidget*>(child);
        if (part && !part->isWindow() && part->isVisibleTo(&widget) && part->geometry().intersects(box)) {
            addWidget(*part, part->pos());
        }
    }
    m_body += "</g>\n";
}

QByteArray SvgComposer::fragment(QWidget& widget)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(widget.size());
    generator.setViewBox(widget.rect());
    generator.setResolution(96);
    {
        QPainter painter(&generator);
        const bool window = widget.isWindow();
        widget.render(&painter, {}, {}, window ? QWidget::DrawWindowBackground : QWidget::RenderFlags());
    }
    return inside(buffer.data());
}

} // namespace lockscope::ui
