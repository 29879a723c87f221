// The trace for Perfetto: valid JSON whose events obey the format, so that no span or arrow is lost in it.
#include "core/exports/chrome_trace.h"
#include "tests/exports/exported.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace lockscope::tests {
namespace {

struct Piece
{
    double begin, end;
    std::string name;
};

class ChromeTraceTest : public testing::Test
{
protected:
    void parse(const trace::TraceStore& store)
    {
        text = exported(store, exports::chromeTrace);
        simdjson::dom::element document;
        ASSERT_EQ(parser.parse(text).get(document), simdjson::SUCCESS) << text.substr(0, 400);
        const simdjson::dom::array events = document["traceEvents"].get_array().value();
        for (const simdjson::dom::element event : events)
            take(event);
    }
    void take(simdjson::dom::element event)
    {
        const std::string kind(event["ph"].get_string().value());
        const auto thread = static_cast<std::uint64_t>(event["tid"].get_int64().value());
        const std::string name(event["name"].get_string().value());
        ++kinds[kind];
        if (name == "thread_name")
            threads[thread] = std::string(event["args"]["name"].get_string().value());
        if (kind == "X") {
            const double begin = event["ts"].get_double().value();
            pieces[thread].push_back({begin, begin + event["dur"].get_double().value(), name});
        }
        if (kind == "s" || kind == "f")
            arrows[event["id"].get_int64().value()].push_back(
                {kind, thread, event["ts"].get_double().value()});
    }
    struct End
    {
        std::string kind;
        std::uint64_t thread;
        double at;
    };
    bool inside(const End& end) const
    {
        for (const Piece& piece : pieces.at(end.thread))
            if (piece.begin <= end.at && end.at <= piece.end && piece.name.starts_with("holds"))
                return true;
        return false;
    }

    simdjson::dom::parser parser;
    std::string text;
    std::map<std::string, int> kinds;
    std::map<std::uint64_t, std::string> threads;
    std::map<std::uint64_t, std::vector<Piece>> pieces;
    std::map<std::int64_t, std::vector<End>> arrows;
};

TEST_F(ChromeTraceTest, HasAThreadForEachClientAndAllThatItDid)
{
    const auto store = eventfulRun();
    parse(*store);
    int instants = 0;
    for (std::size_t i = 0; i < store->count(); ++i)
        instants += std::holds_alternative<trace::WatchFired>(store->at(i).what) ||
                    std::holds_alternative<trace::Command>(store->at(i).what);
    EXPECT_EQ(threads.size(), 9u) << "the run and eight clients";
    std::set<std::string> names;
    for (const auto& [thread, all] : pieces)
        for (const Piece& piece : all)
            names.insert(piece.name);
    for (const char* name :
         {"waits", "holds", "re-entered", "suspended", "frozen", "stale: believes to hold"})
        EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_GE(kinds["i"], instants) << "watches, and what was done to the run";
}

TEST_F(ChromeTraceTest, SpansOfAThreadAreNestedOrApart)
{
    parse(*eventfulRun());
    for (const auto& [thread, all] : pieces)
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = i + 1; k < all.size(); ++k) {
                const Piece &a = all[i], &b = all[k];
                ASSERT_LE(a.begin, b.begin) << "in order of time";
                constexpr double kRounding = 1e-6;
                EXPECT_TRUE(b.begin >= a.end - kRounding || b.end <= a.end + kRounding)
                    << thread << ": " << a.name << ' ' << a.begin << '-' << a.end << " and " << b.name << ' '
                    << b.begin << '-' << b.end;
            }
}

TEST_F(ChromeTraceTest, ArrowsLeadFromAHoldToTheNextOne)
{
    parse(*eventfulRun());
    EXPECT_GT(arrows.size(), 40u);
    for (const auto& [id, ends] : arrows) {
        ASSERT_EQ(ends.size(), 2u);
        EXPECT_EQ(ends[0].kind, "s");
        EXPECT_EQ(ends[1].kind, "f");
        EXPECT_LE(ends[0].at, ends[1].at);
        EXPECT_TRUE(inside(ends[1])) << id;
    }
}

TEST_F(ChromeTraceTest, HostileTextAndAnEmptyTraceAreValid)
{
    parse(*hostileRun());
    EXPECT_EQ(threads.at(2).substr(0, 4), "=cmd");
    EXPECT_EQ(threads.at(2).find('\n'), std::string::npos);
    parse(trace::TraceStore());
}

TEST_F(ChromeTraceTest, IsTheSameBytesForTheSameTrace)
{
    EXPECT_EQ(exported(*eventfulRun(), exports::chromeTrace), exported(*eventfulRun(), exports::chromeTrace));
}

} // namespace
} // namespace lockscope::tests
