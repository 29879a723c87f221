// The lines of a trace file: what is read, and how each error is reported with its place.
#include "tests/trace/trace_reader_test.h"

#include <chrono>

namespace lockscope::trace {
namespace {

TEST_F(TraceReader, SaysWhatIsWrongAndWhere)
{
    struct Case
    {
        std::string_view line;
        std::string_view error;
    };
    const Case cases[] = {
        {R"({"t":5,"e":"levitates"})",
         R"(:2:12: found "levitates", expected the name of an event that this version knows, like "acquired".)"},
        {R"({"t":5,"e":"client_removed","mood":"bad"})",
         R"(:2:29: found "mood", expected a field of this event.)"},
        {R"({"t":5,"e":"client_added","name":7,"colour":0})",
         R"(:2:34: found 7, expected a text in quotes.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":"red"})",
         R"(:2:47: found "red", expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":65536})",
         R"(:2:47: found 65536, expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":-1})",
         R"(:2:47: found -1, expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a","colour":1.5})",
         R"(:2:47: found 1.5, expected a whole number from 0 to 65535.)"},
        {R"({"t":5,"e":"client_added","name":"a"})",
         R"(:2:37: found the end of the line, expected the field "colour".)"},
        {R"({"t":5,"e":"request","op":"erase"})",
         R"(:2:27: found "erase", expected one of "create", "delete", "getChildren", "getData", "setData", "exists", "sync".)"},
        {R"({"t":5,"e":"request","op":"sync","watch":1})", R"(:2:42: found 1, expected true or false.)"},
        {R"({"t":5,"e":"acquired","token":"1f3"})",
         R"(:2:31: found "1f3", expected a hexadecimal number in quotes like "0x1f3".)"},
        {R"({"t":5,"e":"acquired","token":"0x"})",
         R"(:2:31: found "0x", expected a hexadecimal number in quotes like "0x1f3".)"},
        {R"({"t":5,"e":"acquired","token":"0x1f3z"})",
         R"(:2:31: found "0x1f3z", expected a hexadecimal number in quotes like "0x1f3".)"},
        {R"({"t":5,"e":"acquired","token":"0x8000000000000000"})",
         R"(:2:31: found "0x8000000000000000", expected a hexadecimal number in quotes like "0x1f3".)"},
        {R"({"t":-5,"e":"client_removed"})",
         R"(:2:6: found -5, expected a whole number from 0 to 4611686018427387904.)"},
        {R"({"e":"client_removed"})", R"(:2:22: found the end of the line, expected the field "t".)"},
        {R"({"t":5})", R"(:2:7: found the end of the line, expected the field "e".)"},
        {R"({"t":5,"t":6,"e":"client_removed"})", R"(:2:8: found "t", expected each field once.)"},
        {R"({"t":5,"e":"notice","severity":"info","text":"a","text":"b"})",
         R"(:2:50: found "text", expected each field once.)"},
        {R"({"t":5,"e":"client_removed","cause":0})",
         R"(:2:37: found 0, expected the number of an event before this one, which is 0.)"},
        {R"({"t":5,"e":"client_removed","client":1001})",
         R"(:2:38: found 1001, expected a whole number from 0 to 1000.)"},
        {R"({"t":5,"e":"client_removed","lock":60000})",
         R"(:2:36: found 60000, expected a whole number from 0 to 1000.)"},
        {R"({"t":5,"e":"client_removed"} trailing)",
         R"(:2:30: found "trailing", expected the end of the line.)"},
        {R"([1,2])", R"(:2:1: found "[1", expected an object in braces.)"},
        {R"(hello)", R"(:2:1: found "hello", expected an object in braces.)"},
        {"", R"(:2:1: found an empty line, expected an object in braces.)"},
    };
    for (const Case& one : cases)
        EXPECT_EQ(errorOf(one.line), one.error) << one.line;
}

TEST_F(TraceReader, LinesThatAreNotJsonNameTheirPlace)
{
    EXPECT_EQ(errorOf(R"({"t":5 "e":"client_removed"})"),
              R"(:2:8: found "e", expected a comma or a closing brace.)");
    EXPECT_EQ(errorOf(R"({"t":5,"e":"client_removed")"),
              ":2:28: found the end of the line, expected a closing brace.");
    EXPECT_EQ(errorOf(R"({"t":5,"e":"client_removed)"),
              ":2:27: found the end of the line, expected a closing quote.");
    EXPECT_EQ(errorOf("{\"t\":5,\"e\":\"\xff\"}"), ":2:13: found \"\\ufffd\", expected text in UTF-8.");
    EXPECT_EQ(errorOf("{\"t\":5,\"e\":\"a\x01\"}"),
              ":2:14: found \"\\u0001\", expected an escaped control character.");
}

// The place is that of the mistake, also where it hides the fields behind it.
TEST_F(TraceReader, TheFirstSyntaxErrorIsReported)
{
    struct Case
    {
        std::string_view line;
        std::string_view error;
    };
    const std::string_view value = "expected a value: a text in quotes, a number, true or false.";
    const Case cases[] = {
        {R"({"what":garbage,"t":5,"e":"client_removed"})", ":2:9: found \"garbage\", "},
        {R"({"t":5,"what":,"e":"client_removed"})", ":2:15: found \",\", "},
        {R"({"t":5,"e":"client_removed","what":nul})", ":2:36: found \"nul\", "},
    };
    for (const Case& one : cases)
        EXPECT_EQ(errorOf(one.line), std::string(one.error) + std::string(value)) << one.line;
    const Case others[] = {
        {R"({"t":1.2.3,"e":"client_removed"})", ":2:6: found 1.2.3, expected a number that JSON knows."},
        {R"({"t":5,"e":"client_removed","client":01})",
         ":2:38: found 01, expected a number that JSON knows."},
        {R"({"t":5,"e":"notice","severity":"info","text":"a\qb"})",
         R"(:2:48: found "\\q", expected an escape that JSON knows.)"},
        {R"({"t":5,"e":"notice","severity":"info","text":"a\u00g0b"})",
         R"(:2:48: found "\\u00g0", expected an escape that JSON knows.)"},
        {R"({"e":"client_removed" "t":5})", R"(:2:23: found "t", expected a comma or a closing brace.)"},
        {R"({"e" "client_removed","t":5})", R"(:2:6: found "client_removed", expected a colon.)"},
        {R"({"t":5,"e":"client_removed",})", R"(:2:29: found "}", expected the name of a field in quotes.)"},
        {R"({t:5,"e":"client_removed"})", R"(:2:2: found "t", expected the name of a field in quotes.)"},
        {R"({"t":5,"e":"client_removed","x":[1,2)",
         ":2:37: found the end of the line, expected a closing bracket."},
        {R"({"t":5,"e":"client_removed)", ":2:27: found the end of the line, expected a closing quote."},
    };
    for (const Case& one : others)
        EXPECT_EQ(errorOf(one.line), one.error) << one.line;
    EXPECT_EQ(errorOf(R"({"t":5,"x":)" + std::string(1'000'000, '[') + "}").substr(0, 11), ":2:1000012:");
}

TEST_F(TraceReader, ColumnsCountCharacters)
{
    EXPECT_EQ(errorOf(R"({"t":5,"e":"client_added","name":"éé锁","colour":true})"),
              R"(:2:49: found "true", expected a whole number from 0 to 65535.)");
}

TEST_F(TraceReader, LongWrongTextIsNotRepeatedWhole)
{
    const std::string error = errorOf(R"({"t":5,"e":")" + std::string(5000, 'x') + R"("})");
    EXPECT_LT(error.size(), 200U);
    EXPECT_NE(error.find("xxx...\""), std::string::npos) << error;
}

TEST_F(TraceReader, NamesTheLine)
{
    const std::string file =
        std::string(kHeaderLine) + std::string(kEvent) + "\n" + std::string(kEvent) + "\n{}\n";
    EXPECT_EQ(errorOfFile(file), R"(:4:2: found the end of the line, expected the field "t".)");
}

TEST_F(TraceReader, TimeDoesNotGoBack)
{
    EXPECT_EQ(errorOfFile(std::string(kHeaderLine) + R"({"t":9,"e":"client_finished"})"
                                                     "\n"
                                                     R"({"t":9,"e":"client_finished"})"
                                                     "\n"
                                                     R"({"t":8,"e":"client_finished"})"
                                                     "\n"),
              ":4:1: found time 8, expected a time not before 9, the one of the line before.");
}

TEST_F(TraceReader, CausesPointBackwards)
{
    const std::string first = std::string(kHeaderLine) + R"({"t":9,"e":"client_finished"})"
                                                         "\n";
    EXPECT_EQ(errorOfFile(first + R"({"t":9,"e":"client_finished","cause":0})"
                                  "\n"),
              "(opened)");
    EXPECT_EQ(errorOfFile(first + R"({"t":9,"e":"client_finished","cause":1})"
                                  "\n"),
              ":3:38: found 1, expected the number of an event before this one, which is 1.");
}

TEST_F(TraceReader, FieldsMayComeInAnyOrder)
{
    const auto loaded =
        load(std::string(kHeaderLine) + R"({ "node":"n", "token":"0x7", "client":2, "e":"acquired", "t":5 })"
                                        "\r\n");
    ASSERT_TRUE(loaded) << loaded.error().text();
    const Acquired& acquired = std::get<Acquired>(loaded->store->at(0).what);
    EXPECT_EQ(acquired.node, "n");
    EXPECT_EQ(acquired.token, Zxid{7});
    EXPECT_EQ(loaded->store->at(0).client, ClientId{2});
}

} // namespace
} // namespace lockscope::trace
