// What a reader sees of a plot in Qt Charts: shapes and colors, and labels that are whole.
#include "tests/ui/charts/charts_test_fixture.h"
#include "ui/charts/chart_canvas.h"

#include <QGraphicsTextItem>

#include <memory>

namespace lockscope::ui {
namespace {

struct ChartCanvasTest : TimeChartTest
{
    QImage image(const Plot& plot, QSize size = {300, 200})
    {
        canvas->resize(size);
        canvas->setPlot(plot);
        return canvas->grab().toImage();
    }
    // The visible texts of the chart and their places.
    std::vector<std::pair<QString, QRectF>> texts() const
    {
        std::vector<std::pair<QString, QRectF>> all;
        for (const QGraphicsItem* item : canvas->scene()->items())
            if (const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
                text && text->isVisible() && !text->toPlainText().trimmed().isEmpty())
                all.emplace_back(text->toPlainText(), text->sceneBoundingRect().adjusted(4, 4, -4, -4));
        return all;
    }
    Theme theme{Theme::ColourScheme::light};
    std::unique_ptr<ChartCanvas> canvas = std::make_unique<ChartCanvas>(&theme, nullptr);
};

// Qt Charts draws labels as rich text.
TEST_F(ChartCanvasTest, ANameFromOutsideIsPlainTextAndSoAreTwoEqualOnes)
{
    Plot plot;
    plot.x.from = -0.5;
    plot.x.to = 2.5;
    plot.x.names = {{0, "<i>a</i>"}, {1, "same"}, {2, "same"}};
    plot.layers = {{PlotLayer::Shape::bars, PlotTone::plain, 0, {}, {{0, 1}, {1, 1}, {2, 1}}}};
    plot.bars.resize(3);
    image(plot, {500, 240});
    QStringList names;
    for (const auto& [text, box] : texts())
        names << text;
    EXPECT_TRUE(names.contains("<i>a</i>")) << names.join('|').toStdString();
    EXPECT_EQ(canvas->lowerLabels().size(), 3);
}

// The sizes from a card that is barely readable up to a large picture.
TEST_F(ChartCanvasTest, TextsAreWholeAndDoNotOverlapInAnySize)
{
    openSample(20, 100'000);
    run.seekTime(run.endTime() / 2);
    for (const ChartKind kind : kCharts)
        for (const QSize size : {QSize(120, 90), QSize(200, 90), QSize(330, 130), QSize(360, 150),
                                 QSize(640, 260), QSize(1200, 640)}) {
            const std::string where = chartName(kind).toStdString() + " " + std::to_string(size.width()) +
                                      "x" + std::to_string(size.height());
            canvas->resize(size);
            Plot shown = chartPlot(kind, source(), ChartCanvas::plotAreaWithin(size));
            if (!shown.bars.empty())
                markBar(shown, 0);
            image(shown, size);
            const auto all = texts();
            for (std::size_t i = 0; i < all.size(); ++i) {
                EXPECT_FALSE(all[i].first.endsWith("...")) << where << ": " << all[i].first.toStdString();
                EXPECT_TRUE(QRectF({}, size).adjusted(-1, -1, 1, 1).contains(all[i].second))
                    << where << ": " << all[i].first.toStdString() << " leaves the chart";
                for (std::size_t other = 0; other < i; ++other)
                    EXPECT_FALSE(all[i].second.intersects(all[other].second))
                        << where << ": " << all[i].first.toStdString() << " over "
                        << all[other].first.toStdString();
            }
            EXPECT_GE(canvas->lowerLabels().size(), 1) << where;
        }
}

} // namespace
} // namespace lockscope::ui
