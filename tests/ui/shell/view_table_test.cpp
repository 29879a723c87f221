// A view that is described in the table of views, and nowhere else, is found wherever views are.
#include "app/lockscope/command_line.h"
#include "app/lockscope/picture_taker.h"
#include "core/lesson/lesson.h"
#include "tests/ui/shell/recorded_window_fixture.h"
#include "ui/canvas/canvas.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/docking/dock_card.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>

#include <gmock/gmock.h>

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

// A file manager starts the program with the log of the session as its output. The window opens and reports
// what is wrong, as for a file that is dropped on it.
TEST_F(ViewTableTest, TheCommandLineLeavesABrokenFileToTheWindowWhereNobodyReadsTheTerminal)
{
    const std::string broken = written("broken.toml", "clients = \"many\"\n").toStdString();
    const auto read = [](const std::vector<const char*>& arguments) {
        testing::internal::CaptureStdout(); // both into a file
        testing::internal::CaptureStderr();
        auto line = app::readCommandLine(static_cast<int>(arguments.size()), arguments.data(),
                                         namesForView(viewTable()));
        const std::string said = testing::internal::GetCapturedStderr();
        testing::internal::GetCapturedStdout();
        const auto* taken = std::get_if<app::CommandLine>(&line);
        return taken ? taken->input + said : said;
    };
    EXPECT_EQ(read({"lockscope", broken.c_str()}), broken);
    EXPECT_EQ(read({"lockscope", "missing.jsonl"}), "missing.jsonl");
    EXPECT_THAT(read({"lockscope", "--shot", "/tmp/broken.png", broken.c_str()}),
                testing::HasSubstr("broken.toml:1:"));
    EXPECT_THAT(read({"lockscope", "no-such-scenario"}), testing::HasSubstr("no-such-scenario"));
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

} // namespace
} // namespace lockscope::ui
