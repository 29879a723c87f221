#include "ui/models/core_phrases.h"

#include <QtGlobal>

#include <array>

// Where one text fits into another, the longer one comes first.

namespace lockscope::ui::phrases {

namespace {

// Why something failed, and what to do about it.
constexpr std::array kErrors{
    // Scenarios (core/sim).
    QT_TRANSLATE_NOOP("Core", "The lock path \"%1\" %2."),
    QT_TRANSLATE_NOOP("Core", "Expected something like /locks/well."),
    QT_TRANSLATE_NOOP("Core", "The number of locks of a multi-lock is %1."),
    QT_TRANSLATE_NOOP("Core", "The number of locks is %1."),
    QT_TRANSLATE_NOOP("Core", "The number of re-entries is %1."),
    QT_TRANSLATE_NOOP("Core", "A time to think or hold is %1."),
    QT_TRANSLATE_NOOP("Core", "The number of tries is %1."),
    QT_TRANSLATE_NOOP("Core", "The number of permits is %1."),
    QT_TRANSLATE_NOOP("Core", "A part of the multi-lock is %1."),
    QT_TRANSLATE_NOOP("Core", "A lock to take is %1."),
    QT_TRANSLATE_NOOP("Core", "The client \"%1\" is there twice."),
    QT_TRANSLATE_NOOP("Core", "The number of clients is %1."),
    QT_TRANSLATE_NOOP("Core", "The number of servers is %1."),
    QT_TRANSLATE_NOOP("Core", "The session timeout is out of range."),
    QT_TRANSLATE_NOOP("Core", "The pace is over a minute a step."),
    QT_TRANSLATE_NOOP("Core", "The duration is 0."),
    QT_TRANSLATE_NOOP("Core", "Expected a .toml file that can be read, or one of the built-in ones: %1."),
    QT_TRANSLATE_NOOP("Core", "Expected a scenario in TOML."),
    QT_TRANSLATE_NOOP("Core", "Expected %1."),
    QT_TRANSLATE_NOOP("Core", "%1 is larger than a megabyte."),
    QT_TRANSLATE_NOOP("Core", "A scenario is a short TOML file."),
    QT_TRANSLATE_NOOP("Core", "%1 cannot be read."),
    QT_TRANSLATE_NOOP("Core", "Check the permissions."),
    QT_TRANSLATE_NOOP("Core", "The trace does not say which scenario it is of."),
    // The key of the sessions' pseudonyms (core/engine).
    QT_TRANSLATE_NOOP("Core", "The key file %1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("Core", "The key file %1 has no 16 to 4096 bytes."),
    QT_TRANSLATE_NOOP("Core", "Make one of 32 random bytes: head -c 32 /dev/urandom > %1."),
    // Traces (core/trace), and what the window writes (ui/shell).
    QT_TRANSLATE_NOOP("Core", "%1: found %2, expected %3."),
    QT_TRANSLATE_NOOP("Core", "found %1, expected %2."),
    QT_TRANSLATE_NOOP("Core", "Open it with a newer version of LockScope."),
    QT_TRANSLATE_NOOP("Core", "A newer version of LockScope may have written it."),
    QT_TRANSLATE_NOOP("Core", "%1 is empty: a trace begins with a line that names its schema."),
    QT_TRANSLATE_NOOP("Core", "Opening %1 was cancelled."),
    QT_TRANSLATE_NOOP("Core", "Check the name."),
    QT_TRANSLATE_NOOP("Core", "Give the name of a trace file, not of a folder."),
    QT_TRANSLATE_NOOP("Core", "Ask its owner for the right to read it."),
    QT_TRANSLATE_NOOP("Core", "The bookmarks in %1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("Core", "%1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("Core", "%1 ends in the middle of its first line: there is nothing to open."),
    QT_TRANSLATE_NOOP("Core", "%1 has more than %2 events, the most that can be opened."),
    QT_TRANSLATE_NOOP("Core", "%1 ends in the middle of line %2: the %3 events before it were read."),
    QT_TRANSLATE_NOOP("Core", "%1 does not fit into memory."),
    QT_TRANSLATE_NOOP("Core", "The trace cannot be written to %1: %2."),
    QT_TRANSLATE_NOOP("Core", "The scenario %1 cannot be written: %2."),
    QT_TRANSLATE_NOOP("Core", "The bookmarks cannot be written to %1: %2."),
    QT_TRANSLATE_NOOP("Core", "They stay in this window; save the trace somewhere else to keep them."),
    QT_TRANSLATE_NOOP("Core", "%1 is too large for a file of bookmarks."),
    QT_TRANSLATE_NOOP("Core", "this is not JSON."),
    QT_TRANSLATE_NOOP("Core", "expected \"schema\": \"%1\"."),
    QT_TRANSLATE_NOOP("Core", "expected \"version\": %1; a newer LockScope may read this file."),
    QT_TRANSLATE_NOOP("Core", "expected \"notes\": […]."),
    QT_TRANSLATE_NOOP("Core", "expected a note such as {\"t\": 1000000, \"text\": \"…\"}."),
    QT_TRANSLATE_NOOP("Core", "expected \"t\", the nanoseconds since the beginning, a whole number from 0."),
    QT_TRANSLATE_NOOP("Core", "expected a text in quotation marks."),
    QT_TRANSLATE_NOOP("Core", "%1 was opened in this window and would be replaced."),
    QT_TRANSLATE_NOOP("Core", "Choose another name."),
    QT_TRANSLATE_NOOP("Core", "Free some space on that disk, or choose another one."),
    QT_TRANSLATE_NOOP("Core", "Raise the file size limit (ulimit -f)."),
    QT_TRANSLATE_NOOP("Core", "Choose a folder that you may write to."),
    QT_TRANSLATE_NOOP("Core", "Choose a folder that exists."),
    QT_TRANSLATE_NOOP("Core", "Give the name of a file, not of a folder."),
    QT_TRANSLATE_NOOP("Core", "Start the program that reads from it first."),
    QT_TRANSLATE_NOOP("Core", "The program that read from it has ended."),
    QT_TRANSLATE_NOOP("Core", "It is closed; give the name of a file."),
    QT_TRANSLATE_NOOP("Core", "The run failed."),
    QT_TRANSLATE_NOOP("Core", "The run failed: %1."),
    QT_TRANSLATE_NOOP("Core", "Another run is shown."),
    QT_TRANSLATE_NOOP("Core", "The pictures cannot be written to %1."),
    QT_TRANSLATE_NOOP("Core", "The pictures were cancelled."),
    QT_TRANSLATE_NOOP("Core", "The view was closed."),
    QT_TRANSLATE_NOOP("Core", "The pictures are there; the text file with the commands cannot be written."),
    QT_TRANSLATE_NOOP("Core", "The view changed its size while its pictures were made."),
    QT_TRANSLATE_NOOP("Core", "Leave the window as it is until they are done."),
    QT_TRANSLATE_NOOP("Core", "The picture %1 cannot be written: %2."),
    QT_TRANSLATE_NOOP("Core", "Choose another place, or make room there."),
    QT_TRANSLATE_NOOP("Core", "%1 is not a picture's name."),
    QT_TRANSLATE_NOOP("Core", "A picture's name ends in .png or .svg."),
    QT_TRANSLATE_NOOP("Core", "The export %1 cannot be written: %2."),
    QT_TRANSLATE_NOOP("Core", "The export was cancelled."),
    QT_TRANSLATE_NOOP("Core", "The comparison was cancelled."),
    QT_TRANSLATE_NOOP("Core", "%1 runs without end."),
    QT_TRANSLATE_NOOP("Core", "Give it a number of cycles to be compared."),
    QT_TRANSLATE_NOOP("Core", "The table %1 cannot be written: %2."),
    QT_TRANSLATE_NOOP("Core", "The page %1 cannot be written: %2."),
    QT_TRANSLATE_NOOP("Core", "There is no %1."),
};

} // namespace

List errorsOfFiles() { return kErrors; }

} // namespace lockscope::ui::phrases
