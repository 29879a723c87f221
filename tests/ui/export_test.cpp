// What leaves the window: files that hold what they should, pictures at twice the size, numbered pictures,
// and errors that are said.
#include "tests/support/sample_run.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/dock_area.h"
#include "ui/shell/export_desk.h"
#include "ui/shell/frames_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/message_bar.h"

#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

struct ExportTest : testing::Test
{
    ExportTest() { window = shownWindow(); }
    void open()
    {
        window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    }
    QByteArray exported(ExportKind kind, const QString& name)
    {
        const QString path = folder.filePath(name);
        window->exporting().exportTo(kind, path);
        EXPECT_TRUE(QTest::qWaitFor([&] { return says("Exported " + name); }, 20'000));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }
    bool says(const QString& text) const { return window->messages().shownTexts().join('\n').contains(text); }

    QTemporaryDir folder;
    std::unique_ptr<MainWindow> window;
};

TEST_F(ExportTest, WritesTablesATraceAndAPage)
{
    open();
    EXPECT_TRUE(exported(ExportKind::handoffs, "handoffs.csv").startsWith("number,lock,from,to,"));
    EXPECT_EQ(exported(ExportKind::clients, "clients.csv").count('\n'), 6);
    const QJsonDocument trace = QJsonDocument::fromJson(exported(ExportKind::chrome, "trace.json"));
    EXPECT_GT(trace.object().value("traceEvents").toArray().size(), 100);
    const QByteArray page = exported(ExportKind::report, "page.html");
    EXPECT_TRUE(page.contains("data:image/png;base64,iVBOR"));
    EXPECT_EQ(exported(ExportKind::handoffs, "again.csv"), exported(ExportKind::handoffs, "handoffs.csv"));
}

TEST_F(ExportTest, SaysWhatIsWrong)
{
    window->exporting().exportTo(ExportKind::handoffs, folder.filePath("none.csv"));
    EXPECT_TRUE(says("There is no run to export yet."));
    open();
    window->exporting().exportTo(ExportKind::handoffs, "/no/such/folder/a.csv");
    EXPECT_TRUE(QTest::qWaitFor([&] { return says("cannot be written"); }, 20'000));
    window->exporting().savePictureOf("chain", folder.filePath("chain.jpeg"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return says("is not a picture's name"); }, 20'000));
}

TEST_F(ExportTest, PicturesOfAViewAreTwiceTheSizeOnTheScreen)
{
    open();
    const QSize size = window->docks().card("timeline")->size(); // a message below the run bar takes some of it
    window->exporting().savePictureOf("timeline", folder.filePath("timeline.png"));
    EXPECT_EQ(QImage(folder.filePath("timeline.png")).size(), size * 2);
    window->exporting().savePictureOf("timeline", folder.filePath("timeline.svg"));
    QFile svg(folder.filePath("timeline.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("<text"));
    window->exporting().copyPictureOf("window");
    ASSERT_TRUE(QTest::qWaitFor([&] { return says("on the clipboard"); }, 20'000));
    EXPECT_TRUE(QGuiApplication::clipboard()->mimeData()->hasFormat("image/svg+xml"));
    EXPECT_EQ(QGuiApplication::clipboard()->image().size(), window->size() * 2);
}

TEST_F(ExportTest, MakesNumberedPicturesAndGoesBack)
{
    open();
    window->model().seekTime(20ms);
    const TraceTime before = window->model().cursorTime();
    const QString place = folder.filePath("film");
    window->exporting().makeFrames({window->docks().card("chain"), 0ms, 100ms, 20, place});
    ASSERT_TRUE(QTest::qWaitFor([&] { return says("Made 3 picture"); }, 30'000));
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(QImage(place + '/' + frameName(i)).isNull()) << i;
    }
    QFile words(place + "/make-a-film.txt");
    ASSERT_TRUE(words.open(QIODevice::ReadOnly));
    EXPECT_TRUE(words.readAll().contains("ffmpeg -framerate 20 -i frame-%04d.png"));
    EXPECT_EQ(window->model().cursorTime(), before);
}

TEST_F(ExportTest, NumberedPicturesCanBeCancelled)
{
    open();
    FrameJob job(&window->model());
    QString why;
    QObject::connect(&job, &FrameJob::failed, [&](const Error& error) { why = QString::fromStdString(error.message); });
    job.start({window.get(), 0ms, 100ms, 60, folder.filePath("film")});
    EXPECT_TRUE(job.active());
    job.cancel();
    EXPECT_FALSE(job.active());
    EXPECT_TRUE(why.contains("cancelled"));
    EXPECT_TRUE(window->model().following());
}

TEST(FramePlan, CountsBothEnds)
{
    FramePlan plan;
    plan.begin = 1s;
    plan.end = 2s;
    EXPECT_EQ(plan.count(), 11);
    EXPECT_EQ(plan.at(10), TraceTime(2s));
    plan.end = 0s;
    EXPECT_EQ(plan.count(), 0);
    plan.end = 10h;
    EXPECT_EQ(plan.count(), FramePlan::kMost);
}

TEST_F(ExportTest, TheMenuHasEveryView)
{
    const QMenu* menu = window->exporting().menu();
    for (const DockCard* card : window->docks().cards()) {
        EXPECT_NE(menu->findChild<QAction*>("picture." + card->name()), nullptr) << card->name().toStdString();
        EXPECT_NE(menu->findChild<QAction*>("copy." + card->name()), nullptr);
    }
    for (const char* name : {"exportHandoffs", "exportClients", "exportChrome", "exportReport", "exportFrames"}) {
        EXPECT_NE(menu->findChild<QAction*>(name), nullptr) << name;
    }
}

} // namespace
} // namespace lockscope::ui
