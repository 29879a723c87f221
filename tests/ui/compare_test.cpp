// Two runs side by side: the queue at a release, whom it woke, the verdict, and the page that is saved.
#include "core/trace/trace_file.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_script.h"
#include "ui/compare/compare_chain_layout.h"
#include "ui/compare/compare_chain_view.h"
#include "ui/compare/compare_lanes_view.h"
#include "ui/compare/compare_table_model.h"
#include "ui/compare/compare_verdict_view.h"
#include "ui/shell/compare_dialog.h"
#include "ui/shell/compare_window.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace lockscope::ui;

// Everybody watches ada's one node; its end wakes both, and bo is first. The name is what a stranger might
// send.
const char* const kHerd =
    R"(- running; 1ms ada holds n1; 2ms bo waits n2 n1; 2ms cyd waits n3 n1; 10ms ada release n1
                            10300us bo fired n1; 10310us cyd fired n1; 10400us ada freed n1; 14ms bo takes n2
                            15ms bo release n2; 16ms bo freed n2; - finished)";

ComparedRunPtr runOf(const char* label, std::shared_ptr<trace::TraceStore> store)
{
    const std::size_t count = store->count();
    return std::make_shared<ComparedRun>(QString::fromUtf8(label), std::move(store), count);
}

ComparedRunPtr chainRun(std::uint32_t clients = 5)
{
    SampleOptions options;
    options.clients = clients;
    options.think = Duration::zero();
    return runOf("chain", sampleRun(options));
}

TEST(ComparedRun, CountsWhomEachReleaseWoke)
{
    const ComparedRunPtr herd = runOf("herd", traceScript(kHerd));
    ASSERT_EQ(herd->handoffs(), 1u);
    EXPECT_EQ(herd->woken(0), 2u);
    const ChainMoment moment = herd->moment(0);
    EXPECT_EQ(moment.holder, "ada");
    EXPECT_EQ(moment.waiting, 2u);
    EXPECT_EQ(moment.woken, 2u);
    ASSERT_EQ(moment.people.size(), 3u);
    EXPECT_TRUE(moment.people[0].holds);
    EXPECT_EQ(moment.people[1].ahead, 0);
    EXPECT_EQ(moment.people[2].ahead, 0) << "it watches the holder's node, not the one in front of it";
}

TEST(ComparedRun, TellsOfTheFirstReleaseWithTheLongestQueue)
{
    const ComparedRunPtr chain = chainRun();
    ASSERT_TRUE(chain->tellingHandoff());
    const ChainMoment moment = chain->moment(*chain->tellingHandoff());
    EXPECT_EQ(moment.people.size(), 5u);
    EXPECT_EQ(moment.waiting, 4u);
    EXPECT_EQ(moment.woken, 1u);
    for (std::size_t i = 1; i < moment.people.size(); ++i) {
        EXPECT_EQ(moment.people[i].ahead, static_cast<int>(i) - 1);
        EXPECT_EQ(moment.people[i].woken, i == 1);
    }
}

TEST(ComparedRun, WithoutAHandoffShowsTheEnd)
{
    const ComparedRunPtr lonely = runOf("lonely", traceScript("- running; ada holds n1"));
    EXPECT_FALSE(lonely->tellingHandoff());
    const ChainMoment moment = lonely->moment(std::nullopt);
    EXPECT_EQ(moment.holder, "ada");
    EXPECT_EQ(moment.woken, 0u);
}

ChainMoment crowd(std::size_t people, bool star)
{
    ChainMoment moment;
    moment.star = star;
    for (std::size_t i = 0; i < people; ++i) {
        ChainPerson person;
        person.client = ClientId{static_cast<std::uint32_t>(i)};
        person.holds = i == 0;
        person.watches = i > 0;
        person.ahead = star ? -1 : static_cast<int>(i) - 1;
        moment.people.push_back(person);
    }
    return moment;
}

TEST(CompareChainLayout, KeepsEverybodyInsideAndApart)
{
    const QSizeF size(560, 260);
    for (const bool star : {false, true}) {
        for (const std::size_t people : {1u, 2u, 5u, 50u, 300u}) {
            const CompareChainLayout layout = layoutCompareChain(crowd(people, star), size);
            EXPECT_EQ(layout.dots.size(), star ? people - 1 : people);
            EXPECT_EQ(layout.arrows.size(), people - 1);
            qreal nearest = 1e9;
            for (std::size_t i = 0; i < layout.dots.size(); ++i) {
                EXPECT_TRUE(QRectF(QPointF(), size).contains(layout.dots[i].centre)) << people;
                EXPECT_FALSE(layout.hub.contains(layout.dots[i].centre));
                for (std::size_t j = 0; j < i; ++j)
                    nearest =
                        std::min(nearest, QLineF(layout.dots[i].centre, layout.dots[j].centre).length());
            }
            EXPECT_GT(nearest, layout.diameter) << people << (star ? " in a star" : " in a chain");
        }
    }
    EXPECT_TRUE(layoutCompareChain(crowd(3, true), QSizeF()).dots.empty());
}

TEST(CompareChainLayout, AShortQueueStandsInTheMiddle)
{
    const QSizeF size(800, 300);
    const CompareChainLayout layout = layoutCompareChain(crowd(5, false), size);
    EXPECT_NEAR(layout.dots.front().centre.x() + layout.dots.back().centre.x(), size.width(), 1);
    EXPECT_GT(layout.dots.back().centre.x() - layout.dots.front().centre.x(), size.width() / 2);
}

TEST(CompareTable, ATickIsOnlyOnWhatReadsDifferently)
{
    Look look{Look::Theme::light};
    replay::Comparison comparison;
    for (std::size_t i = 0; i < comparison.rows.size(); ++i)
        comparison.rows[i] = {static_cast<replay::Measure>(i), 0.996, 0.998, std::nullopt, replay::Better::b};
    const auto fairness = static_cast<int>(replay::Measure::fairness);
    const auto shown = [&](int column) {
        const CompareTableModel model(comparison, "a", "b", &look);
        return model.index(fairness, column).data().toString().toStdString();
    };
    EXPECT_EQ(shown(CompareTableModel::bColumn), "1.00");
    EXPECT_EQ(shown(CompareTableModel::aColumn), "1.00");
    comparison.rows[static_cast<std::size_t>(fairness)].a = 0.9;
    EXPECT_EQ(shown(CompareTableModel::bColumn), "✓ 1.00");
}

struct CompareWindowTest : testing::Test
{
    CompareWindowTest()
        : style(&look)
        , window(herd, chain, &look)
    {
        window.resize(1280, 800);
        window.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
    }

    Look look{Look::Theme::light};
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
    EXPECT_EQ(text(0, CompareTableModel::measureColumn), "clients woken per release");
    EXPECT_EQ(text(0, CompareTableModel::aColumn), "2.00");
    EXPECT_EQ(text(0, CompareTableModel::bColumn), "✓ 1.00");
    EXPECT_EQ(text(0, CompareTableModel::ratioColumn), "2.00 ×");
    EXPECT_EQ(model->index(0, 2).data(Qt::AccessibleTextRole).toString(), "✓ 1.00, better");
    const int last = model->rowCount() - 1;
    EXPECT_EQ(text(last, CompareTableModel::aColumn), "no_herd violated");
    EXPECT_EQ(text(last, CompareTableModel::bColumn), "✓ all hold");
    EXPECT_EQ(model->index(last, 3).data().toString(), "");
}

TEST_F(CompareWindowTest, AllRowsAreInSightInASmallWindow)
{
    auto* table = window.findChild<QTableView*>("verdictTable");
    const QRect last = table->visualRect(table->model()->index(table->model()->rowCount() - 1, 0));
    EXPECT_TRUE(table->viewport()->rect().contains(last));
}

TEST_F(CompareWindowTest, AClickShowsTheQueueAtThatRelease)
{
    auto* lanes = window.findChildren<CompareLanesView*>().at(1);
    auto* queue = window.findChildren<CompareChainView*>().at(1);
    QSignalSpy chosen(lanes, &CompareLanesView::handoffChosen);
    QTest::mouseClick(lanes, Qt::LeftButton, {}, QPoint(lanes->width() / 3, 20));
    ASSERT_EQ(chosen.count(), 1);
    const auto handoff = chosen.front().front().value<std::size_t>();
    EXPECT_GT(handoff, 0u);
    EXPECT_EQ(queue->moment().holder, chain->moment(handoff).holder);
    QTest::keyClick(lanes, Qt::Key_Left);
    EXPECT_EQ(chosen.back().front().value<std::size_t>(), handoff - 1);
}

TEST_F(CompareWindowTest, TheDifferenceIsTheTellingReleaseInBoth)
{
    auto* button = window.findChild<QPushButton*>("differenceButton");
    const auto queues = window.findChildren<CompareChainView*>();
    const QString whole = window.findChildren<CompareLanesView*>().at(1)->caption();
    window.choose(1, chain->handoffs() - 1);
    ASSERT_NE(queues[1]->moment().waiting, 11u);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(queues[0]->sentence(), "the release wakes all 2 waiters; only one can take the lock");
    EXPECT_EQ(queues[1]->sentence(), "the release wakes exactly one waiter of 11");
    const QString near = window.findChildren<CompareLanesView*>().at(1)->caption();
    EXPECT_NE(near, whole);
    EXPECT_EQ(near.section("·", 1, 1),
              window.findChildren<CompareLanesView*>().at(0)->caption().section("·", 1, 1))
        << "both are drawn to one scale";
    EXPECT_EQ(button->text(), "Show the whole runs");
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(window.findChildren<CompareLanesView*>().at(1)->caption(), whole);
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
    EXPECT_TRUE(html.contains("no_herd violated"));
    EXPECT_TRUE(html.contains("belief_matches_server: holds"));
    EXPECT_TRUE(html.contains("&lt;b&gt;herd&lt;/b&gt;")) << "text from outside is text";
    EXPECT_FALSE(html.contains("<b>"));
    EXPECT_FALSE(html.contains("http")) << "nothing is fetched";
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

TEST_F(CompareWindowTest, ChangesWithTheTheme)
{
    const QImage light = window.grab().toImage();
    look.setTheme(Look::Theme::dark);
    const QImage dark = window.grab().toImage();
    EXPECT_LT(dark.pixelColor(640, 8).lightness(), 80);
    EXPECT_GT(light.pixelColor(640, 8).lightness(), 200);
    EXPECT_LT(dark.pixelColor(30, 120).lightness(), 80) << "the queue's card";
}

TEST(CompareDialog, GivesBothTheSameChanges)
{
    CompareDialog dialog({}, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    std::array<CompareSource, 2> sources;
    QObject::connect(&dialog, &CompareDialog::chosen, [&](const auto& chosen) { sources = chosen; });
    dialog.findChild<QSpinBox*>("compareClients")->setValue(7);
    dialog.findChild<QSpinBox*>("compareCycles")->setValue(3);
    dialog.accept();
    EXPECT_EQ(sources[0].label, "herd");
    EXPECT_EQ(sources[1].label, "chain");
    for (const CompareSource& source : sources) {
        ASSERT_TRUE(source.scenario);
        EXPECT_EQ(sim::participants(*source.scenario).size(), 7u);
        EXPECT_EQ(source.scenario->work.cycles, 3u);
        EXPECT_EQ(source.scenario->seed, 1u) << "as in the scenario";
    }
}

TEST(CompareDialog, StaysAndSaysWhatIsWrong)
{
    CompareDialog dialog({}, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto* second = dialog.findChild<QComboBox*>("compareB");
    second->addItem("gone", "/no/such/scenario.toml");
    second->setCurrentIndex(second->count() - 1);
    QSignalSpy chosen(&dialog, &CompareDialog::accepted);
    dialog.accept();
    EXPECT_EQ(chosen.count(), 0);
    EXPECT_TRUE(dialog.findChild<QLabel*>("compareFault")->text().contains("/no/such/scenario.toml"));
}

TEST(CompareJob, OpensTwoTracesAndTellsThemApart)
{
    QTemporaryDir folder;
    std::array<CompareSource, 2> sources;
    for (std::size_t i = 0; i < 2; ++i) {
        const QString path = folder.filePath(i == 0 ? "calm.jsonl" : "killed.jsonl");
        SampleOptions options;
        options.killHolderAtGrant = i == 0 ? 0 : 12;
        const auto store = sampleRun(options);
        ASSERT_TRUE(trace::saveTrace(path.toStdString(), *store, store->count()).has_value());
        const auto source = compareSource(path);
        ASSERT_TRUE(source.has_value());
        sources[i] = *source;
    }
    CompareJob job;
    std::vector<ComparedRunPtr> runs;
    QObject::connect(&job, &CompareJob::done, [&](const ComparedRunPtr& a, const ComparedRunPtr& b) {
        runs = {a, b};
    });
    job.start(sources, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !runs.empty(); }, 30'000));
    EXPECT_EQ(runs[0]->label(), "calm");
    EXPECT_EQ(runs[1]->label(), "killed");
    EXPECT_GT(runs[0]->handoffs(), 10u);
}

TEST(CompareJob, SaysWhatIsWrongWithATrace)
{
    CompareJob job;
    QString fault;
    QObject::connect(&job, &CompareJob::failed,
                     [&](const Error& error) { fault = QString::fromStdString(error.text()); });
    CompareSource gone;
    gone.tracePath = "/no/such/trace.jsonl";
    job.start({gone, gone}, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !fault.isEmpty(); }, 30'000));
    EXPECT_TRUE(fault.contains("/no/such/trace.jsonl"));
    EXPECT_FALSE(compareSource("no-such-built-in").has_value());
}

int exitOf(const QStringList& arguments)
{
    QProcess program;
    program.start(QStringLiteral(LOCKSCOPE_PROGRAM), arguments);
    return program.waitForFinished(60'000) && program.exitStatus() == QProcess::NormalExit
               ? program.exitCode()
               : -1;
}

TEST(CompareProgram, TakesAPictureOfTwoTraces)
{
    QTemporaryDir folder;
    const QString path = folder.filePath("run.jsonl");
    const auto store = sampleRun({});
    ASSERT_TRUE(trace::saveTrace(path.toStdString(), *store, store->count()).has_value());
    const QString out = folder.filePath("out.png");
    ASSERT_EQ(
        exitOf({"--shot", out, "--view", "compare", "--size", "900x700", "--theme", "dark", path, path}), 0);
    EXPECT_EQ(QImage(out).size(), QSize(900, 700));
    EXPECT_EQ(exitOf({"--shot", out, "--view", "compare", path}), 2) << "one run alone";
    EXPECT_EQ(exitOf({"--shot", out, "--view", "window", path, path}), 2) << "two runs in a view of one";
    EXPECT_EQ(exitOf({"--shot", out, "--view", "compare", path, folder.filePath("none.jsonl")}), 2);
}

} // namespace
} // namespace lockscope::tests
