// Draws a widget and all that is in it as one SVG. Every widget is drawn apart and put into a group with its
// place and its clip, so that a scrolled child does not spill over its frame. GUI thread.
#pragma once

#include <QByteArray>
#include <QRect>

class QWidget;

namespace lockscope::ui {

class SvgComposer
{
public:
    explicit SvgComposer(QWidget& widget);
    QByteArray bytes() const;

private:
    void addWidget(QWidget& widget, const QPoint& place);
    void addDrawing(QWidget& widget, const QByteArray& id);

    QSize m_size;
    QByteArray m_clips;
    QByteArray m_body;
    int m_next = 0;
};

} // namespace lockscope::ui
