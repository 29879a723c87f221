// Keys, clicks, drags and wheel at random, on whatever is open. Afterwards the window still runs and draws.
// Events and seed come from the environment: LOCKSCOPE_MONKEY_EVENTS (150), LOCKSCOPE_MONKEY_SEED (1).
#include "tests/ui/x11/x11_test_fixture.h"
#include "ui/chain/chain_view.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QDir>
#include <QDrag>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileDialog>
#include <QPointer>
#include <QScopeGuard>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>

#include <array>
#include <random>

namespace lockscope::ui {
namespace {

// All of them at once: a menu that the pointer still points at opens its submenu again a moment after that
// was closed.
void closePopups()
{
    while (QWidget* popup = QApplication::activePopupWidget()) {
        if (!popup->close() || QApplication::activePopupWidget() == popup)
            return;
    }
}

class Monkey
{
public:
    explicit Monkey(unsigned seed)
        : m_random(seed)
    {
        // A menu of a button, and a drag and drop that began, wait in loops of their own.
        QObject::connect(&m_watch, &QTimer::timeout, [this] {
            if (!m_since.isValid() || !m_since.hasExpired(kStuck))
                return;
            QDrag::cancel(); // without a window manager, no window may have the focus and take an Escape
            if (QApplication::activePopupWidget())
                closePopups();
            else if (QGuiApplication::focusWindow())
                strike(QGuiApplication::focusWindow(), Qt::Key_Escape, {});
        });
        m_watch.start(kStuck);
    }

    void act(QWindow& fallback)
    {
        QWindow& target = targetOf(fallback);
        m_since.start();
        switch (randomBelow(12)) {
        case 0:
        case 1:
        case 2:
            click(&target, Qt::LeftButton, modifiers(), randomPoint(target));
            break;
        case 3:
            // A file dialog has its menu on the stack: an Escape that closes the dialog, too, would free it.
            if (!qobject_cast<QFileDialog*>(QApplication::activeModalWidget()))
                click(&target, Qt::RightButton, {}, randomPoint(target));
            break;
        case 4:
            doubleClick(&target);
            break;
        case 5:
            drag(&target);
            break;
        case 6:
            turnWheel(target);
            break;
        case 7:
            strike(&target, Qt::Key_Escape, {});
            break;
        default:
            strike(&target, randomKey(), modifiers());
        }
        m_longestEvent = std::max(m_longestEvent, m_since.elapsed());
        m_since.invalidate();
    }
    qint64 longestEvent() const { return m_longestEvent; } // milliseconds that an event took

private:
    static constexpr int kStuck = 300; // milliseconds

    int randomBelow(int end) { return static_cast<int>(m_random() % static_cast<unsigned>(end)); }
    // What would get the event: what is open over the window, else the window, else sometimes another one.
    QWindow& targetOf(QWindow& fallback)
    {
        if (QWidget* popup = QApplication::activePopupWidget(); popup && popup->windowHandle())
            return *popup->windowHandle();
        if (QWindow* modal = QGuiApplication::modalWindow())
            return *modal;
        const auto windows = QGuiApplication::topLevelWindows();
        QWindow* other =
            randomBelow(8) == 0 ? windows.at(randomBelow(static_cast<int>(windows.size()))) : nullptr;
        return other && other->isVisible() ? *other : fallback;
    }
    QPoint randomPoint(const QWindow& window)
    {
        return {randomBelow(window.width()), randomBelow(window.height())};
    }
    Qt::KeyboardModifiers modifiers()
    {
        static constexpr std::array<Qt::KeyboardModifiers, 10> kAll{
            Qt::NoModifier,      Qt::NoModifier,
            Qt::NoModifier,      Qt::NoModifier,
            Qt::NoModifier,      Qt::ControlModifier,
            Qt::ControlModifier, Qt::ShiftModifier,
            Qt::AltModifier,     Qt::KeyboardModifiers(Qt::ControlModifier) | Qt::ShiftModifier};
        return kAll.at(static_cast<std::size_t>(randomBelow(static_cast<int>(kAll.size()))));
    }
    Qt::Key randomKey()
    {
        static constexpr std::array<Qt::Key, 26> kOthers{
            Qt::Key_Space,  Qt::Key_Return,      Qt::Key_Tab,          Qt::Key_Backtab,   Qt::Key_Left,
            Qt::Key_Right,  Qt::Key_Up,          Qt::Key_Down,         Qt::Key_Home,      Qt::Key_End,
            Qt::Key_PageUp, Qt::Key_PageDown,    Qt::Key_Delete,       Qt::Key_Backspace, Qt::Key_Plus,
            Qt::Key_Minus,  Qt::Key_BracketLeft, Qt::Key_BracketRight, Qt::Key_Comma,     Qt::Key_Period,
            Qt::Key_F3,     Qt::Key_F7,          Qt::Key_F8,           Qt::Key_F11,       Qt::Key_Slash,
            Qt::Key_0};
        const int letters = 26;
        const int chosen = randomBelow(letters + static_cast<int>(kOthers.size()));
        return chosen < letters ? static_cast<Qt::Key>(Qt::Key_A + chosen)
                                : kOthers.at(static_cast<std::size_t>(chosen - letters));
    }
    // A window can be gone between the press and the release: a list of commands closes at Return.
    // QTest::keyPress() sends several events where modifiers are held.
    void strike(QPointer<QWindow> window, Qt::Key key, Qt::KeyboardModifiers held)
    {
        const QString text = QString(QLatin1Char(QTest::keyToAscii(key)));
        QTest::simulateEvent(window, true, key, held, text, false);
        if (window)
            QTest::simulateEvent(window, false, key, held, text, false);
    }
    void click(QPointer<QWindow> window, Qt::MouseButton button, Qt::KeyboardModifiers held, QPoint at)
    {
        QTest::mousePress(window, button, held, at);
        if (window)
            QTest::mouseRelease(window, button, held, at);
    }
    void doubleClick(QPointer<QWindow> window)
    {
        const QPoint place = randomPoint(*window), at = window->mapToGlobal(place);
        click(window, Qt::LeftButton, {}, place);
        if (QWidget* under = QApplication::widgetAt(at)) {
            QMouseEvent event(QEvent::MouseButtonDblClick, under->mapFromGlobal(QPointF(at)), at,
                              Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(under, &event);
        }
    }
    void drag(QPointer<QWindow> window)
    {
        const QPoint from = randomPoint(*window), to = randomPoint(*window);
        QTest::mousePress(window, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4 && window; ++step)
            QTest::mouseMove(window, from + (to - from) * step / 4);
        if (window)
            QTest::mouseRelease(window, Qt::LeftButton, {}, to);
    }
    void turnWheel(QWindow& window)
    {
        const QPoint at = window.mapToGlobal(randomPoint(window));
        if (QWidget* under = QApplication::widgetAt(at)) {
            QWheelEvent event(under->mapFromGlobal(QPointF(at)), at, {},
                              {0, randomBelow(2) == 0 ? 120 : -120}, Qt::NoButton, modifiers(),
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(under, &event);
        }
    }

    std::mt19937 m_random;
    QTimer m_watch;
    QElapsedTimer m_since; // an event is being carried out
    qint64 m_longestEvent = 0;
};

int numberFrom(const char* variable, int fallback)
{
    bool isNumber = false;
    const int number = qEnvironmentVariableIntValue(variable, &isNumber);
    return isNumber ? number : fallback;
}

// Everything that lies over the window is closed; a window that was closed is opened again.
void recover(X11Test& test, const std::function<void()>& open)
{
    const auto blocked = [] { return QApplication::activePopupWidget() || QGuiApplication::modalWindow(); };
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            closePopups();
            if (QWidget* dialog = QApplication::activeModalWidget())
                dialog->close();
            return !blocked();
        },
        kTimeoutMs));
    if (!test.window->isVisible())
        open();
}

struct X11MonkeyTest : X11Test
{
    static void SetUpTestSuite() {} // on LockScope's own server everything is offered
    void startOnOwnServer() { window->control().startBuiltIn(RunController::kDefaultScenario); }
};

TEST_F(X11MonkeyTest, TheWindowRunsAndDrawsAfterAnything)
{
    const int events = numberFrom("LOCKSCOPE_MONKEY_EVENTS", 150);
    const int seed = numberFrom("LOCKSCOPE_MONKEY_SEED", 1);
    RecordProperty("seed", seed);
    const auto back = qScopeGuard([before = QDir::currentPath()] { QDir::setCurrent(before); });
    QDir::setCurrent(folder.path()); // the dialogs suggest it for what is saved
    startOnOwnServer();
    ASSERT_TRUE(waitForHandoffs(3));
    Monkey monkey(static_cast<unsigned>(seed));
    // In a loop, as in the program: without one, what is to be deleted later is deleted in the loop of a
    // menu.
    QEventLoop loop;
    QTimer next;
    next.setSingleShot(true);
    int done = 0;
    const auto act = [&] {
        if (!window->isVisible()) {
            recover(*this, [this] { open(); });
            startOnOwnServer();
        }
        monkey.act(*window->windowHandle());
        if (++done == events)
            loop.quit();
        else
            next.start(0);
    };
    QObject::connect(&next, &QTimer::timeout, act);
    next.start(0);
    loop.exec();
    RecordProperty("longestMs", static_cast<int>(monkey.longestEvent()));
    recover(*this, [this] { open(); });
    run();
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    EXPECT_EQ(state().phase, trace::RunPhase::running);
}

} // namespace
} // namespace lockscope::ui
