// The lessons in the window: the menu that lists them, the panel with the current step beside the views, the
// runs of the steps, which the views show, and what was learned. GUI thread.
#pragma once

#include <QDockWidget>
#include <QMenu>
#include <QTimer>

#include "core/lesson/player.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/models/retranslate.h"
#include "ui/models/settings.h"
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
    // The next lesson in the order of learning.
    QAction* start() const { return m_start; }
    // In presentation mode the lesson continues beside the two large cards; null: with the docks.
    void setPresentation(PresentationView* shown);
    const lesson::Player* player() const { return m_player.get(); } // null when no lesson is open

public slots:
    // A built-in lesson's name or a file. Continues at the step where it was left.
    void open(const QString& nameOrPath);
    void leave();

signals:
    void opening(); // the arrangement of the cards changes next
    void left();
    void termRequested(const QString& name); // its page in the manual
    void messagePosted(const lockscope::ui::UserMessage& message);
    void messageDismissed(const QString& key);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the dock is closed

private:
    class Run;
    std::unique_ptr<lesson::RunHandle> makeRun(const sim::Scenario& scenario);
    void connectPanel();
    void fillMenu();
    void retranslate();
    void markDone();
    QAction* nextLesson() const; // the first whose end was not reached, else the first
    void refresh();
    void act(void (lesson::Player::*step)());
    void enterStep(); // another step, or the same one again
    void showStage();
    void showCards();
    void resizePanel();
    QRect placeInWindow(const QWidget& widget, const QRect& part) const; // empty: not shown
    void showAnswer();
    void showProof();
    ChainView* chain() const;
    void showExplanations(); // in the chain: not before the bet, which they would answer
    void point();
    QRect placeOf(const lesson::Pointer& pointer) const; // in the window; empty: not shown
    bool isElsewhere() const;
    void saveProgress();
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
    std::optional<lesson::Lesson> m_lesson;
    std::map<const void*, std::shared_ptr<const trace::TraceStore>>
        m_stores;                             // of the lesson's runs, by address
    std::unique_ptr<lesson::Player> m_player; // refers to m_lesson
    QByteArray m_docksBefore;
    QVariantMap m_proportionsBefore;
    std::vector<std::string> m_cards; // shown
};

} // namespace lockscope::ui
