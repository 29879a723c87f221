// The page that plays a run: what a reader of it relies on, read back out of the file, and in a browser where
// Chromium is installed.
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/models/run/logged_event.h"
#include "ui/models/style/command_table.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/export/player_job.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/language.h"
#include "ui/shell/window/main_window.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtEndian>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

constexpr const char* kEvilName = "<img src=x onerror=alert(1)>&\\\"{run}";
const QStringList kViews{"chain", "timeline", "protocol"};

struct Ran
{
    int code = -1;
    QString err;
};

Ran runProgram(const QString& program, const QStringList& arguments, QByteArray* out = nullptr)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(name);
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    if (out)
        *out = process.readAllStandardOutput();
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardError())};
}

// The content of the page, as its script reads it.
struct ReadPage
{
    explicit ReadPage(const QByteArray& html)
        : text(html)
    {
        static const QRegularExpression packed(QStringLiteral("id=\"run\">([^<]*)<"));
        const QByteArray zip =
            QByteArray::fromBase64(packed.match(QString::fromUtf8(html)).captured(1).toLatin1());
        QByteArray length(4, '\0'); // only a guess, for Qt
        qToBigEndian<quint32>(static_cast<quint32>(zip.size()) * 20, length.data());
        data = qUncompress(length + zip);
        run = QJsonDocument::fromJson(data).object();
    }

    QJsonArray texts(const QString& language) const { return run["texts"].toObject()[language].toArray(); }
    QJsonArray frames(const QString& language, const QString& view) const
    {
        return run["pictures"].toObject()[language].toObject()[view].toArray();
    }
    // What the script puts into the page, as a document of its own.
    QString picture(const QString& language, const QString& view, int step) const
    {
        const QJsonArray pieces = run["pieces"].toArray();
        QString all;
        double x = 0, y = 0;
        const QStringList numbers =
            run["frames"].toArray()[frames(language, view)[step].toInt()].toString().split(' ');
        for (qsizetype i = 0; i < numbers.size(); ++i) {
            QString piece = pieces[numbers[i].toInt()].toString();
            if (piece.contains(QChar(0x1f))) {
                x += numbers[++i].toInt();
                y += numbers[++i].toInt();
                piece.replace(QChar(0x1f), QStringLiteral("%1,%2").arg(x / 100).arg(y / 100));
            }
            all += piece;
        }
        return QStringLiteral("<svg xmlns:xlink=\"x\">") + all + QStringLiteral("</svg>");
    }

    QByteArray text, data;
    QJsonObject run;
};

// The texts of a drawing; empty if it is not well-formed.
QStringList textsOf(const QString& svg)
{
    QXmlStreamReader xml(svg);
    QStringList texts;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"text")
            texts << xml.readElementText();
    return xml.hasError() ? QStringList() : texts;
}

struct PlayerTest : testing::Test
{
    QString path(const char* name) const { return folder.filePath(name); }
    // A trace in a file; its first client has a name that would do harm in a page.
    QString trace(std::size_t events)
    {
        store = tests::sampleRun({.killHolderAtGrant = 3, .events = events});
        const QString file = path("run.jsonl");
        EXPECT_TRUE(trace::saveTrace(file.toStdString(), *store, store->count()).has_value());
        QFile saved(file);
        EXPECT_TRUE(saved.open(QIODevice::ReadWrite));
        QByteArray all = saved.readAll();
        EXPECT_TRUE(all.contains("\"name\":\"ada\""));
        all.replace("\"name\":\"ada\"", QByteArray("\"name\":\"") + kEvilName + '"');
        saved.seek(0);
        saved.write(all);
        return file;
    }
    Ran play(const QStringList& arguments, QByteArray* page = nullptr)
    {
        const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_PROGRAM),
                                   QStringList{"--player", path("p.html")} + arguments);
        QFile file(path("p.html"));
        if (page && file.open(QIODevice::ReadOnly))
            *page = file.readAll();
        return ran;
    }
    int loggedEvents() const
    {
        int count = 0;
        for (std::size_t i = 0; i < store->count(); ++i)
            count += isLogged(store->at(i)) ? 1 : 0;
        return count;
    }

    QTemporaryDir folder;
    std::shared_ptr<const trace::TraceStore> store;
};

TEST_F(PlayerTest, ThePageHasEveryStepInBothLanguagesAndAsksForNothing)
{
    QByteArray html;
    const Ran ran = play({trace(60)}, &html);
    ASSERT_EQ(ran.code, 0) << ran.err.toStdString();
    EXPECT_EQ(ran.err.toStdString(), "");
    EXPECT_LE(html.size(), 2'000'000 * 60 / 500)
        << "500 events are at most 2 MB: repeated parts are stored once";
    const ReadPage page(html);
    const int steps = loggedEvents();
    ASSERT_GT(steps, 25);
    for (const QString language : {"en", "zh_CN"}) {
        ASSERT_EQ(page.texts(language).size(), steps) << language.toStdString();
        for (const QString& view : kViews) {
            ASSERT_EQ(page.frames(language, view).size(), steps) << view.toStdString();
            std::set<int> different;
            for (int step = 0; step < steps; ++step) {
                different.insert(page.frames(language, view)[step].toInt());
                ASSERT_FALSE(textsOf(page.picture(language, view, step)).isEmpty())
                    << view.toStdString() << " is not well-formed at step " << step;
            }
            EXPECT_GT(different.size(), 10U) << view.toStdString() << " does not follow the run";
        }
    }
    const QJsonObject english = page.texts("en")[steps - 1].toObject(),
                      chinese = page.texts("zh_CN")[steps - 1].toObject();
    static const QRegularExpression han(QStringLiteral("[\\x{4e00}-\\x{9fff}]"));
    for (const char* text : {"where", "about", "what", "verdict", "line"}) {
        EXPECT_FALSE(english[text].toString().isEmpty()) << text;
        EXPECT_FALSE(english[text].toString().contains(han)) << english[text].toString().toStdString();
    }
    EXPECT_TRUE(chinese["what"].toString().contains(han)) << chinese["what"].toString().toStdString();
    EXPECT_TRUE(textsOf(page.picture("zh_CN", "chain", 20)).join(' ').contains(han));
    EXPECT_FALSE(textsOf(page.picture("en", "chain", 20)).join(' ').contains(han));
    // Nothing from outside, and nothing but the page's own script and style.
    for (const QByteArray& all : {page.text, page.data})
        for (const char* foreign : {"http://", "https://", "src=\"", "@import", "url(//"})
            EXPECT_FALSE(all.contains(foreign)) << foreign;
    EXPECT_TRUE(html.contains("default-src 'none'"));
    static const QRegularExpression own(QStringLiteral("<(script|style)>(.*)</\\1>"),
                                        QRegularExpression::DotMatchesEverythingOption);
    int hashes = 0;
    for (auto each = own.globalMatch(QString::fromUtf8(html)); each.hasNext(); ++hashes)
        EXPECT_TRUE(html.contains(
            "sha256-" + QCryptographicHash::hash(each.next().captured(2).toUtf8(), QCryptographicHash::Sha256)
                            .toBase64()));
    EXPECT_EQ(hashes, 2);
    // Light and dark are one drawing whose colors are variables.
    EXPECT_TRUE(page.data.contains("var(--c"));
    EXPECT_FALSE(page.data.contains("class=\\\"dark\\\"")) << "a drawing is stored twice";
}

TEST_F(PlayerTest, ANameOfTheRunIsText)
{
    QByteArray html;
    ASSERT_EQ(play({trace(30), "--theme", "dark", "--lang", "zh_CN"}, &html).code, 0);
    EXPECT_TRUE(html.contains("<html lang=\"zh-CN\" data-scheme=\"dark\">"));
    const ReadPage page(html);
    EXPECT_FALSE(html.contains("<img"));
    for (int step = 0; step < page.texts("en").size(); ++step)
        for (const QString& view : kViews)
            EXPECT_FALSE(page.picture("en", view, step).contains("<img"));
    EXPECT_TRUE(page.data.contains("&lt;")) << "the drawing has it escaped";
}

TEST_F(PlayerTest, APartOfARunCanBeChosenAndALongOneIsRefused)
{
    const QString input = trace(4000);
    const Ran whole = play({input});
    EXPECT_EQ(whole.code, 2);
    EXPECT_TRUE(whole.err.contains("at most 1000") && whole.err.contains("--from"))
        << whole.err.toStdString();
    EXPECT_FALSE(QFile::exists(path("p.html")));
    QByteArray html;
    const Ran part = play({input, "--from", "50ms", "--to", "55ms"}, &html);
    ASSERT_EQ(part.code, 0) << part.err.toStdString();
    const QJsonArray texts = ReadPage(html).texts("en");
    ASSERT_GT(texts.size(), 3);
    EXPECT_TRUE(texts[0].toObject()["line"].toString().startsWith("0.05")) << "it begins at --from";
    const Ran none = play({input, "--from", "1000s"});
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(none.err.contains("no event lies in this time")) << none.err.toStdString();
}

TEST_F(PlayerTest, BadArgumentsSayWhy)
{
    const QString input = trace(60);
    const QList<std::pair<QStringList, QString>> bad{
        {{"--player", path("p.htm"), input}, ".html"},
        {{"--player", path("p.html")}, "INPUT"},
        {{"--player", path("p.html"), "--shot", path("p.png"), input}, "--shot"},
        {{"--player", path("p.html"), "--at", "1s", input}, "--at"},
        {{"--player", path("p.html"), "--view", "chain", input}, "--view"},
        {{"--player", path("p.html"), "--paused", input}, "--paused"},
    };
    for (const auto& [arguments, word] : bad) {
        const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_PROGRAM), arguments);
        EXPECT_EQ(ran.code, 2) << arguments.join(' ').toStdString();
        EXPECT_TRUE(ran.err.contains(word)) << ran.err.toStdString();
    }
    ASSERT_TRUE(QFile::link(input, path("link.html")));
    const Ran own = runProgram(QStringLiteral(LOCKSCOPE_PROGRAM), {"--player", path("link.html"), input});
    EXPECT_EQ(own.code, 2);
    EXPECT_TRUE(own.err.contains("would be replaced")) << own.err.toStdString();
    const Ran nowhere =
        runProgram(QStringLiteral(LOCKSCOPE_PROGRAM), {"--player", path("no/such/p.html"), input});
    EXPECT_EQ(nowhere.code, 4);
    EXPECT_TRUE(nowhere.err.contains("p.html")) << nowhere.err.toStdString();
}

TEST_F(PlayerTest, ABrowserShowsTheStepThatIsAskedFor)
{
    const QString browser = QStandardPaths::findExecutable("chromium");
    if (browser.isEmpty())
        GTEST_SKIP() << "needs the package chromium";
    ASSERT_EQ(play({trace(30)}).code, 0);
    const auto shown = [&](const char* hash) {
        QByteArray page;
        const Ran ran =
            runProgram(browser,
                       {"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + path("browser"),
                        "--virtual-time-budget=10000", "--dump-dom", "file://" + path("p.html") + hash},
                       &page);
        EXPECT_EQ(ran.code, 0) << ran.err.toStdString();
        return QString::fromUtf8(page);
    };
    const QString first = shown(""), fifth = shown("#5");
    static const QRegularExpression where(QStringLiteral("id=\"where\"[^>]*>Step (\\d+) of"));
    EXPECT_EQ(where.match(first).captured(1), "1") << first.left(3000).toStdString();
    EXPECT_EQ(where.match(fifth).captured(1), "5");
    EXPECT_TRUE(fifth.contains(QRegularExpression("id=\"chain-picture\"[^>]*><")));
    static const QRegularExpression text(QStringLiteral("<text[^>]*>[^<]+</text>"));
    EXPECT_GT(fifth.count(text), 20);
    EXPECT_NE(first.count(text), 0);
    EXPECT_FALSE(fifth.contains("id=\"player\" hidden"));
}

struct PlayerInWindowTest : WindowTest
{
    PlayerInWindowTest() { window = shownWindow(); }
    void open(std::size_t events)
    {
        window->control().showTrace("sample.jsonl", {tests::sampleRun({.events = events}), {}});
        ASSERT_TRUE(waitFor([this] { return !window->model().opening(); }));
    }
};

// Counts the changes of language that a widget is told of.
struct LanguageCounter : QWidget
{
    void changeEvent(QEvent* event) override { changes += event->type() == QEvent::LanguageChange ? 1 : 0; }
    int changes = 0;
};

TEST_F(PlayerInWindowTest, ThePageIsMadeInBothLanguagesAndTheWindowKeepsItsOwn)
{
    open(30);
    LanguageCounter counter;
    window->model().seekEvent(20);
    const QString title = window->windowTitle(), file = folder.filePath("p.html");
    window->exportController().makePlayer(file);
    ASSERT_TRUE(waitForMessage("Exported p.html"));
    QFile page(file);
    ASSERT_TRUE(page.open(QIODevice::ReadOnly));
    EXPECT_GT(ReadPage(page.readAll()).texts("zh_CN").size(), 10);
    EXPECT_EQ(counter.changes, 0);
    EXPECT_EQ(window->windowTitle(), title);
    EXPECT_EQ(window->model().position(), 20U);
    EXPECT_NE(action("export.player"), nullptr);
}

TEST_F(PlayerInWindowTest, ACancelledPageLeavesNoFile)
{
    open(900);
    window->exportController().makePlayer(folder.filePath("p.html"));
    ASSERT_TRUE(waitForMessage("Exporting p.html"));
    auto* cancel = window->messages().findChild<QPushButton*>("messageAction");
    ASSERT_NE(cancel, nullptr);
    cancel->click();
    EXPECT_TRUE(waitForMessage("The export was canceled"));
    EXPECT_TRUE(QDir(folder.path()).entryList({"*.html*"}, QDir::Files | QDir::Hidden).isEmpty());
}

TEST(SpokenLanguage, IsSpokenOnlyWhileItLives)
{
    const auto word = [] { return MenuTexts::tr("Watch chain"); };
    const QLocale before;
    LanguageCounter counter;
    EXPECT_EQ(word(), "Watch chain");
    {
        const SpokenLanguage chinese("zh_CN");
        EXPECT_NE(word(), "Watch chain");
        EXPECT_EQ(QLocale().language(), QLocale::Chinese);
    }
    EXPECT_EQ(word(), "Watch chain");
    EXPECT_EQ(QLocale(), before);
    QCoreApplication::processEvents();
    EXPECT_EQ(counter.changes, 0);
    {
        const Language window("zh_CN");
        const SpokenLanguage english("en");
        EXPECT_EQ(word(), "Watch chain") << "also in a window that speaks another one";
    }
}

} // namespace
} // namespace lockscope::ui
