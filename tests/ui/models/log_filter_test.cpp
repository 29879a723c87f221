// The filter language of the log: what a text means, where it is wrong, what may follow, and which events
// pass.
#include "core/replay/fold/reducer.h"
#include "tests/support/trace_script.h"
#include "ui/models/rows/log_filter.h"

#include <gtest/gtest.h>

namespace lockscope::ui {
namespace {

using namespace std::chrono_literals;
using Key = LogTerm::Key;

std::string meaning(const LogFilter& filter)
{
    constexpr std::array kNames{"word", "client", "who", "op", "node", "lock", "kind", "after", "before"};
    std::string text;
    for (const LogTerm& term : filter.terms) {
        text += (text.empty() ? "" : " & ") + std::string(term.negated ? "not " : "") +
                kNames[static_cast<std::size_t>(term.key)] + '=';
        text += term.key >= Key::after ? std::to_string(term.time / 1us) + "us" : term.value.toStdString();
    }
    return text;
}

struct Meaning
{
    const char* typed;
    const char* meant;
};

TEST(LogFilterLanguage, MeansWhatItSays)
{
    for (const Meaning& each : std::initializer_list<Meaning>{
             {"", ""},
             {"   ", ""},
             {"two words", "word=two & word=words"},
             {"\"one phrase\"", "word=one phrase"},
             {"-not", "not word=not"},
             {"-\"not this\"", "not word=not this"},
             {"client:c2 op:getData", "client=c2 & op=getData"},
             {"who:bo owner:bo", "who=bo & who=bo"},
             {"CLIENT:\"the third\"", "client=the third"},
             {"-kind:watch", "not kind=watch"},
             {"after:1.2s before:3s", "after=1200000us & before=3000000us"},
             {"after:250ms before:30us after:2 before:1min",
              "after=250000us & before=30us & after=2000000us & before=60000000us"},
             {"lock:left node:lock-0000000007", "lock=left & node=lock-0000000007"},
             {"127.0.0.1:2181", "word=127.0.0.1:2181"},
             {"\"op:not a key\"", "word=op:not a key"},
         }) {
        const ParsedLogFilter parsed = parseLogFilter(each.typed);
        EXPECT_EQ(meaning(parsed.filter), each.meant) << each.typed;
        EXPECT_FALSE(parsed.fault.has_value()) << each.typed;
    }
}

struct Wrong
{
    const char* typed;
    int at;
    int length;
    const char* says;
};

TEST(LogFilterLanguage, PointsAtWhatIsWrong)
{
    for (const Wrong& each : std::initializer_list<Wrong>{
             {"say clinet:c2", 4, 6, "unknown key"},
             {"op:", 2, 1, "value"},
             {"a \"b c", 2, 1, "not closed"},
             {"a -", 2, 1, "after the minus"},
             {"op:x after:soon", 11, 4, "a time"},
             {"before:-1s", 7, 3, "a time"},
             {"kind:wacth", 5, 5, "watch"},
             {"client:\"bo", 7, 1, "not closed"},
         }) {
        const ParsedLogFilter parsed = parseLogFilter(each.typed);
        ASSERT_TRUE(parsed.fault.has_value()) << each.typed;
        EXPECT_EQ(parsed.fault->at, each.at) << each.typed;
        EXPECT_EQ(parsed.fault->length, each.length) << each.typed;
        EXPECT_TRUE(parsed.fault->text.contains(each.says)) << parsed.fault->text.toStdString();
    }
    EXPECT_EQ(meaning(parseLogFilter("op:getData kind:x bo").filter), "op=getData & word=bo")
        << "the rest holds";
}

class LogFilterEventsTest : public testing::Test
{
protected:
    LogFilterEventsTest()
        : store(
              tests::traceScript("10ms ada holds n1; bo waits n2 n1; 20ms ada release n1; 30ms bo fired n1"))
    {
        for (std::size_t i = 0; i < store->count(); ++i)
            replay::apply(state, *store, i);
    }
    std::size_t passing(const char* typed) const
    {
        const LogFilter filter = LogFilter::parse(typed);
        std::size_t count = 0;
        for (std::size_t i = 0; i < store->count(); ++i)
            count += filter.passes(store->at(i), state) ? 1 : 0;
        return count;
    }
    std::shared_ptr<trace::TraceStore> store;
    replay::RunState state;
};

TEST_F(LogFilterEventsTest, AllTermsMustHold)
{
    EXPECT_EQ(passing(""), store->count());
    EXPECT_EQ(passing("kind:watch"), 1u);
    EXPECT_EQ(passing("kind:watch client:bo"), 1u);
    EXPECT_EQ(passing("kind:watch client:ada"), 0u);
    EXPECT_EQ(passing("kind:watch who:zk"), 1u) << "the log's column";
    EXPECT_EQ(passing("kind:watch") + passing("-kind:watch"), store->count());
    EXPECT_EQ(passing("after:20ms") + passing("before:20ms"), store->count());
    EXPECT_EQ(passing("after:30ms"), 1u);
    EXPECT_GT(passing("node:lock-0000000002"), 0u);
    EXPECT_GT(passing("lock:well"), 0u);
    EXPECT_EQ(passing("lock:nowhere"), 0u);
}

TEST_F(LogFilterEventsTest, OffersKeysAndTheirValues)
{
    EXPECT_EQ(logFilterCompletions("cl", 2, state).words, QStringList{"client:"});
    EXPECT_EQ(logFilterCompletions("op:x client:", 12, state).words,
              (QStringList{"client:ada", "client:bo"}));
    EXPECT_EQ(logFilterCompletions("op:x client:", 12, state).from, 5);
    EXPECT_EQ(logFilterCompletions("-kind:w", 7, state).words, QStringList{"kind:watch"});
    EXPECT_EQ(logFilterCompletions("-kind:w", 7, state).from, 1);
    EXPECT_TRUE(logFilterCompletions("", 0, state).words.isEmpty());
    EXPECT_TRUE(logFilterCompletions("op:getData ", 11, state).words.isEmpty());
}

} // namespace
} // namespace lockscope::ui
