// The canvas that all views share: its keys, its scroll bar, hover, selection and the text of an empty
// picture.
#include "ui/canvas/canvas.h"
#include "ui/models/style/command_table.h"

#include <QAction>
#include <QImage>
#include <QPainter>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include <gmock/gmock.h>

namespace lockscope::ui {
namespace {

class ProbeCanvas : public Canvas
{
public:
    explicit ProbeCanvas(Theme* theme)
        : Canvas(theme, nullptr)
    {
        addCommand("timeline.zoomIn", [this] { ++pluses; });
        addCommand("timeline.zoomOut", [this] { --pluses; });
        addPageCommands();
    }
    QString tipAt(QPointF) override { return {}; }
    using Canvas::bringIntoView;
    using Canvas::scrollTo;
    using Canvas::setCaption;

    int pluses = 0;
    int content = 0; // pixels high
    bool lane = false;
    QString empty;
    std::optional<QPointF> pointed, chosen;

protected:
    void draw(QPainter& painter, const QRegion&) override
    {
        countBuild();
        showScroll({std::clamp(scrolled(), 0, std::max(0, content - height())),
                    std::max(0, content - height()), height(), 10});
        painter.fillRect(QRect(0, 10 - scrolled(), 10, 10), Qt::magenta);
        if (lane)
            painter.fillRect(QRect(100, 0, 1, height()), Qt::magenta);
    }
    QString emptyText() override { return empty; }
    void hover(std::optional<QPointF> at) override { pointed = at; }
    bool selectAt(QPointF at) override
    {
        chosen = at;
        return true;
    }
};

struct CanvasTest : testing::Test
{
    CanvasTest()
    {
        canvas.resize(200, 100);
        canvas.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&canvas));
    }
    QImage image() { return canvas.grab().toImage(); }

    Theme theme{Theme::ColourScheme::light};
    ProbeCanvas canvas{&theme};
};

// On a Cyrillic keyboard the key W says another letter. Qt knows which Latin one it is in the user's other
// layout, and finds with it the shortcuts of the widget that has the focus.
TEST_F(CanvasTest, KeysAreShortcutsForLayoutsWithoutLatinLetters)
{
    ASSERT_FALSE(canvas.commands().isEmpty());
    for (QAction* command : canvas.commands()) {
        EXPECT_TRUE(canvas.actions().contains(command)) << command->text().toStdString();
        EXPECT_EQ(command->shortcutContext(), Qt::WidgetShortcut);
        EXPECT_FALSE(command->shortcuts().isEmpty());
    }
}

TEST_F(CanvasTest, KeysRunTheCommandsThatMenusShow)
{
    QTest::keyClick(&canvas, Qt::Key_W);
    QTest::keyClick(&canvas, Qt::Key_Plus, Qt::ShiftModifier); // a sign may need it
    QTest::keyClick(&canvas, Qt::Key_Plus, Qt::KeypadModifier);
    EXPECT_EQ(canvas.pluses, 3);
    for (const Qt::KeyboardModifier other : {Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier})
        QTest::keyClick(&canvas, Qt::Key_W, other);
    EXPECT_EQ(canvas.pluses, 3) << "these are other keys";
    ASSERT_NE(canvas.command("timeline.zoomIn"), nullptr);
    EXPECT_EQ(canvas.command("timeline.zoomIn")->shortcuts(), keysOf("timeline.zoomIn"));
    EXPECT_EQ(canvas.command("nothing"), nullptr);
    canvas.command("timeline.zoomIn")->trigger();
    EXPECT_EQ(canvas.pluses, 4);
    canvas.command("timeline.zoomIn")->setEnabled(false);
    QTest::keyClick(&canvas, Qt::Key_W);
    EXPECT_EQ(canvas.pluses, 4);
    EXPECT_EQ(canvasCommands(canvas).size(), 4);
}

TEST_F(CanvasTest, TheScrollBarComesWithWhatIsOutOfSight)
{
    image();
    EXPECT_TRUE(canvas.scrollBar()->isHidden());
    EXPECT_EQ(canvas.room(), canvas.rect());
    canvas.content = 300;
    image();
    ASSERT_TRUE(QTest::qWaitFor([this] { return canvas.scrollBar()->isVisible(); }));
    EXPECT_EQ(canvas.scrollBar()->maximum(), 200);
    EXPECT_EQ(canvas.room().right() + 1, canvas.scrollBar()->x());
    QTest::keyClick(&canvas, Qt::Key_PageDown);
    EXPECT_EQ(canvas.scrolled(), 100);
    EXPECT_EQ(canvas.scrollBar()->value(), 100);
    canvas.scrollBar()->setValue(60);
    EXPECT_EQ(canvas.scrolled(), 60);
    QWheelEvent wheel({50, 50}, canvas.mapToGlobal(QPointF(50, 50)), {}, {0, -120}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&canvas, &wheel);
    EXPECT_GT(canvas.scrolled(), 60);
    canvas.scrollTo(1000);
    EXPECT_EQ(canvas.scrolled(), 200) << "bounded";
    canvas.bringIntoView(20, 40);
    EXPECT_EQ(canvas.scrolled(), 12);
    canvas.bringIntoView(30, 60);
    EXPECT_EQ(canvas.scrolled(), 12) << "it is in sight";
    canvas.bringIntoView(150, 180);
    EXPECT_EQ(canvas.scrolled(), 88);
}

} // namespace
} // namespace lockscope::ui
