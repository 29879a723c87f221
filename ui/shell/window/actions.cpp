#include "ui/shell/window/actions.h"

#include "ui/commands/command_list.h"
#include "ui/models/format.h"
#include "ui/models/retranslate.h"

#include <QActionGroup>
#include <QWidget>

namespace lockscope::ui {

QString toolTipOf(const QAction& action, const QString& explanation)
{
    const QString words = format::withoutMnemonic(action.text());
    const QString key = action.shortcut().toString(QKeySequence::NativeText);
    const QString head = key.isEmpty() ? words : QStringLiteral("%1 (%2)").arg(words, key);
    return head + '\n' + explanation;
}

Actions::Actions(QWidget* host)
    : QObject(host)
    , m_host(host)
{
    onRetranslate(this, [this] { addAll(); });
    auto* themes = new QActionGroup(this);
    for (QAction* colourScheme : {themeSystem, themeLight, themeDark}) {
        colourScheme->setCheckable(true);
        themes->addAction(colourScheme);
    }
    presentation->setCheckable(true);
    showMenuBar->setCheckable(true);
    showMenuBar->setChecked(true);
}

// Again for another language: what is there already gets its words anew.
void Actions::addAll()
{
    addFile();
    addScenario();
    addRun();
    addCursor();
    addBookmarks();
    addView();
}

QAction* Actions::add(const QString& name, const QString& text, const QKeySequence& key,
                      const QString& explanation)
{
    auto* action = findChild<QAction*>(name, Qt::FindDirectChildrenOnly);
    if (!action) {
        action = new QAction(this);
        action->setObjectName(name);
        action->setShortcut(key);
        m_host->addAction(action);
        m_all.append(action);
    }
    action->setText(text);
    action->setIconText({}); // of another language
    action->setStatusTip(explanation);
    action->setToolTip(toolTipOf(*action, explanation));
    return action;
}

void Actions::addFile()
{
    open = add("open", tr("&Open scenario or trace…"), QKeySequence::Open,
               tr("Opens a scenario (.toml) and runs it, or a recorded run (.jsonl) to look at."));
    openHistory = add("openHistory", tr("Open &history…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                      tr("Lists the locks in the transaction log of a ZooKeeper server, and shows what happened on them."));
    openHistory->setProperty(kKeywords, tr("transaction log snapshot zookeeper data directory"));
    saveTrace = add("saveTrace", tr("&Save trace…"), QKeySequence::Save,
                    tr("Writes everything that happened so far to a file that LockScope opens again."));
    savePicture = add("savePicture", tr("Save &picture…"), QKeySequence(Qt::CTRL | Qt::Key_P),
                      tr("Writes the window as it is now to a PNG file of twice its size, or to an SVG file."));
    savePicture->setProperty(kKeywords, tr("png svg"));
    saveTrace->setIconText(tr("Trace"));
    savePicture->setIconText(tr("Picture"));
    compareWith = add("compareWith", tr("&Compare with…"), QKeySequence(Qt::CTRL | Qt::Key_D),
                      tr("Puts the run that is shown beside another one: what differs, and by how much."));
    compareTwo =
        add("compareTwo", tr("Compare &two scenarios…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
            tr("Runs two scenarios one after the other, or opens two traces, and puts them side by side."));
    quit = add("quit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q),
               tr("Ends the run, stops the private ZooKeeper and closes the window."));
}

void Actions::addScenario()
{
    newScenario =
        add("newScenario", tr("&New scenario…"), QKeySequence::New,
            tr("Makes a scenario in a form: clients, locks, faults, and what is expected of them."));
    editScenario = add("editScenario", tr("&Edit the scenario…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                       tr("Opens the scenario that is shown in a form, to change, save and run it."));
    attach = add("attach", tr("Attach to a &lock…"), QKeySequence(Qt::CTRL | Qt::Key_L),
                 tr("Shows a lock of other programs on a ZooKeeper that runs already: joins its queue, or only watches."));
    welcome = add("welcome", tr("&Welcome page"), QKeySequence(Qt::ALT | Qt::Key_Home),
                  tr("Shows all scenarios as cards, or goes back from there to the run."));
    welcome->setCheckable(true);
    closeRun = add("closeRun", tr("&Close the run"), QKeySequence(Qt::CTRL | Qt::Key_W),
                   tr("Ends the run, stops the private ZooKeeper and shows the welcome page."));
    commands = add("commands", tr("Find a &command…"), QKeySequence(Qt::CTRL | Qt::Key_K),
                   tr("Lists every command and scenario; a few letters find one, Enter does it."));
}

void Actions::addRun()
{
    runOrPause =
        add("runOrPause", tr("&Run"), QKeySequence(Qt::Key_Space), tr("Starts, pauses or resumes the run."));
    runAgain = add("runAgain", tr("Run a&gain"), QKeySequence(Qt::CTRL | Qt::Key_R),
                   tr("Ends this run and starts the same scenario from the beginning."));
    slower = add("slower", tr("S&lower"), QKeySequence(Qt::Key_BracketLeft),
                 tr("Waits longer before every protocol step."));
    faster = add("faster", tr("&Faster"), QKeySequence(Qt::Key_BracketRight),
                 tr("Waits less before every protocol step."));
    for (std::size_t i = 0; i < kFaults.size(); ++i) {
        const CommandState words = commandState(kFaults[i], {});
        faults[i] = add(QStringLiteral("whatIf%1").arg(i), words.text, words.shortcut, words.consequence);
    }
}

void Actions::addCursor()
{
    follow = add("follow", tr("Follow the &end"), QKeySequence(Qt::Key_F),
                 tr("Goes to the newest event and stays there."));
    follow->setShortcuts(QList<QKeySequence>{QKeySequence(Qt::Key_F), QKeySequence(Qt::Key_End),
                                             QKeySequence(Qt::CTRL | Qt::Key_End)});
    showViolation = add("showViolation", tr("Show on &timeline"), QKeySequence(Qt::Key_V),
                        tr("Goes to the newest event that violates a finding."));
    showViolation->setIconText(tr("Show"));
    stepBack = add("stepBack", tr("One event &back"), QKeySequence(Qt::Key_Comma),
                   tr("Shows the run as it was one event earlier."));
    stepForward = add("stepForward", tr("One event f&orward"), QKeySequence(Qt::Key_Period),
                      tr("Shows the run as it was one event later."));
    clientBack = add("clientBack", tr("&Its event before"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
                     tr("Shows the run as it was after the selected client's previous event."));
    clientForward = add("clientForward", tr("Its &next event"), QKeySequence(Qt::CTRL | Qt::Key_Period),
                        tr("Shows the run as it was after the selected client's next event."));
    toStart = add("toStart", tr("To t&he beginning"), QKeySequence(Qt::Key_Home),
                  tr("Shows the run before its first event."));
    toStart->setShortcuts(
        QList<QKeySequence>{QKeySequence(Qt::Key_Home), QKeySequence(Qt::CTRL | Qt::Key_Home)});
    playBack = add("playBack", tr("&Play from here"), QKeySequence(Qt::SHIFT | Qt::Key_Space),
                   tr("Plays what was recorded, from the moment that is shown."));
}

void Actions::addBookmarks()
{
    addBookmark = add("addBookmark", tr("Boo&kmark here…"), QKeySequence(Qt::Key_B),
                      tr("Sets a bookmark with a note at the moment that is shown. It is saved with the trace."));
    bookmarks = add("bookmarks", tr("List of book&marks"), QKeySequence(Qt::CTRL | Qt::Key_B),
                    tr("Shows the bookmarks beside the timeline, to jump to, rename or remove."));
    nextBookmark = add("nextBookmark", tr("Ne&xt bookmark"), QKeySequence(Qt::ALT | Qt::Key_Right),
                       tr("Goes to the first bookmark after the moment that is shown."));
    previousBookmark = add("previousBookmark", tr("Pre&vious bookmark"), QKeySequence(Qt::ALT | Qt::Key_Left),
                           tr("Goes to the last bookmark before the moment that is shown."));
}

void Actions::addView()
{
    inspect = add("inspect", tr("&Inspect what is selected"), QKeySequence(Qt::Key_I),
                  tr("Shows everything known of the selected client, node, handoff or event."));
    themeSystem = add("themeSystem", tr("&System theme"), {}, tr("Light or dark as the desktop is."));
    themeLight = add("themeLight", tr("Li&ght theme"), {}, tr("Dark text on light cards."));
    themeDark = add("themeDark", tr("&Dark theme"), {}, tr("Light text on dark cards."));
    wallClock = add("wallClock", tr("&Wall-clock time"), {},
                    tr("Shows log and timeline by the time of day, where the run tells it, instead of from "
                       "its beginning."));
    wallClock->setCheckable(true);
    presentation = add("lecture", tr("L&ecture mode"), QKeySequence(Qt::Key_F11),
                  tr("Fills the screen with two cards of your choice, in large type."));
    maximize = add("maximize", tr("Ma&ximize the card"), QKeySequence(Qt::SHIFT | Qt::Key_F11),
                   tr("Gives the card that has the keys the whole window, or goes back to all cards."));
    resetLayout = add("resetLayout", tr("&Reset layout"), QKeySequence(Qt::CTRL | Qt::Key_0),
                      tr("Puts every card back to where it was at first."));
    showMenuBar = add("showMenuBar", tr("Show &menu bar"), QKeySequence(Qt::CTRL | Qt::Key_M),
                      tr("Shows or hides the menus; every key goes on working."));
    messages = add("messages", tr("M&essages…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
                   tr("Lists what the window had to say, the newest first."));
    about = add("about", tr("&About LockScope"), {}, tr("What LockScope is, and which version this is."));
}

} // namespace lockscope::ui
