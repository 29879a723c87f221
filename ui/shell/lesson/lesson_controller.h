// The lessons of the window: the menu that lists them, the panel with the current step beside the views, the
// runs of the steps, which the views show, and the learner's progress. GUI thread.
#pragma once

#include <QDockWidget>
#include <QElapsedTimer>
#include <QMenu>
#include <QTimer>

#include "core/lesson/player.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/settings.h"
#include "ui/shell/messages/message.h"

#include <map>
#include <memory>
#include <optional>

class QMainWindow;

namespace lockscope::ui {

class ChainView;
class DockArea;
class PointerOverlay;
class PresentationView;
class RunController;
class RunModel;
class Selection;
class Theme;

class LessonController : public QObject
{
    Q_OBJECT
public:
    LessonController(RunModel* model, RunController* control, Selection* selection, DockArea* docks,
                     const Theme* theme, Settings settings, QMainWindow* window);
    ~LessonController() override;

    QMenu* menu() const { return m_menu; }
    QDockWidget* dock() const { return m_dock; }
    LessonPanel* panel() const { return m_panel; }
    PointerOverlay* pointers() const { return m_pointers; }
    // One for each built-in lesson, in the order of learning.
    const QList<QAction*>& lessonActions() const { return m_lessonActions; }
    bool isOpen() const { return m_player != nullptr; }
    // Opens the first lesson not yet completed, or else the first of all.
    QAction* start() const { return m_start; }
    // The presentation while it is open: the lesson continues beside its two cards. Null: beside the docks.
    void setPresentation(PresentationView* shown);
    const lesson::Player* player() const { return m_player.get(); } // null when no lesson is open

public slots:
    // Opens a built-in lesson or a lesson file at the step where the user left it.
    void open(const QString& nameOrPath);
    void leave();

signals:
    void opening(); // emitted before the arrangement of the cards changes
    void left();
    void stretchShown(lockscope::TraceTime begin,
                      lockscope::TraceTime end); // for the timeline: between bet and answer
    void termRequested(const QString& name);     // the user wants the manual's entry on this term
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // handles the dock's close and key events

private:
    class Run;
    std::unique_ptr<lesson::RunHandle> makeRun(const sim::Scenario& scenario);
    void connectPanel();
    void fillMenu();
    void retranslate();
    void markDone();
    QAction* nextLesson() const; // the first lesson not yet completed, or else the first of all
    void refresh();
    void act(void (lesson::Player::*step)());
    void enterStep(); // shows the current step, which may be the same again
    void showRun();   // in the views
    void showMoment();
    void showStage();
    void showWhatViewsShow(); // in the panel
    void showCards();
    void resizePanel();
    QRect placeInWindow(const QWidget& widget, const QRect& part) const; // empty if not shown
    void showAnswer();
    void showProof();
    EventIndex proof() const;               // none: there is no answer yet
    bool forwardToBet(QKeyEvent& key);      // true: it was handled
    QList<QRect> placesOfSelection() const; // in window coordinates
    ChainView* chain() const;
    void showExplanations(); // in the chain, but not before a bet that they would answer
    void point();
    QRect placeOf(const lesson::Pointer& pointer) const; // in window coordinates; empty if not shown
    bool isElsewhere() const;
    void saveProgress();
    void saveBet();
    LessonPanel::Place place() const;
    TextProvider label() const;

    RunModel* m_model;
    RunController* m_control;
    Selection* m_selection;
    DockArea* m_docks;
    Settings m_settings;
    QMainWindow* m_window;
    LessonPanel* m_panel;
    QDockWidget* m_dock;
    PointerOverlay* m_pointers;
    QMenu* m_menu;
    QAction* m_start;
    QAction* m_leave;
    PresentationView* m_presentation = nullptr;
    QList<QAction*> m_lessonActions;
    QTimer m_timer;
    QElapsedTimer m_marked;  // since the proof was shown
    bool m_forwards = false; // a key is on its way to the panel
    std::optional<lesson::Lesson> m_lesson;
    std::map<const void*, std::shared_ptr<const trace::TraceStore>>
        m_stores;                             // of the lesson's runs, by the store's address
    std::unique_ptr<lesson::Player> m_player; // refers to m_lesson
    QByteArray m_docksBefore;
    QVariantMap m_proportionsBefore;
    std::vector<std::string> m_cards; // the names of the shown cards
};

} // namespace lockscope::ui
