// The window on a Wayland screen: what that shows follows what is done. WAYLAND_PICTURES: a folder for what
// the screen shows after each step, to be looked at.
#include "tests/ui/shell/recorded_window_fixture.h"
#include "tests/ui/wayland/wayland_screen.h"
#include "ui/chain/chain_view.h"
#include "ui/commands/command_palette.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/docking/dock_card.h"

#include <QGuiApplication>
#include <QLineEdit>
#include <QWindow>

namespace lockscope::ui {
namespace {

struct WaylandTest : MainWindowTest
{
    // Waits until two pictures in a row are the same.
    QImage still()
    {
        QImage before, now = tests::waylandScreen->screenShot();
        EXPECT_TRUE(waitFor([&] {
            before = now;
            now = tests::waylandScreen->screenShot();
            return !now.isNull() && now == before;
        }));
        return now;
    }
    void changesThePicture(const char* what, const std::function<void()>& act)
    {
        const QImage before = still();
        act();
        EXPECT_TRUE(waitFor([&] { return tests::waylandScreen->screenShot() != before; })) << what;
        if (const QString place = qEnvironmentVariable("WAYLAND_PICTURES"); !place.isEmpty()) {
            EXPECT_TRUE(still().save(place + '/' + what + ".png")) << what;
        }
    }
};

TEST_F(WaylandTest, WhatIsDoneIsSeenOnTheScreen)
{
    ASSERT_TRUE(QGuiApplication::platformName().startsWith("wayland"));
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get(), kTimeoutMs));
    open(saved("run.jsonl"));
    changesThePicture("the beginning", [&] { action("toStart")->trigger(); });
    changesThePicture("the middle", [&] { window->model().seekEvent(window->model().drained() / 2); });
    changesThePicture("a client is selected", [&] {
        ChainView& chain = *window->findChild<ChainView*>();
        ASSERT_FALSE(chain.scene().nodes.empty());
        const QPoint place = chain.mapTo(window.get(), chain.scene().nodes.back().rect.center().toPoint());
        QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {}, place);
    });
    changesThePicture("the end", [&] { action("follow")->trigger(); });
    DockCard* card = window->docks().cardOf("log");
    ASSERT_NE(card, nullptr);
    changesThePicture("a card is floated", [&] { card->setFloating(true); });
    changesThePicture("it is docked", [&] { card->setFloating(false); });
}

// Weston has no keyboard here, and refuses a popup that no key asks for.
TEST_F(WaylandTest, TheListOfCommandsOpensAndStays)
{
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get(), kTimeoutMs));
    QPointer<CommandPalette> palette;
    changesThePicture("the list", [&] {
        action("commands")->trigger();
        palette = window->findChild<CommandPalette*>();
    });
    still();
    ASSERT_FALSE(palette.isNull());
    EXPECT_TRUE(palette->isVisible());
    changesThePicture("words in the list", [&] { QTest::keyClicks(palette->input(), "dark theme"); });
    changesThePicture("the chosen command", [&] { QTest::keyClick(palette->input(), Qt::Key_Return); });
    EXPECT_TRUE(waitFor([&] { return window->theme().palette().dark && palette.isNull(); }));
}

} // namespace
} // namespace lockscope::ui
