// Lessons at the command line, with a ZooKeeper of their own.
#include "tests/integration/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace lockscope::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Lessons, AreListedNameFirst)
{
    Child child(LOCKSCOPE_RUN, {"--lessons"});
    ASSERT_EQ(child.wait(), 0);
    EXPECT_THAT(child.output(), StartsWith("opening "));
    for (const char* name : {"\nqueue ", "\nwatch ", "\nreentrancy ", "\ndeath ", "\nlost-reply ", "\npause "})
        EXPECT_THAT(child.output(), HasSubstr(name));
}

constexpr const char* kShort = R"(title = "Short"
[scenarios.two]
clients = ["ada", "bo"]
cycles = 1
hold = "1h"
script = ["at 0s: hold bo before create", "when ada holds: let bo go"]

[[step]]
name = "next"
text = "ada leaves."
scenario = "two"
until = "when bo waits"
[step.bet]
question = "Who holds next?"
who = "next holder"
do = ["remove ada"]
then = "when anybody holds"
)";

TEST(Lessons, OneIsPlayedOnAServerOfItsOwnWithTheEventThatProvesTheAnswer)
{
    tests::TempFolder folder;
    const std::string file = (folder.path() / "short.toml").string();
    std::ofstream(file) << kShort;
    Child child(LOCKSCOPE_RUN, {"--lesson", file, "--answers", "wrong"});
    EXPECT_EQ(child.wait(), 0) << child.errors();
    EXPECT_THAT(child.output(), StartsWith("next\n"));
    EXPECT_THAT(child.output(), HasSubstr("  bet:   ada\n"));
    EXPECT_THAT(child.output(), HasSubstr("  run:   bo\n"));
    EXPECT_THAT(child.output(), HasSubstr("bo: acquired 0000000001"));
}

TEST(Lessons, AMistakeIsReportedWithItsPlace)
{
    tests::TempFolder folder;
    const std::string file = (folder.path() / "broken.toml").string();
    std::ofstream(file) << "title = \"Broken\"\nminutes = 0\n[[step]]\ntext = \"x\"\n";
    Child child(LOCKSCOPE_RUN, {"--lesson", file});
    EXPECT_EQ(child.wait(), 2);
    EXPECT_THAT(child.errors(), HasSubstr("broken.toml:2:11: found 0"));
    Child none(LOCKSCOPE_RUN, {"--lesson", "no-such-lesson"});
    EXPECT_EQ(none.wait(), 2);
    Child answers(LOCKSCOPE_RUN, {"--lesson", "queue", "--answers", "maybe"});
    EXPECT_EQ(answers.wait(), 2);
    EXPECT_THAT(answers.errors(), HasSubstr("--answers"));
    Child traced(LOCKSCOPE_RUN, {"--lesson", "queue", "--trace", (folder.path() / "never.jsonl").string()});
    EXPECT_EQ(traced.wait(), 2);
    EXPECT_THAT(traced.errors(), HasSubstr("--trace"));
}

TEST(Lessons, AnAddressThatIsNoneEndsTheLesson)
{
    Child child(LOCKSCOPE_RUN, {"--lesson", "queue", "--connect", "127.0.0.1:99999"});
    EXPECT_EQ(child.wait(), 2);
    EXPECT_THAT(child.errors(), StartsWith("lockscope-run: "));
}

} // namespace
} // namespace lockscope::test
