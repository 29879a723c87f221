// What fuzzers found, and what they begin with, read again by every test run.
#include "tests/history/history_fuzz.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lockscope::tests {
namespace {

TEST(Corpus, HistoriesAreReadToTheEnd)
{
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(LOCKSCOPE_HISTORY_CORPUS)) {
        SCOPED_TRACE(entry.path().filename());
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        readAsHistory(bytes);
        // Cut off anywhere, it is still read.
        for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 32)
            readAsHistory(std::string_view(bytes).substr(0, size));
        ++files;
    }
    EXPECT_GE(files, 20);
}

} // namespace
} // namespace lockscope::tests
