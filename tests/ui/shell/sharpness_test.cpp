// On a screen of twice the pixels every card is drawn with all of them, and the mouse still meets what it
// sees.
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/picture.h"
#include "ui/shell/window/icons.h"

#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

// How many squares of two by two pixels have different ones: none where single pixels were doubled.
double unevenEdges(const QImage& image)
{
    int found = 0, inked = 0;
    const QRgb ground = image.pixel(0, 0);
    for (int y = 0; y + 1 < image.height(); y += 2)
        for (int x = 0; x + 1 < image.width(); x += 2) {
            const QRgb corner = image.pixel(x, y);
            const bool same = corner == image.pixel(x + 1, y) && corner == image.pixel(x, y + 1) &&
                              corner == image.pixel(x + 1, y + 1);
            found += same ? 0 : 1;
            inked += same && corner == ground ? 0 : 1;
        }
    return inked == 0 ? 0 : static_cast<double>(found) / inked;
}

// The sum of what neighbours along a row differ by: words stretched smoothly have half as much.
double edges(const QImage& image)
{
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 1; x < image.width(); ++x) {
            const int step = qGray(image.pixel(x, y)) - qGray(image.pixel(x - 1, y));
            sum += step * step;
        }
    return sum;
}

struct SharpnessTest : testing::Test
{
    SharpnessTest()
    {
        window = shownWindow({}, {1680, 1050});
        window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
        EXPECT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
        window->model().seekEvent(window->model().store()->count() / 2);
        EXPECT_TRUE(QTest::qWaitFor([this] { return window->docks().card("chain")->view()->width() > 400; }));
    }
    std::unique_ptr<MainWindow> window;
};

TEST_F(SharpnessTest, EveryCardUsesThePixelsOfADenseScreen)
{
    int seen = 0;
    for (DockCard* card : window->docks().cards()) {
        if (!card->isVisible() || card->view()->visibleRegion().isEmpty())
            continue;
        ++seen;
        QWidget& view = *card->view();
        const QImage plain = pictureOf(view, 1), dense = pictureOf(view, 2);
        EXPECT_EQ(dense.size(), view.size() * 2);
        EXPECT_GT(unevenEdges(dense), 0.02) << card->name().toStdString() << ": doubled pixels";
        const QImage stretched = plain.scaled(dense.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                                     .convertToFormat(QImage::Format_RGB32);
        EXPECT_GT(edges(dense), 1.15 * edges(stretched)) << card->name().toStdString() << ": blurred";
    }
    EXPECT_GE(seen, 5);
}

// Drawn before for a plain screen, words are not taken for a dense one, nor the other way round.
TEST_F(SharpnessTest, APlainPictureAfterADenseOneIsTheSame)
{
    QWidget& view = *window->docks().card("chain")->view();
    const QImage before = pictureOf(view, 1), dense = pictureOf(view, 2);
    EXPECT_EQ(pictureOf(view, 1), before);
    EXPECT_EQ(pictureOf(view, 1.5).size(), view.size() * 1.5);
    EXPECT_EQ(pictureOf(view, 2), dense);
}

TEST_F(SharpnessTest, IconsHavePixelsForADenseScreen)
{
    const QIcon play = icon("play", Qt::black);
    EXPECT_GE(play.pixmap(QSize(16, 16), 2.0).size().width(), 32);
    EXPECT_GE(play.pixmap(QSize(16, 16), 1.5).size().width(), 24);
}

} // namespace
} // namespace lockscope::ui
