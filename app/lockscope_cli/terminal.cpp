#include "app/lockscope_cli/terminal.h"

#include "core/base/standard_streams.h"

#define NCURSES_NOMACROS
#include <curses.h>
#include <term.h>
#undef lines // macros of term.h
#undef columns

#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <deque>
#include <stdexcept>
#include <utility>

namespace lockscope::app {

namespace {

constexpr std::size_t kMostKept = 500;
constexpr int kEscapeMs = 50; // that a terminal needs at most for the rest of a key
constexpr short kStuckPair = 1, kWarningPair = 2;

Error noTerminal(Message what, Message remedy)
{
    return {ErrorCode::badUsage, std::move(what), std::move(remedy)};
}

std::optional<ScreenKey> keyOf(wint_t code, bool isFunction)
{
    using Kind = ScreenKey::Kind;
    static constexpr std::array<std::pair<wint_t, Kind>, 11> kFunctions{{{KEY_UP, Kind::up},
                                                                         {KEY_DOWN, Kind::down},
                                                                         {KEY_LEFT, Kind::left},
                                                                         {KEY_RIGHT, Kind::right},
                                                                         {KEY_PPAGE, Kind::pageUp},
                                                                         {KEY_NPAGE, Kind::pageDown},
                                                                         {KEY_HOME, Kind::home},
                                                                         {KEY_END, Kind::end},
                                                                         {KEY_ENTER, Kind::enter},
                                                                         {KEY_BACKSPACE, Kind::backspace},
                                                                         {KEY_DC, Kind::backspace}}};
    static constexpr std::array<std::pair<wint_t, Kind>, 5> kControls{{{'\r', Kind::enter},
                                                                       {'\n', Kind::enter},
                                                                       {27, Kind::escape},
                                                                       {8, Kind::backspace},
                                                                       {127, Kind::backspace}}};
    if (isFunction) {
        for (const auto& [each, kind] : kFunctions)
            if (each == code)
                return ScreenKey{kind, {}};
        return {};
    }
    for (const auto& [each, kind] : kControls)
        if (each == code)
            return ScreenKey{kind, {}};
    std::array<char, 32> bytes{}; // more than MB_CUR_MAX
    std::mbstate_t state{};
    const std::size_t length = code < 32 ? 0 : std::wcrtomb(bytes.data(), static_cast<wchar_t>(code), &state);
    if (length == 0 || length == static_cast<std::size_t>(-1) || (MB_CUR_MAX == 1 && code > 126))
        return {};
    return ScreenKey{Kind::character, std::string(bytes.data(), length)};
}

} // namespace

struct Terminal::Impl
{
    int signals = -1;             // SIGTSTP, SIGQUIT and SIGWINCH
    SCREEN* screen = nullptr;     // null: it has not begun, or has ended
    int messages = -1;            // what is written to standard error; -1: it is not taken
    int standardError = -1;       // the real one, meanwhile
    std::string open;             // the begin of a message whose end has not come
    std::deque<std::string> kept; // the last messages, for standard error when the screen has gone
    bool utf8 = false, colours = false;

    void takeStandardError();
    void giveBackStandardError();
    void followSize();
    void suspend();
    int attributesOf(ScreenLine::Style style) const;
};

Terminal::Terminal(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

Terminal::~Terminal()
{
    end();
    takeMessages();
    ::close(m_impl->signals);
    if (m_impl->messages >= 0)
        ::close(m_impl->messages);
}

Result<std::unique_ptr<Terminal>> Terminal::open()
{
    if (::isatty(STDOUT_FILENO) != 1)
        return noTerminal(message("--tui needs a terminal, and standard output is none."),
                          message("Leave --tui out: the locks are then printed as lines."));
    if (::isatty(STDIN_FILENO) != 1)
        return noTerminal(message("--tui reads keys, and standard input is no terminal."),
                          message("Leave --tui out, or do not redirect the input."));
    int found = 0;
    if (::setupterm(nullptr, STDOUT_FILENO, &found) != OK || !cursor_address) {
        const char* type = std::getenv("TERM");
        return noTerminal(
            message("The type of the terminal, TERM=%1, is not known, or it has no cursor to move.",
                    type ? type : ""),
            message("Set TERM, for example TERM=xterm, or leave --tui out."));
    }
    std::setlocale(LC_CTYPE, ""); // nothing but the characters: numbers keep their form
    auto impl = std::make_unique<Impl>();
    impl->utf8 = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTSTP);
    sigaddset(&signals, SIGQUIT);
    sigaddset(&signals, SIGWINCH);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    impl->signals = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    return std::unique_ptr<Terminal>(new Terminal(std::move(impl)));
}

bool Terminal::isUtf8() const { return m_impl->utf8; }

void Terminal::begin()
{
    Impl& impl = *m_impl;
    impl.takeStandardError();
    impl.screen = ::newterm(nullptr, stdout, stdin);
    if (!impl.screen) // although open() has found its type
        throw std::runtime_error("the terminal cannot be used as a screen");
    ::cbreak();
    ::noecho();
    ::nonl();
    ::intrflush(stdscr, FALSE);
    ::keypad(stdscr, TRUE);
    ::nodelay(stdscr, TRUE);
    ::set_escdelay(kEscapeMs);
    ::curs_set(0);
    if (!std::getenv("NO_COLOR") && ::has_colors() && ::start_color() == OK && ::use_default_colors() == OK) {
        impl.colours = true;
        ::init_pair(kStuckPair, COLOR_YELLOW, -1);
        ::init_pair(kWarningPair, COLOR_RED, -1);
    }
}

// A pipe that is full loses what comes then, rather than to make the writer wait.
void Terminal::Impl::takeStandardError()
{
    std::array<int, 2> ends{};
    if (::isatty(STDERR_FILENO) != 1 || ::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    messages = ends[0];
    standardError = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
}

void Terminal::Impl::giveBackStandardError()
{
    if (standardError < 0)
        return;
    ::dup2(standardError, STDERR_FILENO);
    ::close(std::exchange(standardError, -1));
}

std::vector<std::string> Terminal::takeMessages()
{
    Impl& impl = *m_impl;
    std::vector<std::string> lines;
    if (impl.messages < 0)
        return lines;
    std::array<char, 4096> bytes{};
    for (ssize_t length = 0; (length = ::read(impl.messages, bytes.data(), bytes.size())) > 0;) {
        const std::string_view read(bytes.data(), static_cast<std::size_t>(length));
        if (!impl.screen) {
            writeToStandardError(read);
            continue;
        }
        impl.open += read;
        for (std::size_t end = 0; (end = impl.open.find('\n')) != std::string::npos;) {
            lines.push_back(impl.open.substr(0, end));
            impl.open.erase(0, end + 1);
        }
    }
    impl.kept.insert(impl.kept.end(), lines.begin(), lines.end());
    while (impl.kept.size() > kMostKept)
        impl.kept.pop_front();
    return lines;
}

void Terminal::end()
{
    Impl& impl = *m_impl;
    if (!impl.screen)
        return;
    takeMessages();
    ::endwin();
    ::delscreen(std::exchange(impl.screen, nullptr));
    impl.giveBackStandardError();
    for (const std::string& line : impl.kept)
        writeToStandardError(line + "\n");
    writeToStandardError(std::exchange(impl.open, {}));
}

// As a shell expects it of what Ctrl+Z stops.
void Terminal::Impl::suspend()
{
    ::endwin();
    ::raise(SIGSTOP);
    ::clearok(::curscr, TRUE);
    ::refresh();
}

void Terminal::Impl::followSize()
{
    winsize now{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) == 0 && now.ws_row > 0 && now.ws_col > 0 &&
        (now.ws_row != LINES || now.ws_col != COLS)) {
        ::resizeterm(now.ws_row, now.ws_col);
        ::clearok(::curscr, TRUE); // terminals differ in what they do with what was there
    }
}

bool Terminal::wait(int other, int milliseconds)
{
    Impl& impl = *m_impl;
    std::array<pollfd, 4> asked{{{STDIN_FILENO, POLLIN, 0},
                                 {impl.signals, POLLIN, 0},
                                 {other, POLLIN, 0},
                                 {impl.messages, POLLIN, 0}}};
    if (::poll(asked.data(), asked.size(), milliseconds) <= 0)
        return true;
    signalfd_siginfo info{};
    bool goesOn = (asked[0].revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
    while (::read(impl.signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGTSTP)
            impl.suspend();
        goesOn = goesOn && info.ssi_signo != SIGQUIT;
    }
    impl.followSize();
    return goesOn;
}

std::optional<ScreenKey> Terminal::takeKey()
{
    constexpr wint_t kRedraw = 12; // Ctrl+L
    wint_t code = 0;
    for (int kind = 0; (kind = ::get_wch(&code)) != ERR;) {
        if (kind == OK && code == kRedraw)
            ::clearok(::curscr, TRUE);
        else if (const auto key = keyOf(code, kind == KEY_CODE_YES))
            return key;
    }
    return {};
}

ScreenSize Terminal::size() const
{
    return {static_cast<std::size_t>(std::max(COLS, 1)), static_cast<std::size_t>(std::max(LINES, 1))};
}

int Terminal::Impl::attributesOf(ScreenLine::Style style) const
{
    using Style = ScreenLine::Style;
    const auto colour = [this](short pair) { return colours ? COLOR_PAIR(pair) : 0; };
    const chtype attributes = style == Style::title      ? A_REVERSE
                              : style == Style::heading  ? A_BOLD
                              : style == Style::selected ? A_REVERSE
                              : style == Style::stuck    ? A_BOLD | colour(kStuckPair)
                              : style == Style::warning  ? A_REVERSE | A_BOLD | colour(kWarningPair)
                                                         : A_NORMAL;
    return static_cast<int>(attributes);
}

void Terminal::draw(const std::vector<ScreenLine>& lines)
{
    ::erase();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        ::attrset(m_impl->attributesOf(lines[i].style));
        ::mvaddstr(static_cast<int>(i), 0, lines[i].text.c_str());
    }
    ::attrset(static_cast<int>(A_NORMAL));
    ::refresh();
}

} // namespace lockscope::app
