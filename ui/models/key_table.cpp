#include "ui/models/key_table.h"

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

constexpr std::array kTable{
    // The window, wherever the focus is.
    KeyEntry{"open", "Ctrl+O"},
    KeyEntry{"openHistory", "Ctrl+Shift+O"},
    KeyEntry{"saveTrace", "Ctrl+S"},
    KeyEntry{"savePicture", "Ctrl+P"},
    KeyEntry{"compareWith", "Ctrl+D"},
    KeyEntry{"compareTwo", "Ctrl+Shift+D"},
    KeyEntry{"quit", "Ctrl+Q"},
    KeyEntry{"newScenario", "Ctrl+N"},
    KeyEntry{"editScenario", "Ctrl+E"},
    KeyEntry{"attach", "Ctrl+L"},
    KeyEntry{"welcome", "Alt+Home"},
    KeyEntry{"closeRun", "Ctrl+W"},
    KeyEntry{"commands", "Ctrl+K"},
    KeyEntry{"runOrPause", "Space"},
    KeyEntry{"runAgain", "Ctrl+R"},
    KeyEntry{"slower", "["},
    KeyEntry{"faster", "]"},
    KeyEntry{"follow", "F; End; Ctrl+End"},
    KeyEntry{"showViolation", "V"},
    KeyEntry{"stepBack", ","},
    KeyEntry{"stepForward", "."},
    KeyEntry{"clientBack", "Ctrl+,"},
    KeyEntry{"clientForward", "Ctrl+."},
    KeyEntry{"toStart", "Home; Ctrl+Home"},
    KeyEntry{"playBack", "Shift+Space"},
    KeyEntry{"addBookmark", "B"},
    KeyEntry{"bookmarks", "Ctrl+B"},
    KeyEntry{"nextBookmark", "Alt+Right"},
    KeyEntry{"previousBookmark", "Alt+Left"},
    KeyEntry{"inspect", "I"},
    KeyEntry{"presentation", "F11"},
    KeyEntry{"maximize", "Shift+F11"},
    KeyEntry{"nextLayout", "F12"},
    KeyEntry{"resetLayout", "Ctrl+0"},
    KeyEntry{"showMenuBar", "Ctrl+M"},
    KeyEntry{"messages", "Ctrl+Shift+M"},
    KeyEntry{"manual", "F1"},
    // Faults. The first of two strokes names the group: L link, Z ZooKeeper, N nodes.
    KeyEntry{"fault.killHolder", "K"},
    KeyEntry{"fault.killSelected", "Shift+K"},
    KeyEntry{"fault.closeSelected", "Shift+C"},
    KeyEntry{"fault.freezeSelected", "Shift+F"},
    KeyEntry{"fault.removeSelected", "Shift+R"},
    KeyEntry{"fault.rejoin", "Shift+J"},
    KeyEntry{"fault.addClient", "Alt++"},
    KeyEntry{"fault.removeClient", "Alt+-"},
    KeyEntry{"fault.slowLink", "L, S"},
    KeyEntry{"fault.cutLink", "L, C"},
    KeyEntry{"fault.muteFromServer", "L, I"},
    KeyEntry{"fault.muteToServer", "L, O"},
    KeyEntry{"fault.limitLink", "L, B"},
    KeyEntry{"fault.resetLink", "L, R"},
    KeyEntry{"fault.halfOpenLink", "L, H"},
    KeyEntry{"fault.loseReply", "L, N"},
    KeyEntry{"fault.loseCreateReply", "L, M"},
    KeyEntry{"fault.healLink", "L, E"},
    KeyEntry{"fault.stopServer", "Z, S"},
    KeyEntry{"fault.killServer", "Z, K"},
    KeyEntry{"fault.restartServer", "Z, R"},
    KeyEntry{"fault.restartEmpty", "Z, E"},
    KeyEntry{"fault.killLeader", "Z, L"},
    KeyEntry{"fault.stopLeader", "Z, P"},
    KeyEntry{"fault.killMember", "Z, M"},
    KeyEntry{"fault.stopMember", "Z, N"},
    KeyEntry{"fault.deleteNode", "N, D"},
    KeyEntry{"fault.writeNode", "N, W"},
    KeyEntry{"fault.revoke", "N, V"},
    KeyEntry{"fault.reap", "N, C"},
    KeyEntry{"fault.setLeases", "N, L"},
    // Steps.
    KeyEntry{"stepMode", "Shift+F8"},
    KeyEntry{"stepNext", "F8"},
    KeyEntry{"step", "F7"},
    KeyEntry{"letGo", "Ctrl+F7"},
    KeyEntry{"letAllGo", "Ctrl+F8"},
    KeyEntry{"untilAcquired", "Alt+F8"},
    KeyEntry{"untilSelected", "Alt+F7"},
    KeyEntry{"fork", "Ctrl+Shift+F"},
    // The watch chain.
    KeyEntry{"chain.previous", "Left; Up"},
    KeyEntry{"chain.next", "Right; Down"},
    KeyEntry{"chain.none", "Esc"},
    // The algorithm.
    KeyEntry{"algorithm.previous", "Up"},
    KeyEntry{"algorithm.next", "Down"},
    KeyEntry{"algorithm.breakpoint", "F9"},
    // The timeline: keys of its canvas, and those that also work in its search bar and its list of bookmarks.
    KeyEntry{"timeline.zoomIn", "W; +; ="},
    KeyEntry{"timeline.zoomOut", "S; -"},
    KeyEntry{"timeline.panLeft", "A; Left"},
    KeyEntry{"timeline.panRight", "D; Right"},
    KeyEntry{"timeline.wholeRun", "0"},
    KeyEntry{"timeline.zoomToSelection", "Return; Enter"},
    KeyEntry{"timeline.previousLane", "Up"},
    KeyEntry{"timeline.nextLane", "Down"},
    KeyEntry{"timeline.fold", "H"},
    KeyEntry{"timeline.order", "T"},
    KeyEntry{"timeline.compactLanes", "C"},
    KeyEntry{"timeline.legend", "E"},
    KeyEntry{"timeline.holder", "G"},
    KeyEntry{"timeline.measure", "M"},
    KeyEntry{"timeline.leave", "Esc"},
    KeyEntry{"timelineFind", "Ctrl+F"},
    KeyEntry{"timelineCopy", "Ctrl+C"},
    KeyEntry{"timelineNext", "F3"},
    KeyEntry{"timelinePrevious", "Shift+F3"},
    // The protocol.
    KeyEntry{"protocol.previousEvent", "Up"},
    KeyEntry{"protocol.nextEvent", "Down"},
    KeyEntry{"protocol.columnsLeft", "Left"},
    KeyEntry{"protocol.columnsRight", "Right"},
    KeyEntry{"protocol.zoomIn", "+; ="},
    KeyEntry{"protocol.zoomOut", "-"},
    KeyEntry{"protocol.normalSize", "0"},
    KeyEntry{"protocol.none", "Esc"},
    // A chart.
    KeyEntry{"chart.previous", "Left"},
    KeyEntry{"chart.next", "Right"},
    // The lanes of a compared run.
    KeyEntry{"compareTimeline.previousRelease", "Left"},
    KeyEntry{"compareTimeline.nextRelease", "Right"},
    // Every canvas that scrolls by pages.
    KeyEntry{"page.pageUp", "PgUp"},
    KeyEntry{"page.pageDown", "PgDown"},
    // Tables, the log, the inspector and the editor of scenarios.
    KeyEntry{"table.copy", "Ctrl+C"},
    KeyEntry{"log.find", "Ctrl+F"},
    KeyEntry{"inspector.back", "Backspace"},
    KeyEntry{"inspector.copyText", "Ctrl+C"},
    KeyEntry{"inspector.copyJson", "Ctrl+Shift+C"},
    KeyEntry{"editor.save", "Ctrl+S"},
    KeyEntry{"editor.run", "Ctrl+Return"},
};

} // namespace

std::span<const KeyEntry> keyTable() { return kTable; }

QList<QKeySequence> keysOf(QAnyStringView command)
{
    const auto found = std::find_if(kTable.begin(), kTable.end(), [command](const KeyEntry& entry) {
        return QAnyStringView::equal(command, QLatin1String(entry.command));
    });
    return found == kTable.end() ? QList<QKeySequence>()
                                 : QKeySequence::listFromString(QString::fromLatin1(found->keys));
}

} // namespace lockscope::ui
