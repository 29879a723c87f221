#include "ui/shell/lesson/lesson_controller.h"

#include "core/lesson/class_result.h"
#include "ui/canvas/accessible_items.h"
#include "ui/chain/chain_view.h"
#include "ui/lesson/lesson_text.h"
#include "ui/lesson/pointer_overlay.h"
#include "ui/models/run/go_to_event.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/run/run_controller.h"
#include "ui/texts/core_messages.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QKeyEvent>
#include <QMainWindow>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr std::chrono::milliseconds kRefresh(40);
constexpr int kPanelWidth = 400;
constexpr int kPanelShare = 30; // in percent of the window, at most
constexpr int kLecturePanelShare = 40;

constexpr std::chrono::milliseconds kMarked(6000);              // how long the proof of an answer is marked
constexpr Duration kLeastMargin = std::chrono::milliseconds(2); // in the timeline, beside what happened

const QString kMessageKey = QStringLiteral("lesson");
// Properties of a lesson's action.
constexpr const char* kMinutes = "minutes";
constexpr const char* kBets = "bets"; // it has bets

MonotonicTime now() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }

} // namespace

// A lesson step's run in the window. Commands have no effect once the window shows another run.
class LessonController::Run final : public lesson::RunHandle
{
public:
    Run(RunModel* model, RunController* control)
        : m_model(model)
        , m_control(control)
        , m_store(control->store())
    {}
    std::shared_ptr<const trace::TraceStore> trace() const override { return m_store; }
    void execute(const sim::Action& action) override { post(engine::Execute{action}); }
    void runUntil(const sim::Trigger& when) override { post(engine::RunUntil{when}); }
    void resume() override { post(engine::Execute{sim::Action::Kind::resume}); }
    void pause() override { post(engine::Execute{sim::Action::Kind::pause}); }
    std::optional<Error> failure() const override
    {
        engine::Engine* engine = m_control->store() == m_store ? m_model->engine() : nullptr;
        return engine ? engine->failure() : std::nullopt;
    }

private:
    void post(engine::EngineCommand command)
    {
        if (m_control->store() == m_store)
            m_control->post(std::move(command));
    }
    RunModel* m_model;
    RunController* m_control;
    std::shared_ptr<const trace::TraceStore> m_store;
};

LessonController::LessonController(RunModel* model, RunController* control, Selection* selection,
                                   DockArea* docks, const Theme* theme, Settings settings,
                                   QMainWindow* window)
    : QObject(window)
    , m_model(model)
    , m_control(control)
    , m_selection(selection)
    , m_docks(docks)
    , m_settings(settings)
    , m_window(window)
    , m_panel(new LessonPanel(theme, window))
    , m_dock(new QDockWidget(window))
    , m_pointers(new PointerOverlay(theme, window))
    , m_menu(new QMenu(window))
    , m_start(makeCommand("startLearning", window))
    , m_leave(makeCommand("leaveLesson", window))
{
    m_dock->setObjectName("lessonDock");
    m_dock->setProperty(kManualPage, QStringLiteral("lessons"));
    m_dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    m_dock->setWidget(m_panel);
    m_dock->hide();
    m_dock->installEventFilter(this);
    window->installEventFilter(this);
    m_timer.setInterval(kRefresh);
    connect(&m_timer, &QTimer::timeout, this, &LessonController::refresh);
    connect(selection, &Selection::changed, this, [this] {
        const Selected::Kind kind = m_selection->now().kind;
        const bool clicked = kind == Selected::Kind::client || kind == Selected::Kind::node;
        const replay::ClientRow* client = clicked ? m_model->state().client(m_selection->client()) : nullptr;
        if (m_player && client && !isElsewhere())
            m_panel->chooseClient(QString::fromUtf8(client->name));
    });
    theme->onChange(this, [this] {
        if (m_player)
            m_panel->showPlayer(m_player.get(), place());
    });
    fillMenu();
    connectPanel();
    onRetranslate(this, [this] { retranslate(); });
}

LessonController::~LessonController() = default;

void LessonController::fillMenu()
{
    m_menu->addAction(m_start);
    m_menu->addSeparator();
    connect(m_start, &QAction::triggered, this,
            [this] { open(nextLesson()->objectName().section(u'.', 1)); });
    for (const lesson::BuiltIn& builtIn : lesson::builtIns()) {
        const QString name = QString::fromUtf8(builtIn.name);
        QAction* action = m_menu->addAction(QString());
        action->setObjectName(QStringLiteral("lesson.") + name);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, name] { open(name); });
        m_lessonActions << action;
    }
    m_menu->addSeparator();
    m_menu->addAction(m_leave);
    m_leave->setEnabled(false);
    connect(m_leave, &QAction::triggered, this, &LessonController::leave);
}

void LessonController::retranslate()
{
    m_menu->setTitle(MenuTexts::tr("&Learn"));
    //: title of a panel
    m_dock->setWindowTitle(tr("Lesson"));
    for (QAction* action : m_lessonActions) {
        const std::string name = action->objectName().section(u'.', 1).toStdString();
        const Result<lesson::Lesson> lesson = lesson::loadLesson(name);
        if (!lesson)
            continue; // a test loads all built-in lessons
        action->setText(
            tr("%1 (%n min)", nullptr, static_cast<int>(lesson->minutes)).arg(plainText(lesson->title)));
        action->setIconText(plainText(lesson->title));
        action->setStatusTip(plainText(lesson->about));
        action->setToolTip(action->statusTip());
        action->setProperty(
            kKeywords,
            QStringLiteral("learn lesson tutorial %1").arg(QString::fromStdString(lesson->title.english)));
        action->setProperty(kChineseText, QString::fromStdString(lesson->title.chinese));
        action->setProperty(kMinutes, static_cast<int>(lesson->minutes));
        action->setProperty(kBets, std::ranges::any_of(lesson->steps, [](const lesson::Step& step) {
                                return step.question.has_value();
                            }));
    }
    markDone();
    if (m_player)
        m_panel->showPlayer(m_player.get(), place());
}

QAction* LessonController::nextLesson() const
{
    const auto next =
        std::ranges::find_if(m_lessonActions, [](const QAction* one) { return !one->isChecked(); });
    return next == m_lessonActions.end() ? m_lessonActions.front() : *next;
}

// Checks the menu entries of the completed lessons.
void LessonController::markDone()
{
    const QStringList ended = m_settings.get(settings::kLessonsDone);
    for (QAction* action : m_lessonActions)
        action->setChecked(ended.contains(action->objectName().section(u'.', 1)));
    m_start->setIconText(tr("Learn (%Ln Minutes)", nullptr, nextLesson()->property(kMinutes).toInt()));
}

void LessonController::connectPanel()
{
    connect(m_panel, &LessonPanel::betMade, this, [this](const lesson::Bet& bet) {
        m_model->follow();
        m_player->bet(bet);
        showStage();
    });
    connect(m_panel, &LessonPanel::hintRequested, this, [this] {
        m_player->hint();
        m_panel->showPlayer(m_player.get(), place());
    });
    connect(m_panel, &LessonPanel::moveMade, this, [this](const explore::Step& step) {
        if (!isElsewhere())
            m_model->follow();
        m_player->move(step);
        showStage();
    });
    connect(m_panel, &LessonPanel::takeBackRequested, this, [this] { act(&lesson::Player::takeBack); });
    connect(m_panel, &LessonPanel::changeMade, this, [this](const lesson::MendChange& change) {
        m_player->change(change);
        showStage();
    });
    connect(m_panel, &LessonPanel::proofRequested, this, &LessonController::showProof);
    connect(m_panel, &LessonPanel::redoRequested, this, [this] { act(&lesson::Player::redo); });
    connect(m_panel, &LessonPanel::backRequested, this, [this] { act(&lesson::Player::back); });
    connect(m_panel, &LessonPanel::nextRequested, this, [this] { act(&lesson::Player::next); });
    connect(m_panel, &LessonPanel::stepRequested, this, [this](std::size_t step) {
        m_player->playSkipped(step);
        enterStep();
    });
    connect(m_panel, &LessonPanel::termRequested, this, &LessonController::termRequested);
    connect(m_panel, &LessonPanel::leaveRequested, this, &LessonController::leave);
    connect(m_panel, &LessonPanel::nextLessonRequested, this, [this] {
        const LessonPanel::Place here = place();
        if (here.number < here.count)
            open(m_lessonActions.at(here.number)->objectName().section(u'.', 1));
    });
}

std::unique_ptr<lesson::RunHandle> LessonController::makeRun(const sim::Scenario& scenario)
{
    m_control->startLesson(scenario, label());
    m_stores[m_control->store().get()] = m_control->store();
    return std::make_unique<Run>(m_model, m_control);
}

void LessonController::open(const QString& nameOrPath)
{
    markDone(); // the click on the menu entry toggled its check mark
    Result<lesson::Lesson> loaded = lesson::loadLesson(nameOrPath.toStdString());
    if (!loaded) {
        emit messagePosted(errorMessage(kMessageKey, loaded.error()));
        return;
    }
    emit messageDismissed(kMessageKey);
    const bool first = !isOpen();
    m_player.reset();
    m_stores.clear();
    m_cards.clear();
    m_lesson = std::move(*loaded);
    if (first) {
        emit opening();
        m_docks->showAll();
        m_docksBefore = m_docks->saveState();
        m_proportionsBefore = m_docks->userProportions();
    }
    const QStringList known =
        m_settings.get(settings::kLessonStep).value(QString::fromStdString(m_lesson->name)).toStringList();
    std::size_t position = 0;
    std::set<std::size_t> skipped;
    for (std::size_t i = 0; i < m_lesson->steps.size(); ++i) {
        const auto place = known.indexOf(QString::fromStdString(m_lesson->steps[i].name));
        if (place == 0)
            position = i;
        else if (place > 0)
            skipped.insert(i);
    }
    m_player = std::make_unique<lesson::Player>(
        *m_lesson, [this](const sim::Scenario& scenario) { return makeRun(scenario); }, position, skipped);
    m_leave->setEnabled(true);
    m_dock->show();
    m_dock->raise(); // the manual may lie over it as a tab
    resizePanel();
    m_timer.start();
    enterStep();
    m_panel->setFocus();
}

void LessonController::resizePanel()
{
    const double scale = m_presentation ? m_presentation->scale() : 1;
    const int most = m_window->width() * (m_presentation ? kLecturePanelShare : kPanelShare) / 100;
    m_window->resizeDocks({m_dock}, {std::min(static_cast<int>(kPanelWidth * scale), most)}, Qt::Horizontal);
}

void LessonController::setPresentation(PresentationView* shown)
{
    m_presentation = shown;
    m_panel->setLecture(shown ? shown->scale() : 0);
    if (!m_player)
        return;
    m_cards.clear();
    showCards();
    resizePanel();
    showStage();
}

void LessonController::leave()
{
    if (!m_player)
        return;
    m_timer.stop();
    m_player.reset();
    m_stores.clear();
    m_docks->setFocus(); // otherwise a button gets the focus and takes the space bar
    m_dock->hide();
    m_leave->setEnabled(false);
    m_pointers->point({}, {});
    showExplanations();
    m_docks->showAll();
    m_docks->restoreArrangement(m_docksBefore);
    m_docks->setUserProportions(m_proportionsBefore);
    emit left();
}

bool LessonController::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_window)
        return event->type() == QEvent::KeyPress && forwardToBet(*static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::Close)
        QMetaObject::invokeMethod(this, &LessonController::leave, Qt::QueuedConnection);
    // Esc and the zoom keys, which the panel does not handle.
    if (event->type() == QEvent::KeyPress && m_presentation) {
        QCoreApplication::sendEvent(m_presentation, event);
        return event->isAccepted();
    }
    return QObject::eventFilter(watched, event);
}

// The keys that bet also do so when a view has the focus and does not handle them: after a click on a client.
bool LessonController::forwardToBet(QKeyEvent& key)
{
    const bool digit = key.key() >= Qt::Key_1 && key.key() <= Qt::Key_9;
    const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    const bool plain = !(key.modifiers() & ~Qt::KeypadModifier);
    if (!m_player || m_player->atEnd() || m_player->record().stage != lesson::Stage::asking || !plain ||
        !(digit || enter) || !m_panel->isVisible() || m_panel->isAncestorOf(m_window->focusWidget()) ||
        std::exchange(m_forwards, true)) {
        return false;
    }
    QCoreApplication::sendEvent(m_panel, &key);
    m_forwards = false;
    return key.isAccepted();
}

void LessonController::act(void (lesson::Player::*step)())
{
    (m_player.get()->*step)();
    enterStep();
}

void LessonController::showRun()
{
    const lesson::StepRecord& record = m_player->record();
    if (m_player->mend() && record.run && m_player->mend()->trace())
        m_stores[&record.run->store()] = m_player->mend()->trace();
    if (const lesson::PuzzleGame* puzzle = m_player->puzzle()) {
        m_stores[&record.run->store()] = puzzle->trace();
        m_control->showPuzzle(puzzle->trace(), label());
    } else if (!m_player->atEnd() && record.run && isElsewhere()) {
        if (const auto store = m_stores.find(&record.run->store()); store != m_stores.end()) {
            m_control->showLesson(store->second, label());
            if (record.moment.valid())
                showMoment();
        }
    }
}

// Of a recipe that is mended. The virtual time of its run may go on for long after the last message.
void LessonController::showMoment()
{
    const lesson::StepRecord& record = m_player->record();
    const trace::Event& shown = record.run->store().at(record.moment);
    goToEvent(*m_model, *m_selection, record.moment, shown.client);
    emit stretchShown(TraceTime::zero(), shown.at + std::max<Duration>(shown.at / 6, kLeastMargin));
}

void LessonController::enterStep()
{
    showRun();
    m_marked.invalidate();
    showCards();
    showStage();
}

void LessonController::showStage()
{
    saveProgress();
    m_panel->showPlayer(m_player.get(), place());
    showWhatViewsShow();
    const lesson::StepRecord& record = m_player->record();
    if (!m_player->atEnd() && record.stage == lesson::Stage::done && record.answer)
        showAnswer();
    showExplanations();
    point();
}

void LessonController::refresh()
{
    if (m_player->refresh(now())) {
        if (m_player->mend())
            showRun();
        showStage();
    }
    showWhatViewsShow();
    showExplanations();
    point();
}

// While the explorer searches, the views show the run from before the search.
void LessonController::showWhatViewsShow()
{
    const lesson::StepRecord& record = m_player->record();
    const bool searches = !m_player->atEnd() && m_player->mend() && m_player->mend()->isProving();
    m_panel->setShownRun(isElsewhere()            ? LessonPanel::ShownRun::another
                         : searches && record.run ? LessonPanel::ShownRun::beforeChange
                         : searches               ? LessonPanel::ShownRun::beforeStep
                                                  : LessonPanel::ShownRun::ofStep);
}

ChainView* LessonController::chain() const
{
    QWidget* view = m_docks->card("chain")->view();
    auto* chain = view->findChild<ChainView*>();
    return chain ? chain : qobject_cast<ChainView*>(view);
}

void LessonController::showExplanations()
{
    // Also hidden in a step without a bet: it leads to a bet, which the explanation would answer.
    const auto isOpenBet = [this](std::size_t position) {
        const lesson::StepRecord* record = m_player->recordOf(position);
        return m_lesson->steps[position].question && (!record || record->stage != lesson::Stage::done);
    };
    const auto leadsToBet = [&] { // also after an answer: the explanation would answer the next bets, too
        for (std::size_t i = m_player->position(); i < m_lesson->steps.size(); ++i)
            if (isOpenBet(i))
                return true;
        // The next lessons of the course bet on what an explanation says of any queue.
        const LessonPanel::Place here = place();
        return here.count > 0 && std::any_of(m_lessonActions.begin() + here.number, m_lessonActions.end(),
                                             [](const QAction* later) {
                                                 return later->property(kBets).toBool() &&
                                                        !later->isChecked();
                                             });
    };
    const auto predictsInStep = [&] {
        return !isElsewhere() &&
               (m_player->puzzle() || m_player->mend() || leadsToBet() ||
                (!m_player->step().task && m_player->record().stage != lesson::Stage::done));
    };
    const bool predicts = m_player && (m_player->atEnd() ? leadsToBet() : predictsInStep());
    if (ChainView* shown = chain())
        shown->setExplains(!predicts);
}

bool LessonController::isElsewhere() const
{
    const lesson::StepRecord& record = m_player->record();
    return record.run && m_control->store().get() != &record.run->store();
}

// The message that the step points at, if the answer includes it: it is what the step is about. Otherwise the
// event that proves the answer.
EventIndex LessonController::proof() const
{
    const lesson::StepRecord& record = m_player->record();
    if (!record.answer || !record.run || isElsewhere())
        return EventIndex::none();
    for (const lesson::Pointer& pointer : m_player->step().pointers)
        if (pointer.kind == lesson::Pointer::Kind::message)
            if (const EventIndex sent = lesson::messageOf(pointer, *record.run); sent.valid())
                return sent;
    const EventIndex proof = record.answer->proof;
    return proof.valid() && proof.value < record.run->store().count() ? proof : EventIndex::none();
}

void LessonController::showProof()
{
    if (m_player->atEnd())
        return;
    EventIndex shown = proof();
    if (!shown.valid())
        return;
    const trace::TraceStore& store = m_player->record().run->store();
    // The reply to a request shows what became of it; by then the request may be out of the protocol's sight.
    for (std::size_t i = shown.value + std::size_t{1}; i < m_player->record().run->position(); ++i)
        if (store.at(i).cause == shown && std::holds_alternative<trace::Reply>(store.at(i).what)) {
            shown = EventIndex{static_cast<EventIndex::Value>(i)};
            break;
        }
    goToEvent(*m_model, *m_selection, shown, store.at(shown).client);
    m_marked.start();
    point();
}

// Shows the moment of the answer and selects the event that proves it, which may be older: the holder "when
// all wait" is shown at the moment when all wait. The timeline shows what happened between the bet and then.
void LessonController::showAnswer()
{
    showProof();
    const lesson::StepRecord& record = m_player->record();
    if (!record.run || isElsewhere())
        return;
    const trace::TraceStore& store = record.run->store();
    const std::size_t moment = std::min(record.answer->moment, record.run->position());
    m_model->seekEvent(record.answer->moment);
    std::size_t first = record.run->marked();
    const auto isResumed = [&](std::size_t at) {
        const auto* phase = std::get_if<trace::RunPhaseChanged>(&store.at(at).what);
        return phase && phase->phase == trace::RunPhase::running;
    };
    for (std::size_t i = first; i < moment; ++i)
        if (isResumed(i)) {
            first = i;
            break;
        }
    if (first >= moment)
        return;
    const TraceTime begin = store.at(first).at, end = store.at(moment - 1).at;
    const Duration margin = std::max<Duration>((end - begin) / 6, kLeastMargin);
    emit stretchShown(std::max(TraceTime::zero(), begin - margin), end + margin);
}

void LessonController::showCards()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i <= m_player->position();
         ++i) // a step without cards keeps those of the step before
        if (const auto& cards = m_lesson->steps[i].cards; !cards.empty())
            names = cards;
    if (names.empty())
        names = {"chain", "timeline"};
    if (names == m_cards)
        return;
    m_cards = names;
    if (m_presentation) {
        m_presentation->showMeanwhile(QString::fromStdString(names.front()),
                                      names.size() > 1 ? QString::fromStdString(names[1]) : QString());
        return;
    }
    std::vector<DockCard*> cards;
    for (const std::string& name : names) {
        const QString view = QString::fromStdString(name);
        DockCard* card = m_docks->cardOf(view);
        if (!card || std::find(cards.begin(), cards.end(), card) != cards.end())
            continue;
        if (card->hasPart(view))
            card->content().showPart(view);
        cards.push_back(card);
    }
    m_docks->showOnly(cards);
}

void LessonController::point()
{
    QList<QRect> targets;
    const bool shows = !m_player->atEnd() && !isElsewhere() && (m_docks->isVisible() || m_presentation) &&
                       m_dock->isVisible();
    const bool isDone = !m_player->atEnd() && m_player->record().stage == lesson::Stage::done;
    if (shows && !isDone) { // once done, the answer is shown instead
        for (const lesson::Pointer& pointer : m_player->step().pointers)
            if (const QRect there = placeOf(pointer); !there.isEmpty())
                targets << there;
    } else if (shows && m_marked.isValid() && !m_marked.hasExpired(kMarked.count())) {
        targets = placesOfSelection();
    }
    const bool onTheRight =
        !targets.empty() && targets.front().center().x() < m_dock->geometry().center().x();
    m_pointers->point(m_panel->mapTo(m_window, m_panel->pointerStart(onTheRight)), targets);
}

// Where the views of the step show what is selected: the proof of the answer.
QList<QRect> LessonController::placesOfSelection() const
{
    QList<QRect> places;
    for (const std::string& name : m_cards) {
        const DockCard* card = m_docks->cardOf(QString::fromStdString(name));
        QList<QWidget*> views = card ? card->view()->findChildren<QWidget*>() : QList<QWidget*>();
        if (card)
            views << card->view();
        for (QWidget* view : std::as_const(views)) {
            auto* items = view->isVisible() ? dynamic_cast<AccessibleItems*>(view) : nullptr;
            if (!items)
                continue;
            for (const AccessibleItem& item : items->accessibleItems())
                if (item.selected && item.role != QAccessible::StaticText)
                    if (const QRect there = placeInWindow(*view, item.rect & view->rect()); !there.isEmpty())
                        places << there;
        }
    }
    return places;
}

QRect LessonController::placeInWindow(const QWidget& widget, const QRect& part) const
{
    if (!m_presentation)
        return widget.isVisible() ? QRect(widget.mapTo(m_window, part.topLeft()), part.size()) : QRect();
    const QRect there = m_presentation->placeOf(widget, part);
    return there.isEmpty() ? QRect() : QRect(m_presentation->mapTo(m_window, there.topLeft()), there.size());
}

QRect LessonController::placeOf(const lesson::Pointer& pointer) const
{
    const bool isCard =
        pointer.kind == lesson::Pointer::Kind::card || pointer.kind == lesson::Pointer::Kind::handoff;
    if (isCard) {
        const DockCard* card =
            m_docks->cardOf(pointer.kind == lesson::Pointer::Kind::card ? QString::fromStdString(pointer.name)
                                                                        : QStringLiteral("timeline"));
        const QWidget* shown = card && m_presentation ? card->view() : card;
        return shown ? placeInWindow(*shown, shown->rect().adjusted(10, 10, -10, -10)) : QRect();
    }
    if (pointer.kind == lesson::Pointer::Kind::message) // has no place before it is sent and selected
        return {};
    const lesson::StepRecord& record = m_player->record();
    const replay::ClientRow* client = record.run ? record.run->client(pointer.name) : nullptr;
    const ChainView* shown = chain();
    if (!client || !shown)
        return {};
    for (const chain::ChainNode& node : shown->painted().nodes)
        if (node.owner == client->id && node.place >= 0)
            return placeInWindow(*shown, node.rect.toAlignedRect() & shown->room());
    return {};
}

void LessonController::saveProgress()
{
    const QString name = QString::fromStdString(m_lesson->name);
    QStringList done = m_settings.get(settings::kLessonsDone);
    if (m_player->isComplete() && !done.contains(name)) {
        m_settings.set(settings::kLessonsDone, done << name);
        markDone();
    }
    QVariantMap at = m_settings.get(settings::kLessonStep);
    QStringList known;
    if (!m_player->atEnd()) {
        known << QString::fromStdString(m_player->step().name);
        for (const std::size_t step : m_player->skipped())
            known << QString::fromStdString(m_lesson->steps[step].name);
    }
    at[name] = known;
    m_settings.set(settings::kLessonStep, at);
    saveBet();
}

// In a file without a name, for the result of a class; not what a class bets by a show of hands.
void LessonController::saveBet()
{
    const bool isDone = !m_player->atEnd() && m_player->record().stage == lesson::Stage::done;
    if (!m_settings.isKept() || m_presentation || !isDone || !m_player->step().question ||
        !m_player->record().bet || !m_player->record().answer)
        return;
    const lesson::Step& step = m_player->step();
    const lesson::StepRecord& record = m_player->record();
    const QDir folder(m_settings.folder() + QStringLiteral("/bets"));
    const QString file = folder.filePath(QString::fromStdString(m_lesson->name) + QStringLiteral(".toml"));
    lesson::GivenBets given{m_lesson->name, {}};
    if (const Result<lesson::GivenBets> before = lesson::loadGivenBets(file.toStdString()))
        given = *before;
    if (!given.add({step.name, lesson::words(*step.question, *record.bet, false), record.right(step)}))
        return;
    QSaveFile saved(file);
    if (folder.mkpath(QStringLiteral(".")) && saved.open(QIODevice::WriteOnly)) {
        saved.write(QByteArray::fromStdString(lesson::toToml(given)));
        saved.commit(); // as with the other settings, an error is not the learner's concern
    }
}

LessonPanel::Place LessonController::place() const
{
    for (int i = 0; i < m_lessonActions.size(); ++i)
        if (m_lessonActions[i]->objectName() ==
            QStringLiteral("lesson.") + QString::fromStdString(m_lesson->name))
            return {i + 1, static_cast<int>(m_lessonActions.size())};
    return {};
}

TextProvider LessonController::label() const
{
    return [title = m_lesson->title] { return plainText(title); };
}

} // namespace lockscope::ui

#include "moc_lesson_controller.cpp"
