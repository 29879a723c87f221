// What a plot looks like: where things go, and in which colours.
#include "ui/charts/chart_canvas.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/plot_tones.h"

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

Plot simplePlot()
{
    Plot plot;
    plot.x.to = 3;
    plot.y.to = 4;
    plot.layers.push_back(PlotLayer{});
    plot.layers.back().points = {{0, 0}, {1, 4}, {2, 0}};
    return plot;
}

struct PlotFrameTest : testing::Test
{
    PlotFrame frame(const Plot& plot) const { return PlotFrame(plot, {300, 200}, theme); }
    const Theme theme{Theme::ColourScheme::light};
};

TEST_F(PlotFrameTest, AxesEncloseTheAreaFromEndToEnd)
{
    const PlotFrame linear = frame(simplePlot());
    EXPECT_DOUBLE_EQ(linear.xAt(0), linear.area().left());
    EXPECT_DOUBLE_EQ(linear.xAt(3), linear.area().right());
    EXPECT_DOUBLE_EQ(linear.yAt(0), linear.area().bottom());
    EXPECT_DOUBLE_EQ(linear.yAt(4), linear.area().top());
}

// An axis from 0.2 to 500 had no label below 1.
TEST_F(PlotFrameTest, ALogarithmicAxisSaysWhereItBegins)
{
    Plot plot = simplePlot();
    plot.y.from = 0.2;
    plot.y.to = 500;
    plot.y.logarithmic = true;
    for (const double height : {140.0, 200.0, 400.0}) {
        const PlotFrame low(plot, {300, height}, theme);
        EXPECT_DOUBLE_EQ(low.left().front().value, 0.2) << height;
        for (std::size_t i = 1; i < low.left().size(); ++i)
            EXPECT_FALSE(low.left()[i].box.intersects(low.left()[i - 1].box)) << height;
    }
}

// "1,500 ms2,000 ms": the last label gave way to the edge and met the one before it.
TEST_F(PlotFrameTest, LabelsBelowStandApartInEveryWidth)
{
    for (const double end : {1900.0, 2000.0, 2100.0, 13'000.0})
        for (double width = 120; width <= 640; width += 20) {
            Plot plot = simplePlot();
            plot.x.to = end;
            plot.x.step = end > 10'000 ? 2000 : 500;
            plot.x.unit = "ms";
            const PlotFrame shown(plot, {width, 160}, theme);
            ASSERT_FALSE(shown.below().empty());
            EXPECT_DOUBLE_EQ(shown.below().front().value, 0);
            for (std::size_t i = 1; i < shown.below().size(); ++i)
                EXPECT_GE(shown.below()[i].box.left(), shown.below()[i - 1].box.right() + 4)
                    << end << " in " << width;
        }
}

TEST_F(PlotFrameTest, PowersOfTenStandAtEvenDistancesAndZeroAtTheEnd)
{
    Plot plot = simplePlot();
    plot.y.from = 1;
    plot.y.to = 1000;
    plot.y.logarithmic = true;
    const PlotFrame logarithmic = frame(plot);
    ASSERT_EQ(logarithmic.left().size(), 4u);
    EXPECT_EQ(logarithmic.left()[3].text.toStdString(), "1,000");
    const double step = logarithmic.yAt(1) - logarithmic.yAt(10);
    EXPECT_NEAR(logarithmic.yAt(100) - logarithmic.yAt(1000), step, 1e-9);
    EXPECT_DOUBLE_EQ(logarithmic.yAt(0), logarithmic.area().bottom());
}

TEST_F(PlotFrameTest, NoNumberStandsWhereANameDoes)
{
    Plot plot = simplePlot();
    plot.x.to = 10;
    plot.x.step = 2;
    plot.x.labelsTo = 8;
    const auto labels = labelsOf(plot.x);
    ASSERT_EQ(labels.size(), 5u);
    EXPECT_EQ(labels.back().value, 8);
}

TEST_F(PlotFrameTest, LabelsStayWithinTheWidget)
{
    Plot plot = simplePlot();
    plot.x.to = 30'000;
    plot.x.step = 10'000;
    plot.x.unit = QStringLiteral("minutes");
    plot.y.to = 1e6;
    plot.y.step = 1e5;
    const PlotFrame wide = frame(plot);
    const auto width = [&](const PlotLabel& label) {
        return theme.texts().width(theme.fonts().small, label.text);
    };
    for (const PlotLabel& label : wide.left())
        EXPECT_LE(width(label), wide.area().left()) << label.text.toStdString();
    for (const PlotLabel& label : wide.below()) {
        EXPECT_GE(label.box.width(), width(label)) << label.text.toStdString();
        EXPECT_GE(label.box.left(), wide.area().left()) << label.text.toStdString();
        EXPECT_LE(label.box.right(), wide.area().right()) << "none stands beyond the axis' end";
    }
    EXPECT_EQ(wide.below().back().text.toStdString(), "30,000 minutes");
}

// 15, 10, 5 and 0 touched each other beside a picture that was 45 pixels high.
TEST_F(PlotFrameTest, LabelsAtTheLeftKeepApartAndTheEndsStay)
{
    Plot linear = simplePlot();
    linear.y.to = 15;
    linear.y.step = 5;
    Plot logarithmic = simplePlot();
    logarithmic.y.from = 0.5;
    logarithmic.y.to = 100;
    logarithmic.y.logarithmic = true;
    for (double height = 60; height < 400; height += 7)
        for (const Plot* plot : {&linear, &logarithmic}) {
            const PlotFrame low(*plot, {300, height}, theme);
            for (std::size_t i = 1; i < low.left().size(); ++i)
                EXPECT_GE(low.yAt(low.left()[i - 1].value) - low.yAt(low.left()[i].value),
                          1.3 * low.lineHeight())
                    << height;
            EXPECT_GE(low.left().size(), low.area().height() < 1.3 * low.lineHeight() ? 1u : 2u) << height;
            EXPECT_EQ(low.left().back().value, plot->y.to);
        }
    const PlotFrame high(linear, {300, 200}, theme);
    EXPECT_EQ(high.left().size(), 4u) << "where there is room, all of them";
}

TEST_F(PlotFrameTest, WhatIsMeasuredStandsBesideTheHighestLabel)
{
    const PlotFrame plot = frame(simplePlot());
    const QRectF words(plot.area().left(), plot.keysTop(), 100, plot.lineHeight());
    EXPECT_FALSE(words.intersects(plot.left().back().box));
    EXPECT_GT(words.bottom(), plot.left().back().box.top()) << "and not above it, where height is dear";
    EXPECT_LE(words.bottom(), plot.area().top());
}

TEST_F(PlotFrameTest, ANameOfTheLowerAxisHasALineOfItsOwn)
{
    Plot plot = simplePlot();
    const double without = frame(plot).area().bottom();
    plot.x.name = QStringLiteral("clients");
    const PlotFrame named = frame(plot);
    EXPECT_LT(named.area().bottom(), without);
    EXPECT_LE(named.nameTop() + named.lineHeight(), 200);
}

TEST_F(PlotFrameTest, ADotIsPaintedAndMakesNoSeries)
{
    Plot plot = simplePlot();
    plot.layers.back().shape = PlotLayer::Shape::dots;
    plot.layers.back().points = {{1.5, 2}};
    ChartCanvas canvas(&theme, nullptr);
    canvas.resize(300, 200);
    canvas.show(plot);
    const QImage image = canvas.grab().toImage();
    const QRectF area = canvas.plotArea();
    EXPECT_EQ(image.pixelColor(area.center().toPoint()), theme.palette().client(0));
    EXPECT_NE(image.pixelColor(area.center().toPoint() + QPoint(0, 12)), theme.palette().client(0));
}

TEST_F(PlotFrameTest, ATinyCanvasIsDrawnToo)
{
    ChartCanvas canvas(&theme, nullptr);
    canvas.resize(3, 3);
    canvas.show(simplePlot());
    EXPECT_FALSE(canvas.grab().isNull());
    EXPECT_GE(canvas.plotArea().width(), 1);
}

TEST_F(PlotFrameTest, AnAreaIsFilledDownToTheAxis)
{
    Plot plot = simplePlot();
    plot.layers.back().points = {{0, 2}, {3, 2}};
    ChartCanvas canvas(&theme, nullptr);
    canvas.resize(300, 200);
    canvas.show(plot);
    const QImage image = canvas.grab().toImage();
    const QRectF area = canvas.plotArea();
    const QPoint centre = area.center().toPoint();
    EXPECT_EQ(image.pixelColor(centre + QPoint(0, 5)), theme.palette().client(0));
    EXPECT_EQ(image.pixelColor(centre.x(), static_cast<int>(area.bottom()) - 2), theme.palette().client(0));
    EXPECT_NE(image.pixelColor(centre - QPoint(0, 5)), theme.palette().client(0));
}

// The violet columns had an orange fringe: what lies beyond one was drawn below them too.
TEST_F(PlotFrameTest, AnAreaWithABaseIsNotDrawnBelowIt)
{
    Plot plot = simplePlot();
    plot.layers.back().tone = PlotTone::overflow;
    plot.layers.back().base = 2;
    plot.layers.back().points = {{0.1, 2}, {1.5, 2}, {1.5, 3}, {2.9, 3}};
    ChartCanvas canvas(&theme, nullptr);
    canvas.resize(300, 200);
    canvas.show(plot);
    const QImage image = canvas.grab().toImage();
    const QRectF area = canvas.plotArea();
    const auto filledRows = [&](double share) {
        int rows = 0;
        for (int y = 0; y < image.height(); ++y)
            rows +=
                image.pixelColor(static_cast<int>(area.left() + share * area.width()), y).red() >
                        image.pixelColor(static_cast<int>(area.left() + share * area.width()), y).blue() + 40
                    ? 1
                    : 0;
        return rows;
    };
    EXPECT_NEAR(filledRows(0.7), area.height() / 4, 2);
    EXPECT_EQ(filledRows(0.3), 0);
}

// The pale part after the cursor must differ from the card.
TEST(PlotTones, WhatComesAfterTheCursorIsPalerAndStillSeen)
{
    for (const Palette& palette : {Palette::light(), Palette::darkTheme()}) {
        const auto over = [](const QColor& top, const QColor& below) {
            const auto channel = [&](int a, int b) { return static_cast<int>(b + (a - b) * top.alphaF()); };
            return QColor(channel(top.red(), below.red()), channel(top.green(), below.green()),
                          channel(top.blue(), below.blue()));
        };
        for (const PlotTone tone : {PlotTone::plain, PlotTone::soft, PlotTone::most, PlotTone::wake,
                                    PlotTone::overflow, PlotTone::low, PlotTone::middle, PlotTone::high}) {
            PlotLayer layer;
            layer.tone = tone;
            const QColor before = over(toneColour(layer, palette), palette.card);
            const QColor later = over(futureVeil(palette), before);
            EXPECT_GE(contrast(later, palette.card), 1.5)
                << static_cast<int>(tone) << (palette.dark ? " dark" : "");
            EXPECT_GE(contrast(later, before), 1.2)
                << static_cast<int>(tone) << (palette.dark ? " dark" : "");
        }
        EXPECT_GE(contrast(palette.textMuted, palette.card), 4.5) << "labels of axes are text";
    }
}

} // namespace
} // namespace lockscope::ui
