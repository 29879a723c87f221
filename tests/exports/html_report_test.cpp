// The page of a run: says what was found, needs nothing else, and shows text from outside as text.
#include "core/exports/html_report.h"
#include "core/exports/text_format.h"
#include "tests/exports/exported.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

namespace lockscope::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(const trace::TraceStore& store, const std::vector<exports::Picture>& pictures = {})
{
    return exported(store, [&](const exports::ExportSource& source, const exports::ExportSink& out) {
        return exports::htmlReport({source.store, source.count, pictures}, out);
    });
}

TEST(HtmlReport, SaysWhatWasFound)
{
    const std::string good = page(*sampleRun());
    EXPECT_THAT(good, HasSubstr("Findings: 8 checked, all hold"));
    EXPECT_THAT(good, HasSubstr("One holder at a time"));
    EXPECT_THAT(good, HasSubstr("\u00b7 5 clients</h1>")) << "the title may count others";
    EXPECT_THAT(good, HasSubstr("\u2013 not checked</td><th>No stray watch"));
    EXPECT_THAT(good, HasSubstr("class=\"holding\""));
    EXPECT_THAT(good, HasSubstr("Handoff times"));
    SampleOptions frozen;
    frozen.freezeHolderAtGrant = 10;
    const std::string bad = page(*sampleRun(frozen));
    EXPECT_LT(bad.find("violated</td>"), bad.find("holds</td>")) << "what is violated comes first";
    EXPECT_THAT(bad, HasSubstr("class=\"stale\""));
}

// 525 ms, 1.1 s, 1.6 s: no time can be read off these.
TEST(HtmlReport, AxesCountInRoundNumbers)
{
    const std::string text = page(*sampleRun());
    const std::regex label("text-anchor=\"(?:start|middle|end)\">([0-9.]+) (?:ms|s)</text>");
    int labels = 0;
    for (std::sregex_iterator each(text.begin(), text.end(), label), end; each != end; ++each, ++labels) {
        const std::string digits = (*each)[1].str();
        EXPECT_LE(std::count_if(digits.begin(), digits.end(), [](char c) { return c >= '1' && c <= '9'; }), 2)
            << digits;
    }
    EXPECT_GE(labels, 4);
}

TEST(HtmlReport, NeedsNothingElse)
{
    const std::string text = page(*eventfulRun(), {{"The window", "image/png", std::string("\x89PNG\0", 5)}});
    EXPECT_THAT(text, HasSubstr("src=\"data:image/png;base64,iVBORwA=\""));
    EXPECT_THAT(text, Not(HasSubstr("http")));
    EXPECT_THAT(text, Not(HasSubstr("<script")));
    EXPECT_TRUE(text.ends_with("</body></html>\n"));
}

TEST(HtmlReport, ShowsTextFromOutsideAsText)
{
    const std::string text = page(*hostileRun());
    EXPECT_THAT(text, Not(HasSubstr("<script")));
    EXPECT_THAT(text, Not(HasSubstr("\u202e")));
    EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
}

TEST(HtmlReport, NamesAllLocksOfAnOrdinaryRun)
{
    trace::TraceStore store;
    for (std::uint16_t i = 0; i < 10; ++i) {
        trace::Event event;
        event.lock = LockId{i};
        const std::string path = "/locks/philosophers/fork-" + std::to_string(i);
        event.what = trace::LockAdded{path, "mutex", ""};
        store.append(event);
    }
    EXPECT_THAT(page(store), HasSubstr("/locks/philosophers/fork-9: mutex.<br>"));
}

TEST(HtmlReport, SaysHowMuchOfALongListItShows)
{
    trace::TraceStore store;
    for (int i = 0; i < 130; ++i) {
        trace::Event event;
        event.at = Duration(i);
        const std::string verb = "fault " + std::to_string(i) + ";";
        event.what = trace::Command{verb, {}};
        store.append(event);
    }
    const std::string text = page(store);
    EXPECT_THAT(text, HasSubstr("fault 1;"));
    EXPECT_THAT(text, HasSubstr("fault 99;"));
    EXPECT_THAT(text, Not(HasSubstr("fault 100;")));
    EXPECT_THAT(text, HasSubstr("The first 100 of 130."));
}

TEST(HtmlReport, IsTheSameBytesForTheSameTrace) { EXPECT_EQ(page(*eventfulRun()), page(*eventfulRun())); }

TEST(Base64, FillsUpTheLastGroup)
{
    EXPECT_EQ(exports::base64(""), "");
    EXPECT_EQ(exports::base64("a"), "YQ==");
    EXPECT_EQ(exports::base64("ab"), "YWI=");
    EXPECT_EQ(exports::base64("abc"), "YWJj");
}

} // namespace
} // namespace lockscope::tests
