// The current step of a lesson: its text, its question with answers or its task, the run's answer, and what
// was learned so far. Emits signals for what the learner does. GUI thread.
#pragma once

#include <QWidget>

#include "core/lesson/player.h"
#include "ui/lesson/option_button.h"

#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QVBoxLayout;

namespace lockscope::ui {

class StepDots;
class Theme;

class LessonPanel : public QWidget
{
    Q_OBJECT
public:
    LessonPanel(const Theme* theme, QWidget* parent);

    struct Place // of the lesson among the built-in ones
    {
        int number = 0; // from 1; 0: not a built-in lesson
        int count = 0;
    };
    // Shows the current step of `player`; null: does nothing. `player` is read only during the call.
    void showPlayer(const lesson::Player* player, Place place);
    enum class ShownRun {
        ofStep,
        beforeStep,   // the step's is still being searched for
        beforeChange, // what the change makes of it is still being proved
        another       // that the user has opened
    };
    void setShownRun(ShownRun shown); // what the views show
    // In a lecture, text has this scale (1 is normal) and the class bets by a show of hands. 0: no lecture.
    void setLecture(double scale);
    // In a question about clients, adds this client to the choice.
    void chooseClient(const QString& name);
    // Where a line to a pointed-at item begins, in coordinates of the panel.
    QPoint pointerStart(bool atLeft) const;

signals:
    void betMade(const lockscope::lesson::Bet& bet);
    void moveMade(const lockscope::explore::Step& step); // of a puzzle
    void takeBackRequested();
    void changeMade(const lockscope::lesson::MendChange& change); // of a recipe that is mended
    void hintRequested();
    void proofRequested(); // the event that proves the answer
    void redoRequested();
    void backRequested();
    void nextRequested();
    void leaveRequested();
    void nextLessonRequested();
    void stepRequested(std::size_t position); // one that was skipped
    void termRequested(const QString& name);  // its page in the manual

protected:
    void keyPressEvent(QKeyEvent* event) override; // a digit chooses an option, Enter bets or continues
    void resizeEvent(QResizeEvent* event) override;

private:
    void retranslate();
    void showEnd(const lesson::Player& player, Place place);
    void revealAnswer();
    void revealMoves();
    void revealProof();
    void showStep(const lesson::Player& player);
    void showQuestion(const lesson::Player& player);
    void showOptions(const lesson::Question& question, const lesson::Player& player);
    bool asks() const;
    lesson::Bet draftBet() const;
    void showAnswer(const lesson::Player& player);
    void showAfter(const lesson::Player& player);
    void showTask(const lesson::Player& player);
    void showMoves(lesson::PuzzleGame& game, const lesson::Puzzle& puzzle);
    void showMend(const lesson::Mend& mend, const lesson::MendGame& game, const lesson::StepRecord& record);
    static QString changeText(const lesson::MendChange& change);
    void addChange(const std::optional<lesson::MendChange>& change);
    void addAlgorithm(const lesson::Mend& mend, const std::optional<lesson::MendChange>& change);
    OptionButton* addMove(const QString& text, OptionButton::Mark mark);
    static QString shortestText(const lesson::Puzzle& puzzle);
    void showLearned(const lesson::Player& player);
    void showSkipped(const lesson::Player& player);
    QLabel* addText(const QString& text, const char* name, const QString& colour = {});
    void addMuted(const QString& text, const char* name);
    QPushButton* addButton(const QString& text, const char* name, bool primary);
    OptionButton* addOption(const QString& text, bool several);
    void chose(); // the draft changed
    void forgetDraft();
    void raiseHands(std::size_t option, int more);
    void chooseByHands();
    int handsFor(const lesson::Question& question, const lesson::Bet& answer) const;
    void clearBody();
    void fitBody();
    void beginAsk();
    void endAsk();
    void placeAsk();

    const Theme* m_theme;
    QLabel* m_title;
    QLabel* m_place;
    StepDots* m_dots;
    QPushButton* m_leave;
    QLabel* m_elsewhere; // says which run the views show, unless it is the step's
    ShownRun m_shownRun = ShownRun::ofStep;
    QScrollArea* m_scroll;
    QWidget* m_body = nullptr;
    QVBoxLayout* m_column = nullptr;
    // A question and its answers, or a task and its hints: below the text, as a part of it, or under it and
    // always in sight. Null: nothing is asked.
    QWidget* m_ask = nullptr;
    int m_askPlace = 0; // in the body
    QPushButton* m_back;
    QPushButton* m_redo;
    QPushButton* m_next;
    QPushButton* m_bet; // below the text, which may be longer than the panel; hidden: nothing is asked
    QPushButton* m_nextLesson = nullptr; // at the end
    std::vector<OptionButton*> m_options;
    std::vector<OptionButton*> m_moves;
    QPushButton* m_takeBack = nullptr;
    OptionButton* m_noClient = nullptr;
    QSpinBox* m_number = nullptr;
    // The choice in this step that is not a bet yet.
    const lesson::Step* m_step = nullptr;
    std::vector<int> m_chosen;
    std::vector<int> m_hands;          // raised hands for each option, in a lecture
    std::vector<std::size_t> m_raised; // the option of each hand, in the order of raising
    double m_lecture = 0;
    int m_draftNumber = -1; // -1: none yet
    bool m_canGoOn = false; // the step is done
};

} // namespace lockscope::ui
