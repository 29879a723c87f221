// The program's window on a real X server, with runs on a ZooKeeper that the tests of a suite share, and what
// the screen shows of it.
#pragma once

#include "core/server/process/managed_server.h"
#include "tests/ui/endless_run.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/chain/chain_view.h"
#include "ui/shell/window/main_window.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QImage>
#include <QScreen>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

namespace lockscope::ui {

struct X11Test : WindowTest
{
    static void SetUpTestSuite()
    {
        auto started = server::ManagedServer::start({});
        ASSERT_TRUE(started.has_value()) << started.error().text();
        server = std::move(*started);
    }
    static void TearDownTestSuite() { server.reset(); }

    X11Test() { open(); }
    void open()
    {
        MainWindow::Setup setup;
        setup.colourScheme = Theme::ColourScheme::light;
        setup.settings = &settings;
        if (server)
            setup.runs.connect = server->address();
        window = std::make_unique<MainWindow>(setup);
        window->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get(), kTimeoutMs));
        window->activateWindow(); // there is no window manager that would
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get(), kTimeoutMs));
    }
    // Five clients that hold for a few milliseconds each, until the window is closed.
    void run(sim::Range hold = {std::chrono::milliseconds(4), std::chrono::milliseconds(8)})
    {
        window->control().startScenario(endlessRun("five", 5, hold), "five");
        ASSERT_TRUE(waitForHandoffs(12));
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(window->windowHandle(), key, modifiers);
    }
    void pause()
    {
        action("runOrPause")->trigger();
        ASSERT_TRUE(waitFor([this] { return window->control().stage() == RunController::Stage::paused; }));
    }

    // What the X server shows, in its pixels.
    QImage screenShot() const
    {
        return window->screen()->grabWindow(0).toImage().convertToFormat(QImage::Format_RGB32);
    }
    // The same of a part of the window; the widget must not be enlarged.
    QRect onScreen(const QWidget& widget, const QRect& part) const
    {
        const qreal scale = window->screen()->devicePixelRatio();
        const QPoint at = widget.mapToGlobal(part.topLeft()) - window->screen()->geometry().topLeft();
        return QRectF(QPointF(at) * scale, QSizeF(part.size()) * scale).toAlignedRect();
    }
    QRect onScreen(const QWidget& widget) const { return onScreen(widget, widget.rect()); }
    // Whether a widget looks the same wherever it is: at a scale of 1.5 its edges may lie between two pixels.
    bool inWholePixels() const
    {
        const qreal scale = window->screen()->devicePixelRatio();
        return scale == std::floor(scale);
    }

    ChainView& chain() { return *window->findChild<ChainView*>(); }
    TimelineView& timeline() { return *window->findChild<TimelineView*>(); }
    // Nearly of this colour: at a scale of 1.5 edges are mixed with what is beside them.
    int pixelsOf(const QImage& shot, const QRect& where, const QColor& colour) const
    {
        const auto near = [&colour](const QColor& drawn) {
            return qAbs(drawn.red() - colour.red()) + qAbs(drawn.green() - colour.green()) +
                       qAbs(drawn.blue() - colour.blue()) <=
                   45;
        };
        int found = 0;
        const QRect part = where & shot.rect();
        for (int y = part.top(); y <= part.bottom(); ++y)
            for (int x = part.left(); x <= part.right(); ++x)
                found += near(shot.pixelColor(x, y)) ? 1 : 0;
        return found;
    }
    // Whose card the screen shows as the holder's. Cards slide to their places, so they are looked for where
    // they were painted; and a holder's frame is that colour all around, which the edges of other colours are
    // here and there.
    ClientId holderInChain(const QImage& shot)
    {
        const double scale = window->screen()->devicePixelRatio();
        ClientId holder = ClientId::none();
        int most = 0;
        for (const chain::ChainNode& card : chain().painted().nodes) {
            // Not what lies beside the chain, where a card slides out of its view.
            const QRect place = onScreen(chain(), card.rect.toAlignedRect() & chain().rect());
            const int drawn = pixelsOf(shot, place, window->theme().palette().holds);
            const double frame = 2 * (card.rect.width() + card.rect.height()) * scale;
            if (drawn > most && drawn > frame / 2) {
                most = drawn;
                holder = card.owner;
            }
        }
        return holder;
    }
    ClientId holderInTrace()
    {
        for (const replay::NodeRow& node : state().locks.at(0).queue)
            if (node.phase == replay::NodePhase::holds)
                return node.owner;
        return ClientId::none();
    }

    inline static std::unique_ptr<server::ManagedServer> server;
};

// How many pixels of this part of the screen two pictures of it differ in.
inline int differingPixels(const QImage& a, const QImage& b, const QRect& where)
{
    int different = 0;
    const QRect part = where & a.rect() & b.rect();
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            different += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
    return different;
}

} // namespace lockscope::ui
