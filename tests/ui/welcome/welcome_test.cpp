// The welcome page: every built-in scenario has its card with a picture of its own kind, found by its words,
// started by mouse and keys, at every size of the window.
#include "ui/models/style/theme.h"
#include "ui/welcome/picture_plan.h"
#include "ui/welcome/recent_files.h"
#include "ui/welcome/scenario_card.h"
#include "ui/welcome/scenario_grid.h"
#include "ui/welcome/welcome_page.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <set>

namespace lockscope::ui {
namespace {

using Shape = PicturePlan::Shape;

struct WelcomeTest : testing::Test
{
    WelcomeTest() { show(1280, 800); }
    void show(int width, int height)
    {
        page.resize(width, height);
        page.show();
        QApplication::processEvents();
        QObject::connect(&page, &WelcomePage::scenarioChosen, &page,
                         [this](const QString& name, bool) { chosen = name; });
        QObject::connect(&page, &WelcomePage::fileChosen, &page,
                         [this](const QString& path) { file = path; });
    }
    ScenarioCard* card(const char* name)
    {
        return page.findChild<ScenarioCard*>(QStringLiteral("scenario.") + name);
    }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("s.ini"), QSettings::IniFormat};
    Theme theme{Theme::ColourScheme::light};
    RecentFiles recent{&settings, nullptr};
    QAction open{"&Open…"};
    WelcomePage page{&theme, &recent, {.buttons = {&open}, .secondary = {}, .commands = nullptr}, nullptr};
    QString chosen, file;
};

TEST_F(WelcomeTest, HasACardForEveryBuiltIn)
{
    std::set<QString> names;
    for (const ScenarioCard* each : page.cards()) {
        names.insert(each->name());
        EXPECT_FALSE(each->text().isEmpty());
        EXPECT_FALSE(each->accessibleDescription().isEmpty()) << each->name().toStdString();
    }
    EXPECT_EQ(names.size(), sim::builtIns().size());
    EXPECT_EQ(page.cards().front()->name(), "five-clients");
}

TEST_F(WelcomeTest, SearchesAndStartsTheFirstByEnter)
{
    QTest::keyClicks(page.search(), "kill holder");
    ASSERT_FALSE(page.shownCards().empty());
    EXPECT_LT(page.shownCards().size(), 10U);
    EXPECT_TRUE(card("kill-holder")->isVisible());
    EXPECT_FALSE(card("herd")->isVisible());
    QTest::keyClick(page.search(), Qt::Key_Return);
    EXPECT_EQ(chosen, page.shownCards().front()->name());
    page.search()->clear();
    EXPECT_EQ(page.shownCards().size(), page.cards().size());
}

TEST_F(WelcomeTest, GoesFromCardToCardWithTheArrows)
{
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    page.search()->setFocus();
    QTest::keyClick(page.search(), Qt::Key_Down);
    EXPECT_TRUE(card("five-clients")->hasFocus());
    QTest::keyClick(card("five-clients"), Qt::Key_Right);
    EXPECT_TRUE(card("two-clients")->hasFocus());
    QTest::keyClick(card("two-clients"), Qt::Key_Down);
    auto* below = qobject_cast<ScenarioCard*>(QApplication::focusWidget());
    ASSERT_NE(below, nullptr);
    EXPECT_NE(below->group(), ScenarioGroup::start) << "the next row is the next group";
    EXPECT_EQ(below->x(), card("two-clients")->x());
    QTest::keyClick(below, Qt::Key_Return);
    EXPECT_EQ(chosen, below->name());
    QTest::keyClick(below, Qt::Key_Up);
    EXPECT_TRUE(card("two-clients")->hasFocus());
    QTest::keyClick(card("two-clients"), Qt::Key_Up);
    EXPECT_TRUE(page.search()->hasFocus());
}

// A button would take it for the mark of a mnemonic.
TEST_F(WelcomeTest, AnAmpersandInTheNameOfARecentFileIsShown)
{
    QFile there(folder.filePath("r&d.jsonl"));
    ASSERT_TRUE(there.open(QIODevice::WriteOnly));
    recent.add(there.fileName());
    EXPECT_EQ(page.findChildren<QPushButton*>("recentFile").back()->text(), "r&&d.jsonl");
}

TEST_F(WelcomeTest, EveryGroupIsOneClickAway)
{
    const auto links = page.findChildren<QPushButton*>("groupLink");
    std::set<QString> groups;
    for (const ScenarioGrid* grid : page.findChildren<ScenarioGrid*>())
        groups.insert(grid->accessibleName());
    ASSERT_EQ(static_cast<std::size_t>(links.size()), groups.size());
    const auto inSight = [&](const QWidget* widget) {
        return page.rect().contains(QRect(widget->mapTo(&page, QPoint()), widget->size()));
    };
    for (QPushButton* link : links) {
        EXPECT_TRUE(groups.count(link->text())) << link->text().toStdString();
        EXPECT_TRUE(inSight(link));
    }
    EXPECT_FALSE(inSight(card("herd")));
    for (QPushButton* link : links)
        if (page.findChild<ScenarioCard*>("scenario.herd")->parentWidget()->accessibleName() == link->text())
            QTest::mouseClick(link, Qt::LeftButton);
    EXPECT_TRUE(inSight(card("herd")));
    EXPECT_EQ(page.focusWidget()->parentWidget(), card("herd")->parentWidget()) << "the keys go on there";
}

TEST_F(WelcomeTest, WhatIsInUseIsMarkedInTheFoot)
{
    QAction light{"&Light theme"}, dark{"&Dark theme"}, back{"Back"};
    QActionGroup group(nullptr);
    for (QAction* colourScheme : {&light, &dark})
        colourScheme->setCheckable(true), group.addAction(colourScheme);
    light.setObjectName("themeLight");
    dark.setObjectName("themeDark");
    light.setChecked(true);
    page.addSecondary({&light, &dark});
    auto* lightButton = page.findChild<QPushButton*>("command.themeLight");
    auto* darkButton = page.findChild<QPushButton*>("command.themeDark");
    EXPECT_TRUE(lightButton->property("chosen").toBool());
    EXPECT_FALSE(darkButton->property("chosen").toBool());
    back.setObjectName("back");
    back.setCheckable(true);
    back.setChecked(true);
    page.addSecondary({&back});
    EXPECT_FALSE(page.findChild<QPushButton*>("command.back")->property("chosen").toBool())
        << "it is no choice";
    dark.setChecked(true);
    EXPECT_FALSE(lightButton->property("chosen").toBool());
    EXPECT_TRUE(darkButton->property("chosen").toBool());
    EXPECT_EQ(darkButton->accessibleDescription(), "in use");
    darkButton->ensurePolished();
    lightButton->ensurePolished();
    EXPECT_GT(darkButton->font().weight(), lightButton->font().weight());
}

TEST(ScenarioEntry, IsInTheUsersLanguage)
{
    const QLocale before;
    QLocale::setDefault(QLocale("zh_CN"));
    const auto chinese = builtInScenarios();
    QLocale::setDefault(QLocale("en_US"));
    const auto english = builtInScenarios();
    QLocale::setDefault(before);
    EXPECT_EQ(english.front().title, "Five clients, one lock");
    EXPECT_TRUE(chinese.front().title.contains(QStringLiteral("客户端")));
    EXPECT_TRUE(english.front().line.endsWith('.'));
    EXPECT_FALSE(english.front().line.contains(". ")) << "one sentence";
}

} // namespace
} // namespace lockscope::ui
