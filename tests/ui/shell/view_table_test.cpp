// A view that is described in the table of views, and nowhere else, is found wherever views are.
#include "app/lockscope/command_line.h"
#include "app/lockscope/moment.h"
#include "app/lockscope/picture_taker.h"
#include "core/lesson/lesson.h"
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/canvas/canvas.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/docking/dock_card.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>

#include <set>

namespace lockscope::ui {
namespace {

class AddedView : public QWidget, public View
{
public:
    explicit AddedView(QWidget* parent)
        : QWidget(parent)
    {
        setCaption(QStringLiteral("added"));
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), Qt::magenta); }
};

ViewTable tableWithOneMore()
{
    ViewTable table = viewTable();
    table.push_back({QStringLiteral("added"), [] { return QStringLiteral("Added View"); },
                     [](const ViewContext& context) { return new AddedView(context.parent); },
                     DockPlace::right, 120, QSize(321, 234)});
    return table;
}

std::vector<std::string> namesForView(const ViewTable& table)
{
    std::vector<std::string> names;
    for (const QString& name : pictureNames(table))
        names.push_back(name.toStdString());
    return names;
}

struct ViewTableTest : WindowTest
{
    void show(const ViewTable& table)
    {
        MainWindow::Setup setup;
        setup.settings = &settings;
        setup.views = table;
        window.reset();
        window = shownWindow(setup);
    }
    bool behind(const char* front)
    {
        return window->docks()
            .tabifiedDockWidgets(window->docks().card(QString::fromLatin1(front)))
            .contains(window->docks().card(QStringLiteral("added")));
    }
};

TEST_F(ViewTableTest, AnAddedViewIsFoundInMenusDockAndLayout)
{
    show(tableWithOneMore());
    ASSERT_NE(window->docks().card("added"), nullptr);
    EXPECT_EQ(window->docks().card("added")->windowTitle(), "Added View");
    EXPECT_GE(window->docks().card("added")->readableHeight(), 120);
    for (const char* name : {"show.added", "goTo.added", "picture.added", "copy.added"})
        EXPECT_NE(window->findChild<QAction*>(QString::fromLatin1(name)), nullptr) << name;
    EXPECT_TRUE(behind("algorithm"));
    window->docks().arrangeForLowWindow();
    EXPECT_TRUE(behind("algorithm"));
}

TEST_F(ViewTableTest, AKeptLayoutGetsTheAddedViewInItsPlace)
{
    show(viewTable());
    window->docks().card("lock-children")->close();
    window->close();
    show(tableWithOneMore());
    EXPECT_TRUE(window->docks().card("lock-children")->isHidden()) << "the kept layout";
    EXPECT_FALSE(window->docks().card("added")->isHidden());
    EXPECT_TRUE(behind("algorithm"));
}

TEST_F(ViewTableTest, TheCommandLineTakesTheAddedViewAndListsIt)
{
    const std::vector<std::string> names = namesForView(tableWithOneMore());
    const char* const shot[] = {"lockscope", "--shot", "/tmp/added-view.png",
                                "--view",    "added",  "five-clients"};
    const auto line = app::readCommandLine(6, shot, names);
    ASSERT_TRUE(std::holds_alternative<app::CommandLine>(line));
    EXPECT_EQ(std::get<app::CommandLine>(line).view, "added");
    EXPECT_TRUE(
        std::holds_alternative<app::ExitCode>(app::readCommandLine(6, shot, namesForView(viewTable()))));
    // resources/make_pictures draws what this lists.
    const char* const list[] = {"lockscope", "--views"};
    testing::internal::CaptureStdout();
    EXPECT_EQ(std::get<app::ExitCode>(app::readCommandLine(2, list, names)), app::ExitCode::done);
    EXPECT_NE(testing::internal::GetCapturedStdout().find("\nadded\n"), std::string::npos);
}

TEST_F(ViewTableTest, TheCommandLineTakesATraceNamedLikeALogForATrace)
{
    const std::string trace = written("log.jsonl", "{}").toStdString(),
                      log = written("log.1", "").toStdString();
    for (const std::string& file : {trace, log}) {
        const char* const arguments[] = {"lockscope", file.c_str()};
        const auto line = app::readCommandLine(2, arguments, namesForView(viewTable()));
        ASSERT_TRUE(std::holds_alternative<app::CommandLine>(line));
        EXPECT_EQ(std::get<app::CommandLine>(line).history, file == log);
    }
}

TEST_F(ViewTableTest, TheCommandLineTakesALanguageAsPeopleTypeIt)
{
    const auto languageOf = [](const char* typed) {
        const char* const arguments[] = {"lockscope", "--lang", typed};
        const auto line = app::readCommandLine(3, arguments, namesForView(viewTable()));
        const auto* read = std::get_if<app::CommandLine>(&line);
        return read ? read->language : std::string("refused");
    };
    for (const char* chinese : {"zh", "zh_CN", "zh-CN", "zh_CN.UTF-8", "zh-cn", "zh-Hans", "zh_SG"})
        EXPECT_EQ(languageOf(chinese), "zh_CN") << chinese;
    for (const char* english : {"en", "en_US", "en-GB", "en_US.UTF-8", "EN", "en_DK@euro"})
        EXPECT_EQ(languageOf(english), "en") << english;
    for (const char* other : {"tlh", "zh_TW", "zh-Hant", "english", "zhe", "C", ""})
        EXPECT_EQ(languageOf(other), "refused") << other;
}

TEST_F(ViewTableTest, APictureOfTheAddedViewHasItsSize)
{
    const auto store = tests::sampleRun({});
    app::CommandLine line;
    line.input = folder.filePath("run.jsonl").toStdString();
    line.shot = folder.filePath("added.png").toStdString();
    line.view = "added";
    ASSERT_TRUE(trace::saveTrace(line.input, *store, store->count()).has_value());
    app::PictureTaker taker(line, nullptr, tableWithOneMore());
    taker.start();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return QImage(QString::fromStdString(line.shot)).width() > 0; }, 20'000));
    const QImage picture(QString::fromStdString(line.shot));
    EXPECT_EQ(picture.size(), QSize(321, 234));
    EXPECT_EQ(picture.pixelColor(picture.rect().center()), QColor(Qt::magenta));
}

TEST_F(ViewTableTest, ARecordedRunComesToAMomentOnceItIsRead)
{
    show(viewTable());
    int calls = 0;
    const app::Moment moment(&window->model(), std::chrono::milliseconds(20),
                             [&](const std::optional<Error>& failure) {
                                 EXPECT_FALSE(failure);
                                 ++calls;
                                 window->model().seekTime(std::chrono::milliseconds(20));
                             });
    EXPECT_EQ(calls, 0) << "there is no run";
    window->control().showTrace("run.jsonl", {tests::sampleRun({}), {}});
    EXPECT_TRUE(QTest::qWaitFor([&] { return calls > 0; }, 20'000));
    QCoreApplication::processEvents();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(window->model().cursorTime(), std::chrono::milliseconds(20));
    EXPECT_FALSE(window->model().following());
}

TEST_F(ViewTableTest, AViewIsKnownByItsFormerNameToo)
{
    const auto viewOf = [](const char* name) {
        const char* const arguments[] = {"lockscope", "--shot", "x.png", "--view", name, "five-clients"};
        const auto line = app::readCommandLine(6, arguments, namesForView(viewTable()));
        const auto* read = std::get_if<app::CommandLine>(&line);
        return read ? read->view : std::string("refused");
    };
    for (const auto& [former, name] : {std::pair("ladder", "protocol"), std::pair("queue", "lock-children"),
                                       std::pair("lecture", "presentation"), std::pair("watches", "watches")})
        EXPECT_EQ(viewOf(former), name);
}

TEST_F(ViewTableTest, TheMenusHaveTheKeysOfEveryCanvas)
{
    show(viewTable());
    int canvases = 0;
    for (DockCard* card : window->docks().cards()) {
        const QList<QAction*> commands = canvasCommands(*card->view());
        if (commands.isEmpty())
            continue;
        ++canvases;
        const QPoint title(20, 10);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, title, card->mapToGlobal(title));
        QApplication::sendEvent(card, &event);
        QMenu* keys = nullptr;
        for (QMenu* menu : card->findChildren<QMenu*>())
            if (menu->actions().contains(commands.front()))
                keys = menu;
        ASSERT_NE(keys, nullptr) << card->name().toStdString();
        EXPECT_EQ(keys->actions(), commands);
        QApplication::activePopupWidget()->close();
    }
    EXPECT_EQ(canvases, 5);
}

TEST(Lessons, MayShowEveryView)
{
    std::set<QString> cards, views;
    for (const std::string_view card : lesson::cardNames())
        cards.insert(QString::fromUtf8(card.data(), static_cast<qsizetype>(card.size())));
    for (const ViewDescription& view : viewTable())
        views.insert(view.name);
    EXPECT_EQ(cards, views) << "of core/lesson/lesson_reader.cpp";
}

TEST(ManualOfTheCommandLine, ListsTheViews)
{
    const ViewTable table = viewTable();
    QStringList names = pictureNames(table);
    names.removeAll(QStringLiteral("compare")); // has a line of its own
    for (const ViewDescription& view : table)
        for (const QString& part : view.parts)
            names.removeAll(part);
    for (const char* language : {"en", "zh_CN"}) {
        QFile page(QStringLiteral(LOCKSCOPE_SOURCE "/resources/manual/%1/command-line.md").arg(language));
        ASSERT_TRUE(page.open(QIODevice::ReadOnly));
        EXPECT_TRUE(page.readAll().contains("[--view " + names.join('|').toUtf8() + "]"))
            << "write this into " << page.fileName().toStdString() << ": [--view "
            << names.join('|').toStdString() << "]";
    }
}

} // namespace
} // namespace lockscope::ui
