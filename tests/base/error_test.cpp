// An error is a sentence and what to do; a value asked for in vain is a bug that says what the error was.
#include "core/base/error.h"

#include <gtest/gtest.h>

namespace lockscope {
namespace {

TEST(Error, ReadsAsOneText)
{
    EXPECT_EQ((Error{ErrorCode::noServer, "No Java was found.", "Install it."}.text()),
              "No Java was found. Install it.");
    EXPECT_EQ((Error{ErrorCode::noServer, "No Java was found.", ""}.text()), "No Java was found.");
}

TEST(Error, ComesOutOfAResultThatHasNoValue)
{
    const Result<int> failed = Error{ErrorCode::noNode, "It is not there.", ""};
    try {
        failed.value();
        FAIL() << "value() of an error must throw";
    } catch (const ErrorException& caught) {
        EXPECT_EQ(caught.error().code, ErrorCode::noNode);
        EXPECT_STREQ(caught.what(), "It is not there.");
    }
}

TEST(ErrorCodes, AreCodesOfTheStandardWithConditions)
{
    const std::error_code late = ErrorCode::timedOut;
    EXPECT_EQ(late, std::errc::timed_out);
    EXPECT_EQ(late, ErrorCode::timedOut);
    EXPECT_NE(late, ErrorCode::closed);
    EXPECT_STREQ(late.category().name(), "lockscope");
    EXPECT_EQ(late.message(), "not in time");
    EXPECT_TRUE(std::error_code(ErrorCode::badUsage)) << "the first one is an error, too";
    EXPECT_EQ(std::error_code(ErrorCode::internal), std::errc::state_not_recoverable);
}

} // namespace
} // namespace lockscope
