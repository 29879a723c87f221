// What leaves the window: files that hold what they should, pictures at twice the size, numbered pictures,
// and errors that are said.
#include "tests/support/sample_run.h"
#include "tests/ui/export/gif_reader.h"
#include "tests/ui/shell/blocked_file.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/shell/dialogs/frames_dialog.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/export_controller.h"
#include "ui/shell/export/picture.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/main_window.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QPrinter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <vector>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;

struct ExportTest : WindowTest
{
    ExportTest() { window = shownWindow(); }
    void open()
    {
        window->control().showTrace("sample.jsonl", {tests::sampleRun(), {}});
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    }
    QByteArray exported(exports::Kind kind, const QString& name)
    {
        const QString path = folder.filePath(name);
        window->exportController().exportTo(kind, path);
        EXPECT_TRUE(waitForMessage("Exported " + name));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }
};

TEST_F(ExportTest, WritesTablesATraceAndAPage)
{
    open();
    EXPECT_TRUE(exported(exports::Kind::handoffs, "handoffs.csv").startsWith("number,lock,from,to,"));
    EXPECT_EQ(exported(exports::Kind::clients, "clients.csv").count('\n'), 6);
    const QJsonDocument trace = QJsonDocument::fromJson(exported(exports::Kind::chrome, "trace.json"));
    EXPECT_GT(trace.object().value("traceEvents").toArray().size(), 100);
    const QByteArray page = exported(exports::Kind::report, "page.html");
    EXPECT_TRUE(page.contains("data:image/png;base64,iVBOR"));
    EXPECT_EQ(exported(exports::Kind::handoffs, "again.csv"),
              exported(exports::Kind::handoffs, "handoffs.csv"));
}

TEST_F(ExportTest, SaysWhatIsWrong)
{
    window->exportController().exportTo(exports::Kind::handoffs, folder.filePath("none.csv"));
    EXPECT_TRUE(messages().contains("There is no run to export."));
    open();
    window->exportController().exportTo(exports::Kind::handoffs, "/no/such/folder/a.csv");
    EXPECT_TRUE(waitForMessage("cannot be written"));
    window->exportController().savePictureOf("chain", folder.filePath("chain.jpeg"));
    EXPECT_TRUE(waitForMessage("is not the name of a picture"));
}

TEST_F(ExportTest, WhatWasOpenedIsNotReplaced)
{
    const QString input = folder.filePath("run.jsonl"), link = folder.filePath("link.png");
    QFile file(input);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly) && file.write("precious") == 8);
    file.close();
    ASSERT_TRUE(QFile::link(input, link));
    window->control().showTrace(input, {tests::sampleRun(), {}});
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window->model().opening(); }, 20'000));
    const auto refuses = [&](const char* what) {
        EXPECT_TRUE(waitForMessage("would be replaced")) << what;
        window->messages().clear();
        EXPECT_EQ(QFileInfo(input).size(), 8) << what;
    };
    window->exportController().exportTo(exports::Kind::handoffs, input);
    refuses("a table");
    window->exportController().savePictureOf("chain", link);
    refuses("a picture");
    window->exportController().saveNumbersOf("latency", link);
    refuses("numbers");
    window->exportController().makeFrames({window->docks().card("chain"), 0ms, 100ms, 20, {}, link});
    refuses("an animation");
}

TEST_F(ExportTest, PicturesOfAViewAreTwiceTheSizeOnTheScreen)
{
    open();
    const QSize size =
        window->docks().card("timeline")->size(); // a message below the run bar takes some of it
    window->exportController().savePictureOf("timeline", folder.filePath("timeline.png"));
    EXPECT_EQ(QImage(folder.filePath("timeline.png")).size(), size * 2);
    window->exportController().savePictureOf("timeline", folder.filePath("timeline.svg"));
    QFile svg(folder.filePath("timeline.svg"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("<text"));
    window->exportController().savePictureOf("timeline", folder.filePath("timeline.pdf"));
    QFile pdf(folder.filePath("timeline.pdf"));
    ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
    const QByteArray page = pdf.readAll();
    EXPECT_TRUE(page.startsWith("%PDF-") && page.contains("/FontFile")) << page.size();
    window->exportController().copyPictureOf("window");
    ASSERT_TRUE(waitForMessage("on the clipboard"));
    EXPECT_TRUE(QGuiApplication::clipboard()->mimeData()->hasFormat("image/svg+xml"));
    EXPECT_EQ(QGuiApplication::clipboard()->image().size(), window->size() * 2);
}

// The page had a picture of the dark window, a pixel of the screen for each: blurred text on much ink.
TEST_F(ExportTest, ThePrintedPageHasTextAsTextInTheLightTheme)
{
    open();
    Theme& theme = window->theme();
    theme.setColourScheme(Theme::ColourScheme::dark);
    std::vector<bool> dark;
    QObject::connect(&theme, &Theme::changed, &theme, [&] { dark.push_back(theme.palette().dark); });
    QPrinter printer;
    printer.setOutputFileName(folder.filePath("page.pdf"));
    window->exportController().printOn(printer);
    ASSERT_TRUE(waitForMessage("Saved the picture page.pdf."));
    EXPECT_EQ(dark, (std::vector{false, true})) << "light on the page, dark on the screen again";
    QFile file(folder.filePath("page.pdf"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    EXPECT_TRUE(page.contains("/FontFile")) << page.size();
    printer.setOutputFileName(folder.filePath("missing/page.pdf"));
    window->exportController().printOn(printer);
    EXPECT_TRUE(waitForMessage("The window cannot be printed."));
}

struct Clipped : QWidget
{
    using QWidget::QWidget;
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setClipRect(rect());
        painter.save();
        painter.setClipRect(QRect(0, 0, 20, 20), Qt::IntersectClip);
        painter.fillRect(rect(), Qt::red);
        painter.restore(); // to the clip before, which QPainter moves
        painter.fillRect(rect(), Qt::blue);
    }
};

// Of the cards in the watch chain the upper half was missing.
TEST(PrintedPage, ClipsEachPartWhereItIs)
{
    QWidget window;
    window.resize(400, 300);
    Clipped part(&window);
    part.setGeometry(100, 80, 200, 100);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    ASSERT_TRUE(buffer.open(QIODevice::WriteOnly));
    QPdfWriter page(&buffer);
    page.setResolution(72);
    page.setPageSize(QPageSize(QSizeF(400, 300), QPageSize::Point));
    page.setPageMargins(QMarginsF());
    ASSERT_TRUE(print(window, page));
    // The drawing is one of the streams of the file; the others have no clips.
    const QByteArray length("\0\0\xff\xff", 4); // for qUncompress(), at least
    QString drawing;
    for (qsizetype begin = 0; (begin = bytes.indexOf("\nstream\n", begin)) >= 0;) {
        begin += 8;
        const auto end = bytes.indexOf("endstream", begin);
        drawing += QString::fromLatin1(qUncompress(length + bytes.mid(begin, end - begin)));
    }
    static const QRegularExpression clip("((?:[-\\d.]+ [-\\d.]+ [ml]\n)+)h\nW\\*? n"),
        point("([-\\d.]+) ([-\\d.]+) [ml]");
    int clips = 0;
    for (auto each = clip.globalMatch(drawing); each.hasNext(); ++clips) {
        QPolygonF corners;
        for (auto at = point.globalMatch(each.next().captured(1)); at.hasNext();) {
            const auto corner = at.next();
            corners << QPointF(corner.captured(1).toDouble(), corner.captured(2).toDouble());
        }
        const QRectF box = corners.boundingRect();
        EXPECT_TRUE(QRectF(99, 79, 202, 102).contains(box) || box.size() == QSizeF(400, 300))
            << box.left() << ' ' << box.top() << ' ' << box.width() << ' ' << box.height();
    }
    EXPECT_GE(clips, 3);
}

TEST_F(ExportTest, MakesNumberedPicturesAndGoesBack)
{
    open();
    window->model().seekTime(20ms);
    const TraceTime before = window->model().cursorTime();
    const QString place = folder.filePath("film");
    window->exportController().makeFrames({window->docks().card("chain"), 0ms, 100ms, 20, place});
    ASSERT_TRUE(waitForMessage("Created 3 picture"));
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(QImage(place + '/' + frameName(i)).isNull()) << i;
    }
    QFile words(place + "/make-a-film.txt");
    ASSERT_TRUE(words.open(QIODevice::ReadOnly));
    EXPECT_TRUE(words.readAll().contains("ffmpeg -framerate 20 -i frame-%04d.png"));
    EXPECT_EQ(window->model().cursorTime(), before);
}

TEST_F(ExportTest, AnAnimatedGifShowsWhatTheNumberedPicturesShow)
{
    open();
    const FramePlan plan{window->docks().card("chain"), 0ms, 150ms, 20, folder.filePath("film")};
    window->exportController().makeFrames(plan);
    ASSERT_TRUE(waitForMessage("Created 4 picture(s) in film"));
    FramePlan animated = plan;
    animated.gif = folder.filePath("chain.gif");
    window->exportController().makeFrames(animated);
    ASSERT_TRUE(waitForMessage("Created chain.gif from 4 picture"));
    const ReadGif gif = readGif(animated.gif);
    EXPECT_EQ(gif.length(), 20);
    EXPECT_EQ(gif.size, QImage(plan.folder + QStringLiteral("/") + frameName(0)).size());
    for (int i = 0; i < 4; ++i) {
        const QImage picture = QImage(plan.folder + '/' + frameName(i)).convertToFormat(QImage::Format_RGB32);
        QSet<QRgb> colours;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                colours += picture.pixel(x, y);
        // With more colours the edges of letters come near.
        EXPECT_LE(maxChannelDifference(gif.shownAt(5 * i), picture), colours.size() <= 256 ? 0 : 32) << i;
    }
}

TEST_F(ExportTest, ACancelledGifLeavesNoFile)
{
    open();
    const QString path = folder.filePath("run.gif");
    window->exportController().makeFrames({window->docks().card("chain"), 0ms, 500ms, 20, {}, path});
    ASSERT_TRUE(waitForMessage("Creating pictures of the run"));
    auto* cancel = window->messages().findChild<QPushButton*>("messageAction");
    ASSERT_NE(cancel, nullptr);
    QTest::mouseClick(cancel, Qt::LeftButton);
    EXPECT_TRUE(waitForMessage("The pictures were canceled"));
    EXPECT_TRUE(waitFor(
        [this] { return QDir(folder.path()).entryList({"*.gif*"}, QDir::Files | QDir::Hidden).isEmpty(); }));
}

TEST_F(ExportTest, AnExportToAnotherFileDoesNotMakeTheWindowWaitForTheOneBefore)
{
    open();
    BlockedFile blocked(folder, BlockedFile::BlockedSide::writer);
    const QString other = folder.filePath("other.json");
    window->exportController().exportTo(exports::Kind::chrome, blocked.path());
    ASSERT_TRUE(waitFor([&] { return blocked.isFull(); }));
    window->exportController().exportTo(exports::Kind::chrome, other);
    EXPECT_FALSE(blocked.timedOut());
    blocked.release();
    EXPECT_TRUE(waitForMessage("Exported other.json"));
    EXPECT_TRUE(QFile::exists(other));
}

// A picture that is being written may take long, on a slow disk.
TEST_F(ExportTest, CancelingAFilmDoesNotWaitForThePictureThatIsBeingWritten)
{
    open();
    BlockedFile blocked(folder, BlockedFile::BlockedSide::writer);
    const FramePlan plan{window->docks().card("chain"), 0ms, 100ms, 20, {}, blocked.path()};
    window->exportController().makeFrames(plan);
    ASSERT_TRUE(waitFor([&] { return blocked.isFull(); }));
    QTest::mouseClick(window->messages().findChild<QPushButton*>("messageAction"), Qt::LeftButton);
    ASSERT_TRUE(waitForMessage("The pictures were canceled"));
    window->exportController().makeFrames(plan); // to the same place
    ASSERT_TRUE(waitForMessage("Creating pictures of the run"));
    QTest::mouseClick(window->messages().findChild<QPushButton*>("messageAction"), Qt::LeftButton);
    ASSERT_TRUE(waitForMessage("The pictures were canceled"));
    exported(exports::Kind::handoffs, "handoffs.csv");
    EXPECT_FALSE(blocked.timedOut()) << "the window goes on";
}

TEST_F(ExportTest, AGifIsAsSlowAsPlayingUnlessAnotherSpeedIsChosen)
{
    open();
    auto* playing = window->findChild<QComboBox*>("playSpeed");
    playing->setCurrentIndex(playing->findData(0.1));
    window->exportController().menu()->findChild<QAction*>("exportGif")->trigger();
    auto* dialog = window->findChild<FramesDialog*>();
    ASSERT_NE(dialog, nullptr);
    auto* speed = dialog->findChild<QComboBox*>("framesSpeed");
    ASSERT_NE(speed, nullptr);
    EXPECT_EQ(speed->currentData().toDouble(), 0.1);
    speed->setCurrentIndex(speed->findData(0.01));
    dialog->findChild<QLineEdit*>("framesFile")->setText(folder.filePath("slow.gif"));
    QSignalSpy chosen(dialog, &FramesDialog::chosen);
    QTest::keyClick(dialog, Qt::Key_Return);
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].value<FramePlan>().speed, 0.01);
}

TEST(FramePlan, ASlowFilmHasMorePicturesOfTheSameStretch)
{
    FramePlan plan;
    plan.end = 1200ms;
    EXPECT_EQ(plan.count(), 13);
    plan.speed = 0.1;
    EXPECT_EQ(plan.count(), 121);
    EXPECT_EQ(plan.at(1), TraceTime(10ms));
    EXPECT_EQ(plan.at(120), TraceTime(1200ms));
    EXPECT_TRUE(filmCommands(plan).contains("each 10 ms of the run")) << filmCommands(plan).toStdString();
    plan.speed = 10;
    EXPECT_EQ(plan.count(), 2);
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
    EXPECT_EQ(plan.count(), FramePlan::kMaxFrames);
}

} // namespace
} // namespace lockscope::ui
