// The page of a run: says what was found, needs nothing else, and shows text from outside as text.
#include "core/exports/html_report.h"
#include "core/exports/words.h"
#include "tests/exports/exported.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(const trace::TraceStore& store, const std::vector<exports::Picture>& pictures = {})
{
    return exported(store, [&](const exports::Source& source, const exports::Out& out) {
        return exports::htmlReport(source, pictures, out);
    });
}

TEST(HtmlReport, SaysWhatWasFound)
{
    const std::string good = page(*sampleRun());
    EXPECT_THAT(good, HasSubstr("Findings: all hold"));
    EXPECT_THAT(good, HasSubstr("One holder at a time"));
    EXPECT_THAT(good, HasSubstr("class=\"holding\""));
    EXPECT_THAT(good, HasSubstr("Handoff times"));
    SampleOptions frozen;
    frozen.freezeHolderAtGrant = 10;
    const std::string bad = page(*sampleRun(frozen));
    EXPECT_THAT(bad, HasSubstr("violated</td>"));
    EXPECT_THAT(bad, HasSubstr("class=\"stale\""));
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
