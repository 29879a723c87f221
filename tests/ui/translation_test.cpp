// The files of translations: every word of the sources is there, translated, and keeps its places and its
// keys.
#include "ui/models/core_errors.h"
#include "ui/models/format.h"
#include "ui/shell/language.h"

#include <QDir>
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

TEST(CoreErrors, LinkFaultsAreSaidInTheLanguageThatIsSpoken)
{
    using std::chrono::milliseconds;
    const trace::LinkState fault{.cut = true,
                                 .delay = milliseconds(50),
                                 .jitter = milliseconds(5),
                                 .bytesPerSecond = 1000,
                                 .mutedToServer = true,
                                 .mutedToClient = true,
                                 .halfOpen = true};
    EXPECT_EQ(linkFaultWords(fault),
              QStringLiteral(
                  "cut, 50.0 ms slower each way, +- 5.00 ms, 1,000 bytes a second, nothing reaches the server, "
                  "nothing comes from the server, half-open"));
    EXPECT_EQ(linkFaultWords({}), QString());
    const Language chinese("zh_CN");
    EXPECT_EQ(linkFaultWords(fault), QStringLiteral("已切断，每个方向慢 50.0 ms，±5.00 ms，每秒 1,000 "
                                                    "字节，没有数据到达服务器，没有数据从服务器返回，半开"));
    EXPECT_EQ(linkFaultWords({.words = "as a later version says it"}),
              QStringLiteral("as a later version says it"));
}

TEST(CoreErrors, EveryKindIsSaidAndNothingOfTheCauseIsLost)
{
    const Error broken{ErrorCode::noServer, "The server at h:1 said something odd.", "Try this."};
    EXPECT_EQ(errorWords(broken).text, QString::fromStdString(broken.message));
    EXPECT_EQ(errorWords(broken).hint, QString::fromStdString(broken.hint));
    const Language chinese("zh_CN");
    EXPECT_EQ(errorWords(broken).text, QStringLiteral("没有可用的 ZooKeeper。"));
    EXPECT_EQ(errorWords(broken).hint, QStringLiteral("原文：“The server at h:1 said something odd. Try this.”"));
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
