// Parses the arguments of lockscope, and checks them as far as possible without acting on them. No Qt.
#pragma once

#include "core/base/time.h"
#include "core/zk/wire/sasl.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace lockscope::app {

enum ExitCode : int { done = 0, badUsage = 2, noServer = 3, cutShort = 4 };

struct PictureSize
{
    int width = 0;
    int height = 0;
};

struct CommandLine
{
    std::string input;    // a file or a built-in's name; may be empty
    bool history = false; // `input` is a ZooKeeper server's: a data directory, a transaction log, a snapshot
    std::string other;    // the run to compare `input` with; only for the view compare
    std::string connect;  // "127.0.0.1:2181,..."; empty = a private ZooKeeper
    bool joinForeign = false;         // with a run on that server, also where other programs have nodes
    std::string lockPath;             // empty = the scenario's
    std::string watch;                // "zk1:2181,zk2:2181/chroot": only watch the locks there; empty = a run
    std::vector<std::string> watched; // their paths
    zk::wire::SaslOptions sasl{};     // for watching
    std::string colourScheme = "system"; // light, dark, system
    bool themeGiven = false;
    std::string language; // en, zh_CN; empty = the stored choice or the system's; for a picture, English
    bool paused = false;
    std::string lesson; // a built-in lesson's name or a file; may be empty

    std::string shot;   // the picture to write, or the film (.gif); empty = show the window
    std::string player; // the page to write that plays the run; empty = none
    std::string view = "window";
    std::optional<Duration> at; // the moment to show; empty = the end
    std::optional<Duration> from,
        to;           // what the timeline, the film or the page shows; empty = from its beginning, to its end
    double speed = 1; // of the film; 1 = as it happened
    std::optional<PictureSize> size; // empty = the view's usual size
};

// Returns the command line or the code to exit with; errors are already on stderr, help on stdout. A broken
// or missing file is left to the window where both are neither a terminal nor a pipe. `views`: what --view
// accepts.
std::variant<CommandLine, ExitCode> readCommandLine(int argc, const char* const* argv,
                                                    const std::vector<std::string>& views);

// Lends the options, for the pages about them; those of --view are not among them.
void withWindowProgram(const std::function<void(const CLI::App&)>& use);

// Whether the picture is a film: an animated GIF of the time from `from` to `to`.
bool isFilm(const CommandLine& line);
// Whether a picture or a page is written in place of showing the window.
inline bool isWritten(const CommandLine& line) { return !line.shot.empty() || !line.player.empty(); }

} // namespace lockscope::app
