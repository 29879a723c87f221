// The files of translations: every word of the sources is there, translated, and keeps its places and its
// keys.
#include "tests/ui/translation/translation_entries.h"
#include "ui/models/style/format.h"
#include "ui/shell/window/language.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

using test::placesIn;
using test::translationEntries;
using test::TranslationEntry;
using test::updatedEntries;

const QDir kSources(QStringLiteral(LOCKSCOPE_SOURCE));
const QString kChinese = QStringLiteral("lockscope_zh_CN.ts");
const QString kEnglish = QStringLiteral("lockscope_en.ts");

TEST(Translation, EveryWordOfTheSourcesIsTranslated)
{
    const std::vector<TranslationEntry> all = updatedEntries(kChinese);
    EXPECT_GT(all.size(), 1000U);
    for (const TranslationEntry& each : all) {
        EXPECT_TRUE(each.state.isEmpty() && !each.translation.isEmpty())
            << each.name() << ": run resources/translations/update and translate it";
    }
}

// Every context that the window can ask for: its classes with Q_OBJECT, and the names that it gives itself.
std::set<QString> contextsOfSources()
{
    static const QRegularExpression object(QStringLiteral("class (\\w+)[^;{}]*\\{\\s*Q_OBJECT"));
    static const QRegularExpression named(
        QStringLiteral("(?:Q_DECLARE_TR_FUNCTIONS\\(|translate\\(\\s*\"|_NOOP\\(\\s*\")(\\w+)"));
    std::set<QString> contexts;
    QDirIterator files(kSources.filePath("ui"), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        for (auto found = object.globalMatch(text); found.hasNext();)
            contexts.insert("lockscope::ui::" + found.next().captured(1));
        for (auto found = named.globalMatch(text); found.hasNext();)
            contexts.insert(found.next().captured(1));
    }
    return contexts;
}

// lupdate may take a text for another class's than the compiler does: it is translated, and never found.
TEST(Translation, EveryTextIsInAContextThatTheProgramAsksFor)
{
    const std::set<QString> contexts = contextsOfSources();
    EXPECT_TRUE(contexts.contains("lockscope::ui::ExportController"));
    for (const TranslationEntry& each : updatedEntries(kChinese)) {
        EXPECT_TRUE(contexts.contains(each.context)) << each.name();
    }
}

// The contexts that sources name themselves. One without a text is that of a function that translates a
// variable: lupdate sees none of what is given to it.
TEST(Translation, EveryContextThatSourcesNameHasTexts)
{
    static const QRegularExpression named(
        QStringLiteral("(?:Q_DECLARE_TR_FUNCTIONS\\(|\\btranslate\\(\\s*\")([\\w:]+)"));
    std::set<QString> withTexts;
    for (const TranslationEntry& each : updatedEntries(kChinese))
        withTexts.insert(each.context);
    int found = 0;
    QDirIterator files(kSources.filePath("ui"), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        for (auto each = named.globalMatch(text); each.hasNext(); ++found) {
            const QString context = each.next().captured(1);
            EXPECT_TRUE(withTexts.contains(context))
                << context.toStdString() << " in " << file.fileName().toStdString();
        }
    }
    EXPECT_GT(found, 30);
}

TEST(Translation, WhatNumbersAndTimesAreWrittenWithIsTranslated)
{
    const Language chinese("zh_CN");
    EXPECT_TRUE(test::hasChinese(format::duration(kForever))) << format::duration(kForever).toStdString();
    EXPECT_TRUE(test::hasChinese(format::duration(std::chrono::minutes(5))));
    EXPECT_TRUE(test::hasChinese(format::wallMoment({}, std::nullopt)));
}

TEST(Translation, EnglishHasBothFormsOfEveryNumber)
{
    const std::vector<TranslationEntry> all = updatedEntries(kEnglish);
    EXPECT_FALSE(all.empty());
    for (const TranslationEntry& each : all) {
        EXPECT_TRUE(each.state.isEmpty()) << each.name();
    }
}

TEST(Translation, PlacesKeysAndDotsAreKept)
{
    for (const TranslationEntry& each :
         translationEntries(kSources.filePath("resources/translations/" + kChinese))) {
        EXPECT_EQ(placesIn(each.source), placesIn(each.translation)) << each.name();
        EXPECT_EQ(each.source.contains('&'), each.translation.contains('&')) << each.name();
        EXPECT_EQ(each.source.endsWith(u'…'), each.translation.endsWith(u'…')) << each.name();
        EXPECT_EQ(each.source.count('\n'), each.translation.count('\n')) << each.name();
        EXPECT_EQ(each.source.contains("(*."), each.translation.contains("(*.")) << each.name();
    }
}

// Words that mean something else to readers of ZooKeeper's documentation.
TEST(Translation, KeepsTheTermsOfZooKeeperApart)
{
    const QRegularExpression barrier(QStringLiteral("栅栏"));               // fencing token: 防护令牌
    const QRegularExpression orphan(QStringLiteral("孤儿(?!节点|的节点)")); // 孤儿节点
    int files = 0;
    QDirIterator all(kSources.filePath("resources"), {"*.ts", "*.toml", "*.md"}, QDir::Files,
                     QDirIterator::Subdirectories);
    for (; all.hasNext(); ++files) {
        QFile file(all.next());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n');
        for (const QString& line : lines)
            EXPECT_FALSE(line.contains(barrier) || line.contains(orphan))
                << file.fileName().toStdString() << ": " << line.trimmed().toStdString();
    }
    EXPECT_GT(files, 100);
}

TEST(Translation, ThePlacesOfATranslationAreNotLostUnnoticed)
{
    EXPECT_NE(placesIn("%1 of %2"), placesIn("%1"));
    EXPECT_NE(placesIn("%n more, %1"), placesIn("%1"));
    EXPECT_EQ(placesIn("%1 of %2"), placesIn("%2 %1"));
}

TEST(Mnemonics, AreTakenOutOfBothWaysToWriteThem)
{
    EXPECT_EQ(format::withoutMnemonic("Save &as…"), QStringLiteral("Save as…"));
    EXPECT_EQ(format::withoutMnemonic(QStringLiteral("另存为(&A)…")), QStringLiteral("另存为…"));
    EXPECT_EQ(format::withoutMnemonic("&Kill r&&d"), QStringLiteral("Kill r&d"));
    EXPECT_EQ(format::withoutMnemonic("Search (all)"), QStringLiteral("Search (all)"));
}

} // namespace
} // namespace lockscope::ui
