// The text of an SVG file: what a generator wrote, taken apart and mended. GUI thread, for the fonts.
#pragma once

#include <QByteArray>
#include <QPainterPath>
#include <QString>

namespace lockscope::ui {

QString svgContents(const QByteArray& svg); // of the svg element, without its title and description
QByteArray svgPath(const QPainterPath& path);
// Behind each family what may stand for it: a browser without it would take one with serifs.
void addFontFallbacks(QString& text);

} // namespace lockscope::ui
