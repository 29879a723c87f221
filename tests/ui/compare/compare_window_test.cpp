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

} // namespace
} // namespace lockscope::tests
