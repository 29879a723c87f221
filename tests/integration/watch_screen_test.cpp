// What watch --tui shows and what its keys do, as lines, without a terminal.
#include "app/lockscope_cli/watch_screen.h"
#include "core/base/utf8.h"
#include "core/trace/plain_text.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::tests {
namespace {

using app::ScreenKey;
using app::ScreenLine;
using app::ScreenSize;
using app::ScreenState;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::int64_t kNow = 1'795'403'045'000; // 2026-11-23T03:04:05Z

field::Participant participant(const std::string& node, std::int64_t session, bool holds,
                               const std::string& behind = {})
{
    field::Participant one;
    one.node = node;
    one.session = SessionId{session};
    one.address = "10.1.2." + std::to_string(session) + ":4000";
    one.createdMs = kNow - 10'000;
    one.holds = holds;
    one.waits = !holds;
    one.behind = behind;
    if (holds)
        one.heldSince = field::HeldSince{kNow - 65'000, kNow - 65'000};
    return one;
}

field::LockStatus lock(const std::string& path, std::vector<field::Participant> participants)
{
    field::LockStatus row;
    row.path = path;
    row.recipe = history::Recipe::mutex;
    for (field::Participant& one : participants) {
        one.parent = path;
        row.holders += one.holds ? 1 : 0;
        row.waiting += one.waits ? 1 : 0;
        if (one.holds && !row.holder)
            row.holder = one;
    }
    row.longestWaitNowMs = row.waiting > 0 ? 10'000 : 0;
    row.state = row.holders > 0 ? field::HoldState::held : field::HoldState::free;
    row.participants = std::move(participants);
    return row;
}

// Of three sessions: 1 holds /locks/a; 2 waits there and holds /locks/b; 3 waits at /locks/b.
std::vector<field::LockStatus> chain()
{
    return {lock("/locks/b", {participant("lock-0000000004", 2, true),
                              participant("lock-0000000007", 3, false, "lock-0000000004")}),
            lock("/locks/a", {participant("lock-0000000001", 1, true),
                              participant("lock-0000000002", 2, false, "lock-0000000001")}),
            lock("/locks/c", {})};
}

std::shared_ptr<field::Snapshot> snapshotOf(std::vector<field::LockStatus> locks)
{
    const auto snapshot = std::make_shared<field::Snapshot>();
    snapshot->watching = field::WatchState::everyChange;
    snapshot->server = "127.0.0.1:2181";
    snapshot->atMs = kNow;
    snapshot->sinceMs = kNow - 60'000;
    snapshot->locks = std::move(locks);
    return snapshot;
}

class WatchScreen : public testing::Test
{
protected:
    void show(std::vector<field::LockStatus> locks)
    {
        app::showSnapshot(state, snapshotOf(std::move(locks)));
    }
    std::vector<ScreenLine> lines() const { return app::screenLines(state, size); }
    std::vector<std::string> texts() const
    {
        std::vector<std::string> all;
        for (const ScreenLine& line : lines())
            all.push_back(line.text);
        return all;
    }
    std::string lineWith(const std::string& part) const
    {
        const auto all = texts();
        const auto line = std::find_if(all.begin(), all.end(), [&](const std::string& each) {
            return each.find(part) != std::string::npos;
        });
        return line == all.end() ? "no line with " + part : *line;
    }
    std::string chosen() const // the row that is selected
    {
        for (const ScreenLine& line : lines())
            if (line.style == ScreenLine::Style::selected)
                return line.text;
        return "nothing is selected";
    }
    std::vector<std::string> rows() const // of the list: the first word of each
    {
        std::vector<std::string> paths;
        for (const std::string& line : texts())
            if (line.size() > 2 && line[2] == '/')
                paths.push_back(line.substr(2, line.find(' ', 2) - 2));
        return paths;
    }
    bool press(ScreenKey::Kind kind) { return app::press(state, {kind, {}}, size); }
    bool type(const std::string& text)
    {
        bool goesOn = true;
        for (const char c : text)
            goesOn = app::press(state, {ScreenKey::Kind::character, {c}}, size) && goesOn;
        return goesOn;
    }
    std::string status() const { return texts().back(); }

    ScreenState state{.servers = "zk1:2181"};
    ScreenSize size{80, 24};
};

TEST_F(WatchScreen, ListsTheLocksInTheOrderOfTheWatch)
{
    auto locks = chain();
    locks[0].diagnosis = field::Diagnosis{.kind = field::Diagnosis::Kind::holderSilent,
                                          .node = "lock-0000000004",
                                          .session = SessionId{2},
                                          .span = std::chrono::seconds(9),
                                          .reference = std::chrono::seconds(10)};
    show(locks);
    EXPECT_THAT(rows(), ElementsAre("/locks/b", "/locks/a", "/locks/c"));
    EXPECT_THAT(texts().front(),
                AllOf(HasSubstr("127.0.0.1:2181"), HasSubstr("locks: 3, stuck: 1, waiting: 2"),
                      HasSubstr("03:04:05 UTC")));
    EXPECT_THAT(chosen(), AllOf(StartsWith(">!/locks/b"), HasSubstr("10.1.2.2:4000"), HasSubstr("1 min 05 s"),
                                HasSubstr(" 1      10.0 s  holder_silent")))
        << "what looks stuck has a mark, not only a colour";
    EXPECT_THAT(lineWith("/locks/c"), AllOf(StartsWith("  /locks/c"), HasSubstr("free"), HasSubstr(" 0")));
    EXPECT_THAT(lineWith(sentence(*locks[0].diagnosis).english().substr(0, 20)), StartsWith("  "))
        << "the whole verdict of the lock that is chosen";
}

TEST_F(WatchScreen, FitsEverySize)
{
    auto locks = chain();
    locks[0].path = "/a/path/that/is/much/longer/than/any/screen/" + std::string(300, 'x') + "/锁/end";
    locks[1].diagnosis = field::Diagnosis{.kind = field::Diagnosis::Kind::namesDoNotExclude};
    show(locks);
    state.message = "A message that is longer than a narrow screen.";
    for (const bool queue : {false, true})
        for (const bool help : {false, true}) {
            state.place = {locks[1].path, queue, {}};
            state.showsHelp = help;
            for (std::size_t width = 1; width < 200; width += width < 12 ? 1 : 23)
                for (std::size_t height = 1; height < 60; height += height < 18 ? 1 : 13) {
                    const auto all = app::screenLines(state, {width, height});
                    ASSERT_EQ(all.size(), height) << width;
                    for (const ScreenLine& line : all)
                        ASSERT_LE(trace::columnsOf(line.text), width) << height << ' ' << line.text;
                }
        }
    state.place = {};
    state.showsHelp = false;
    EXPECT_THAT(chosen(), HasSubstr("/锁/end")) << "the end of a path says more than its begin";
}

TEST_F(WatchScreen, ShowsNoControlCharactersOfOthers)
{
    auto locks = chain();
    locks[0].path = "/locks/\x1b[2J\x07";
    locks[0].participants[0].data = locks[0].participants[0].who = "\x1b]0;owned\x07 1 x";
    locks[0].holder = locks[0].participants[0];
    show(locks);
    state.message = "\x1b[31mred";
    for (const bool queue : {false, true}) {
        state.place = {locks[0].path, queue, {}};
        for (const ScreenLine& line : lines())
            EXPECT_TRUE(std::none_of(line.text.begin(), line.text.end(), [](char c) {
                return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
            })) << line.text;
    }
}

TEST_F(WatchScreen, IsAsciiWhereTheTerminalIs)
{
    auto locks = chain();
    locks[0].path = "/locks/锁" + std::string(60, 'x');
    locks[0].participants[0].heldSince = field::HeldSince{kNow - 90'000, kNow - 65'000};
    locks[0].holder = locks[0].participants[0];
    show(locks);
    EXPECT_THAT(chosen(), HasSubstr("≥ 1 min 05 s"));
    state.utf8 = false;
    for (const bool help : {false, true}) {
        state.showsHelp = help;
        for (const ScreenLine& line : lines())
            EXPECT_TRUE(std::none_of(line.text.begin(), line.text.end(), [](char c) {
                return static_cast<unsigned char>(c) > 0x7e;
            })) << line.text;
    }
    state.showsHelp = false;
    EXPECT_THAT(chosen(), AllOf(HasSubstr("> 1 min 05 s"), HasSubstr("~xxx")));
}

TEST_F(WatchScreen, TheSelectionFollowsItsLock)
{
    show(chain());
    EXPECT_THAT(chosen(), HasSubstr("/locks/b"));
    press(ScreenKey::Kind::down);
    EXPECT_THAT(chosen(), HasSubstr("/locks/a"));
    auto other = chain();
    std::swap(other[0], other[2]);
    std::swap(other[0], other[1]); // a, c, b
    show(other);
    EXPECT_THAT(chosen(), HasSubstr("/locks/a"));
    EXPECT_THAT(rows(), ElementsAre("/locks/a", "/locks/c", "/locks/b"));
    other.erase(other.begin());
    show(other);
    EXPECT_THAT(chosen(), HasSubstr("/locks/c")) << "what is in its place when it has gone";
    press(ScreenKey::Kind::end);
    EXPECT_THAT(chosen(), HasSubstr("/locks/b"));
    press(ScreenKey::Kind::pageUp);
    EXPECT_THAT(chosen(), HasSubstr("/locks/c"));
}

TEST_F(WatchScreen, ALongListShowsWhereTheSelectionIs)
{
    std::vector<field::LockStatus> many;
    for (int i = 100; i < 400; ++i)
        many.push_back(lock("/locks/" + std::to_string(i), {}));
    show(many);
    press(ScreenKey::Kind::end);
    EXPECT_THAT(chosen(), HasSubstr("/locks/399"));
    EXPECT_EQ(rows().back(), "/locks/399");
    press(ScreenKey::Kind::pageUp);
    EXPECT_THAT(chosen(), HasSubstr("/locks/383"));
    press(ScreenKey::Kind::home);
    EXPECT_EQ(rows().front(), "/locks/100");
    EXPECT_EQ(rows().size(), 18U) << "of 24 lines: title, heading, verdict, message and keys take six";
}

TEST_F(WatchScreen, TheFilterIsAPartOfThePathTheHolderOrTheRecipe)
{
    show(chain());
    type("/LOCKS/A");
    EXPECT_THAT(lineWith("LOCKS/A_"), StartsWith("/LOCKS/A_"));
    EXPECT_THAT(rows(), ElementsAre("/locks/a"));
    press(ScreenKey::Kind::backspace);
    EXPECT_EQ(rows().size(), 3U);
    press(ScreenKey::Kind::escape);
    type("/1.2.2:");
    press(ScreenKey::Kind::enter);
    EXPECT_THAT(rows(), ElementsAre("/locks/b"));
    EXPECT_THAT(status(), HasSubstr("filter: 1.2.2:"));
    type("/nothing");
    EXPECT_THAT(lineWith("matches"), HasSubstr("No lock matches the filter."));
    EXPECT_TRUE(type("q")) << "a letter of the filter";
    press(ScreenKey::Kind::escape);
    EXPECT_EQ(rows().size(), 3U);
    EXPECT_FALSE(type("q"));
}

TEST_F(WatchScreen, AKeySortsTheLocks)
{
    auto locks = chain();
    locks[1].longestWaitNowMs = 20'000;
    show(locks);
    EXPECT_THAT(status(), HasSubstr("sort: stuck first"));
    press(ScreenKey::Kind::down);
    type("s");
    EXPECT_THAT(status(), HasSubstr("sort: longest wait"));
    EXPECT_THAT(rows(), ElementsAre("/locks/a", "/locks/b", "/locks/c"));
    EXPECT_THAT(chosen(), HasSubstr("/locks/a")) << "the selection stays with its lock";
    locks[2].longestWaitNowMs = 30'000;
    show(locks);
    EXPECT_THAT(rows(), ElementsAre("/locks/c", "/locks/a", "/locks/b"));
    type("s");
    EXPECT_THAT(status(), HasSubstr("sort: path"));
    EXPECT_THAT(rows(), ElementsAre("/locks/a", "/locks/b", "/locks/c"));
    type("s");
    EXPECT_THAT(rows(), ElementsAre("/locks/b", "/locks/a", "/locks/c"));
}

TEST_F(WatchScreen, AQueueHasItsNodesAndTheLastHolders)
{
    auto locks = chain();
    locks[0].lastHolds = {
        {"10.1.2.9:4000", SessionId{9}, {kNow - 80'000, kNow - 70'000}, {}, kNow - 65'000},
        {"", SessionId{8}, {kNow - 65'000, kNow - 65'000}, 250, {}},
    };
    show(locks);
    press(ScreenKey::Kind::enter);
    EXPECT_THAT(texts().front(), AllOf(HasSubstr("/locks/b"), HasSubstr("nodes: 2")));
    EXPECT_THAT(chosen(), AllOf(HasSubstr("holds"), HasSubstr("10.1.2.2:4000"), HasSubstr("1 min 05 s"),
                                HasSubstr("0000000004")));
    EXPECT_THAT(lineWith("waits"), AllOf(HasSubstr("10.1.2.3:4000"), HasSubstr("10.0 s")));
    EXPECT_THAT(lineWith("03:03:00"), AllOf(HasSubstr("0x8"), HasSubstr("250 ms     not known")));
    EXPECT_THAT(lineWith("earlier"),
                AllOf(HasSubstr("10.1.2.9:4000"), HasSubstr("not known"), HasSubstr("≥ 5.0 s")));
    field::LongWait wait{
        "lock-0000000007", "10.1.2.3:4000", SessionId{3}, {}, {{"10.1.2.2:4000", SessionId{2}}}};
    wait.split = queue::splitWait(0, 10'000, {{queue::WaitPart::held, 0, 9'000, 0}},
                                  {queue::WaitPart::held, queue::WaitPart::noServer});
    locks[0].longWait = wait;
    show(locks);
    std::string text;
    for (const std::string& line : texts())
        text += line;
    EXPECT_THAT(text, HasSubstr("the longest wait, of 10.1.2.3:4000, 10.0 s: held by others 9.0 s"));
    EXPECT_THAT(text, HasSubstr("not known 1.0 s; nothing is known of:"));
    press(ScreenKey::Kind::escape);
    EXPECT_EQ(rows().size(), 3U);
    EXPECT_THAT(chosen(), HasSubstr("/locks/b"));
}

TEST_F(WatchScreen, FromAClientToItsBlockerAndBack)
{
    show(chain());
    press(ScreenKey::Kind::enter);
    press(ScreenKey::Kind::down);
    EXPECT_THAT(chosen(), HasSubstr("0000000007"));
    type("[");
    EXPECT_THAT(chosen(), HasSubstr("0000000004")) << "the node that it waits for";
    type("[");
    EXPECT_THAT(texts().front(), HasSubstr("/locks/a"));
    EXPECT_THAT(chosen(), HasSubstr("0000000001")) << "its session waits in another lock";
    type("[");
    EXPECT_THAT(status(), HasSubstr("10.1.2.1:4000 waits for nobody who is known."));
    EXPECT_THAT(chosen(), HasSubstr("0000000001"));
    type("]");
    EXPECT_THAT(chosen(), HasSubstr("0000000004"));
    type("]");
    EXPECT_THAT(chosen(), HasSubstr("0000000007"));
    type("]");
    EXPECT_THAT(status(), HasSubstr("nothing to go back to"));
    press(ScreenKey::Kind::escape);
    type("[");
    EXPECT_THAT(chosen(), HasSubstr("0000000001")) << "in the list: what keeps the holder";
    type("]");
    EXPECT_THAT(chosen(), HasSubstr("/locks/b"));
    EXPECT_EQ(rows().size(), 3U);
}

TEST_F(WatchScreen, SaysWhereTheBlockerIsNotKnown)
{
    auto locks = chain();
    locks[0].participants[1].behind.clear();
    show(locks);
    press(ScreenKey::Kind::enter);
    press(ScreenKey::Kind::down);
    type("[");
    EXPECT_THAT(status(), HasSubstr("10.1.2.3:4000 waits; for which node is not known."));
    EXPECT_THAT(chosen(), HasSubstr("0000000007")) << "the node in front may be no blocker";
    locks[0].recipe = history::Recipe::semaphore;
    locks[0].holders = 3;
    show(locks);
    type("[");
    EXPECT_THAT(status(), HasSubstr("10.1.2.3:4000 waits for any of 3 leases."));
    EXPECT_THAT(chosen(), HasSubstr("0000000007"));
}

TEST_F(WatchScreen, SaysHowOldItIsWithoutNews)
{
    EXPECT_THAT(status(), HasSubstr("Connecting to zk1:2181."));
    show(chain());
    EXPECT_THAT(status(), HasSubstr("? keys"));
    EXPECT_THAT(chosen(), HasSubstr("1 min 05 s"));
    const auto old = snapshotOf(chain());
    old->watching = field::WatchState::outOfContact;
    old->noNewsSinceMs = kNow - 10'000;
    old->gaps.push_back({kNow - 10'000, {}});
    app::showSnapshot(state, old);
    EXPECT_THAT(status(), HasSubstr("No news for 10.0 s: this is the state of 03:03:55 UTC."));
    EXPECT_THAT(texts().front(), HasSubstr("03:03:55 UTC"))
        << "the time of what is shown, not the present one";
    EXPECT_EQ(lines().back().style, ScreenLine::Style::warning);
    EXPECT_THAT(chosen(), HasSubstr("55.0 s")) << "nothing grows while nothing is known";
    type("/");
    EXPECT_THAT(status(), HasSubstr("No news for")) << "and no key takes that away";
    press(ScreenKey::Kind::escape);
    press(ScreenKey::Kind::enter);
    type("]");
    EXPECT_THAT(status(), HasSubstr("No news for"));
}

TEST_F(WatchScreen, HelpIsLeftByAnyKey)
{
    show(chain());
    type("?");
    EXPECT_THAT(lineWith("Ctrl+C"), HasSubstr("end"));
    EXPECT_TRUE(type("q"));
    EXPECT_EQ(rows().size(), 3U);
    show({});
    EXPECT_THAT(lineWith("There are"), HasSubstr("no locks"));
    for (const auto kind : {ScreenKey::Kind::up, ScreenKey::Kind::down, ScreenKey::Kind::enter})
        EXPECT_TRUE(press(kind));
    EXPECT_TRUE(type("[]"));
}

} // namespace
} // namespace lockscope::tests
