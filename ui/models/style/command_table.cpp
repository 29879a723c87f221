#include "ui/models/style/command_table.h"

#include "ui/models/style/fault_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/preferences.h"
#include "ui/models/style/retranslate.h"

#include <QTranslator>

#include <algorithm>
#include <string_view>
#include <vector>

namespace lockscope::ui {

namespace {

struct CommandTexts
{
    Q_DECLARE_TR_FUNCTIONS(Menus)
public:
    static constexpr CommandRow kRows[] = {
        // The window.
        {"open", "Ctrl+O", QT_TR_NOOP("&Open Scenario or Trace…"),
         QT_TR_NOOP("Opens and runs a scenario (.toml), or opens a recorded run (.jsonl).")},
        {"openSeveral", "", QT_TR_NOOP("Open Se&veral…"),
         QT_TR_NOOP("Makes one run of the traces of several machines and the logs of the servers."), "",
         QT_TR_NOOP("merge hosts clocks")},
        {"openHistory", "Ctrl+Shift+O", QT_TR_NOOP("Open &History…"),
         QT_TR_NOOP("Lists the locks in a ZooKeeper server's transaction log and shows their events."), "",
         QT_TR_NOOP("transaction log snapshot zookeeper data directory")},
        {"reload", "F5", QT_TR_NOOP("Re&load"), QT_TR_NOOP("Opens again the file that was opened last.")},
        {"newWindow", "Ctrl+Shift+N", QT_TR_NOOP("New &Window"),
         QT_TR_NOOP("Opens a second window, with the file that was opened last in this one.")},
        {"saveTrace", "Ctrl+S", QT_TR_NOOP("&Save Trace…"),
         QT_TR_NOOP("Saves all recorded events to a trace file."),
         //: a button: saves the trace
         QT_TR_NOOP("Trace")},
        {"savePicture", "Ctrl+P", QT_TR_NOOP("Save &Picture…"),
         QT_TR_NOOP("Saves the window as a PNG at twice its size, or as an SVG or PDF."),
         //: a button: saves a picture of the window
         QT_TR_NOOP("Picture"), QT_TR_NOOP("png svg pdf")},
        {"print", "Ctrl+Alt+P", QT_TR_NOOP("Pr&int…"), QT_TR_NOOP("Prints the window on a page.")},
        {"compareWith", "Ctrl+D", QT_TR_NOOP("&Compare With…"),
         QT_TR_NOOP("Compares the current run with another one, side by side.")},
        {"compareTwo", "Ctrl+Shift+D", QT_TR_NOOP("Compare &Two Scenarios…"),
         QT_TR_NOOP(
             "Runs two scenarios one after the other, or opens two traces, and shows them side by side.")},
        {"asksToSave", "", QT_TR_NOOP("As&k to Save"),
         QT_TR_NOOP("Asks before the window closes with a run or bookmarks that are not saved."), "", "",
         true},
        {"preferences", "Ctrl+Shift+P", QT_TR_NOOP("Pre&ferences…"),
         QT_TR_NOOP("Language, theme, times, updates per second, and the keys of all commands."), "",
         QT_TR_NOOP("settings options shortcuts")},
        {"quit", "Ctrl+Q", QT_TR_NOOP("&Quit"),
         QT_TR_NOOP("Ends the run, stops the private ZooKeeper and closes the window.")},
        {"newScenario", "Ctrl+N", QT_TR_NOOP("&New Scenario…"),
         QT_TR_NOOP("Creates a scenario in a form: clients, locks, faults and expectations.")},
        {"editScenario", "Ctrl+E", QT_TR_NOOP("&Edit Scenario…"),
         QT_TR_NOOP("Opens the current scenario in a form to change, save and run it.")},
        {"play", "", QT_TR_NOOP("&Play with Five Clients"),
         QT_TR_NOOP(
             "Starts five clients on one lock, on a private ZooKeeper. Whatever you do to them is real."),
         //: a button: plays with a lock, without a lesson
         QT_TR_NOOP("Play")},
        {"attach", "Ctrl+L", QT_TR_NOOP("Look at a &Lock…"),
         QT_TR_NOOP(
             "Shows another program's lock on a running ZooKeeper: only watches it, or joins its queue."),
         QT_TR_NOOP("Look at a Lock"), QT_TR_NOOP("attach connect watch join server ensemble")},
        {"judge", "", QT_TR_NOOP("&Judge a Program…"),
         QT_TR_NOOP("Runs copies of your own program under faults, and says whether its lock is right."), "",
         QT_TR_NOOP("is my lock right verdict grade")},
        {"welcome", "Alt+Home", QT_TR_NOOP("&Welcome Page"),
         QT_TR_NOOP("Shows all scenarios, or returns to the run."), "", "", true},
        {"closeRun", "Ctrl+W", QT_TR_NOOP("&Close Run"),
         QT_TR_NOOP("Ends the run, stops the private ZooKeeper and shows the welcome page.")},
        {"commands", "Ctrl+K", QT_TR_NOOP("Find &Command…"),
         QT_TR_NOOP("Lists all commands and scenarios. Type to filter, press Enter to run.")},
        {"runOrPause", "Space", QT_TR_NOOP("&Run"), QT_TR_NOOP("Starts, pauses or resumes the run.")},
        {"runAgain", "Ctrl+R", QT_TR_NOOP("Run A&gain"),
         QT_TR_NOOP("Ends this run and starts the same scenario from the beginning.")},
        {"slower", "<", QT_TR_NOOP("S&lower"), QT_TR_NOOP("Waits longer before every protocol step.")},
        {"faster", ">", QT_TR_NOOP("&Faster"), QT_TR_NOOP("Waits less before every protocol step.")},
        {"follow", "F; End; Ctrl+End", QT_TR_NOOP("Follow L&ive"),
         QT_TR_NOOP("Jumps to the newest event and follows the run.")},
        {"showViolation", "V", QT_TR_NOOP("Show on &Timeline"),
         QT_TR_NOOP("Jumps to the newest event that violates a finding."),
         //: a button: shows the violation
         QT_TR_NOOP("Show")},
        {"stepBack", ",", QT_TR_NOOP("Previous &Event"), QT_TR_NOOP("Moves one event back.")},
        {"stepForward", ".", QT_TR_NOOP("Ne&xt Event"), QT_TR_NOOP("Moves one event forward.")},
        {"clientBack", "Ctrl+,", QT_TR_NOOP("Previous Event of &Client"),
         QT_TR_NOOP("Moves to the selected client's previous event.")},
        {"clientForward", "Ctrl+.", QT_TR_NOOP("&Next Event of Client"),
         QT_TR_NOOP("Moves to the selected client's next event.")},
        {"toStart", "Home; Ctrl+Home", QT_TR_NOOP("Go to &Start"),
         QT_TR_NOOP("Moves to the beginning of the run.")},
        {"playBack", "Shift+Space", QT_TR_NOOP("&Play from Here"),
         QT_TR_NOOP("Plays the recording from the current moment.")},
        {"addBookmark", "B", QT_TR_NOOP("A&dd Bookmark…"),
         QT_TR_NOOP("Adds a bookmark with a note at the current moment. It is saved with the trace.")},
        {"bookmarks", "Ctrl+B", QT_TR_NOOP("Book&marks"),
         QT_TR_NOOP("Lists the bookmarks beside the timeline: to jump to, rename or remove.")},
        {"nextBookmark", "Alt+Down", QT_TR_NOOP("Next Bookmar&k"), QT_TR_NOOP("Jumps to the next bookmark.")},
        {"previousBookmark", "Alt+Up", QT_TR_NOOP("Pre&vious Bookmark"),
         QT_TR_NOOP("Jumps to the previous bookmark.")},
        {"back", "Alt+Left", QT_TR_NOOP("&Back"),
         QT_TR_NOOP("Goes back to the moment and the selection before the last jump.")},
        {"forward", "Alt+Right", QT_TR_NOOP("&Forward"),
         QT_TR_NOOP("Goes to the moment and the selection from which Back came.")},
        {"inspect", "I", QT_TR_NOOP("&Inspect Selection"),
         QT_TR_NOOP("Shows all details of the selected client, node, handoff or event.")},
        {"themeSystem", "", QT_TR_NOOP("&System Theme"),
         QT_TR_NOOP("Follows the desktop's light or dark theme."), "", "", true},
        {"themeLight", "", QT_TR_NOOP("Li&ght Theme"), QT_TR_NOOP("Dark text on light cards."), "", "", true},
        {"themeDark", "", QT_TR_NOOP("&Dark Theme"), QT_TR_NOOP("Light text on dark cards."), "", "", true},
        {"wallClock", "", QT_TR_NOOP("&Wall-Clock Time"),
         QT_TR_NOOP(
             "Shows the time of day in log and timeline, if recorded, instead of the time since the start."),
         "", "", true},
        {"presentation", "F11", QT_TR_NOOP("Pr&esentation Mode"),
         QT_TR_NOOP("Fills the screen with two enlarged cards of your choice."), "", "", true},
        {"maximize", "Shift+F11", QT_TR_NOOP("Ma&ximize Card"),
         QT_TR_NOOP("Maximizes the focused card, or restores all cards.")},
        {"layoutLearn", "", QT_TR_NOOP("Learn La&yout"),
         QT_TR_NOOP("Shows few cards: the watch chain and the timeline."), "", "", true},
        {"layoutEverything", "", QT_TR_NOOP("All Cards Layou&t"),
         QT_TR_NOOP("Shows all cards, as you arranged them."), "", "", true},
        {"nextLayout", "F12", QT_TR_NOOP("&Next Layout"),
         QT_TR_NOOP("Switches between few cards, all cards, and two large cards for a lecture.")},
        {"resetLayout", "Ctrl+0", QT_TR_NOOP("&Reset Layout"), QT_TR_NOOP("Restores the default layout.")},
        {"showMenuBar", "Ctrl+M", QT_TR_NOOP("Show &Menu Bar"),
         QT_TR_NOOP("Shows or hides the menus. Shortcuts keep working."), "", "", true},
        {"messages", "Ctrl+Shift+M", QT_TR_NOOP("M&essages"),
         QT_TR_NOOP("Lists all messages, the newest first.")},
        {"manual", "F1", QT_TR_NOOP("&Manual"),
         QT_TR_NOOP("Opens the manual at the page about the focused card.")},
        {"about", "", QT_TR_NOOP("&About LockScope"), QT_TR_NOOP("Shows the version of LockScope.")},
        {"startLearning", "", QT_TR_NOOP("Next Lesso&n"),
         QT_TR_NOOP("Opens the next lesson: bet on what happens next, on a real ZooKeeper.")},
        {"leaveLesson", "", QT_TR_NOOP("L&eave the Lesson"),
         QT_TR_NOOP("Restores the cards as they were. The lesson continues at the same step the next time.")},
        {"buildRecipe", "", QT_TR_NOOP("&Build Your Own Lock"),
         QT_TR_NOOP("Builds a lock recipe from choices, and proves it on every schedule.")},
        // Steps. "until." is followed by the name of an event in a script.
        {"stepMode", "Shift+F8", QT_TR_NOOP("Step &Mode"),
         QT_TR_NOOP("Stops every client before its next protocol step. Sessions stay alive."), "", "", true},
        {"stepNext", "F8", QT_TR_NOOP("Step &Next in Turn"),
         QT_TR_NOOP("The client whose last step was longest ago takes its next one.")},
        {"step", "F7", QT_TR_NOOP("&Step the Selected Client"),
         QT_TR_NOOP("The selected client takes its next step; all others stay stopped.")},
        {"letGo", "Ctrl+F7", QT_TR_NOOP("&Continue the Selected Client"),
         QT_TR_NOOP("The client continues by itself; its breakpoints are removed.")},
        {"letAllGo", "Ctrl+F8", QT_TR_NOOP("Continue &All"),
         QT_TR_NOOP("Ends the step mode and removes all breakpoints.")},
        {"breakpoint", "", "",
         QT_TR_NOOP("The client stops there each time. When the breakpoint at which it is stopped is "
                    "removed, it continues."),
         "", "", true},
        {"untilAcquired", "Alt+F8", QT_TR_NOOP("&Any Client Acquires"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"untilSelected", "Alt+F7", QT_TR_NOOP("The Selected &Client Acquires"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"untilHandoffs", "", QT_TR_NOOP("Number of &Handoffs…"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"until.watch_fired", "", QT_TR_NOOP("A &Watch Fires"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"until.decided", "", QT_TR_NOOP("A Child &List Is Evaluated"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"until.released", "", QT_TR_NOOP("A Lock Is &Released"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"until.acquire_failed", "", QT_TR_NOOP("An Acquire &Fails"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"until.hold_lost", "", QT_TR_NOOP("A Client L&oses the Lock"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"until.session_gone", "", QT_TR_NOOP("A Session &Ends"),
         QT_TR_NOOP("The run continues and pauses when that happens.")},
        {"untilFinding", "", QT_TR_NOOP("A F&inding Is Violated"),
         QT_TR_NOOP("The run continues and pauses when that happens."), "", "", true},
        {"saveOrder", "", QT_TR_NOOP("Save Step &Order as Scenario…"),
         QT_TR_NOOP("Saves a scenario that repeats the steps up to the current moment, whether or not they "
                    "were taken by hand.")},
        {"fork", "Ctrl+Shift+F", QT_TR_NOOP("&Fork from Here"),
         QT_TR_NOOP("Starts a new live run that repeats the steps up to the current moment and stops all "
                    "clients there. The old run is kept.")},
        // The views: their keys work while they have the focus.
        {"clients.byPlace", "", QT_TR_NOOP("Sort Clients by &Queue Position"),
         QT_TR_NOOP(
             "Lists holders first, then the queue in its order. Otherwise clients are listed as added."),
         "", "", true},
        {"chain.previous", "Left; Up", QT_TR_NOOP("Node in Front")},
        {"chain.next", "Right; Down", QT_TR_NOOP("Node Behind")},
        {"chain.none", "Esc", QT_TR_NOOP("Select No Client")},
        {"algorithm.previous", "Up", QT_TR_NOOP("Previous Line")},
        {"algorithm.next", "Down", QT_TR_NOOP("Next Line")},
        {"algorithm.breakpoint", "F9", QT_TR_NOOP("Breakpoint at This Line")},
        // The timeline, and its search bar and list of bookmarks.
        {"timeline.zoomIn", "W; +; =", QT_TR_NOOP("Zoom In")},
        {"timeline.zoomOut", "S; -", QT_TR_NOOP("Zoom Out")},
        {"timeline.panLeft", "A; Left",
         //: a command: shows an earlier part of the run
         QT_TR_NOOP("Earlier")},
        {"timeline.panRight", "D; Right",
         //: a command: shows a later part of the run
         QT_TR_NOOP("Later")},
        {"timeline.wholeRun", "0", QT_TR_NOOP("Whole Run")},
        {"timeline.zoomToSelection", "Return; Enter", QT_TR_NOOP("&Zoom to Selection"),
         QT_TR_NOOP("Shows the selected handoff, hold or wait across the timeline.")},
        {"timeline.previousLane", "Up", QT_TR_NOOP("Lane Above")},
        {"timeline.nextLane", "Down", QT_TR_NOOP("Lane Below")},
        {"timeline.fold", "H", QT_TR_NOOP("&Fold or Unfold the Selected Lane")},
        {"timeline.pin", "P", QT_TR_NOOP("Pin or Unpin the Selecte&d Lane"),
         QT_TR_NOOP("A pinned lane stays at the top of the timeline, whatever the filter and the order.")},
        {"timeline.blocker", "[", QT_TR_NOOP("Go to Bloc&ker"),
         QT_TR_NOOP("Selects the client that the selected one waits for.")},
        {"timeline.rootBlocker", "]", QT_TR_NOOP("Go to &Root Blocker"),
         QT_TR_NOOP("Selects the client for which, over all locks, the selected one waits in the end.")},
        {"timeline.contention", "U", QT_TR_NOOP("Wa&iting Clients"),
         QT_TR_NOOP("Shows below the lanes how many clients wait."), "", "", true},
        {"timeline.table", "Q", QT_TR_NOOP("Ta&ble of the Measured Range"),
         QT_TR_NOOP("Shows how often and how long each client held and waited in the measured range."), "",
         QT_TR_NOOP("statistics csv markdown copy"), true},
        {"timeline.order", "T", QT_TR_NOOP("Sort by Acquisitio&n Order"),
         QT_TR_NOOP("Sorts the lanes by who gets the lock next. Otherwise they are listed as added."), "", "",
         true},
        {"timeline.compactLanes", "C", QT_TR_NOOP("Compact &Lanes"),
         QT_TR_NOOP("Draws the lanes lower than their names, so that more of them are in sight."), "", "",
         true},
        {"timeline.legend", "E",
         //: a command: shows or hides what the colors mean
         QT_TR_NOOP("L&egend"), QT_TR_NOOP("Shows what the colors of the timeline mean."), "", "", true},
        {"timeline.holder", "G", QT_TR_NOOP("&Go to Holder"),
         QT_TR_NOOP("Scrolls the timeline to the lane of the lock's holder.")},
        {"timeline.measure", "M", QT_TR_NOOP("&Measure from Cursor"),
         QT_TR_NOOP("Measures a time on the timeline, from the cursor on.")},
        {"timeline.leave", "Esc", QT_TR_NOOP("End the Measurement, Select Nothing")},
        {"timeline.find", "Ctrl+F", QT_TR_NOOP("&Search…"),
         QT_TR_NOOP("Searches the events of the run, and marks them on the timeline.")},
        {"timeline.copy", "Ctrl+C", QT_TR_NOOP("Co&py Measurement"),
         QT_TR_NOOP("Copies the measured time and what lies in it.")},
        {"timeline.nextMatch", "F3"},
        {"timeline.previousMatch", "Shift+F3"},
        // The protocol, a chart, the lanes of a compared run, and every canvas that scrolls by pages.
        {"protocol.previousEvent", "Up", QT_TR_NOOP("Event Before")},
        {"protocol.nextEvent", "Down", QT_TR_NOOP("Event After")},
        {"protocol.columnsLeft", "Left", QT_TR_NOOP("Columns to the Left")},
        {"protocol.columnsRight", "Right", QT_TR_NOOP("Columns to the Right")},
        {"protocol.zoomIn", "+; =", QT_TR_NOOP("Zoom In")},
        {"protocol.zoomOut", "-", QT_TR_NOOP("Zoom Out")},
        {"protocol.normalSize", "0", QT_TR_NOOP("Normal Size")},
        {"protocol.none", "Esc", QT_TR_NOOP("Select Nothing")},
        {"chart.previous", "Left"},
        {"chart.next", "Right"},
        {"compareTimeline.previousRelease", "Left", QT_TR_NOOP("Previous Release")},
        {"compareTimeline.nextRelease", "Right", QT_TR_NOOP("Next Release")},
        {"page.pageUp", "PgUp", QT_TR_NOOP("Scroll Up")},
        {"page.pageDown", "PgDown", QT_TR_NOOP("Scroll Down")},
        // Tables, the log, the inspector and the editor of scenarios.
        {"table.copy", "Ctrl+C", QT_TR_NOOP("&Copy Rows")},
        {"log.find", "Ctrl+F"},
        {"inspector.back", "Backspace", QT_TR_NOOP("Inspector: &Back"),
         QT_TR_NOOP("Goes back to what was inspected before the last link."),
         //: a button: goes back to what was inspected before
         QT_TR_NOOP("Back")},
        {"inspector.copyText", "Ctrl+C", QT_TR_NOOP("Inspector: Copy as &Text"),
         QT_TR_NOOP("Copies all details of the selected item, one fact per line."),
         QT_TR_NOOP("Copy as Text")},
        {"inspector.copyJson", "Ctrl+Shift+C", QT_TR_NOOP("Inspector: Copy as &JSON"),
         QT_TR_NOOP("Copies all details of the selected item as JSON."), QT_TR_NOOP("Copy as JSON")},
        {"editor.undo", "Ctrl+Z"},
        {"editor.redo", "Ctrl+Shift+Z"},
        {"editor.save", "Ctrl+S"},
        {"editor.run", "Ctrl+Return"},
    };
};

} // namespace

std::span<const CommandRow> commandTable()
{
    // Before the steps: the faults, whose texts depend on the run.
    static const std::vector<CommandRow> rows = [] {
        std::vector<CommandRow> all(std::begin(CommandTexts::kRows), std::end(CommandTexts::kRows));
        std::vector<CommandRow> faults;
        for (const FaultRow& fault : kFaultRows)
            faults.push_back({fault.command, fault.keys});
        const auto steps = std::ranges::find(all, std::string_view("stepMode"), &CommandRow::name);
        all.insert(steps, faults.begin(), faults.end());
        return all;
    }();
    return rows;
}

const CommandRow* commandRow(QAnyStringView name)
{
    const std::span<const CommandRow> rows = commandTable();
    const auto found = std::ranges::find_if(
        rows, [name](const CommandRow& row) { return QAnyStringView::equal(name, QLatin1String(row.name)); });
    return found == rows.end() ? nullptr : &*found;
}

QList<QKeySequence> keysOf(QAnyStringView name)
{
    const QVariantMap changed = QCoreApplication::instance()->property(kChangedKeys).toMap();
    if (const auto own = changed.constFind(name.toString()); own != changed.constEnd())
        return QKeySequence::listFromString(own->toString());
    const CommandRow* row = commandRow(name);
    return row && *row->keys ? QKeySequence::listFromString(QString::fromLatin1(row->keys))
                             : QList<QKeySequence>();
}

QString explanationOf(QAnyStringView name)
{
    const CommandRow* row = commandRow(name);
    return row && *row->explanation ? MenuTexts::tr(row->explanation) : QString();
}

QAction* makeCommand(const char* name, QObject* parent)
{
    const CommandRow* row = commandRow(name);
    Q_ASSERT_X(row, "makeCommand", name);
    auto* action = new QAction(parent);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(keysOf(name));
    action->setCheckable(row->checkable);
    onRetranslate(action, [action, row] {
        if (*row->text)
            action->setText(MenuTexts::tr(row->text));
        if (*row->brief)
            action->setIconText(MenuTexts::tr(row->brief));
        if (*row->keywords)
            action->setProperty(kKeywords, MenuTexts::tr(row->keywords));
        if (*row->explanation)
            setExplanation(*action, MenuTexts::tr(row->explanation));
    });
    return action;
}

void setExplanation(QAction& action, const QString& explanation)
{
    const QString words = format::withoutMnemonic(action.text());
    const QString key = action.shortcut().toString(QKeySequence::NativeText);
    action.setStatusTip(explanation);
    action.setToolTip((key.isEmpty() ? words : QStringLiteral("%1 (%2)").arg(words, key)) + u'\n' +
                      explanation);
}

QString chineseText(const char* context, const QString& english)
{
    static const QTranslator* const texts = [] {
        auto* read = new QTranslator(QCoreApplication::instance());
        (void)read->load(QStringLiteral("lockscope_zh_CN"), QStringLiteral(":/translations"));
        return read;
    }();
    const QByteArray source = english.section(u'\t', 0, 0).toUtf8(); // a shortcut may follow the tab
    return texts->translate(context, source.constData());
}

QString chineseMenuText(const QString& english)
{
    const QString found = chineseText("Menus", english);
    // A command that opens a dialog may be a card's title with an ellipsis.
    return found.isEmpty() && english.endsWith(u'…') ? chineseMenuText(english.chopped(1)) : found;
}

} // namespace lockscope::ui
