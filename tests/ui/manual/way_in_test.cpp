// The way in: what the first start offers, and the layouts that one key goes through.
#include "tests/ui/window_test_fixture.h"
#include "ui/manual/manual_dock.h"
#include "ui/shell/dialogs/attach_dialog.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/window/language.h"
#include "ui/shell/window/layout_controller.h"
#include "ui/welcome/scenario_card.h"
#include "ui/welcome/welcome_page.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

namespace lockscope::ui {
namespace {

using Layout = LayoutController::Layout;

struct WayInTest : WindowTest
{
    WayInTest() { start(); }
    // As the program does.
    void start(bool kept = true, Language* language = nullptr)
    {
        if (window)
            window->close();
        window.reset();
        MainWindow::Setup setup;
        setup.settings = kept ? &settings : nullptr;
        setup.beginsSimple = true;
        setup.language = language;
        window = shownWindow(setup);
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    QStringList shownCards()
    {
        QStringList names;
        for (const DockCard* card : window->docks().cards())
            if (!card->isHidden())
                names << card->name();
        return names;
    }
    void press(Qt::Key key) { QTest::keyClick(window.get(), key); }
    const QStringList few{"chain", "timeline"};
};

TEST_F(WayInTest, TheFirstStartIsSimpleAndTheWelcomePageHasThreeWaysIn)
{
    EXPECT_TRUE(window->isFirstStart());
    EXPECT_EQ(shownCards(), few);
    window->showWelcome(true);
    auto* page = window->findChild<WelcomePage*>();
    const auto way = [&](const char* name) { return page->findChild<QPushButton*>(QString("way.") + name); };
    for (const char* name : {"startLearning", "play", "attach"}) {
        ASSERT_TRUE(way(name) && way(name)->isVisible()) << name;
        EXPECT_TRUE(page->rect().contains(QRect(way(name)->mapTo(page, QPoint()), way(name)->size())))
            << name;
    }
    QTest::mouseClick(way("attach"), Qt::LeftButton);
    ASSERT_TRUE(window->findChild<AttachDialog*>());
    window->findChild<AttachDialog*>()->reject();
    QTest::mouseClick(way("play"), Qt::LeftButton);
    EXPECT_EQ(window->control().scenarioName(), "five-clients");
    EXPECT_TRUE(page->isHidden());
    window->showWelcome(true);
    EXPECT_TRUE(way("startLearning")->text().contains("(3 ")) << way("startLearning")->text().toStdString();
    QTest::mouseClick(way("startLearning"), Qt::LeftButton);
    ASSERT_TRUE(window->lessons().isOpen());
    EXPECT_EQ(window->lessons().player()->lesson().name, "opening");
    window->lessons().leave();
    window->model().endRun();
    settings.setValue("lessons/done", QStringList{"opening", "queue"});
    start();
    EXPECT_TRUE(action("startLearning")->iconText().contains("(4 "));
    action("startLearning")->trigger();
    EXPECT_EQ(window->lessons().player()->lesson().name, "watch") << "the first that is not done";
    window->model().endRun();
}

TEST_F(WayInTest, TheFirstPageIsCalmAndNothingOnItIsCut)
{
    for (const char* code : {"en", "zh_CN"}) {
        Language language(QString::fromLatin1(code));
        start(true, &language);
        window->resize(1000, 700);
        window->showFirstPage();
        auto* page = window->findChild<WelcomePage*>();
        QApplication::processEvents();
        EXPECT_EQ(window->focusWidget(), page->findChild<QPushButton*>("way.startLearning"))
            << "Enter starts the one obvious thing";
        const auto whole = [page](const QWidget* part) {
            return part->isVisible() &&
                   page->rect().contains(QRect(part->mapTo(page, QPoint()), part->size())) &&
                   part->width() >= part->minimumSizeHint().width() &&
                   part->height() >=
                       std::max(part->heightForWidth(part->width()), part->minimumSizeHint().height());
        };
        const auto words = page->findChildren<QLabel*>("wayWords");
        EXPECT_EQ(words.size(), 3);
        for (const QLabel* each : words)
            EXPECT_TRUE(whole(each)) << each->text().toStdString();
        QStringList seen;
        for (const QPushButton* each : page->findChildren<QPushButton*>())
            if (each->isVisible()) {
                EXPECT_TRUE(whole(each)) << each->text().toStdString();
                seen << each->objectName();
            }
        seen.sort();
        EXPECT_EQ(seen, (QStringList{"allScenarios", "command.language.en", "command.language.zh_CN",
                                     "command.themeDark", "command.themeLight", "way.attach", "way.play",
                                     "way.startLearning"}));
        EXPECT_FALSE(page->search()->isVisible());
        EXPECT_EQ(std::ranges::count_if(page->cards(), &QWidget::isVisible), 0);

        QTest::mouseClick(page->findChild<QPushButton*>("allScenarios"), Qt::LeftButton);
        EXPECT_TRUE(page->search()->hasFocus());
        EXPECT_FALSE(words.front()->isVisible());
        EXPECT_GT(std::ranges::count_if(page->cards(), &QWidget::isVisible), 20);
        window->close();
        window.reset();
    }
    start();
    window->showFirstPage();
    window->showWelcome(false);
    window->showWelcome(true);
    EXPECT_TRUE(window->findChild<WelcomePage*>()->search()->isVisible()) << "only once";
}

TEST_F(WayInTest, OneKeyGoesThroughTheLayoutsAndTheLastOneIsKept)
{
    EXPECT_TRUE(action("layoutLearn")->isChecked());
    press(Qt::Key_F12);
    EXPECT_EQ(window->layouts().layout(), Layout::everything);
    EXPECT_EQ(shownCards(), window->docks().cardNames());
    press(Qt::Key_F12);
    EXPECT_TRUE(window->presentation().isOpen());
    EXPECT_FALSE(action("layoutEverything")->isChecked());
    press(Qt::Key_F12);
    EXPECT_FALSE(window->presentation().isOpen());
    EXPECT_EQ(shownCards(), few);
    start();
    EXPECT_FALSE(window->isFirstStart());
    EXPECT_EQ(shownCards(), few);
    action("layoutEverything")->trigger();
    start();
    EXPECT_EQ(shownCards(), window->docks().cardNames());
}

// What the user moved is there again, though the window was closed with few cards.
TEST_F(WayInTest, TheArrangementOfAllCardsOutlivesTheSimpleLayout)
{
    press(Qt::Key_F12);
    window->docks().card("log")->hide();
    QStringList mine = window->docks().cardNames();
    mine.removeAll("log");
    press(Qt::Key_F12);
    press(Qt::Key_F12);
    EXPECT_EQ(shownCards(), few);
    start();
    EXPECT_EQ(shownCards(), few);
    press(Qt::Key_F12);
    EXPECT_EQ(shownCards(), mine);
    action("resetLayout")->trigger();
    EXPECT_EQ(shownCards(), window->docks().cardNames());
    action("layoutLearn")->trigger();
    window->docks().card("log")->show();
    action("resetLayout")->trigger();
    EXPECT_EQ(shownCards(), few);
}

TEST_F(WayInTest, WhoHasALayoutAlreadyKeepsIt)
{
    settings.clear();
    settings.setValue("layout/version", Settings::kLayoutVersion - 1); // of an earlier program
    window.reset();
    start();
    EXPECT_FALSE(window->isFirstStart());
    EXPECT_EQ(shownCards(), window->docks().cardNames());
}

TEST_F(WayInTest, ALessonKeepsTheLayoutForLater)
{
    window->lessons().open("opening");
    EXPECT_FALSE(action("layoutEverything")->isEnabled());
    press(Qt::Key_F12);
    EXPECT_TRUE(window->presentation().isOpen()) << "the lesson in a lecture";
    press(Qt::Key_F12);
    EXPECT_FALSE(window->presentation().isOpen());
    window->lessons().leave();
    EXPECT_TRUE(action("layoutEverything")->isEnabled());
    EXPECT_EQ(shownCards(), few);
    window->model().endRun();
}

TEST(Readme, IsAFrontPageWhoseLinksLeadSomewhere)
{
    QFile file(QStringLiteral(LOCKSCOPE_SOURCE "/README.md"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    EXPECT_LE(text.count(u'\n'), 170);
    static const QRegularExpression kLink("\\]\\((?!https)([^)#]+)"); // those to files
    int links = 0;
    for (auto match = kLink.globalMatch(text); match.hasNext(); ++links) {
        const QString target = match.next().captured(1);
        EXPECT_TRUE(QFile::exists(QStringLiteral(LOCKSCOPE_SOURCE "/") + target)) << target.toStdString();
    }
    EXPECT_GT(links, 20);
    for (const QString& page : ManualDock::pageNames())
        EXPECT_TRUE(text.contains(QStringLiteral("resources/manual/en/%1.md").arg(page)))
            << page.toStdString();
}

} // namespace
} // namespace lockscope::ui
