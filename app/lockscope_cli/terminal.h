// A terminal as a full screen: its keys and its lines. Standard error, if it is a terminal, goes to
// takeMessages() while the screen is shown. The terminal is restored by end() and by the destructor. Signals
// are read, not handled: SIGTSTP, SIGQUIT and a new size here, the end by the caller (end_signals.h). One at
// a time; main thread.
#pragma once

#include "app/lockscope_cli/watch_screen.h"

#include "core/base/error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::app {

class Terminal
{
public:
    // Changes nothing on the screen yet. Call it before there are other threads. Error: badUsage, with what
    // to do: there is no terminal, or its type is not known.
    static Result<std::unique_ptr<Terminal>> open();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    bool isUtf8() const;
    void begin();
    // Returns early when there is a key, a message, a new size, or something to read in `other`. False: the
    // terminal has hung up, or the user has quit (Ctrl+\).
    bool wait(int other, int milliseconds);
    std::optional<ScreenKey> takeKey(); // none: no more of them now
    ScreenSize size() const;
    void draw(const std::vector<ScreenLine>& lines);
    std::vector<std::string>
    takeMessages(); // whole lines that were written since; after end() they are passed on
    void end();

private:
    struct Impl;
    explicit Terminal(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::app
