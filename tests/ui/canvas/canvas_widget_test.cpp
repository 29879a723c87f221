// The canvas that all views share: its keys, its scroll bar, hover, selection and the text of an empty
// picture; and where the kit puts lanes, stars, snakes and cells.
#include "ui/canvas/canvas.h"
#include "ui/canvas/lanes.h"
#include "ui/canvas/placements.h"
#include "ui/models/key_table.h"

#include <QAction>
#include <QImage>
#include <QLineF>
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
        addCommand(
            "timeline.zoomIn", [] { return QStringLiteral("&Plus"); }, [this] { ++pluses; });
        addCommand(
            "timeline.zoomOut", [] { return QStringLiteral("Minus"); }, [this] { --pluses; });
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

// Lanes are drawn before anything happens: they would cross the text.
TEST_F(CanvasTest, NothingIsDrawnThroughTheTextOfAnEmptyView)
{
    canvas.lane = true;
    const auto hasLane = [&](int y) { return image().pixelColor(100, y) == QColor(Qt::magenta); };
    EXPECT_TRUE(hasLane(50));
    canvas.empty = QStringLiteral("Nothing yet");
    EXPECT_FALSE(hasLane(50));
    EXPECT_TRUE(hasLane(5));
}

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
    ASSERT_NE(canvas.command("zoomIn"), nullptr);
    EXPECT_EQ(canvas.command("zoomIn")->shortcuts(), keysOf("timeline.zoomIn"));
    EXPECT_EQ(canvas.command("nothing"), nullptr);
    canvas.command("zoomIn")->trigger();
    EXPECT_EQ(canvas.pluses, 4);
    canvas.command("zoomIn")->setEnabled(false);
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

TEST_F(CanvasTest, HoverEndsWhenTheMouseLeavesAndAPressSelects)
{
    QTest::mouseMove(&canvas, {30, 40});
    EXPECT_EQ(canvas.pointed, QPointF(30, 40));
    QTest::mouseClick(&canvas, Qt::RightButton, {}, {50, 60});
    EXPECT_FALSE(canvas.chosen);
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, {50, 60});
    EXPECT_EQ(canvas.chosen, QPointF(50, 60));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&canvas, &leave);
    EXPECT_FALSE(canvas.pointed);
}

TEST_F(CanvasTest, DrawsTheReasonOfAnEmptyPictureAndTheFocus)
{
    canvas.clearFocus();
    const QImage before = image();
    EXPECT_EQ(before.pixelColor(150, 50), theme.palette().card);
    canvas.empty = "nothing here";
    EXPECT_NE(image(), before);
    canvas.empty.clear();
    canvas.activateWindow();
    canvas.setFocus();
    ASSERT_TRUE(QTest::qWaitFor([this] { return canvas.hasFocus(); }));
    EXPECT_EQ(image().pixelColor(0, 50), theme.palette().accent);
}

TEST_F(CanvasTest, EmitsAChangedCaptionOnce)
{
    int changes = 0;
    QObject::connect(&canvas, &Canvas::captionChanged, &canvas, [&] { ++changes; });
    canvas.setCaption("two");
    canvas.setCaption("two");
    EXPECT_EQ(changes, 1);
    EXPECT_EQ(canvas.caption(), "two");
}

TEST(LanesTest, ScrollByWholeRows)
{
    Lanes lanes{QRect(0, 100, 50, 75), 10, 20, 40};
    EXPECT_EQ(lanes.wholeLanes(), 3);
    EXPECT_EQ(lanes.maxScroll(), 140);
    EXPECT_EQ(lanes.firstVisibleLane(), 2);
    EXPECT_EQ(lanes.lastVisibleLane(), 5);
    EXPECT_EQ(lanes.laneAt(100), 2);
    EXPECT_EQ(lanes.laneAt(99), -1);
    EXPECT_EQ(lanes.laneCentre(3), 130);
    EXPECT_EQ(lanes.scrollFor(2), 40) << "it is in view";
    EXPECT_EQ(lanes.scrollFor(0), 0);
    EXPECT_EQ(lanes.scrollFor(9), 140);
    EXPECT_EQ(lanes.barIn(2, 5, 15, 10), QRect(5, 105, 10, 10));
    EXPECT_EQ(lanes.labelStride(30), 2);
}

TEST(PlacementsTest, NeighboursOnAnEllipseAreEquallyFarApart)
{
    const EllipseWalk walk(300, 60);
    constexpr int kCount = 40;
    for (int i = 0; i < kCount; ++i) {
        const QPointF here = walk.along(walk.length() * i / kCount);
        const QPointF next = walk.along(walk.length() * ((i + 1) % kCount) / kCount);
        EXPECT_NEAR(QLineF(here, next).length(), walk.length() / kCount, walk.length() / kCount * 0.15) << i;
        EXPECT_NEAR(here.x() * here.x() / 90'000 + here.y() * here.y() / 3'600, 1, 0.01);
    }
    EXPECT_NEAR(walk.along(0).y(), -60, 0.01) << "begins at the top";
}

TEST(PlacementsTest, RowsTurnAtTheirEnds)
{
    const auto rect = [](std::size_t place) { return snakeRect(place, 3, {10, 5}, 2, 4, {100, 50}); };
    EXPECT_EQ(rect(0), QRectF(100, 50, 10, 5));
    EXPECT_EQ(rect(2), QRectF(124, 50, 10, 5));
    EXPECT_EQ(rect(3), QRectF(124, 59, 10, 5));
    EXPECT_EQ(rect(5), QRectF(100, 59, 10, 5));
}

TEST(PlacementsTest, CellsAreAsLargeAsFitAndInside)
{
    const QRectF area(10, 20, 300, 100);
    for (const std::size_t count : {1u, 50u, 400u}) {
        const CellGrid grid(area, count, 1);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_TRUE(area.contains(grid.at(i))) << count << ' ' << i;
    }
    EXPECT_GT(CellGrid(area, 50, 1).side, CellGrid(area, 400, 1).side);
}

} // namespace
} // namespace lockscope::ui
