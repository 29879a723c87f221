// The compare page: its verdict, its timelines, what a click shows, and what is saved of it.
#include "compare_test_runs.h"
#include "ui/compare/compare_chain_view.h"
#include "ui/compare/compare_table_model.h"
#include "ui/compare/compare_timeline_view.h"
#include "ui/compare/compare_verdict_view.h"
#include "ui/shell/compare/compare_window.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace lockscope::ui;

struct CompareWindowTest : testing::Test
{
    CompareWindowTest()
        : style(&theme)
        , window(herd, chain, &theme)
    {
        window.resize(1280, 800);
        window.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
    }

    Theme theme{Theme::ColourScheme::light};
    ApplicationStyle style;
    ComparedRunPtr herd = runOf("<b>herd</b>", traceScript(kHerd));
    ComparedRunPtr chain = chainRun(12);
    CompareWindow window;
    QTemporaryDir folder;
};

TEST_F(CompareWindowTest, ItsTableSaysBothValuesAndWhichIsBetter)
{
    QAbstractItemModel* model = window.findChild<QTableView*>("verdictTable")->model();
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto text = [&](int row, int column) { return model->index(row, column).data().toString(); };
    EXPECT_EQ(model->headerData(1, Qt::Horizontal).toString(), "<b>herd</b>");
    EXPECT_EQ(text(0, CompareTableModel::measureColumn), "clients woken per release, mean of the run");
    EXPECT_EQ(text(0, CompareTableModel::aColumn), "2.00");
    EXPECT_EQ(text(0, CompareTableModel::bColumn), "1.00");
    EXPECT_EQ(text(0, CompareTableModel::ratioColumn), "not compared") << "3 clients against 12";
    const int last = model->rowCount() - 1;
    EXPECT_EQ(text(last, CompareTableModel::aColumn), "✗ a herd");
    EXPECT_EQ(text(last, CompareTableModel::bColumn), "✓ all hold");
    EXPECT_EQ(model->index(last, 2).data(Qt::AccessibleTextRole).toString(), "✓ all hold, better");
    EXPECT_EQ(model->index(last, 3).data().toString(), "1 more violated");
}

// On a screen of 1280x800 its right end was out of sight.
TEST_F(CompareWindowTest, IsNoLargerThanItsScreen)
{
    const CompareWindow fresh(herd, chain, &theme);
    const QSize screen = fresh.screen()->availableSize();
    EXPECT_LT(fresh.width(), screen.width());
    EXPECT_LT(fresh.height(), screen.height());
}

TEST_F(CompareWindowTest, AllRowsAreInSightInASmallWindow)
{
    auto* table = window.findChild<QTableView*>("verdictTable");
    const QRect last = table->visualRect(table->model()->index(table->model()->rowCount() - 1, 0));
    EXPECT_TRUE(table->viewport()->rect().contains(last));
}

TEST_F(CompareWindowTest, TheWholePageFitsAUsualWindow)
{
    const QScrollArea& page = *window.findChild<QScrollArea*>();
    window.resize(1264, 753); // on a screen of 1280x800
    EXPECT_TRUE(QTest::qWaitFor([&] { return page.verticalScrollBar()->maximum() == 0; }))
        << page.widget()->height();
}

// The table lost its last columns to the bars, and the queues were cut.
TEST_F(CompareWindowTest, ASmallWindowScrollsAndCutsNothing)
{
    for (const QSize size : {QSize(1000, 660), QSize(850, 510)}) {
        window.resize(size);
        const QTableView& table = *window.findChild<QTableView*>("verdictTable");
        const auto isWhole = [&](int row, int column) {
            return table.viewport()->rect().contains(table.visualRect(table.model()->index(row, column)));
        };
        EXPECT_TRUE(QTest::qWaitFor([&] {
            return isWhole(table.model()->rowCount() - 1, CompareTableModel::ratioColumn) &&
                   isWhole(table.model()->rowCount() - 1, CompareTableModel::measureColumn);
        })) << size.width();
        for (const CompareChainView* queue : window.findChildren<CompareChainView*>())
            EXPECT_GE(queue->height(), 240) << size.width();
        const auto placeOf = [&](const QWidget& part) {
            return QRect(part.mapTo(&window, QPoint()), part.size());
        };
        const auto isCovered = [&](const CompareChainView* queue) {
            const QList<QLabel*> labels = window.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->text() == queue->sentence() && placeOf(*label).intersects(placeOf(*queue));
            });
        };
        const QList<CompareChainView*> queues = window.findChildren<CompareChainView*>();
        EXPECT_TRUE(QTest::qWaitFor([&] { return std::none_of(queues.begin(), queues.end(), isCovered); }))
            << size.width();
        for (const QPushButton* button : window.findChildren<QPushButton*>())
            EXPECT_GE(button->width(), button->sizeHint().width()) << size.width();
    }
}

TEST_F(CompareWindowTest, WhatIsMeasuredIsWholeInASmallWindow)
{
    auto* table = window.findChild<QTableView*>("verdictTable");
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QModelIndex index = table->model()->index(row, CompareTableModel::measureColumn);
        const QFontMetrics metrics(index.data(Qt::FontRole).value<QFont>());
        EXPECT_LE(metrics.horizontalAdvance(index.data().toString()) + 20, table->columnWidth(0))
            << index.data().toString().toStdString();
    }
}

TEST_F(CompareWindowTest, AClickShowsTheQueueAtThatRelease)
{
    auto* lanes = window.findChildren<CompareTimelineView*>().at(1);
    auto* queue = window.findChildren<CompareChainView*>().at(1);
    QSignalSpy chosen(lanes, &CompareTimelineView::handoffChosen);
    QTest::mouseClick(lanes, Qt::LeftButton, {}, QPoint(lanes->width() / 3, 20));
    ASSERT_EQ(chosen.count(), 1);
    const auto handoff = chosen.front().front().value<std::size_t>();
    EXPECT_GT(handoff, 0u);
    EXPECT_EQ(queue->moment().holderName, chain->moment(handoff).holderName);
    QTest::keyClick(lanes, Qt::Key_Left);
    EXPECT_EQ(chosen.back().front().value<std::size_t>(), handoff - 1);
}

TEST_F(CompareWindowTest, TheDifferenceIsATypicalReleaseInBoth)
{
    auto* button = window.findChild<QPushButton*>("differenceButton");
    const auto queues = window.findChildren<CompareChainView*>();
    const Duration whole = window.findChildren<CompareTimelineView*>().at(1)->length();
    window.choose(1, chain->handoffs() - 1);
    ASSERT_NE(queues[1]->moment().waiting, 11u);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(queues[0]->moment().waiting, 2U);
    EXPECT_EQ(queues[0]->moment().woken.size(), 2U);
    EXPECT_EQ(queues[0]->moment().nextName, "bo");
    EXPECT_EQ(queues[1]->moment().waiting, 11U);
    EXPECT_EQ(queues[1]->moment().woken.size(), 1U);
    EXPECT_TRUE(queues[1]->sentence().contains(queues[1]->moment().nextName));
    const auto lanes = window.findChildren<CompareTimelineView*>();
    EXPECT_LT(lanes[1]->length(), whole);
    EXPECT_EQ(lanes[0]->length(), lanes[1]->length()) << "both are drawn to one scale";
    EXPECT_TRUE(lanes[0]->caption().contains("on both sides"));
    EXPECT_FALSE(lanes[1]->caption().contains("sides")) << "which is said once";
    EXPECT_TRUE(button->isChecked());
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(lanes[1]->length(), whole);
}

TEST_F(CompareWindowTest, ThePageIsOneFileWithEverythingInIt)
{
    const QString path = folder.filePath("page.html");
    ASSERT_TRUE(window.saveHtml(path).has_value());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString html = QString::fromUtf8(file.readAll());
    EXPECT_EQ(html.count("data:image/png;base64,"), 4);
    EXPECT_TRUE(html.contains("clients woken per release"));
    EXPECT_TRUE(html.contains("<td class=\"violated\">✗ a herd</td>"));
    EXPECT_TRUE(html.contains("Belief matches the server: holds"));
    EXPECT_TRUE(html.contains("&lt;b&gt;herd&lt;/b&gt;")) << "text from outside is text";
    EXPECT_FALSE(html.contains("<b>"));
    EXPECT_FALSE(html.contains("http:") || html.contains("https:"))
        << "nothing is fetched"; // pictures are base64
    EXPECT_FALSE(window.saveHtml("/no/such/folder/page.html").has_value());
}

// Light pictures lay on a dark page where the reader's browser prefers dark ones.
TEST_F(CompareWindowTest, ThePageHasTheThemeOfItsPictures)
{
    const QString path = folder.filePath("page.html");
    for (const Theme::ColourScheme colourScheme : {Theme::ColourScheme::light, Theme::ColourScheme::dark}) {
        theme.setColourScheme(colourScheme);
        ASSERT_TRUE(window.saveHtml(path).has_value());
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        const QString html = QString::fromUtf8(file.readAll());
        EXPECT_TRUE(html.contains("--card: " + theme.palette().card.name()));
        EXPECT_FALSE(html.contains("prefers-color-scheme"));
    }
}

// The band over a wait made a third colour that no legend names.
TEST_F(CompareWindowTest, TheBandOfAHerdIsBehindTheWaitsAndInTheLegend)
{
    auto* lanes = window.findChildren<CompareTimelineView*>().at(0);
    lanes->resize(600, 300);
    lanes->showRange(std::chrono::milliseconds(11), std::chrono::milliseconds(2)); // in the herd
    const TimelinePicture& picture = lanes->picture();
    ASSERT_EQ(picture.herds.size(), 1u);
    EXPECT_EQ(picture.herds.front(), picture.layout.plot);
    ASSERT_NE(picture.legend, nullptr);
    EXPECT_EQ(picture.legend->herds.size(), 1u);
    const auto waits = [](const TimelineBar& bar) { return bar.span.kind == replay::SpanKind::waiting; };
    const auto wait = std::find_if(picture.bars.begin(), picture.bars.end(), waits);
    const auto& samples = picture.legend->bars;
    const auto sample = std::find_if(samples.begin(), samples.end(), waits);
    ASSERT_NE(wait, picture.bars.end());
    ASSERT_NE(sample, samples.end());
    const QImage image = lanes->grab().toImage();
    EXPECT_EQ(image.pixelColor(wait->rect.center()), image.pixelColor(sample->rect.center()));
    EXPECT_NE(image.pixelColor(picture.layout.plot.left() + 2, picture.layout.plot.bottom() - 1),
              theme.palette().card);
}

// Names beside the few lanes of one side made its time scale another one.
TEST_F(CompareWindowTest, BothTimelinesHaveOneScaleWhereOnlyOneHasLargeNames)
{
    const auto lanes = window.findChildren<CompareTimelineView*>();
    for (CompareTimelineView* each : lanes)
        each->resize(500, 500);
    EXPECT_EQ(lanes[0]->picture().scale.left, lanes[1]->picture().scale.left);
    EXPECT_EQ(lanes[0]->picture().scale.width, lanes[1]->picture().scale.width);
    for (CompareTimelineView* each : lanes) {
        each->setSibling(nullptr);
        each->showRange(each->begin(), each->length());
    }
    EXPECT_NE(lanes[0]->picture().scale.left, lanes[1]->picture().scale.left);
}

// In lanes of a few pixels the name above that of the folded ones is not that of the row above.
TEST_F(CompareWindowTest, TheNameOfTheFoldedLanesCoversNoOther)
{
    const ComparedRunPtr many = chainRun(70);
    CompareTimelineView lanes(many, &theme);
    int sizes = 0; // in which the row of the folded lanes is in view
    for (int height = 100; height < 300; ++height) {
        lanes.resize(600, height);
        lanes.showRange(many->begin() + many->whole().took / 2, many->whole().took / 40);
        const auto& labels = lanes.picture().labels;
        if (labels.empty() || labels.back().lane.valid())
            continue;
        ++sizes;
        for (const TimelineLaneLabel& label : labels)
            if (label.lane.valid() && !label.text.isEmpty()) {
                EXPECT_LE(label.text.bottom(), labels.back().text.top() + 4)
                    << label.name.toStdString() << " at " << height;
            }
    }
    EXPECT_GT(sizes, 50);
}

// In the picture of a herd, the client that let go and took the lock again had no band.
TEST_F(CompareWindowTest, EveryReleaseThatWokeSeveralHasItsBand)
{
    const ComparedRunPtr again =
        runOf("again",
              traceScript(
                  R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 2ms cyd waits n3 n1; 10ms ada release n1
           10300us bo fired n1; 10310us cyd fired n1; 10400us ada freed n1; 20ms ada holds n4; - finished)"));
    ASSERT_EQ(again->handoffs(), 0u);
    CompareTimelineView lanes(again, &theme);
    lanes.resize(600, 300);
    lanes.showRange(std::chrono::milliseconds(11), std::chrono::milliseconds(2));
    EXPECT_EQ(lanes.picture().herds.size(), 1u);
}

TEST_F(CompareWindowTest, WhatComesAfterTheEndOfARunIsNoTimeWithoutWaits)
{
    auto* lanes = window.findChildren<CompareTimelineView*>().at(0);
    lanes->resize(600, 300);
    lanes->showRange(herd->begin(), 2 * herd->whole().took);
    const TimelinePicture& picture = lanes->picture();
    EXPECT_EQ(picture.ended.left(), picture.endX);
    EXPECT_EQ(picture.ended.right(), picture.layout.plot.right());
    lanes->showRange(herd->begin(), herd->whole().took / 2);
    EXPECT_TRUE(lanes->picture().ended.isEmpty());
}

// Fifty clients are in sight at once, also in a low window.
TEST_F(CompareWindowTest, LanesAreSoLowThatFiftyAreInView)
{
    CompareTimelineView lanes(chainRun(50), &theme);
    lanes.resize(600, 220);
    EXPECT_EQ(lanes.picture().layout.maxScroll(), 0);
    EXPECT_EQ(lanes.picture().labels.size(), 50u);
    lanes.resize(600, 160);
    lanes.showRange(lanes.begin(), lanes.length());
    EXPECT_GT(lanes.picture().layout.maxScroll(), 0) << "and scroll where they do not fit";
    EXPECT_GT(lanes.picture().layout.holderRows, 0) << "below rows that name the holders";
}

TEST_F(CompareWindowTest, OfTooManyThoseThatHoldAreShown)
{
    const ComparedRunPtr many = chainRun(100);
    CompareTimelineView lanes(many, &theme);
    lanes.resize(600, 220);
    const replay::Handoff& first = many->timeline().handoff(0);
    lanes.showRange(first.released, first.acquired - first.released + Duration(1));
    EXPECT_THAT(lanes.picture().rows->shown(), testing::ElementsAre(first.from, first.to));
    EXPECT_EQ(lanes.caption(), "2 of 100 lanes: the holders in this range");
    lanes.showRange(many->begin(), many->whole().took);
    EXPECT_EQ(lanes.caption(), "100 lanes") << "all of them hold in the whole run";
}

// A wake-up ran from the one that was woken to the node that went.
TEST_F(CompareWindowTest, TheArrowOfAWakeUpPointsAtWhoIsWoken)
{
    CompareChainView queue(&theme);
    queue.resize(600, 220);
    queue.show(
        runOf("two", traceScript("- running; 1ms ada holds n1; 2ms bo waits n2 n1; 10ms ada release n1; "
                                 "10300us bo fired n1; 10400us ada freed n1; 14ms bo takes n2"))
            ->moment(0));
    const chain::ChainScene& scene = queue.scene();
    ASSERT_EQ(scene.arrows.size(), 1u);
    const chain::Arrow& arrow = scene.arrows.front();
    EXPECT_EQ(arrow.kind, chain::ArrowKind::wakes);
    EXPECT_EQ(scene.nodes[static_cast<std::size_t>(arrow.to)].owner, ClientId{1});
    const auto away = [&](std::size_t node, QPointF at) {
        return QLineF(scene.nodes[node].rect.center(), at).length();
    };
    EXPECT_LT(away(1, arrow.end), away(1, arrow.begin));
    EXPECT_TRUE(scene.nodes[1].next);
    EXPECT_EQ(scene.nodes[1].state, chain::NodeState::woken);
    std::vector<std::string> names;
    for (const AccessibleItem& item : queue.accessibleItems())
        if (item.role == QAccessible::Graphic)
            names.push_back(item.name.toStdString());
    EXPECT_THAT(names, testing::ElementsAre("ada wakes bo"));
}

// The one node that all watch wakes them; each of them woke itself in what a screen reader said.
TEST_F(CompareWindowTest, InAStarTheMiddleWakesTheOthers)
{
    CompareChainView queue(&theme);
    queue.resize(600, 300);
    ChainMoment moment = herd->moment(0);
    ASSERT_EQ(moment.woken.size(), 2u);
    queue.show(moment);
    for (const chain::Arrow& arrow : queue.scene().arrows) {
        EXPECT_EQ(arrow.kind, chain::ArrowKind::wakes);
        EXPECT_EQ(arrow.from, 0);
        EXPECT_NE(arrow.to, 0);
    }
}

TEST_F(CompareWindowTest, PicturesAreWrittenOfThePageAndItsParts)
{
    ASSERT_TRUE(window.savePictures(folder.path()).has_value());
    for (const char* name : {"compare", "queue-a", "queue-b", "timeline-a", "timeline-b", "verdict"}) {
        const QImage image(folder.filePath(QString::fromLatin1(name) + ".png"));
        EXPECT_GT(image.width(), 300) << name;
        EXPECT_TRUE(QSvgRenderer(folder.filePath(QString::fromLatin1(name) + ".svg")).isValid()) << name;
    }
    EXPECT_FALSE(window.savePictures("/no/such/folder").has_value());
}

TEST_F(CompareWindowTest, ChangesWithTheTheme)
{
    const QImage light = window.grab().toImage();
    theme.setColourScheme(Theme::ColourScheme::dark);
    const QImage dark = window.grab().toImage();
    EXPECT_LT(dark.pixelColor(640, 8).lightness(), 80);
    EXPECT_GT(light.pixelColor(640, 8).lightness(), 200);
    EXPECT_LT(dark.pixelColor(30, 120).lightness(), 80) << "the queue's card";
}

TEST_F(CompareWindowTest, SaysAboveAllThatTheLoadsDiffer)
{
    const auto* words = window.findChild<QLabel*>("loadDifference");
    EXPECT_TRUE(words->isVisible());
    EXPECT_EQ(words->text(), "Not the same load: clients 3 against 12.");
    EXPECT_FALSE(window.subtitle().contains("same load"));
}

TEST_F(CompareWindowTest, TimeIsCountedFromTheStartOfTheTraceAndNeverFromBeforeTheRun)
{
    for (const bool difference : {false, true}) {
        window.showDifference(difference);
        for (CompareTimelineView* lanes : window.findChildren<CompareTimelineView*>()) {
            const ComparedRun& run =
                lanes == window.findChildren<CompareTimelineView*>().at(0) ? *herd : *chain;
            EXPECT_GE(lanes->begin(), run.begin());
            const TimelinePicture& picture = lanes->picture();
            ASSERT_FALSE(picture.ticks.empty());
            EXPECT_GE(picture.ticks.front().x, picture.layout.plot.left());
        }
    }
    window.showDifference(true);
    const auto* lanes = window.findChildren<CompareTimelineView*>().at(1);
    const TraceTime released = chain->timeline().handoff(*chain->typicalHandoff()).released;
    EXPECT_LE(lanes->begin(), released) << "one clock for the axis and the events";
}

} // namespace
} // namespace lockscope::tests
