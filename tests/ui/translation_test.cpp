// The files of translations: every word of the sources is there, translated, and keeps its places and its
// keys.
#include "ui/models/core_errors.h"
#include "ui/models/core_sentences.h"
#include "ui/models/format.h"
#include "ui/shell/language.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

const QDir kSources(QStringLiteral(LOCKSCOPE_SOURCE));
const QString kChinese = QStringLiteral("resources/translations/lockscope_zh_CN.ts");
const QString kEnglish = QStringLiteral("resources/translations/lockscope_en.ts");

struct Entry
{
    QString context, source, translation;
    QString state; // empty when it is finished
    std::string name() const { return QStringLiteral("%1: %2").arg(context, source).toStdString(); }
};

std::vector<Entry> entriesOf(const QString& path)
{
    std::vector<Entry> all;
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

// "%1" and "%n", as often as each is there.
QStringList placesIn(const QString& text)
{
    QStringList places;
    static const QRegularExpression place(QStringLiteral("%(\\d|n)"));
    for (auto found = place.globalMatch(text); found.hasNext();) {
        places << found.next().captured();
    }
    places.sort();
    return places;
}

// The sources as they are now, read again into a copy of the file.
std::vector<Entry> freshEntries(const QString& file, const QStringList& options)
{
    const QTemporaryDir folder;
    const QString copy = folder.filePath(QFileInfo(file).fileName());
    EXPECT_TRUE(QFile::copy(kSources.filePath(file), copy));
    QProcess tool;
    tool.setWorkingDirectory(kSources.path());
    tool.start(QStringLiteral(LOCKSCOPE_LUPDATE), QStringList{"-silent", "-I", ".", "-locations", "none",
                                                              "-no-obsolete", "-source-language", "en"} +
                                                      options +
                                                      QStringList{"ui", "app/lockscope", "-ts", copy});
    EXPECT_TRUE(tool.waitForFinished(120'000));
    EXPECT_EQ(tool.exitCode(), 0) << tool.readAllStandardError().toStdString();
    return entriesOf(copy);
}

TEST(Translation, EveryWordOfTheSourcesIsTranslated)
{
    const std::vector<Entry> all = freshEntries(kChinese, {"-target-language", "zh_CN"});
    EXPECT_GT(all.size(), 1000U);
    for (const Entry& each : all) {
        EXPECT_TRUE(each.state.isEmpty() && !each.translation.isEmpty())
            << each.name() << ": run resources/translations/update and translate it";
    }
}

TEST(Translation, EnglishHasBothFormsOfEveryNumber)
{
    const std::vector<Entry> all = freshEntries(kEnglish, {"-target-language", "en", "-pluralonly"});
    EXPECT_FALSE(all.empty());
    for (const Entry& each : all) {
        EXPECT_TRUE(each.state.isEmpty()) << each.name();
    }
}

TEST(Translation, PlacesKeysAndDotsAreKept)
{
    for (const Entry& each : entriesOf(kSources.filePath(kChinese))) {
        EXPECT_EQ(placesIn(each.source), placesIn(each.translation)) << each.name();
        EXPECT_EQ(each.source.contains('&'), each.translation.contains('&')) << each.name();
        EXPECT_EQ(each.source.endsWith(u'…'), each.translation.endsWith(u'…')) << each.name();
        EXPECT_EQ(each.source.count('\n'), each.translation.count('\n')) << each.name();
        EXPECT_EQ(each.source.contains("(*."), each.translation.contains("(*.")) << each.name();
    }
}

TEST(Translation, ThePlacesOfATranslationAreNotLostUnnoticed)
{
    EXPECT_NE(placesIn("%1 of %2"), placesIn("%1"));
    EXPECT_NE(placesIn("%n more, %1"), placesIn("%1"));
    EXPECT_EQ(placesIn("%1 of %2"), placesIn("%2 %1"));
}

// A sentence that the core words otherwise from now on would be shown in English.
TEST(CoreSentences, AreStillSaidLikeThat)
{
    QString core;
    for (QDirIterator files(kSources.filePath("core"), {"*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
         files.hasNext();) {
        QFile file(files.next());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        core += QString::fromUtf8(file.readAll());
    }
    core.replace(QLatin1String("\\\""), QLatin1String("\x01")); // a quotation mark in a text
    static const QRegularExpression brokenText(QStringLiteral("\"\\s*\""));
    core.replace(brokenText, QString());
    for (QString sentence : knownSentences()) {
        sentence.replace('"', '\x01');
        static const QRegularExpression place(QStringLiteral("%\\d|[\\x01.,;]|\\band\\b"));
        for (const QString& part : sentence.split(place, Qt::SkipEmptyParts)) {
            EXPECT_TRUE(core.contains(part.trimmed()))
                << part.toStdString() << " of " << sentence.toStdString();
        }
    }
}

TEST(CoreSentences, AreToldInTheLanguageThatIsSpoken)
{
    const QString proof = "ada was granted the lock while bo held it with a live node.";
    const QString circle = "ada holds left and waits for bo on right, bo waits for ada on left.";
    EXPECT_EQ(retold(proof), proof);
    const Language chinese("zh_CN");
    EXPECT_EQ(retold(proof), QStringLiteral("ada 被授予了锁，而 bo 正以存活的节点持有它。"));
    EXPECT_EQ(retold(circle), QStringLiteral("ada 持有 left，并在 right 上等待 bo，bo 在 left 上等待 ada。"));
    EXPECT_EQ(retold("ada was the second client woken by node 7 going."),
              QStringLiteral("ada 是被节点 7 消失唤醒的第 2 个客户端。"));
    EXPECT_EQ(retold("run.jsonl:3:5: found the end of the line, expected a closing brace."),
              QStringLiteral("run.jsonl:3:5：读到行尾，应为右花括号。"));
    EXPECT_EQ(retold("kill_session"), QStringLiteral("终止会话"));
    EXPECT_EQ(retold("Nobody knows this one."), QStringLiteral("Nobody knows this one."));
}

TEST(CoreSentences, NamesWithPercentSignsStayNames)
{
    const Language chinese("zh_CN");
    EXPECT_EQ(retold("%2 was inside the protected section together with %1."),
              QStringLiteral("%2 与 %1 同时处于临界区内。"));
}

TEST(CoreErrors, LinkFaultsAreSaidInTheLanguageThatIsSpoken)
{
    const char* const fault =
        "cut, 50 ms slower each way, +- 5 ms, 1000 bytes a second, nothing reaches the server, "
        "nothing comes from the server, half-open";
    EXPECT_EQ(linkFaultWords(fault), QString(fault));
    const Language chinese("zh_CN");
    EXPECT_EQ(linkFaultWords(fault), QStringLiteral("已切断，每个方向慢 50 ms，±5 ms，每秒 1000 "
                                                    "字节，没有数据到达服务器，没有数据从服务器返回，半开"));
    EXPECT_EQ(linkFaultWords("as a later version says it"), QStringLiteral("as a later version says it"));
}

TEST(CoreErrors, EveryKindIsSaidAndNothingOfTheCauseIsLost)
{
    const Error broken{ErrorCode::noServer, "The server at h:1 said something odd.", "Try this."};
    EXPECT_EQ(errorWords(broken).text, QString::fromStdString(broken.message));
    EXPECT_EQ(errorWords(broken).hint, QString::fromStdString(broken.hint));
    const Language chinese("zh_CN");
    EXPECT_EQ(errorWords(broken).text, QStringLiteral("没有可用的 ZooKeeper。"));
    EXPECT_EQ(errorWords(broken).hint, QStringLiteral("The server at h:1 said something odd. Try this."));
    const ErrorWords known = errorWords({ErrorCode::noServer, "Java is not installed.",
                                         "Install it with: sudo apt-get install default-jre-headless."});
    EXPECT_EQ(known.text, QStringLiteral("没有安装 Java。"));
    EXPECT_EQ(known.hint, QStringLiteral("安装命令：sudo apt-get install default-jre-headless。"));
    std::set<QString> kinds;
    for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code)
        kinds.insert(errorWords({static_cast<ErrorCode>(code), "It went wrong.", ""}).text);
    EXPECT_EQ(kinds.size(), static_cast<std::size_t>(ErrorCode::internal) + 1)
        << "each kind has words of its own";
}

TEST(Mnemonics, AreTakenOutOfBothWaysToWriteThem)
{
    EXPECT_EQ(format::withoutMnemonic("Save &as…"), QStringLiteral("Save as…"));
    EXPECT_EQ(format::withoutMnemonic(QStringLiteral("另存为(&A)…")), QStringLiteral("另存为…"));
    EXPECT_EQ(format::withoutMnemonic("Search (all)"), QStringLiteral("Search (all)"));
}

} // namespace
} // namespace lockscope::ui
