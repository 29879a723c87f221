#include "tests/ui/translation/translation_entries.h"

#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

namespace lockscope::ui::test {

std::vector<TranslationEntry> translationEntries(const QString& path)
{
    std::vector<TranslationEntry> all;
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == u"name") {
            context = xml.readElementText();
        } else if (xml.name() == u"message") {
            all.push_back({context, {}, {}, {}});
        } else if (xml.name() == u"source") {
            all.back().source = xml.readElementText();
        } else if (xml.name() == u"translation") {
            all.back().state = xml.attributes().value("type").toString();
            all.back().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            if (all.back().source.contains("%n")) { // forms for different numbers, each in its line
                all.back().translation = all.back().translation.trimmed();
            }
        }
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return all;
}

bool hasChinese(const QString& text)
{
    static const QRegularExpression letters(QStringLiteral("\\p{Han}"));
    return text.contains(letters);
}

} // namespace lockscope::ui::test
