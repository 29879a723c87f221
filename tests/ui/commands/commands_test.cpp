// The command palette: every command can be found by a few of its letters, and Enter does it.
#include "ui/commands/command_palette.h"
#include "ui/models/style/theme.h"

#include <QAction>
#include <QApplication>
#include <QImage>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QWindow>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

struct PaletteTest : testing::Test
{
    PaletteTest()
    {
        QMenu* run = window.menuBar()->addMenu("&Run");
        pause = run->addAction("&Pause");
        again = run->addAction("Run a&gain");
        again->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_R));
        QMenu* inner = run->addMenu("More");
        deep = inner->addAction("Deep down");
        keyOnly = new QAction("Only a key", &window);
        keyOnly->setShortcut(QKeySequence(Qt::Key_F));
        window.addAction(keyOnly);
        forbidden = run->addAction("Forbidden now");
        forbidden->setEnabled(false);
        forbidden->setStatusTip("There is no live run.");
        window.resize(900, 600);
        window.show();
        auto entries = commandsOf(window);
        entries.push_back({.text = "Two clients, step by step",
                           .category = "Scenario",
                           .shortcut = {},
                           .description = "Watch them.",
                           .enabled = true,
                           .action = {},
                           .run = [this] { ++started; }});
        palette = new CommandPalette(std::move(entries), &theme, &window);
        palette->show();
    }

    void type(const char* letters) { QTest::keyClicks(palette->input(), letters); }
    void press(Qt::Key key) { QTest::keyClick(palette->input(), key); }
    QString chosen() const { return palette->list().entry(0) ? palette->list().entry(0)->text : QString(); }

    Theme theme{Theme::ColourScheme::light};
    QMainWindow window;
    QAction *pause, *again, *deep, *keyOnly, *forbidden;
    QPointer<CommandPalette> palette;
    int started = 0;
};

TEST_F(PaletteTest, OffersEveryCommandOnce)
{
    QStringList texts;
    for (int row = 0; row < palette->list().rowCount(); ++row)
        texts += palette->list().entry(row)->text;
    EXPECT_EQ(texts, (QStringList{"Pause", "Run again", "Deep down", "Forbidden now", "Only a key",
                                  "Two clients, step by step"}));
    EXPECT_EQ(palette->list().entry(1)->shortcut, "Ctrl+R");
    EXPECT_EQ(palette->list().entry(2)->category, "Run › More");
}

// On Wayland the compositor may refuse a popup; what was typed for it then acted on the window.
TEST_F(PaletteTest, NoDisplayServerCanCloseItAndEveryKeyIsForIt)
{
    int acted = 0;
    QObject::connect(keyOnly, &QAction::triggered, [&] { ++acted; });
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    if (QWindow* popup = palette->windowHandle())
        popup->close(); // as a compositor does
    QApplication::processEvents();
    QTest::keyClick(window.windowHandle(), Qt::Key_F);
    EXPECT_EQ(acted, 0);
    ASSERT_FALSE(palette.isNull());
    EXPECT_EQ(palette->input()->text(), "f");
    window.menuBar()->setFocus(); // as a part of the window that wants the keys
    QTest::keyClick(window.windowHandle(), Qt::Key_F);
    EXPECT_EQ(acted, 0);
    EXPECT_EQ(palette->input()->text(), "ff");
    QTest::keyClick(window.windowHandle(), Qt::Key_R, Qt::ControlModifier);
    EXPECT_FALSE(palette.isNull()) << "no shortcut of the window";
}

TEST_F(PaletteTest, AClickElsewhereClosesItAndDoesNothingElse)
{
    auto* button = new QPushButton("Press", &window);
    button->setGeometry(0, 500, 100, 50);
    button->show();
    int pressed = 0;
    QObject::connect(button, &QPushButton::clicked, [&] { ++pressed; });
    QTest::mouseClick(palette->input(), Qt::LeftButton);
    EXPECT_TRUE(palette->isVisible());
    QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {}, {50, 525});
    EXPECT_TRUE(QTest::qWaitFor([&] { return palette.isNull(); }));
    EXPECT_EQ(pressed, 0);
    QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {}, {50, 525});
    EXPECT_EQ(pressed, 1);
}

// At 1.25 its left and its upper edge were outside.
TEST_F(PaletteTest, HasAnEdgeOnEverySideAtAFractionalScale)
{
    QImage image(palette->size() * 1.25, QImage::Format_RGB32);
    image.setDevicePixelRatio(1.25);
    palette->render(&image);
    const QPoint middle(image.width() / 2, image.height() / 2);
    for (const QPoint edge : {QPoint(0, middle.y()), QPoint(middle.x(), 0),
                              QPoint(image.width() - 1, middle.y()), QPoint(middle.x(), image.height() - 1)})
        EXPECT_NE(image.pixelColor(edge), theme.palette().card) << edge.x() << ", " << edge.y();
}

TEST_F(PaletteTest, FindsACommandByItsEnglishNameWhateverIsSpoken)
{
    auto* chinese = new QAction(QStringLiteral("简体中文"), &window);
    chinese->setObjectName("language.simplifiedChinese");
    window.addAction(chinese);
    CommandList list(commandsOf(window), &window);
    list.setQuery("chinese");
    ASSERT_EQ(list.rowCount(), 1);
    EXPECT_EQ(list.entry(0)->text, QStringLiteral("简体中文"));
    list.setQuery("simplified ch");
    EXPECT_EQ(list.rowCount(), 1);
}

QStringList found(const QString& typed, std::initializer_list<CommandEntry> entries)
{
    CommandList list(entries, nullptr);
    list.setQuery(typed);
    QStringList texts;
    for (int row = 0; row < list.rowCount(); ++row)
        texts += list.entry(row)->text;
    return texts;
}

CommandEntry entry(const char* text, const char* category, const char* searchTerms = "")
{
    CommandEntry entry;
    entry.text = text;
    entry.category = category;
    entry.searchTerms = QString::fromUtf8(searchTerms);
    return entry;
}

TEST(CommandOrder, WordsComeBeforeLettersFarApart)
{
    const CommandEntry reading = entry("Downgrading a write lock", "Scenario downgrade");
    EXPECT_EQ(found("fre", {reading, entry("Freeze the selected client", "What if")}),
              QStringList{"Freeze the selected client"});
    const CommandEntry pause = entry("A server that pauses", "Scenario server-pause");
    EXPECT_EQ(found("svg", {pause, entry("The whole window…", "File › Export", "png svg picture")}),
              QStringList{"The whole window…"});
    EXPECT_EQ(found("spa", {pause}), QStringList{"A server that pauses"}) << "of the title";
    EXPECT_EQ(found("srpa", {entry("Two clients", "Scenario server-pause")}), QStringList())
        << "of the name of a scenario";
}

TEST(CommandOrder, TitleKeywordsThenLettersInside)
{
    const CommandEntry whole = entry("Show the log", "View");
    const CommandEntry beginning = entry("Logarithmic scale", "View");
    const CommandEntry keyword = entry("Events as text", "File", "log lines");
    const CommandEntry inside = entry("Catalogue", "Help");
    EXPECT_EQ(found("log", {inside, keyword, beginning, whole}),
              (QStringList{"Show the log", "Logarithmic scale", "Events as text", "Catalogue"}));
}

TEST(CommandOrder, AScenarioComesBeforeARunOfItThatWas)
{
    CommandEntry run = entry("five-clients · 1,234 events", "Step › Earlier runs");
    run.showsRecordedRun = true;
    const CommandEntry scenario = entry("Five clients, one lock", "Scenario five-clients");
    for (const char* typed : {"five cl", "five-clients", "five", "fc"}) {
        EXPECT_EQ(found(typed, {run, scenario}).value(0), "Five clients, one lock") << typed;
        EXPECT_EQ(found(typed, {run, scenario}).size(), 2) << typed;
    }
    EXPECT_EQ(found("1,234", {run, scenario}), QStringList{"five-clients · 1,234 events"});
}

TEST(CommandOrder, EveryWordIsThereInAnyOrder)
{
    const CommandEntry handoffs = entry("Handoffs as CSV…", "File › Export");
    const CommandEntry clients = entry("Clients as CSV…", "File › Export");
    EXPECT_EQ(found("csv handoffs", {clients, handoffs}), QStringList{"Handoffs as CSV…"});
    EXPECT_EQ(found("export csv", {clients, handoffs}).size(), 2);
}

TEST(CommandOrder, ChineseWordsNeedNoBlanks)
{
    const CommandEntry picture = entry("整个窗口的图片…", "文件");
    const CommandEntry other = entry("Picture", "文件", "图片");
    EXPECT_EQ(found(QStringLiteral("图片"), {other, picture}).front(), QStringLiteral("整个窗口的图片…"));
}

TEST(CommandOrder, WhatCannotBeDoneStaysBeforeWhatMatchesWorse)
{
    CommandEntry forbidden = entry("Freeze", "What if");
    forbidden.enabled = false;
    EXPECT_EQ(found("free", {entry("Take a carefree look", "View"), forbidden}).front(), "Freeze");
}

TEST_F(PaletteTest, WhatCannotBeDoneNowSaysWhyAndStays)
{
    type("forbidden");
    EXPECT_EQ(chosen(), "Forbidden now");
    EXPECT_EQ(palette->list().entry(0)->description, "There is no live run.");
    press(Qt::Key_Return);
    QApplication::processEvents();
    ASSERT_FALSE(palette.isNull());
    EXPECT_TRUE(palette->isVisible());
}

} // namespace
} // namespace lockscope::ui
