// lockscope-cli watch --tui in a terminal of our own, against a real server: what is on the screen, and that
// the terminal is as it was when it ends, however that was.
#include "core/base/utf8.h"
#include "tests/integration/child.h"
#include "tests/support/lossy_relay.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using zk::CreateMode;

const std::string kNode = "/_c_01234567-89ab-cdef-0123-456789abcdef-lock-";

// What a terminal shows: of xterm's control sequences those that ncurses uses for text.
class ScreenText
{
public:
    ScreenText(std::size_t width, std::size_t height) { resize(width, height); }
    void resize(std::size_t width, std::size_t height)
    {
        m_cells.assign(height, std::vector<std::string>(width, " "));
        m_row = m_column = m_top = 0;
        m_bottom = height - 1;
    }
    void write(std::string_view bytes)
    {
        m_left += bytes;
        std::string_view rest = m_left;
        while (!rest.empty()) {
            const std::size_t taken = take(rest);
            if (taken == 0)
                break; // the end of a sequence or of a character is to come
            rest.remove_prefix(taken);
        }
        m_left = std::string(rest);
    }
    std::string line(std::size_t row) const
    {
        std::string text;
        for (const std::string& cell : m_cells[row])
            text += cell;
        return text.substr(0, text.find_last_not_of(' ') + 1);
    }
    std::string text() const
    {
        std::string all;
        for (std::size_t row = 0; row < m_cells.size(); ++row)
            all += line(row) + "\n";
        return all;
    }
    bool hasLineWith(const std::vector<std::string>& parts) const
    {
        for (std::size_t row = 0; row < m_cells.size(); ++row)
            if (std::all_of(parts.begin(), parts.end(), [text = line(row)](const std::string& part) {
                    return text.find(part) != std::string::npos;
                }))
                return true;
        return false;
    }

private:
    std::size_t take(std::string_view rest)
    {
        const char c = rest.front();
        if (c == '\x1b')
            return takeSequence(rest);
        if (c == '\r')
            m_column = 0;
        else if (c == '\n')
            lineFeed();
        else if (c == '\b')
            m_column -= std::min<std::size_t>(m_column, 1);
        else if (c == '\t')
            m_column = (m_column / 8 + 1) * 8;
        else if (static_cast<unsigned char>(c) >= ' ')
            return takeCharacter(rest);
        return 1;
    }
    void lineFeed()
    {
        if (m_row == m_bottom)
            scroll(m_top, m_bottom);
        else
            m_row = std::min(m_row + 1, m_cells.size() - 1);
    }
    // Everything between these rows moves by one: up if `from` is the upper one, otherwise down.
    void scroll(std::size_t from, std::size_t to)
    {
        const std::size_t width = m_cells[from].size();
        const auto row = [this](std::size_t at) { return m_cells.begin() + static_cast<std::ptrdiff_t>(at); };
        m_cells.erase(row(from));
        m_cells.insert(row(to), std::vector<std::string>(width, " "));
    }
    std::size_t takeCharacter(std::string_view rest)
    {
        const std::size_t length = firstCharacter(rest).length;
        if (length == 0 && rest.size() < 4)
            return 0;
        if (m_column >= m_cells[m_row].size()) { // it wraps
            m_column = 0;
            lineFeed();
        }
        if (m_inserts)
            carryOut('@', [](std::size_t, std::size_t) { return std::size_t{1}; });
        if (m_column < m_cells[m_row].size())
            m_last = m_cells[m_row][m_column] = rest.substr(0, length);
        ++m_column;
        return std::max<std::size_t>(length, 1);
    }
    std::size_t takeSequence(std::string_view rest)
    {
        if (rest.size() < 3)
            return 0;
        if (rest[1] == '(' || rest[1] == ')')
            return 3;
        if (rest[1] == 'M' && m_row == m_top)
            scroll(m_bottom, m_top);
        else if (rest[1] == 'M')
            m_row -= std::min<std::size_t>(m_row, 1);
        if (rest[1] != '[')
            return 2;
        const std::size_t end = rest.find_first_of("@ABCDEFGHIJKLMPSTXabcdfghlmnrtu", 2);
        if (end == rest.npos)
            return 0;
        const std::string numbers(rest.substr(2, end - 2));
        const auto number = [&](std::size_t which, std::size_t otherwise) {
            std::size_t from = 0;
            for (; which > 0 && from != std::string::npos; --which)
                from = numbers.find(';', from) == std::string::npos ? std::string::npos
                                                                    : numbers.find(';', from) + 1;
            const std::size_t value =
                from == std::string::npos ? 0 : std::strtoul(numbers.c_str() + from, nullptr, 10);
            return value == 0 ? otherwise : value;
        };
        if (numbers.empty() || numbers[0] != '?')
            carryOut(rest[end], number);
        return end + 1;
    }
    template <class Number>
    void carryOut(char what, const Number& number)
    {
        const std::size_t lastRow = m_cells.size() - 1;
        std::vector<std::string>& row = m_cells[m_row];
        const auto blank = [&row](std::size_t from, std::size_t to) {
            std::fill(row.begin() + static_cast<std::ptrdiff_t>(std::min(from, row.size())),
                      row.begin() + static_cast<std::ptrdiff_t>(std::min(to, row.size())), " ");
        };
        switch (what) {
        case 'r':
            m_top = number(0, 1) - 1;
            m_bottom = std::min(number(1, lastRow + 1) - 1, lastRow);
            m_row = m_column = 0;
            break;
        case 'S':
        case 'M':
            for (std::size_t i = number(0, 1); i > 0; --i)
                scroll(what == 'S' ? m_top : m_row, m_bottom);
            break;
        case 'T':
        case 'L':
            for (std::size_t i = number(0, 1); i > 0; --i)
                scroll(m_bottom, what == 'T' ? m_top : m_row);
            break;
        case 'h':
        case 'l':
            m_inserts = what == 'h' && number(0, 0) == 4;
            break;
        case 'H':
            m_row = std::min(number(0, 1) - 1, lastRow);
            m_column = number(1, 1) - 1;
            break;
        case 'A':
            m_row -= std::min(m_row, number(0, 1));
            break;
        case 'B':
            m_row = std::min(m_row + number(0, 1), lastRow);
            break;
        case 'C':
            m_column += number(0, 1);
            break;
        case 'D':
            m_column -= std::min(m_column, number(0, 1));
            break;
        case 'G':
            m_column = number(0, 1) - 1;
            break;
        case 'd':
            m_row = std::min(number(0, 1) - 1, lastRow);
            break;
        case 'b':
            for (std::size_t i = number(0, 1); i > 0 && m_column < row.size(); --i)
                row[m_column++] = m_last;
            break;
        case 'X':
            blank(m_column, m_column + number(0, 1));
            break;
        case 'K':
            blank(number(0, 0) == 0 ? m_column : 0, number(0, 0) == 1 ? m_column + 1 : row.size());
            break;
        case 'J':
            blank(number(0, 0) == 2 ? 0 : m_column, row.size());
            for (std::size_t i = number(0, 0) == 2 ? 0 : m_row + 1; i <= lastRow; ++i)
                std::fill(m_cells[i].begin(), m_cells[i].end(), " ");
            break;
        case 'P': // characters go, those behind them come nearer
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(std::min(m_column, row.size())),
                      row.begin() +
                          static_cast<std::ptrdiff_t>(std::min(m_column + number(0, 1), row.size())));
            row.resize(m_cells[m_row == 0 ? lastRow : 0].size(), " ");
            break;
        case '@': {
            const std::size_t width = row.size();
            row.insert(row.begin() + static_cast<std::ptrdiff_t>(std::min(m_column, width)), number(0, 1),
                       " ");
            row.resize(width);
            break;
        }
        default:
            break;
        }
    }

    std::vector<std::vector<std::string>> m_cells; // a character each
    std::size_t m_row = 0, m_column = 0, m_top = 0, m_bottom = 0;
    bool m_inserts = false; // what is written moves what is there to the right
    std::string m_left, m_last;
};

// A program in a terminal of its own.
class TerminalChild
{
public:
    TerminalChild(const std::string& program, const std::vector<std::string>& arguments,
                  const std::string& type = "xterm", const std::string& locale = "C.UTF-8")
    {
        std::vector<std::string> words{program};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        const winsize size{24, 80, 0, 0};
        int slave = -1;
        if (::openpty(&m_terminal, &slave, nullptr, nullptr, &size) != 0)
            return;
        ::tcgetattr(slave, &m_before);
        ::fcntl(m_terminal, F_SETFD, FD_CLOEXEC);
        m_pid = ::fork();
        if (m_pid == 0) {
            ::login_tty(slave);
            ::setenv("TERM", type.c_str(), 1);
            ::setenv("LC_ALL", locale.c_str(), 1);
            ::execv(program.c_str(), argv.data());
            ::_exit(127);
        }
        ::close(slave);
        ::fcntl(m_terminal, F_SETFL, O_NONBLOCK);
    }
    ~TerminalChild()
    {
        if (m_pid > 0 && !m_ended) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
        hangUp();
    }
    TerminalChild(const TerminalChild&) = delete;
    TerminalChild& operator=(const TerminalChild&) = delete;

    void type(std::string_view keys) const
    {
        EXPECT_EQ(::write(m_terminal, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }
    void signal(int number) const { ::kill(m_pid, number); }
    void resize(unsigned short width, unsigned short height)
    {
        read();
        screen.resize(width, height);
        winsize size{height, width, 0, 0};
        ::ioctl(m_terminal, TIOCSWINSZ, &size);
    }
    void hangUp()
    {
        if (m_terminal >= 0)
            ::close(m_terminal);
        m_terminal = -1;
    }
    void read()
    {
        std::string bytes(4096, '\0');
        for (ssize_t length = 0;
             m_terminal >= 0 && (length = ::read(m_terminal, bytes.data(), bytes.size())) > 0;) {
            const std::string_view got(bytes.data(), static_cast<std::size_t>(length));
            written += got;
            screen.write(got);
        }
    }
    // All of these in one line: a screen arrives in pieces.
    testing::AssertionResult showsLine(const std::vector<std::string>& texts)
    {
        const bool found = test::eventually([&] {
            read();
            return screen.hasLineWith(texts);
        });
        return found ? testing::AssertionSuccess()
                     : testing::AssertionFailure() << "not shown: " << testing::PrintToString(texts) << "\n"
                                                   << screen.text();
    }
    testing::AssertionResult shows(const std::string& text) { return showsLine({text}); }
    testing::AssertionResult showsNoMore(const std::string& text)
    {
        const bool gone = test::eventually([&] {
            read();
            return screen.text().find(text) == std::string::npos;
        });
        return gone ? testing::AssertionSuccess()
                    : testing::AssertionFailure() << "still shown: " << text << "\n"
                                                  << screen.text();
    }
    // The exit code, or 128 + the signal.
    int wait()
    {
        int status = 0;
        m_ended = test::eventually([&] {
            read();
            return ::waitpid(m_pid, &status, WNOHANG) == m_pid;
        });
        read();
        return !m_ended ? -1 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    bool isStopped() const
    {
        int status = 0;
        return ::waitpid(m_pid, &status, WNOHANG | WUNTRACED) == m_pid && WIFSTOPPED(status);
    }
    // Lines are edited and echoed again, and the screen that was there before is shown.
    testing::AssertionResult isRestored() const
    {
        termios now{};
        ::tcgetattr(m_terminal, &now);
        if (now.c_lflag != m_before.c_lflag || now.c_iflag != m_before.c_iflag ||
            now.c_oflag != m_before.c_oflag)
            return testing::AssertionFailure() << "the modes of the terminal are others";
        const std::size_t enter = written.rfind("\x1b[?1049h"), leave = written.rfind("\x1b[?1049l");
        if (enter == std::string::npos || leave == std::string::npos || leave < enter)
            return testing::AssertionFailure() << "the screen of the program is still shown";
        return testing::AssertionSuccess();
    }

    ScreenText screen{80, 24};
    std::string written; // all of it

private:
    int m_terminal = -1, m_pid = -1;
    bool m_ended = false;
    termios m_before{};
};

class WatchTui : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        client = world->connect();
        other = world->connect();
        world->create(*client, path(), "");
        first = take(*client, path());
        second = take(*other, path(), "build-7 4711 worker");
    }
    void TearDown() override
    {
        client.reset();
        other.reset();
        ZkTest::TearDown();
    }
    std::string take(zk::Session& session, const std::string& lock, const std::string& data = "10.1.2.3")
    {
        return world->create(session, lock + kNode, data, CreateMode::ephemeralSequential).path;
    }
    std::vector<std::string> words(const std::string& address,
                                   const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> all{"watch", address, "--tree", path(), "--tui"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    static std::string numberOf(const std::string& node) { return node.substr(node.size() - 10); }

    HubSessionPtr client, other;
    std::string first, second; // nodes
};

TEST_F(WatchTui, ShowsWhoHoldsWhoWaitsAndTheQueue)
{
    TerminalChild child(LOCKSCOPE_CLI, words(server().address()));
    ASSERT_TRUE(child.shows("waiting: 1"));
    EXPECT_TRUE(child.showsLine({">", path().substr(path().size() - 10), "10.1.2.3", " 1"}));
    child.type("\r");
    ASSERT_TRUE(child.shows("nodes: 2"));
    EXPECT_TRUE(child.showsLine({"> holds", "10.1.2.3", numberOf(first)}));
    EXPECT_TRUE(child.showsLine({"  waits", "build-7 4711 worker", numberOf(second)}));
    child.type("\x1bOB"); // down
    ASSERT_TRUE(child.shows("> waits"));
    child.type("[");
    ASSERT_TRUE(child.shows("> holds"));
    child.type("]");
    ASSERT_TRUE(child.shows("> waits"));
    EXPECT_EQ(world->remove(*client, first), zk::Code::ok);
    ASSERT_TRUE(child.shows("nodes: 1")) << "the queue is that of now";
    EXPECT_TRUE(child.showsLine({"> holds", numberOf(second)}));
    child.type("q");
    EXPECT_EQ(child.wait(), 0) << child.screen.text();
    EXPECT_TRUE(child.isRestored());
}

TEST_F(WatchTui, GoesFromABlockedClientToItsBlockerInAnotherLock)
{
    const std::string a = path() + "/a", b = path() + "/b";
    world->create(*client, a, "");
    world->create(*client, b, "");
    take(*client, a);
    take(*other, a);
    take(*other, b);
    TerminalChild child(LOCKSCOPE_CLI, {"watch", server().address(), "--lock", a, "--lock", b, "--tui"});
    ASSERT_TRUE(child.shows("locks: 2"));
    child.type("/" + b + "\r");
    ASSERT_TRUE(child.shows("filter: "));
    child.type("\r");
    ASSERT_TRUE(child.shows("nodes: 1"));
    child.type("[");
    ASSERT_TRUE(child.showsLine({"Lock/a ", "nodes: 2"})) << "its holder waits there";
    EXPECT_TRUE(child.shows("> holds"));
    child.type("]");
    ASSERT_TRUE(child.showsLine({"Lock/b ", "nodes: 1"}));
    child.type("q");
    EXPECT_EQ(child.wait(), 0);
}

TEST_F(WatchTui, RestoresTheTerminalHoweverItEnds)
{
    for (const int number : {SIGTERM, SIGINT, SIGHUP, 0, -1}) {
        TerminalChild child(LOCKSCOPE_CLI, words(server().address()));
        ASSERT_TRUE(child.shows("waiting: 1"));
        if (number > 0)
            child.signal(number);
        else
            child.type(number == 0 ? "\x03" : "\x1c"); // Ctrl+C, Ctrl+backslash
        EXPECT_EQ(child.wait(), 0) << number;
        EXPECT_TRUE(child.isRestored()) << number;
    }
    TerminalChild child(LOCKSCOPE_CLI, words(server().address(), {"--duration", "1ms"}));
    EXPECT_EQ(child.wait(), 0);
    EXPECT_TRUE(child.isRestored());
}

TEST_F(WatchTui, StopsAndGoesOn)
{
    TerminalChild child(LOCKSCOPE_CLI, words(server().address()));
    ASSERT_TRUE(child.shows("waiting: 1"));
    child.type("\x1a"); // Ctrl+Z
    ASSERT_TRUE(test::eventually([&] {
        child.read();
        return child.isStopped();
    }));
    child.read();
    EXPECT_TRUE(child.isRestored()) << "while it is stopped";
    child.signal(SIGCONT);
    world->remove(*other, second);
    ASSERT_TRUE(child.shows("waiting: 0"));
    child.type("q");
    EXPECT_EQ(child.wait(), 0);
    EXPECT_TRUE(child.isRestored());
}

TEST_F(WatchTui, EndsWhenTheTerminalHangsUp)
{
    TerminalChild child(LOCKSCOPE_CLI, words(server().address()));
    ASSERT_TRUE(child.shows("waiting: 1"));
    child.hangUp();
    EXPECT_EQ(child.wait(), 0);
}

TEST_F(WatchTui, FollowsTheSizeOfTheTerminal)
{
    TerminalChild child(LOCKSCOPE_CLI, words(server().address()));
    ASSERT_TRUE(child.shows("? keys"));
    EXPECT_THAT(child.screen.line(23), HasSubstr("? keys"));
    for (const auto& [width, height] : {std::pair(120, 40), std::pair(60, 10)}) {
        child.resize(static_cast<unsigned short>(width), static_cast<unsigned short>(height));
        ASSERT_TRUE(child.shows("? keys"));
        const auto last = static_cast<std::size_t>(height) - 1;
        EXPECT_TRUE(test::eventually([&] {
            child.read();
            return child.screen.line(last).find("? keys") != std::string::npos;
        })) << child.screen.text();
    }
}

TEST_F(WatchTui, SaysInTheLastLineThatThereIsNoNews)
{
    LossyRelay relay(server().address());
    TerminalChild child(LOCKSCOPE_CLI, words(relay.address()));
    ASSERT_TRUE(child.shows("waiting: 1"));
    relay.cut();
    ASSERT_TRUE(child.showsLine({"No news for ", "this is the state of "}));
    EXPECT_THAT(child.screen.line(23), HasSubstr("No news for ")) << "the last line";
    EXPECT_TRUE(child.showsLine({">", " 1"})) << "what was known is still shown";
    relay.heal();
    EXPECT_TRUE(child.showsNoMore("No news for "));
    child.type("q");
    EXPECT_EQ(child.wait(), 0);
}

TEST_F(WatchTui, NoKeyChangesAnythingOnTheServer)
{
    TerminalChild child(LOCKSCOPE_CLI, words(server().address()));
    ASSERT_TRUE(child.shows("waiting: 1"));
    const zk::Stat before = world->get(*client, path()).stat;
    std::string keys;
    for (int round = 0; round < 3; ++round)
        for (int c = 1; c < 256; ++c)
            if (std::string_view("q\x03\x11\x13\x1a\x1c").find(static_cast<char>(c)) ==
                std::string_view::npos) // those that end or stop it
                keys += static_cast<char>(c);
    child.type(keys);
    child.type("\r\x1b"); // no filter
    child.signal(SIGTERM);
    EXPECT_EQ(child.wait(), 0);
    const zk::Stat after = world->get(*client, path()).stat;
    EXPECT_EQ(after.cversion, before.cversion);
    EXPECT_EQ(after.pzxid, before.pzxid);
    EXPECT_EQ(after.version, before.version);
}

TEST_F(WatchTui, IsAsciiInTheCLocale)
{
    world->create(*client, path() + "/锁", "");
    take(*client, path() + "/锁");
    TerminalChild child(LOCKSCOPE_CLI, words(server().address()), "vt100", "C");
    ASSERT_TRUE(child.shows("locks: 2"));
    child.type("?");
    ASSERT_TRUE(child.shows("Ctrl+C"));
    child.type("qq");
    EXPECT_EQ(child.wait(), 0);
    EXPECT_TRUE(std::none_of(child.written.begin(), child.written.end(),
                             [](char c) { return static_cast<unsigned char>(c) > 0x7e; }));
    TerminalChild wide(LOCKSCOPE_CLI, words(server().address()));
    EXPECT_TRUE(wide.shows("/锁"));
}

// A message must not be written over the screen; it is on standard error when the screen has gone.
TEST_F(WatchTui, MessagesAreShownAndAreStillThereAtTheEnd)
{
    TerminalChild child(LOCKSCOPE_CLI, {"watch", server().address(), "--lock", path() + "/none", "--tui"});
    ASSERT_TRUE(child.shows("lockscope-cli: There is no path "));
    EXPECT_THAT(child.screen.line(22), HasSubstr("There is no path ")) << "at its place";
    child.type("q");
    EXPECT_EQ(child.wait(), 0);
    EXPECT_TRUE(child.isRestored());
    EXPECT_THAT(child.written.substr(child.written.rfind("\x1b[?1049l")), HasSubstr("There is no path "));
}

TEST(WatchTuiOptions, NeedATerminal)
{
    const std::vector<std::string> watch{"watch", "127.0.0.1:1", "--lock", "/x", "--tui"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), watch.begin(), watch.end());
        return more;
    };
    test::Child lines(LOCKSCOPE_CLI, watch);
    EXPECT_EQ(lines.wait(), 2);
    EXPECT_THAT(lines.errors(), AllOf(HasSubstr("--tui needs a terminal"), HasSubstr("Leave --tui out")));
    test::Child quiet(LOCKSCOPE_CLI, with({"--quiet"}));
    EXPECT_EQ(quiet.wait(), 2);
    test::Child report(LOCKSCOPE_CLI, with({"--report", "-"}));
    EXPECT_EQ(report.wait(), 2);
    EXPECT_THAT(report.errors(), HasSubstr("standard output is the screen"));
    for (const char* type : {"no-such-terminal", "dumb"}) {
        TerminalChild unknown(LOCKSCOPE_CLI, watch, type);
        EXPECT_EQ(unknown.wait(), 2);
        EXPECT_THAT(unknown.written, AllOf(HasSubstr(std::string("TERM=") + type), HasSubstr("Set TERM")));
    }
}

TEST(WatchTuiOptions, ATerminalIsRestoredWhenNoServerAnswers)
{
    TerminalChild child(LOCKSCOPE_CLI, {"watch", "127.0.0.1:1", "--lock", "/x", "--tui"});
    EXPECT_EQ(child.wait(), 3);
    EXPECT_TRUE(child.isRestored());
    const std::string after = child.written.substr(child.written.rfind("\x1b[?1049l"));
    const std::string said = "No ZooKeeper answers at 127.0.0.1:1";
    EXPECT_THAT(after, HasSubstr(said));
    EXPECT_EQ(after.find(said), after.rfind(said)) << "it is said once:" << after;
}

} // namespace
} // namespace lockscope::tests
