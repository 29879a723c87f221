#include "ui/lesson/lesson_text.h"

#include "ui/models/style/retranslate.h"
#include "ui/texts/terms.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockscope::ui {

QString plainText(const lesson::Text& text) { return QString::fromStdString(text.in(isChinese())); }

// Terms become links, "term:herd". While the text is escaped, a private-use character stands for each tag.
QString richText(const lesson::Text& text)
{
    constexpr ushort kBegin = 0xE100, kEnd = 0xE000;
    static const QRegularExpression kInPath(QStringLiteral("/(?=\\w)"));
    static const QRegularExpression kEmphasis(QStringLiteral("\\*([^*\n]+)\\*"));
    QString html = plainText(text).trimmed();
    std::vector<TermMention> mentions = mentionsOfTerms(html);
    std::reverse(mentions.begin(), mentions.end()); // last one first: an insertion moves the text behind it
    for (const TermMention& mention : mentions) {
        html.insert(mention.at + mention.length, QChar(kEnd));
        html.insert(mention.at, QChar(static_cast<ushort>(kBegin + (mention.term - terms().data()))));
    }
    html = html.toHtmlEscaped()
               .replace(kInPath, QStringLiteral("/\u2060")) // a word joiner: no line ends there
               .replace(kEmphasis, QStringLiteral("<b>\\1</b>"));
    for (const Term& term : terms())
        html.replace(QChar(static_cast<ushort>(kBegin + (&term - terms().data()))),
                     QStringLiteral("<a href=\"term:%1\">").arg(QLatin1String(term.name)));
    html.replace(QChar(kEnd), QStringLiteral("</a>"));
    html.replace(QLatin1String("\n\n"), QLatin1String("</p><p>"));
    return QStringLiteral("<p style=\"line-height:135%\">%1</p>")
        .arg(html.replace(QLatin1String("<p>"), QLatin1String("<p style=\"line-height:135%\">")));
}

} // namespace lockscope::ui
