#include "tests/ui/translation/translation_entries.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
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
            if (all.back().source.contains("%n") ||
                all.back().source.contains("%Ln")) { // forms for different numbers, each in its line
                all.back().translation = all.back().translation.trimmed();
            }
        }
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return all;
}

std::vector<TranslationEntry> updatedEntries(const QString& fileName)
{
    static const QTemporaryDir folder;
    static const bool updated = [] {
        const QDir sources(QStringLiteral(LOCKSCOPE_SOURCE));
        QProcess script;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LUPDATE", QStringLiteral(LOCKSCOPE_LUPDATE));
        script.setProcessEnvironment(environment);
        script.start(sources.filePath("resources/translations/update"), {folder.path()});
        EXPECT_TRUE(script.waitForFinished(120'000));
        EXPECT_EQ(script.exitCode(), 0);
        const QByteArray complaints = script.readAllStandardError();
        EXPECT_TRUE(complaints.isEmpty()) << complaints.toStdString();
        return true;
    }();
    EXPECT_TRUE(updated);
    return translationEntries(folder.filePath(fileName));
}

QStringList placesIn(const QString& text)
{
    QStringList places;
    static const QRegularExpression place(QStringLiteral("%(\\d|L?n)"));
    for (auto found = place.globalMatch(text); found.hasNext();) {
        places << found.next().captured();
    }
    places.sort();
    return places;
}

bool hasChinese(const QString& text)
{
    static const QRegularExpression letters(QStringLiteral("\\p{sc:Han}"));
    return text.contains(letters);
}

} // namespace lockscope::ui::test
