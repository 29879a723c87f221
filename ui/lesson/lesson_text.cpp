#include "ui/lesson/lesson_text.h"

#include <QLocale>
#include <QRegularExpression>

namespace lockscope::ui {

bool isChinese() { return QLocale().language() == QLocale::Chinese; }

QString plainText(const lesson::Text& text) { return QString::fromStdString(text.in(isChinese())); }

QString richText(const lesson::Text& text)
{
    static const QRegularExpression kEmphasis(QStringLiteral("\\*([^*\n]+)\\*"));
    QString html = plainText(text).trimmed().toHtmlEscaped().replace(kEmphasis, QStringLiteral("<b>\\1</b>"));
    html.replace(QLatin1String("\n\n"), QLatin1String("</p><p>"));
    return QStringLiteral("<p style=\"line-height:135%\">%1</p>")
        .arg(html.replace(QLatin1String("<p>"), QLatin1String("<p style=\"line-height:135%\">")));
}

} // namespace lockscope::ui
