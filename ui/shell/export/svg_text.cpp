#include "ui/shell/export/svg_text.h"

#include <QFontInfo>
#include <QRegularExpression>

namespace lockscope::ui {

QString svgContents(const QByteArray& svg)
{
    const auto open = svg.indexOf("<svg");
    const auto from = svg.indexOf('>', open) + 1;
    const auto to = svg.lastIndexOf("</svg>");
    static const QRegularExpression aside("<(title|desc)>[^<]*</\\1>\\s*");
    return QString::fromUtf8(svg.mid(from, to - from)).remove(aside).trimmed();
}

QByteArray svgPath(const QPainterPath& path)
{
    QByteArray data;
    const auto point = [&](const QPainterPath::Element& at) {
        data += QByteArray::number(at.x) + ',' + QByteArray::number(at.y) + ' ';
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element at = path.elementAt(i);
        if (at.isMoveTo())
            data += 'M';
        else if (at.isLineTo())
            data += 'L';
        else if (at.isCurveTo())
            data += 'C';
        point(at);
    }
    return data.trimmed();
}

void addFontFallbacks(QString& text)
{
    static const QRegularExpression family(QStringLiteral("font-family=\"([^\",]*)\""));
    qsizetype at = 0;
    for (auto match = family.match(text, at); match.hasMatch(); match = family.match(text, at)) {
        const bool fixed = QFontInfo(QFont(match.captured(1))).fixedPitch();
        const QString more = fixed ? QStringLiteral(", monospace") : QStringLiteral(", sans-serif");
        text.insert(match.capturedEnd(1), more);
        at = match.capturedEnd(1) + more.size();
    }
}

} // namespace lockscope::ui
