// Lessons played through by mouse and keys on a real X server, each step on a ZooKeeper of its own: with
// right and with wrong bets, in both languages. The whole matrix is disabled for its length: tests/lessons
// runs it.
#include "tests/support/lesson_answers.h"
#include "tests/ui/x11/x11_test_fixture.h"
#include "ui/lesson/option_button.h"
#include "ui/lesson/pointer_overlay.h"
#include "ui/models/run/selection.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/window/language.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSpinBox>

#include <algorithm>
#include <optional>

namespace lockscope::ui {
namespace {

using lesson::Question;
using lesson::Stage;

struct Way
{
    const char* lesson;
    bool right;
    const char* language;
};
void PrintTo(const Way& way, std::ostream* out)
{
    *out << way.lesson << (way.right ? " right " : " wrong ") << way.language;
}

// What is done by hand to reach the goal of a task: a client in the chain, and a key.
struct Action
{
    const char* client;
    QKeyCombination key;
    std::optional<Qt::Key> then{}; // of a command with two keys
};
const std::map<std::string, std::vector<Action>> kActions = {
    {"opening", {{"ada", Qt::SHIFT | Qt::Key_R}}},
    {"queue", {{"bo", Qt::SHIFT | Qt::Key_R}, {"ada", Qt::SHIFT | Qt::Key_R}}},
    {"watch", {{"bo", Qt::SHIFT | Qt::Key_R}, {"cyd", Qt::SHIFT | Qt::Key_R}}},
    {"reentrancy", {{"adler", Qt::Key_F7}, {"adler", Qt::Key_F7}}},
    {"death", {{"ada", Qt::SHIFT | Qt::Key_K}}},
    {"connection", {{"ada", Qt::Key_L, Qt::Key_R}}},
    {"lost-reply", {{"ada", Qt::SHIFT | Qt::Key_R}, {"bo", Qt::SHIFT | Qt::Key_K}}},
    {"pause", {{"ada", Qt::SHIFT | Qt::Key_F}}}};

struct X11LessonTest : X11Test, testing::WithParamInterface<Way>
{
    static void SetUpTestSuite() {} // a lesson has servers of its own

    ~X11LessonTest() override { language.use(QStringLiteral("en")); }
    void start(const char* shown = "en")
    {
        language.use(QString::fromLatin1(shown));
        MainWindow::Setup setup;
        setup.colourScheme = qEnvironmentVariable("LESSON_THEME") == QLatin1String("dark")
                                 ? Theme::ColourScheme::dark
                                 : Theme::ColourScheme::light;
        setup.settings = &settings;
        setup.language = &language;
        window = std::make_unique<MainWindow>(setup);
        window->resize(window->screen()->size());
        window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get(), kTimeoutMs));
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get(), kTimeoutMs));
    }
    const lesson::Player& player() { return *window->lessons().player(); }
    const lesson::StepRecord& record() { return player().record(); }
    std::string where() { return player().lesson().name + " " + player().step().name; }
    bool waitForStage(std::initializer_list<Stage> stages)
    {
        const auto is = [&] {
            return std::find(stages.begin(), stages.end(), record().stage) != stages.end();
        };
        return waitFor([&] { return is() || record().stage == Stage::failed; }) && is();
    }
    template <class Widget>
    Widget* part(const QString& name)
    {
        Widget* found = nullptr; // a body that was replaced may not be deleted yet
        for (Widget* one : window->lessons().panel()->findChildren<Widget*>(name))
            found = one->isVisible() ? one : found;
        return found;
    }
    // Where the screen shows it.
    bool click(QWidget* widget, Qt::MouseButton button = Qt::LeftButton)
    {
        if (!widget || !widget->isEnabled())
            return false;
        if (auto* scroll = window->lessons().panel()->findChild<QScrollArea*>(); scroll->isAncestorOf(widget))
            scroll->ensureWidgetVisible(widget);
        QTest::mouseClick(window->windowHandle(), button, {},
                          widget->mapTo(window.get(), widget->rect().center()));
        return true;
    }
    bool clickPart(const char* name) { return click(part<QAbstractButton>(QString::fromLatin1(name))); }
    // In the watch chain.
    bool clickClient(std::string_view name)
    {
        const replay::ClientRow* row = record().run->client(name);
        const auto nodes = chain().scene().nodes;
        for (const chain::ChainNode& node : nodes)
            if (row && node.owner == row->id && chain().isVisible()) {
                QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {},
                                  chain().mapTo(window.get(), node.rect.center().toPoint()));
                return true;
            }
        return false;
    }
    OptionButton* optionOf(std::string_view client)
    {
        for (OptionButton* option : window->lessons().panel()->findChildren<OptionButton*>())
            if (option->isVisible() &&
                option->text() == QString::fromUtf8(client.data(), static_cast<qsizetype>(client.size())))
                return option;
        return nullptr;
    }

    lesson::Bet another(const Question& question, lesson::Bet bet)
    {
        bet.option = (bet.option + 1) % std::max<std::size_t>(1, question.options.size());
        ++bet.number;
        const std::string last = sim::participants(*player().step().scenario).back().name;
        bet.clients = bet.clients == std::vector{last} ? std::vector<std::string>{} : std::vector{last};
        return bet;
    }
    // Options alternate between keys and mouse; clients are clicked in the picture where they are there.
    void makeBet(const Question& question, const lesson::Bet& bet, bool byKeys)
    {
        switch (question.kind) {
        case Question::Kind::options:
            if (byKeys)
                key(static_cast<Qt::Key>(Qt::Key_1 + bet.option));
            else
                ASSERT_TRUE(click(part<OptionButton>(QStringLiteral("lessonOption%1").arg(bet.option + 1))))
                    << where();
            break;
        case Question::Kind::number: {
            auto* box = part<QSpinBox>("lessonNumber");
            ASSERT_TRUE(box && click(box)) << where();
            box->selectAll();
            for (const QChar digit : QString::number(bet.number))
                key(static_cast<Qt::Key>(digit.unicode()));
            break;
        }
        case Question::Kind::who:
            for (const std::string& client : bet.clients)
                ASSERT_TRUE((!byKeys && clickClient(client)) || click(optionOf(client))) << where() << client;
            if (bet.clients.empty()) {
                const auto options = window->lessons().panel()->findChildren<OptionButton*>();
                ASSERT_TRUE(click(
                    part<OptionButton>(QStringLiteral("lessonOption%1")
                                           .arg(sim::participants(*player().step().scenario).size() + 1))));
            }
            break;
        }
        if (byKeys && question.kind == Question::Kind::options)
            key(Qt::Key_Return);
        else
            ASSERT_TRUE(clickPart("lessonBet")) << where();
    }
    void solvePuzzle()
    {
        for (const lesson::PuzzleMove& one : player().step().task->puzzle->solution) {
            const std::vector<lesson::PuzzleGame::Move> moves = player().puzzle()->moves();
            const auto place = std::ranges::find(moves, one, &lesson::PuzzleGame::Move::is) - moves.begin();
            ASSERT_TRUE(click(part<OptionButton>(QStringLiteral("lessonMove%1").arg(place + 1))))
                << where() << ' ' << wordsOf(one);
        }
    }
    void mend()
    {
        const std::vector<lesson::MendChange> changes = player().mend()->changes();
        const auto place = std::ranges::find(changes, player().step().task->mend->solution) - changes.begin();
        ASSERT_TRUE(click(part<OptionButton>(QStringLiteral("lessonMove%1").arg(place + 1)))) << where();
    }
    void reachGoal()
    {
        if (player().puzzle())
            return solvePuzzle();
        if (player().mend())
            return mend();
        for (const Action& action : kActions.at(player().lesson().name)) {
            ASSERT_TRUE(waitFor([&] { return clickClient(action.client); }))
                << where() << ' ' << action.client;
            const ClientId client = record().run->client(action.client)->id;
            ASSERT_TRUE(waitFor([&] { return window->control().commandContext().selected == client; }));
            const std::size_t before = window->model().store()->count();
            key(action.key.key(), action.key.keyboardModifiers());
            if (action.then)
                key(*action.then);
            if (QWidget* dialog = QApplication::activeModalWidget())
                QTest::keyClick(dialog, Qt::Key_Return);
            for (QDialog* dialog : window->findChildren<QDialog*>())
                QTest::keyClick(dialog, Qt::Key_Return);
            ASSERT_TRUE(waitFor([&] { return window->model().store()->count() > before + 1; })) << where();
        }
    }
    // With LESSON_PICTURES=FOLDER, what a learner sees.
    void savePicture(const QString& moment)
    {
        if (!qEnvironmentVariableIsSet("LESSON_PICTURES"))
            return;
        QTest::qWait(400); // cards slide to their places
        screenShot().save(
            QStringLiteral("%1/%2-%3-%4-%5-%6.png")
                .arg(qEnvironmentVariable("LESSON_PICTURES"), QString::fromStdString(player().lesson().name))
                .arg(player().position() + 1)
                .arg(QString::fromStdString(player().step().name), moment, language.code()));
    }
    // Nothing that is read may be cut off: every label of the panel has the height that its text takes.
    void expectReadable()
    {
        for (const QLabel* label : window->lessons().panel()->findChildren<QLabel*>())
            if (label->isVisible() && label->wordWrap()) {
                EXPECT_GE(label->height() + 1, label->heightForWidth(label->width()))
                    << where() << ' ' << label->objectName().toStdString();
            }
        const QScrollArea* scroll = window->lessons().panel()->findChild<QScrollArea*>();
        EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width()) << where();
    }
    void play(const Way& way)
    {
        start(way.language);
        window->lessons().open(QString::fromLatin1(way.lesson));
        ASSERT_TRUE(window->lessons().isOpen());
        bool byKeys = false;
        while (!player().atEnd()) {
            ASSERT_TRUE(waitForStage({Stage::reading, Stage::asking, Stage::doing})) << where();
            expectReadable();
            const auto targets = [&] {
                return static_cast<std::size_t>(window->lessons().pointers()->targets().size());
            };
            const auto places =
                std::ranges::count_if(player().step().pointers, [](const lesson::Pointer& one) {
                    return one.kind != lesson::Pointer::Kind::message; // which is sent only after the bet
                });
            EXPECT_TRUE(waitFor([&] { return targets() == static_cast<std::size_t>(places); })) << where();
            savePicture("begin");
            if (const auto& question = player().step().question) {
                const lesson::Bet& answer = tests::lessonAnswers().at(where());
                makeBet(*question, way.right ? answer : another(*question, answer), byKeys);
                byKeys = !byKeys;
                ASSERT_TRUE(waitForStage({Stage::done})) << where();
                EXPECT_EQ(record().right(player().step()), way.right) << where();
                ASSERT_TRUE(record().answer && part<QLabel>("lessonVerdict")) << where();
                EXPECT_EQ(window->model().position(), record().answer->moment) << where();
            } else if (player().step().task) {
                if (!way.right)
                    while (clickPart("lessonHintButton")) {
                    }
                ASSERT_NO_FATAL_FAILURE(reachGoal());
                ASSERT_TRUE(waitForStage({Stage::done})) << where();
            }
            expectReadable();
            if (player().step().question || player().step().task) {
                EXPECT_TRUE(record().afterHolds) << where();
                savePicture("end");
            }
            const std::size_t before = player().position();
            if (byKeys)
                key(Qt::Key_Return);
            else
                ASSERT_TRUE(clickPart("lessonNext")) << where();
            ASSERT_TRUE(player().atEnd() || player().position() != before) << where();
        }
        EXPECT_TRUE(action(QStringLiteral("lesson.") + QString::fromLatin1(way.lesson))->isChecked());
        const bool chinese = QString::fromLatin1(way.language) == QLatin1String("zh_CN");
        EXPECT_EQ(part<QLabel>("lessonTitle")->text().contains(QRegularExpression("\\p{sc:Han}")), chinese);
        window->model().endRun();
    }

    Language language{QStringLiteral("en")};
};

TEST_P(X11LessonTest, IsPlayedThrough) { play(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Some, X11LessonTest, testing::Values(Way{"opening", false, "zh_CN"}));

std::vector<Way> everyWay()
{
    std::vector<Way> all;
    for (const lesson::BuiltIn& builtIn : lesson::builtIns())
        for (const bool right : {true, false})
            for (const char* language : {"en", "zh_CN"})
                all.push_back({builtIn.name.data(), right, language});
    return all;
}
struct DISABLED_X11EveryLessonTest : X11LessonTest
{};
TEST_P(DISABLED_X11EveryLessonTest, IsPlayedThrough) { play(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, DISABLED_X11EveryLessonTest, testing::ValuesIn(everyWay()));

struct X11LectureTest : X11LessonTest
{};

// The lesson stays beside two large cards, and the class bets by show of hands.
TEST_F(X11LectureTest, AClassBetsByShowOfHands)
{
    start();
    window->lessons().open("watch");
    window->lessons().panel()->setFocus();
    ASSERT_TRUE(waitForStage({Stage::asking}));
    const double before = part<QLabel>("lessonText")->font().pointSizeF();
    key(Qt::Key_F11);
    ASSERT_TRUE(window->presentation().isOpen());
    EXPECT_EQ(window->presentation().chosen(0), "chain");
    EXPECT_EQ(window->presentation().chosen(1), "protocol");
    EXPECT_GT(part<QLabel>("lessonText")->font().pointSizeF(), before * 1.2);
    EXPECT_TRUE(window->lessons().dock()->isVisible());
    EXPECT_LE(window->width(), window->screen()->size().width());
    for (const char* button : {"lessonBack", "lessonRedo", "lessonNext"})
        EXPECT_GE(part<QPushButton>(button)->width(), part<QPushButton>(button)->sizeHint().width())
            << button;
    EXPECT_GT(window->lessons().panel()->width(), window->width() * 35 / 100);
    for (const char* step : {"whom", "release"}) {
        ASSERT_TRUE(clickPart("lessonNext"));
        ASSERT_EQ(player().step().name, step);
    }
    ASSERT_TRUE(waitForStage({Stage::asking}));
    EXPECT_EQ(window->presentation().chosen(1), "timeline");
    // ada's node has its halo where the large card is.
    ASSERT_TRUE(waitFor([this] { return window->lessons().pointers()->targets().size() == 1; }));
    const QRect halo = window->lessons().pointers()->targets().front();
    EXPECT_GT(halo.left(), window->lessons().dock()->geometry().right());
    const auto option = [this](int number) {
        return part<OptionButton>(QStringLiteral("lessonOption%1").arg(number));
    };
    for (int hand = 0; hand < 3; ++hand)
        ASSERT_TRUE(click(option(2)));
    ASSERT_TRUE(click(option(2), Qt::RightButton));
    for (const auto pressed : {Qt::Key_1, Qt::Key_1, Qt::Key_1, Qt::Key_3, Qt::Key_Backspace})
        key(pressed);
    EXPECT_EQ(option(1)->accessibleDescription(), "3 hands");
    EXPECT_EQ(option(2)->accessibleDescription(), "2 hands");
    EXPECT_EQ(option(3)->accessibleDescription(), "0 hands");
    EXPECT_TRUE(option(1)->isChecked());
    EXPECT_FALSE(option(2)->isChecked());
    key(Qt::Key_Return);
    ASSERT_TRUE(waitForStage({Stage::done}));
    EXPECT_EQ(record().bet->option, 0U);
    EXPECT_EQ(part<QLabel>("lessonHands")->text(), "3 of 5 hands were right.");
    const double scale = window->presentation().scale();
    ASSERT_TRUE(window->lessons().panel()->isAncestorOf(window->focusWidget()));
    key(Qt::Key_Minus, Qt::ControlModifier);
    EXPECT_LT(window->presentation().scale(), scale) << "as with the focus in a card";
    key(Qt::Key_Escape);
    EXPECT_FALSE(window->presentation().isOpen());
    EXPECT_FALSE(window->docks().card("timeline")->isHidden());
    EXPECT_TRUE(window->docks().card("protocol")->isHidden()) << "the cards of this step";
    window->model().endRun();
}

} // namespace
} // namespace lockscope::ui
