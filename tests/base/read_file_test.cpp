#include "core/base/read_file.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using namespace lockscope;

TEST(ReadFile, ReadsEveryByteAndAnEmptyFile)
{
    const tests::TempFolder folder;
    const std::string bytes("a\r\n\0b\n", 6);
    std::ofstream(folder / "bytes", std::ios::binary) << bytes;
    std::ofstream(folder / "empty", std::ios::binary).flush();
    EXPECT_EQ(readFile(folder / "bytes").value(), bytes);
    EXPECT_EQ(readFile(folder / "empty").value(), "");
}

TEST(ReadFile, NamesTheFileAndTheReason)
{
    const tests::TempFolder folder;
    const Error missing = readFile(folder / "none").error();
    EXPECT_EQ(missing.code, ErrorCode::ioFailed);
    EXPECT_EQ(missing.text(),
              "The file " + (folder / "none").string() + " cannot be read: No such file or directory.");
    EXPECT_EQ(readFile(folder.path()).error().text(),
              "The file " + folder.path().string() + " cannot be read: Is a directory.");
}

} // namespace
