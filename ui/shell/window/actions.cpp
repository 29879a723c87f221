#include "ui/shell/window/actions.h"

#include "ui/commands/command_list.h"
#include "ui/models/format.h"
#include "ui/models/key_table.h"
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
    for (QAction* checked : {presentation, layoutLearn, layoutEverything}) {
        checked->setCheckable(true);
    }
    showMenuBar->setCheckable(true);
    showMenuBar->setChecked(true);
}

// Also called after a language change: existing actions get their texts again.
void Actions::addAll()
{
    addFile();
    addScenario();
    addRun();
    addCursor();
    addBookmarks();
    addView();
}

QAction* Actions::add(const QString& name, const QString& text, const QString& explanation)
{
    auto* action = findChild<QAction*>(name, Qt::FindDirectChildrenOnly);
    if (!action) {
        action = new QAction(this);
        action->setObjectName(name);
        action->setShortcuts(keysOf(name));
        m_host->addAction(action);
        m_all.append(action);
    }
    action->setText(text);
    action->setIconText({}); // clears the text of the previous language
    action->setStatusTip(explanation);
    action->setToolTip(toolTipOf(*action, explanation));
    return action;
}

void Actions::addFile()
{
    open = add("open", tr("&Open Scenario or Trace…"),
               tr("Opens and runs a scenario (.toml), or opens a recorded run (.jsonl)."));
    openHistory = add("openHistory", tr("Open &History…"),
                      tr("Lists the locks in a ZooKeeper server's transaction log and shows their events."));
    openHistory->setProperty(kKeywords, tr("transaction log snapshot zookeeper data directory"));
    saveTrace = add("saveTrace", tr("&Save Trace…"), tr("Saves all recorded events to a trace file."));
    savePicture = add("savePicture", tr("Save &Picture…"),
                      tr("Saves the window as a PNG at twice its size, or as an SVG."));
    savePicture->setProperty(kKeywords, tr("png svg"));
    //: a button: saves the trace
    saveTrace->setIconText(tr("Trace"));
    //: a button: saves a picture of the window
    savePicture->setIconText(tr("Picture"));
    compareWith = add("compareWith", tr("&Compare With…"),
                      tr("Compares the current run with another one, side by side."));
    compareTwo =
        add("compareTwo", tr("Compare &Two Scenarios…"),
            tr("Runs two scenarios one after the other, or opens two traces, and shows them side by side."));
    asksToSave = add("asksToSave", tr("As&k to Save"),
                     tr("Asks before the window closes with a run or bookmarks that are not saved."));
    asksToSave->setCheckable(true);
    quit = add("quit", tr("&Quit"), tr("Ends the run, stops the private ZooKeeper and closes the window."));
}

void Actions::addScenario()
{
    newScenario = add("newScenario", tr("&New Scenario…"),
                      tr("Creates a scenario in a form: clients, locks, faults and expectations."));
    editScenario = add("editScenario", tr("&Edit Scenario…"),
                       tr("Opens the current scenario in a form to change, save and run it."));
    play =
        add("play", tr("&Play with Five Clients"),
            tr("Starts five clients on one lock, on a private ZooKeeper. Whatever you do to them is real."));
    //: a button: plays with a lock, without a lesson
    play->setIconText(tr("Play"));
    attach =
        add("attach", tr("Attach to a &Lock…"),
            tr("Shows another program's lock on a running ZooKeeper: joins its queue, or only watches it."));
    attach->setIconText(tr("Look at a Lock"));
    welcome = add("welcome", tr("&Welcome Page"), tr("Shows all scenarios, or returns to the run."));
    welcome->setCheckable(true);
    closeRun = add("closeRun", tr("&Close Run"),
                   tr("Ends the run, stops the private ZooKeeper and shows the welcome page."));
    commands = add("commands", tr("Find &Command…"),
                   tr("Lists all commands and scenarios. Type to filter, press Enter to run."));
}

void Actions::addRun()
{
    runOrPause = add("runOrPause", tr("&Run"), tr("Starts, pauses or resumes the run."));
    runAgain = add("runAgain", tr("Run A&gain"),
                   tr("Ends this run and starts the same scenario from the beginning."));
    slower = add("slower", tr("S&lower"), tr("Waits longer before every protocol step."));
    faster = add("faster", tr("&Faster"), tr("Waits less before every protocol step."));
    for (std::size_t i = 0; i < kFaults.size(); ++i) {
        const CommandState words = commandState(kFaults[i], {});
        faults[i] = add(QStringLiteral("whatIf%1").arg(i), words.text, words.consequence);
        faults[i]->setShortcut(words.shortcut);
    }
}

void Actions::addCursor()
{
    follow = add("follow", tr("Follow L&ive"), tr("Jumps to the newest event and follows the run."));
    showViolation = add("showViolation", tr("Show on &Timeline"),
                        tr("Jumps to the newest event that violates a finding."));
    //: a button: shows the violation
    showViolation->setIconText(tr("Show"));
    stepBack = add("stepBack", tr("Previous &Event"), tr("Moves one event back."));
    stepForward = add("stepForward", tr("Ne&xt Event"), tr("Moves one event forward."));
    clientBack = add("clientBack", tr("Previous Event of &Client"),
                     tr("Moves to the selected client's previous event."));
    clientForward =
        add("clientForward", tr("&Next Event of Client"), tr("Moves to the selected client's next event."));
    toStart = add("toStart", tr("Go to &Start"), tr("Moves to the beginning of the run."));
    playBack = add("playBack", tr("&Play from Here"), tr("Plays the recording from the current moment."));
}

void Actions::addBookmarks()
{
    addBookmark = add("addBookmark", tr("A&dd Bookmark…"),
                      tr("Adds a bookmark with a note at the current moment. It is saved with the trace."));
    bookmarks = add("bookmarks", tr("Book&marks"),
                    tr("Lists the bookmarks beside the timeline: to jump to, rename or remove."));
    nextBookmark = add("nextBookmark", tr("Next Bookmar&k"), tr("Jumps to the next bookmark."));
    previousBookmark =
        add("previousBookmark", tr("Pre&vious Bookmark"), tr("Jumps to the previous bookmark."));
}

void Actions::addView()
{
    inspect = add("inspect", tr("&Inspect Selection"),
                  tr("Shows all details of the selected client, node, handoff or event."));
    themeSystem = add("themeSystem", tr("&System Theme"), tr("Follows the desktop's light or dark theme."));
    themeLight = add("themeLight", tr("Li&ght Theme"), tr("Dark text on light cards."));
    themeDark = add("themeDark", tr("&Dark Theme"), tr("Light text on dark cards."));
    wallClock = add(
        "wallClock", tr("&Wall-Clock Time"),
        tr("Shows the time of day in log and timeline, if recorded, instead of the time since the start."));
    wallClock->setCheckable(true);
    presentation = add("presentation", tr("Pr&esentation Mode"),
                       tr("Fills the screen with two enlarged cards of your choice."));
    maximize =
        add("maximize", tr("Ma&ximize Card"), tr("Maximizes the focused card, or restores all cards."));
    layoutLearn =
        add("layoutLearn", tr("Learn La&yout"), tr("Shows few cards: the watch chain and the timeline."));
    layoutEverything =
        add("layoutEverything", tr("All Cards Layou&t"), tr("Shows all cards, as you arranged them."));
    nextLayout = add("nextLayout", tr("&Next Layout"),
                     tr("Switches between few cards, all cards, and two large cards for a lecture."));
    resetLayout = add("resetLayout", tr("&Reset Layout"), tr("Restores the default layout."));
    showMenuBar =
        add("showMenuBar", tr("Show &Menu Bar"), tr("Shows or hides the menus. Shortcuts keep working."));
    messages = add("messages", tr("M&essages"), tr("Lists all messages, the newest first."));
    manual = add("manual", tr("&Manual"), tr("Opens the manual at the page about the focused card."));
    about = add("about", tr("&About LockScope"), tr("Shows the version of LockScope."));
}

} // namespace lockscope::ui

#include "moc_actions.cpp"
