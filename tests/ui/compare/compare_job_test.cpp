// Which two runs are compared, how they are made, and the program that takes a picture of them.
#include "compare_test_runs.h"
#include "core/trace/trace_file.h"
#include "tests/ui/shell/blocked_file.h"
#include "ui/models/style/theme.h"
#include "ui/shell/compare/compare_dialog.h"
#include "ui/shell/compare/compare_job.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace lockscope::ui;

TEST(CompareDialog, GivesBothTheSameChanges)
{
    const Theme theme{Theme::ColourScheme::light};
    CompareDialog dialog({}, &theme, nullptr);
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
        EXPECT_EQ(source.scenario->seed, 1u) << "As in the scenario";
    }
}

TEST(CompareDialog, StaysAndSaysWhatIsWrong)
{
    const Theme theme{Theme::ColourScheme::light};
    CompareDialog dialog({}, &theme, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto* second = dialog.findChild<QComboBox*>("compareB");
    second->addItem("gone", "/no/such/scenario.toml");
    second->setCurrentIndex(second->count() - 1);
    QSignalSpy chosen(&dialog, &CompareDialog::accepted);
    dialog.accept();
    EXPECT_EQ(chosen.count(), 0);
    EXPECT_TRUE(dialog.findChild<QLabel*>("compareFault")->text().contains("/no/such/scenario.toml"));
}

// The two that the job makes of these traces.
std::vector<ComparedRunPtr> comparedOf(const std::array<CompareSource, 2>& sources)
{
    CompareJob job;
    std::vector<ComparedRunPtr> runs;
    QObject::connect(&job, &CompareJob::done, [&](const ComparedRunPtr& a, const ComparedRunPtr& b) {
        runs = {a, b};
    });
    job.start(sources, {});
    EXPECT_TRUE(QTest::qWaitFor([&] { return !runs.empty(); }, 30'000));
    return runs;
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
    const auto runs = comparedOf(sources);
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0]->label(), "calm");
    EXPECT_EQ(runs[1]->label(), "killed");
    EXPECT_GT(runs[0]->handoffs(), 10u);
}

TEST(CompareJob, StartedAnewDoesNotWaitForTheOneBefore)
{
    QTemporaryDir folder;
    BlockedFile blocked(folder, BlockedFile::BlockedSide::reader);
    CompareSource never, run;
    never.tracePath = blocked.path();
    run.store = sampleRun();
    CompareJob job;
    QSignalSpy done(&job, &CompareJob::done);
    QSignalSpy failed(&job, &CompareJob::failed);
    job.start({never, run}, {});
    job.start({run, run}, {});
    EXPECT_FALSE(blocked.timedOut());
    blocked.release();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !done.isEmpty(); }, 20'000));
    EXPECT_EQ(done.size(), 1);
    EXPECT_EQ(failed.size(), 0) << "the first one is cancelled: nothing is said of it";
}

std::vector<ComparedRunPtr> bothHandoffs(const char* scenario, std::uint32_t clients)
{
    std::array<CompareSource, 2> sources;
    for (const auto handoff : {SampleHandoff::curator, SampleHandoff::announced}) {
        SampleOptions options;
        options.handoff = handoff;
        options.clients = clients;
        const auto events = sampleRun(options);
        trace::Header header;
        header.scenario = scenario;
        auto store = std::make_shared<trace::TraceStore>(header);
        for (std::size_t i = 0; i < events->count(); ++i)
            store->append(events->at(i));
        sources[handoff == SampleHandoff::announced].store = store;
    }
    return comparedOf(sources);
}

TEST(CompareJob, RunsAreCalledByTheirTitlesAndDistinguishedByTheirHandoff)
{
    const auto runs = bothHandoffs("five-clients", 5);
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0]->brief(), "Curator's handoff");
    EXPECT_EQ(runs[0]->label(), "Five clients, one lock · Curator's handoff");
    EXPECT_EQ(runs[1]->label(), "Five clients, one lock · announced handoff");
}

// "Five clients, one lock" stood over a thousand.
TEST(CompareJob, ATitleThatCountsItsClientsSaysWhenThereAreOthers)
{
    const auto runs = bothHandoffs("five-clients", 12);
    ASSERT_EQ(runs.size(), 2u);
    // The text of the source; the catalog for English has its singular.
    EXPECT_EQ(runs[0]->label(), "1 locks · 12 clients · Curator's handoff");
    // One client that all watch is as true of five as of twenty.
    EXPECT_EQ(bothHandoffs("chain", 5).at(0)->label(),
              "The chain: one wake-up per release · Curator's handoff");
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

TEST(CompareJob, TheCurrentRunOfABuiltInHasItsTitleToo)
{
    std::array<CompareSource, 2> sources;
    for (std::size_t i = 0; i < 2; ++i) {
        trace::Header header;
        header.scenario = i == 0 ? "five-clients" : "chain";
        const auto events = sampleRun();
        auto store = std::make_shared<trace::TraceStore>(header);
        for (std::size_t event = 0; event < events->count(); ++event)
            store->append(events->at(event));
        sources[i].store = store;
    }
    sources[0].label = "five-clients"; // as the window calls it
    const auto runs = comparedOf(sources);
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0]->label(), "Five clients, one lock");
    EXPECT_EQ(runs[1]->label(), "The chain: one wake-up per release");
}

} // namespace
} // namespace lockscope::tests
