// What watch --tui shows in a terminal, and what its keys do, without the terminal: a state, its changes, and
// the lines for a size.
// Pure; one thread.
#pragma once

#include "core/field/snapshot.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lockscope::app {

struct ScreenKey
{
    enum class Kind {
        character,
        up,
        down,
        left,
        right,
        pageUp,
        pageDown,
        home,
        end,
        enter,
        escape,
        backspace
    };
    Kind kind{};
    std::string text{}; // of a character: it, in UTF-8
};

struct ScreenSize
{
    std::size_t width = 80, height = 24;
    bool operator==(const ScreenSize&) const = default;
};

struct ScreenLine
{
    enum class Style { plain, title, heading, selected, stuck, warning };
    std::string text; // UTF-8, or ASCII if ScreenState::utf8 is false; never wider than the screen
    Style style = Style::plain;
};

struct ScreenPlace // what is selected
{
    std::string lock;   // its path
    bool queue = false; // its queue is shown; otherwise the list of locks
    std::string node{}; // in the queue: the path of the node
};

struct ScreenState
{
    enum class Sort { stuckFirst, longestWait, path };
    std::string servers; // as they were given
    bool utf8 = true;
    field::SnapshotPtr snapshot = std::make_shared<const field::Snapshot>(); // with all participants
    ScreenPlace place{};
    std::vector<ScreenPlace> back{}; // for ]; the last one is the first to go back to
    std::size_t row = 0;             // of the place, when it was last there
    Sort sort = Sort::stuckFirst;
    std::string filter{};
    bool typesFilter = false, showsHelp = false;
    std::string notice{};  // about the last key
    std::string message{}; // the last one of the program, until a key is pressed
};

void showSnapshot(ScreenState& state, field::SnapshotPtr snapshot);
// False: the user has ended it.
bool press(ScreenState& state, const ScreenKey& key, const ScreenSize& size);
// As many lines as the screen is high.
std::vector<ScreenLine> screenLines(const ScreenState& state, const ScreenSize& size);

} // namespace lockscope::app
