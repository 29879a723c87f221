// Draws a widget and all that is in it as one SVG. Every widget is drawn apart and put into a group with its
// place and its clip: the SVG generator of Qt 6.4 ignores clips, so a scrolled child would spill over its
// frame. GUI thread.
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
    QByteArray fragment(QWidget& widget);

    QSize m_size;
    QByteArray m_clips;
    QByteArray m_body;
    int m_next = 0;
};

} // namespace lockscope::ui
