// Lessons in the window, played by mouse and keys, each step on a ZooKeeper of its own.
#include "core/lesson/class_result.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/chain/chain_view.h"
#include "ui/lesson/lesson_text.h"
#include "ui/lesson/option_button.h"
#include "ui/lesson/pointer_overlay.h"
#include "ui/manual/manual_dock.h"
#include "ui/models/run/selection.h"
#include "ui/protocol/protocol_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/lesson/lesson_controller.h"
#include "ui/shell/runbar/scenario_chooser.h"
#include "ui/shell/window/language.h"
#include "ui/welcome/welcome_page.h"

#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <set>

namespace lockscope::ui {
namespace {

using lesson::Stage;

struct LessonWindowTest : WindowTest
{
    LessonWindowTest() { show(); }
    void show(Language* language = nullptr)
    {
        window.reset();
        MainWindow::Setup setup;
        setup.settings = &settings;
        setup.language = language;
        window = shownWindow(setup);
    }
    LessonController& lessons() { return window->lessons(); }
    const lesson::Player& player() { return *lessons().player(); }
    const lesson::StepRecord& record() { return player().record(); }
    bool waitForStage(Stage stage)
    {
        return waitFor([&] { return record().stage == stage || record().stage == Stage::failed; }) &&
               record().stage == stage;
    }
    template <class Widget = QPushButton>
    Widget* part(const char* name)
    {
        Widget* found = nullptr; // a body that was replaced may not be deleted yet
        for (Widget* one : lessons().panel()->findChildren<Widget*>(QString::fromLatin1(name)))
            found = one->isVisible() ? one : found;
        return found;
    }
    // The panel's scroll area shows all of it.
    bool isInSight(const QWidget* widget)
    {
        return widget && widget->visibleRegion().boundingRect() == widget->rect();
    }
    bool click(const char* name)
    {
        auto* button = part<QAbstractButton>(name);
        if (!button || !button->isEnabled())
            return false;
        QTest::mouseClick(button, Qt::LeftButton);
        return true;
    }
    bool betOption(int option)
    {
        return click(("lessonOption" + std::to_string(option)).c_str()) && click("lessonBet");
    }
    bool betNumber(int number)
    {
        auto* box = part<QSpinBox>("lessonNumber");
        if (!box)
            return false;
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::number(number));
        return click("lessonBet");
    }
    bool betClient(const QString& name)
    {
        for (OptionButton* option : lessons().panel()->findChildren<OptionButton*>())
            if (option->isVisible() && option->text() == name) {
                QTest::mouseClick(option, Qt::LeftButton);
                return click("lessonBet");
            }
        return false;
    }
    ClientId client(std::string_view name)
    {
        const replay::ClientRow* row = record().run->client(name);
        return row ? row->id : ClientId::none();
    }
    // The answer is shown, and all views show the event that proves it.
    void expectAnswer(bool right)
    {
        ASSERT_TRUE(waitForStage(Stage::done));
        EXPECT_EQ(record().right(player().step()), right) << player().step().name;
        ASSERT_TRUE(part<QLabel>("lessonVerdict"));
        ASSERT_TRUE(record().answer.has_value());
        EXPECT_EQ(window->model().position(), record().answer->moment) << player().step().name;
        EXPECT_EQ(window->control().commandContext().selected,
                  window->model().store()->at(record().answer->proof).client)
            << player().step().name << ": of the event that proves it";
        EXPECT_FALSE(lessons().pointers()->targets().isEmpty()) << "the proof is marked";
        const TraceTime shown = window->model().store()->at(record().answer->moment - 1).at;
        EXPECT_LE(window->timeWindow().begin(), shown) << "the timeline shows the moment";
        EXPECT_GE(window->timeWindow().end(), shown);
        const QWidget* why = part<QLabel>("lessonAfter");
        if (!why)
            why = part<QLabel>("lessonOtherRun");
        EXPECT_TRUE(!why || waitFor([&] { return !why->visibleRegion().isEmpty(); }))
            << "the explanation is in sight";
    }
    void playTheWatch(bool right)
    {
        lessons().open("watch");
        ASSERT_TRUE(waitForStage(Stage::asking));
        ASSERT_TRUE(betNumber(right ? 0 : 30));
        expectAnswer(right);
        ASSERT_TRUE(click("lessonNext"));
        ASSERT_EQ(player().step().name, "whom");
        ASSERT_TRUE(waitForStage(Stage::asking));
        ASSERT_TRUE(betClient(right ? "eli" : "ada"));
        expectAnswer(right);
        ASSERT_TRUE(click("lessonNext"));
        ASSERT_TRUE(waitForStage(Stage::asking));
        ASSERT_TRUE(waitFor([this] { return lessons().pointers()->targets().size() == 1; })) << "ada's node";
        ASSERT_TRUE(betOption(right ? 1 : 2));
        expectAnswer(right);
        ASSERT_TRUE(click("lessonNext"));
        EXPECT_EQ(player().step().name, right ? "herd" : "why") << "by the outcome";
        if (!right) {
            ASSERT_TRUE(waitForStage(Stage::reading));
            ASSERT_TRUE(click("lessonNext"));
        }
        ASSERT_TRUE(waitForStage(Stage::asking));
        ASSERT_TRUE(betNumber(right ? 4 : 1));
        expectAnswer(right);
        ASSERT_TRUE(click("lessonNext"));
        ASSERT_TRUE(waitForStage(Stage::asking));
        ASSERT_TRUE(betClient(right ? "eli" : "bo"));
        expectAnswer(right);
        ASSERT_TRUE(click("lessonNext"));
        ASSERT_TRUE(waitForStage(Stage::doing));
        ASSERT_TRUE(click("lessonHintButton"));
        EXPECT_TRUE(part<QLabel>("lessonHint"));
        window->control().injectFaultInto(client("bo"), Fault::removeSelected, {});
        window->control().injectFaultInto(client("cyd"), Fault::removeSelected, {});
        ASSERT_TRUE(waitForStage(Stage::done));
        ASSERT_TRUE(click("lessonNext"));
        EXPECT_TRUE(player().atEnd());
        EXPECT_TRUE(action("lesson.watch")->isChecked());
        QTest::keyClick(lessons().panel(), Qt::Key_Return);
        EXPECT_EQ(player().lesson().name, "reentrancy") << "Enter goes on here, too";
    }
};

// It was 384 or 400 pixels wide, by what the run bar showed of the lesson's run.
TEST_F(LessonWindowTest, ThePanelIsEquallyWideInAllLessons)
{
    window->resize(1280, 800);
    std::vector<int> widths;
    for (const char* name : {"watch", "reentrancy"}) {
        lessons().open(name);
        ASSERT_TRUE(waitForStage(Stage::asking));
        widths.push_back(lessons().panel()->width());
    }
    EXPECT_EQ(widths[0], widths[1]);
}

// It was below the fold: one had to scroll down to bet.
TEST_F(LessonWindowTest, TheBetIsInSightWithoutScrolling)
{
    for (const QSize size : {QSize(1280, 800), QSize(1000, 700)}) {
        window->resize(size);
        for (const char* name : {"queue", "pause", "connection", "opening"}) {
            lessons().open(name);
            ASSERT_TRUE(waitFor([this] { return record().stage != Stage::preparing; }));
            if (record().stage == Stage::reading) {
                ASSERT_TRUE(click("lessonNext"));
            }
            ASSERT_TRUE(waitForStage(Stage::asking));
            const auto* bet = part("lessonBet");
            ASSERT_TRUE(bet) << name;
            EXPECT_TRUE(waitFor([&] { return bet->visibleRegion().boundingRect() == bet->rect(); }))
                << name << " " << size.width();
            // The text scrolls; what is asked, and the answers, do not.
            QList<const QWidget*> asked{part<QLabel>("lessonQuestion")};
            for (int i = 1; part<OptionButton>(("lessonOption" + std::to_string(i)).c_str()); ++i)
                asked << part<OptionButton>(("lessonOption" + std::to_string(i)).c_str());
            EXPECT_GE(asked.size(), 3) << name;
            for (const QWidget* one : asked)
                EXPECT_EQ(one->visibleRegion().boundingRect(), one->rect())
                    << name << " " << size.width() << " " << one->objectName().toStdString();
        }
    }
    ASSERT_TRUE(betClient("bauer"));
    expectAnswer(true);
    EXPECT_FALSE(part("lessonBet"));
    window->model().endRun();
}

// They were not named, and Back was the only way to them.
TEST_F(LessonWindowTest, TheEndNamesTheSkippedStepsAndLeadsToThem)
{
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    while (!player().atEnd())
        ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(part<QLabel>("lessonSkipped"));
    EXPECT_TRUE(part<QLabel>("lessonSkipped")->text().startsWith("You skipped 3 steps"))
        << part<QLabel>("lessonSkipped")->text().toStdString();
    ASSERT_TRUE(part("lessonSkippedStep2"));
    EXPECT_EQ(part("lessonSkippedStep2")->text(), "Step 2: Who draws next?");
    EXPECT_FALSE(part("lessonSkippedStep1")) << "it was read";
    ASSERT_TRUE(click("lessonSkippedStep2"));
    EXPECT_EQ(player().position(), 1U);
    ASSERT_TRUE(waitForStage(Stage::asking));
    ASSERT_TRUE(betClient("bauer"));
    expectAnswer(true);
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(player().atEnd());
    EXPECT_FALSE(part("lessonSkippedStep2"));
    EXPECT_TRUE(part("lessonSkippedStep3"));
    window->model().endRun();
}

// With right ones: X11LessonTest.
TEST_F(LessonWindowTest, TheWatchIsPlayedWithWrongBets) { playTheWatch(false); }

TEST_F(LessonWindowTest, TheWelcomePageAndTheMenuOfferEveryLesson)
{
    ASSERT_EQ(lessons().lessonActions().size(), static_cast<int>(lesson::builtIns().size()));
    action("welcome")->trigger();
    auto* page = window->findChild<WelcomePage*>();
    ASSERT_TRUE(page->isVisible());
    for (const QAction* entry : lessons().lessonActions()) {
        auto* button = page->findChild<QPushButton*>(entry->objectName());
        ASSERT_TRUE(button && button->isVisible()) << entry->objectName().toStdString();
        EXPECT_TRUE(page->rect().contains(QRect(button->mapTo(page, QPoint()), button->size())));
    }
    QTest::mouseClick(page->findChild<QPushButton*>("lesson.queue"), Qt::LeftButton);
    EXPECT_TRUE(page->isHidden());
    ASSERT_TRUE(lessons().isOpen());
    EXPECT_EQ(player().lesson().name, "queue");
    EXPECT_FALSE(action("lesson.queue")->isChecked()) << "opened, not done";
}

TEST_F(LessonWindowTest, OnlyTheCardsOfTheStepAreShownUntilTheLessonIsLeft)
{
    const auto shown = [this] {
        QStringList names;
        for (const DockCard* card : window->docks().cards())
            if (!card->isHidden())
                names << card->name();
        return names;
    };
    const QStringList before = shown();
    lessons().open("opening");
    EXPECT_EQ(shown(), QStringList{"chain"});
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonLeave"));
    EXPECT_FALSE(lessons().isOpen());
    EXPECT_TRUE(lessons().dock()->isHidden());
    EXPECT_EQ(shown(), before);
}

TEST_F(LessonWindowTest, ContinuesWhereItWasLeftAfterARestart)
{
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    const std::string at = player().step().name;
    window->close();
    show();
    EXPECT_FALSE(window->docks().card("timeline")->isHidden()) << "the arrangement from before the lesson";
    lessons().open("opening");
    EXPECT_EQ(player().step().name, at);
    ASSERT_TRUE(waitForStage(Stage::asking));
    EXPECT_TRUE(player().isDone(0));
    EXPECT_TRUE(part<QLabel>("lessonLearned")) << "what was learned then";
    ASSERT_TRUE(click("lessonBack"));
    EXPECT_EQ(player().position(), 0U);
    EXPECT_TRUE(waitForStage(Stage::reading));
}

// They were green after the lesson had been left, and the lesson could end as done.
TEST_F(LessonWindowTest, WhatWasSkippedIsNotDoneAfterARestart)
{
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_EQ(player().position(), 2U);
    window->close();
    show();
    lessons().open("opening");
    EXPECT_EQ(player().position(), 2U);
    EXPECT_TRUE(player().isDone(0));
    EXPECT_FALSE(player().isDone(1));
    EXPECT_EQ(player().skipped(), std::set<std::size_t>{1});
}

// It showed the create on its way, before anything was lost; and where more happened until the loss, nothing
// was marked, because the create was above the view by then.
TEST_F(LessonWindowTest, WhatProvesALostReplyShowsTheLoss)
{
    lessons().open("lost-reply");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    ASSERT_TRUE(betNumber(1));
    expectAnswer(true);
    auto* protocol = window->findChild<ProtocolView*>();
    ASSERT_TRUE(protocol && protocol->isVisible());
    ASSERT_TRUE(click("lessonProof"));
    const auto inSight = [protocol] {
        const ProtocolPicture& picture = protocol->picture();
        return std::ranges::any_of(picture.arrows, [&](const ProtocolArrow& arrow) {
            return arrow.lost && arrow.label == "reply lost" && picture.plot.contains(arrow.to);
        });
    };
    EXPECT_TRUE(waitFor(inSight));
    EXPECT_TRUE(waitFor([this] { return !lessons().pointers()->targets().isEmpty(); })) << "it is marked";
    EXPECT_LT(window->model().position(), record().answer->moment);
    window->model().endRun();
}

// For the result of a class: in a file beside the settings, without a name.
TEST_F(LessonWindowTest, KeepsTheFirstBetOfEachStep)
{
    const std::string file = this->folder.filePath("bets/lost-reply.toml").toStdString();
    lessons().open("lost-reply");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    for (const int bet : {3, 1}) {
        ASSERT_TRUE(waitForStage(Stage::asking));
        EXPECT_EQ(bool(lesson::loadGivenBets(file)), bet == 1);
        ASSERT_TRUE(betNumber(bet));
        expectAnswer(bet == 1);
        const Result<lesson::GivenBets> kept = lesson::loadGivenBets(file);
        ASSERT_TRUE(kept) << kept.error().text();
        EXPECT_EQ(kept->lesson, "lost-reply");
        ASSERT_EQ(kept->bets.size(), 1U);
        EXPECT_EQ(kept->bets[0], (lesson::GivenBet{player().step().name, "3", false}));
        ASSERT_TRUE(click("lessonRedo"));
    }
    window->model().endRun();
}

TEST_F(LessonWindowTest, BackShowsTheRunOfAnAnsweredStepAsItWas)
{
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    ASSERT_TRUE(betClient("bauer"));
    expectAnswer(true);
    const trace::TraceStore* answered = window->model().store();
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_NE(window->model().store(), answered);
    ASSERT_TRUE(click("lessonBack"));
    EXPECT_EQ(window->model().store(), answered);
    expectAnswer(true);
}

// A recipe is mended: the views show how it breaks, each change is proved, and the right one holds.
TEST_F(LessonWindowTest, ARecipeIsMendedByOneChange)
{
    const auto change = [this](std::string_view words) {
        const std::vector<lesson::MendChange> all = player().mend()->changes();
        const auto place = std::ranges::find(all, words, [](const auto& one) { return wordsOf(one); });
        return click(("lessonMove" + std::to_string(place - all.begin() + 1)).c_str());
    };
    const auto proved = [this] {
        return waitFor([this] { return part<QLabel>("lessonProved") != nullptr; });
    };
    lessons().open("mend");
    EXPECT_EQ(record().stage, Stage::preparing);
    ASSERT_TRUE(part<QLabel>("lessonElsewhere")) << "the views show what was there before";
    EXPECT_EQ(part<QLabel>("lessonElsewhere")->text(), "The views do not show this step yet.");
    ASSERT_TRUE(waitForStage(Stage::doing));
    EXPECT_EQ(window->model().store(), &record().run->store());
    EXPECT_FALSE(part<QLabel>("lessonElsewhere"));
    ASSERT_TRUE(part<QLabel>("lessonAlgorithm"));
    EXPECT_TRUE(part<QLabel>("lessonAlgorithm")->text().contains("nobody wakes it"));
    EXPECT_EQ(window->model().position(), record().moment.value + std::size_t{1}) << "the breach";
    const QWidget* body = part<QWidget>("lessonBody");
    EXPECT_LE(body->height(),
              std::max(body->parentWidget()->height(), body->layout()->heightForWidth(body->width())))
        << "no gap below the last line";
    EXPECT_TRUE(window->docks().card("timeline")->isVisible());
    EXPECT_TRUE(part<QLabel>("lessonProved")->text().startsWith("It breaks in"));
    ASSERT_TRUE(change("node persistent"));
    EXPECT_TRUE(part<QLabel>("lessonProving"));
    ASSERT_TRUE(part<QLabel>("lessonElsewhere"));
    EXPECT_EQ(part<QLabel>("lessonElsewhere")->text(), "The views do not show this change yet.");
    ASSERT_TRUE(proved());
    EXPECT_FALSE(part<QLabel>("lessonElsewhere"));
    EXPECT_EQ(record().stage, Stage::doing);
    EXPECT_EQ(window->model().store(), &record().run->store()) << "the way in which it breaks now";
    ASSERT_TRUE(part<QLabel>("lessonChange"));
    EXPECT_TRUE(part<QLabel>("lessonChange")->text().contains("persistent")) << "what was changed is said";
    EXPECT_TRUE(waitFor([this] { return isInSight(part<QLabel>("lessonProved")); }));
    EXPECT_EQ(window->model().position(), record().moment.value + std::size_t{1}) << "the breach";
    const std::shared_ptr<const lesson::RunView> broken = record().run;
    ASSERT_TRUE(change("watch getData"));
    ASSERT_TRUE(waitForStage(Stage::done));
    EXPECT_NE(record().run, broken);
    EXPECT_EQ(window->model().store(), &record().run->store()) << "a run that is right";
    EXPECT_EQ(window->model().position(), record().moment.value + std::size_t{1});
    ASSERT_TRUE(part<QLabel>("lessonAlgorithm"));
    EXPECT_FALSE(part<QLabel>("lessonAlgorithm")->text().contains("nobody wakes it"));
    EXPECT_TRUE(part<QLabel>("lessonChange")->text().contains("getData"));
    EXPECT_TRUE(part<QLabel>("lessonProved")->text().startsWith("The rules hold in all"));
    EXPECT_TRUE(part<QLabel>("lessonVerdict") && part<QLabel>("lessonAfter"));
    EXPECT_FALSE(part<OptionButton>("lessonMove1"));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(click("lessonBack"));
    EXPECT_TRUE(part<QLabel>("lessonProved")->text().startsWith("The rules hold in all")) << "as it was";
}

// A puzzle: the learner decides what happens next, by mouse and by keys, and takes moves back.
TEST_F(LessonWindowTest, APuzzleIsSolvedMoveByMoveInTheOrdinaryViews)
{
    const auto move = [this](std::string_view words) {
        const std::vector<lesson::PuzzleGame::Move> moves = player().puzzle()->moves();
        const auto found = std::ranges::find(moves, words, [](const auto& one) { return wordsOf(one.is); });
        return found == moves.end() ? 0 : static_cast<int>(found - moves.begin()) + 1;
    };
    const auto button = [](int number) { return "lessonMove" + std::to_string(number); };
    lessons().open("break");
    ASSERT_EQ(record().stage, Stage::doing);
    EXPECT_EQ(window->model().store(), player().puzzle()->trace().get());
    EXPECT_TRUE(part("lessonTakeBack") && !part("lessonTakeBack")->isEnabled());
    auto* first = part<OptionButton>("lessonMove1");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->text(), "ZooKeeper executes: create");
    const QWidget* focus = window->focusWidget();
    EXPECT_TRUE(focus && (focus == lessons().panel() || lessons().panel()->isAncestorOf(focus)));
    ASSERT_TRUE(click(button(move("serve ada")).c_str()));
    EXPECT_TRUE(waitFor([this] { return window->model().state().locks.front().queue.size() == 1; }));
    const trace::TraceStore* before = window->model().store();
    QTest::keyClick(lessons().panel(), static_cast<Qt::Key>(Qt::Key_0 + move("serve bo")));
    EXPECT_TRUE(waitFor([this] { return window->model().state().locks.front().queue.size() == 2; }));
    EXPECT_EQ(window->model().store(), before) << "it grows";
    QTest::keyClick(lessons().panel(), Qt::Key_Backspace);
    EXPECT_EQ(player().puzzle()->taken().size(), 1U);
    EXPECT_EQ(window->model().store(), player().puzzle()->trace().get()) << "another one, without the move";
    EXPECT_TRUE(waitFor([this] { return window->model().state().locks.front().queue.size() == 1; }));
    ASSERT_TRUE(click("lessonTakeBack"));
    EXPECT_TRUE(player().puzzle()->taken().empty());
    EXPECT_EQ(window->findChild<ChainView*>()->scene().explainBox, QRectF()) << "it is of the right recipe";
    const std::vector<lesson::PuzzleMove>& solution = player().step().task->puzzle->solution;
    for (const lesson::PuzzleMove& one : solution)
        ASSERT_TRUE(click(button(move(wordsOf(one))).c_str())) << wordsOf(one);
    EXPECT_EQ(record().stage, Stage::done);
    EXPECT_EQ(part<QLabel>("lessonVerdict")->text(),
              QStringLiteral("<b>✓ Done in %1 moves.</b>").arg(solution.size()));
    EXPECT_TRUE(part<QLabel>("lessonShortest") && part<QLabel>("lessonAfter"));
    EXPECT_FALSE(part<OptionButton>("lessonMove1"));
    EXPECT_TRUE(waitFor([this] {
        return std::ranges::count_if(window->model().state().clients, [](const replay::ClientRow& client) {
                   return client.phase == replay::ClientPhase::holding;
               }) == 2;
    })) << "the views show it";
    const trace::TraceStore* solved = window->model().store();
    ASSERT_TRUE(click("lessonNext"));
    EXPECT_NE(window->model().store(), solved);
    ASSERT_TRUE(click("lessonBack"));
    EXPECT_EQ(window->model().store(), solved) << "as it was";
    ASSERT_TRUE(click("lessonRedo"));
    EXPECT_EQ(record().stage, Stage::doing);
    EXPECT_TRUE(player().puzzle()->taken().empty());
}

// They would answer it: "that wakes only bo".
TEST_F(LessonWindowTest, TheChainExplainsNothingBeforeTheBet)
{
    auto& chain = *window->findChild<ChainView*>();
    auto& chooser = *window->findChild<ScenarioChooser*>();
    EXPECT_TRUE(chooser.isVisibleTo(window.get()));
    lessons().open("watch");
    EXPECT_FALSE(chooser.isVisibleTo(window.get())) << "the panel has the title";
    ASSERT_TRUE(waitForStage(Stage::asking));
    EXPECT_TRUE(chain.scene().explainBox.isNull());
    EXPECT_FALSE(chain.accessibleDescription().contains("in front"));
    ASSERT_TRUE(betNumber(0));
    ASSERT_TRUE(waitForStage(Stage::done));
    EXPECT_TRUE(chain.scene().explainBox.isNull()) << "it would answer the next bets";
    EXPECT_FALSE(chain.accessibleDescription().contains("in front"));
    ASSERT_TRUE(click("lessonNext"));
    EXPECT_TRUE(chain.scene().explainBox.isNull());
    for (int left = 20; left > 0 && !player().step().task; --left)
        ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(waitForStage(Stage::doing));
    EXPECT_TRUE(chain.scene().explainBox.isNull()) << "it would answer the bets of the next lessons";
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(part<QLabel>("lessonSkipped")) << "the end of the lesson";
    EXPECT_TRUE(chain.scene().explainBox.isNull()) << "the next lessons are still to come";
    ASSERT_TRUE(click("lessonBack"));
    settings.setValue("lessons/done",
                      QStringList{"reentrancy", "death", "connection", "lost-reply", "pause"});
    lessons().leave();
    lessons().open("watch");
    ASSERT_TRUE(waitForStage(Stage::doing));
    EXPECT_FALSE(chain.scene().explainBox.isNull()) << "no bet is left";
    ASSERT_TRUE(click("lessonNext"));
    EXPECT_TRUE(part<QLabel>("lessonSkipped"));
    EXPECT_FALSE(action("lesson.watch")->isChecked()) << "skipped steps are not done";
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    EXPECT_TRUE(chain.scene().explainBox.isNull()) << "the next step asks";
    lessons().leave();
    EXPECT_TRUE(chooser.isVisibleTo(window.get()));
    window->model().endRun();
}

TEST(LessonText, EndsNoLineInsideAPath)
{
    EXPECT_TRUE(richText({"here it is /locks/well.", {}}).contains("/\u2060locks/\u2060well."));
}

// It would be a bet already, and often the right one.
TEST_F(LessonWindowTest, NoNumberIsEnteredBeforeTheLearnerEntersOne)
{
    lessons().open("watch");
    ASSERT_TRUE(waitForStage(Stage::asking));
    auto* box = part<QSpinBox>("lessonNumber");
    ASSERT_TRUE(box && part("lessonBet"));
    EXPECT_TRUE(box->text().trimmed().isEmpty());
    EXPECT_FALSE(part("lessonBet")->isEnabled());
    EXPECT_FALSE(click("lessonBet"));
    box->setFocus();
    QTest::keyClicks(box, "12");
    EXPECT_EQ(box->value(), 12);
    EXPECT_TRUE(part("lessonBet")->isEnabled());
    window->model().endRun();
}

// What the author wrote for bauer's turn is not said of cramer's.
TEST_F(LessonWindowTest, TheTextAfterTheAnswerIsLeftOutWhereTheRunContradictsIt)
{
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    EXPECT_TRUE(part<QLabel>("lessonPointHint"));
    window->control().injectFaultInto(client("bauer"), Fault::deleteNode, {});
    ASSERT_TRUE(waitFor([this] { return window->model().state().locks.front().queue.size() == 2; }));
    ASSERT_TRUE(betClient("cramer"));
    expectAnswer(true);
    EXPECT_FALSE(part<QLabel>("lessonAfter"));
    EXPECT_TRUE(part<QLabel>("lessonOtherRun"));
    ASSERT_TRUE(click("lessonRedo"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    ASSERT_TRUE(betClient("cramer"));
    expectAnswer(false);
    EXPECT_TRUE(part<QLabel>("lessonAfter"));
    EXPECT_FALSE(part<QLabel>("lessonOtherRun"));
    window->model().endRun();
}

TEST_F(LessonWindowTest, NoClientCanBeClickedInAnEmptyPicture)
{
    lessons().open("queue");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_EQ(player().step().name, "holder");
    ASSERT_TRUE(waitForStage(Stage::asking));
    EXPECT_FALSE(part<QLabel>("lessonPointHint"));
    ASSERT_TRUE(betClient("cyd"));
    expectAnswer(true);
    EXPECT_EQ(window->model().state().locks.front().queue.size(), 4U) << "when all four are in the queue";
    ASSERT_TRUE(click("lessonRedo"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    EXPECT_FALSE(part("lessonBet")->isEnabled()) << "no client is chosen any more";
    window->model().endRun();
}

TEST_F(LessonWindowTest, SurvivesTheEndOfTheServerAndAnotherRun)
{
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    window->control().injectFault(Fault::killServer);
    ASSERT_TRUE(click("lessonRedo"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    window->control().startBuiltIn("two-clients");
    ASSERT_TRUE(waitFor([this] { return part<QLabel>("lessonElsewhere") != nullptr; }));
    ASSERT_TRUE(click("lessonRedo"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    EXPECT_TRUE(waitFor([this] { return part<QLabel>("lessonElsewhere") == nullptr; }));
    action("closeRun")->trigger();
    ASSERT_TRUE(click("lessonNext")) << "skipped";
    EXPECT_TRUE(waitForStage(Stage::asking));
}

// The panel says that digits bet; a click on a client moves the focus to the chain.
TEST_F(LessonWindowTest, DigitsBetAfterAClickInTheChain)
{
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    ASSERT_TRUE(click("lessonNext"));
    ASSERT_TRUE(waitForStage(Stage::asking));
    auto* chain = window->findChild<ChainView*>();
    ASSERT_TRUE(waitFor([&] { return chain->scene().nodes.size() == 3; }));
    window->activateWindow();
    QTest::mouseClick(chain, Qt::LeftButton, Qt::NoModifier,
                      chain->scene().nodes.front().rect.center().toPoint());
    chain->setFocus();
    QTest::keyClick(chain, Qt::Key_1); // adler was clicked: not any more
    QTest::keyClick(chain, Qt::Key_3);
    QTest::keyClick(chain, Qt::Key_Return);
    ASSERT_TRUE(record().bet.has_value());
    EXPECT_EQ(record().bet->clients, std::vector<std::string>{"cramer"});
    window->model().endRun();
}

// As a tab, the manual lies over the lesson; it had its place and its width.
TEST_F(LessonWindowTest, IsInFrontOfTheManualWhenItBegins)
{
    window->resize(1280, 800);
    lessons().open("opening");
    ASSERT_TRUE(waitForStage(Stage::reading));
    const int width = lessons().panel()->width();
    QLabel* text = nullptr; // with a term that is a link
    for (QLabel* label : lessons().panel()->findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains("\"term:"))
            text = label;
    ASSERT_NE(text, nullptr);
    emit text->linkActivated(text->text().section("term:", 1).section('"', 0, 0).prepend("term:"));
    auto* manual = window->findChild<ManualDock*>();
    ASSERT_TRUE(waitFor([&] { return manual->isVisible() && lessons().dock()->visibleRegion().isEmpty(); }))
        << "the manual is in front";
    lessons().open("queue");
    ASSERT_TRUE(waitFor([&] { return !lessons().dock()->visibleRegion().isEmpty(); }));
    EXPECT_GE(lessons().panel()->width(), width - 2);
    window->model().endRun();
}

TEST_F(LessonWindowTest, ItsTextsFollowTheLanguage)
{
    Language language(QStringLiteral("en"));
    show(&language);
    lessons().open("queue");
    EXPECT_TRUE(part<QLabel>("lessonTitle")
                    ->text()
                    .contains(QString::fromStdString(player().lesson().title.english)));
    language.use(QStringLiteral("zh_CN"));
    EXPECT_TRUE(waitFor([this] {
        return part<QLabel>("lessonTitle")
            ->text()
            .contains(QString::fromStdString(player().lesson().title.chinese));
    }));
    EXPECT_TRUE(
        action("lesson.queue")->text().contains(QString::fromStdString(player().lesson().title.chinese)));
    language.use(QStringLiteral("en"));
}

TEST_F(LessonWindowTest, AFileWithAMistakeIsReportedAndTheLessonGoesOn)
{
    lessons().open("opening");
    lessons().open(written("broken.toml", "title = \"Broken\"\nminutes = 0\n[[step]]\ntext = \"x\"\n"));
    EXPECT_TRUE(waitForMessage("broken.toml:2:11"));
    EXPECT_EQ(player().lesson().name, "opening");
}

TEST(PointerOverlay, ItsLineCrossesNothingInFrontOfItsTarget)
{
    const QPoint from(384, 177);
    const QRect row(424, 196, 500, 150), target(946, 196, 134, 150);
    const QPainterPath path = PointerOverlay::line(from, target);
    EXPECT_FALSE(path.intersects(row));
    EXPECT_EQ(path.elementAt(path.elementCount() - 1).x, QRectF(target).center().x());
    // To a thing beside the panel, and from a panel at the right.
    EXPECT_LT(PointerOverlay::line(from, row).boundingRect().right(), row.left());
    EXPECT_FALSE(
        PointerOverlay::line({1000, 177}, {424, 196, 134, 150}).intersects(QRectF(600, 196, 380, 150)));
}

} // namespace
} // namespace lockscope::ui
