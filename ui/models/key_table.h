// The keys of all commands: of the window, and of the canvases and panels, which take theirs while they have
// the focus. Actions are made from it; menus, tool tips and the list of commands show them, and the manual's
// tables are tested against them. Pure.
#pragma once

#include <QAnyStringView>
#include <QKeySequence>
#include <QList>

#include <span>

namespace lockscope::ui {

struct KeyEntry
{
    const char* command; // "follow"; of a canvas or panel with its name before it: "timeline.zoomIn"
    const char* keys;    // separated by "; ", the one that menus show first; two strokes: "L, S"
};

std::span<const KeyEntry> keyTable();

// Empty: the command has none.
QList<QKeySequence> keysOf(QAnyStringView command);

} // namespace lockscope::ui
