// The records of a log file, whole and damaged: what was read stays, and what was not is said with its place.
#include "core/history/log_file.h"

#include "core/history/transaction.h"
#include "tests/history/log_writer.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace lockscope::history {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::LogWriter;
using Kind = Damage::Kind;

constexpr std::size_t kPadding = 64 * 1024;

struct LogFileTest : ::testing::Test
{
    // Zxids of all records; damage is kept.
    std::vector<std::int64_t> read(std::string_view bytes)
    {
        tests::writeBytes(path, bytes);
        LogFile file(path);
        std::vector<std::int64_t> zxids = rest(file);
        file.finish();
        damage = file.takeDamage();
        return zxids;
    }
    static std::vector<std::int64_t> rest(LogFile& file)
    {
        std::vector<std::int64_t> zxids;
        LogFile::Record record;
        Transaction txn;
        while (file.next(record)) {
            decode(record.bytes, txn);
            zxids.push_back(txn.zxid.value);
        }
        return zxids;
    }
    std::vector<Kind> kinds() const
    {
        std::vector<Kind> all;
        for (const Damage& one : damage) {
            all.push_back(one.kind);
            EXPECT_NE(one.text(), "");
        }
        return all;
    }
    void append(std::string_view bytes) const
    {
        std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
    }

    tests::TempFolder folder;
    std::filesystem::path path = folder / "log.1";
    std::vector<Damage> damage;
};

std::string threeRecords(std::size_t* second = nullptr, std::size_t* third = nullptr)
{
    LogWriter log;
    log.open(1);
    if (second)
        *second = log.size();
    log.queue(1, "/l/lock-0000000000", "data");
    if (third)
        *third = log.size();
    log.remove(1, "/l/lock-0000000000");
    return log.bytes();
}

TEST_F(LogFileTest, RoomThatIsKeptIsNoDamage)
{
    EXPECT_THAT(read(threeRecords() + std::string(kPadding, '\0')), ElementsAre(1, 2, 3));
    EXPECT_THAT(damage, IsEmpty());
}

TEST_F(LogFileTest, AHoleAtTheEndIsNoDamage)
{
    tests::writeBytes(path, threeRecords());
    std::filesystem::resize_file(path, 64 * 1024 * 1024);
    LogFile file(path);
    EXPECT_THAT(rest(file), ElementsAre(1, 2, 3));
    file.finish();
    EXPECT_THAT(file.takeDamage(), IsEmpty());
}

// Wherever the last record is cut off.
TEST_F(LogFileTest, ATornTail)
{
    std::size_t third = 0;
    const std::string whole = threeRecords(nullptr, &third);
    for (std::size_t size = third + 1; size < whole.size(); ++size) {
        EXPECT_THAT(read(whole.substr(0, size)), ElementsAre(1, 2)) << size;
        // A checksum begins with zeros, as what is kept free does.
        EXPECT_TRUE(kinds() == std::vector{Kind::tornTail} || size <= third + 4) << size;
        EXPECT_THAT(read(whole.substr(0, size) + std::string(kPadding, '\0')), ElementsAre(1, 2)) << size;
    }
    read(whole.substr(0, whole.size() - 5) + std::string(kPadding, '\0'));
    ASSERT_THAT(kinds(), ElementsAre(Kind::tornTail));
    EXPECT_EQ(damage[0].offset, third);
    EXPECT_LE(damage[0].bytes, whole.size() - third);
}

// One wrong byte anywhere costs that record and no other.
TEST_F(LogFileTest, AWrongByteInTheMiddle)
{
    std::size_t second = 0, third = 0;
    const std::string whole = threeRecords(&second, &third);
    for (std::size_t at = second; at < third; ++at) {
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ 0x41);
        EXPECT_THAT(read(broken), ElementsAre(1, 3)) << at;
        ASSERT_THAT(kinds(), ElementsAre(Kind::badRecords)) << at;
        EXPECT_EQ(damage[0].offset, second);
        EXPECT_EQ(damage[0].bytes, third - second);
    }
}

TEST_F(LogFileTest, ZerosInTheMiddle)
{
    std::size_t third = 0;
    std::string whole = threeRecords(nullptr, &third);
    whole.insert(third, std::string(kPadding, '\0'));
    EXPECT_THAT(read(whole), ElementsAre(1, 2, 3));
    ASSERT_THAT(kinds(), ElementsAre(Kind::zerosInside));
    EXPECT_EQ(damage[0].offset, third);
    EXPECT_EQ(damage[0].bytes, kPadding);
}

TEST_F(LogFileTest, LengthsThatCannotBe)
{
    std::size_t second = 0;
    const std::string whole = threeRecords(&second);
    for (const std::int32_t length : {0x7fffffff, -1, 1, 0x01000000}) {
        std::string broken = whole;
        broken.replace(second + 8, 4, jute::Writer().int32(length).bytes());
        EXPECT_THAT(read(broken), ElementsAre(1, 3)) << length;
        EXPECT_THAT(kinds(), ElementsAre(Kind::badRecords)) << length;
    }
}

TEST_F(LogFileTest, WhatIsNoLog)
{
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(kinds(), ElementsAre(Kind::empty));
    EXPECT_THAT(read("ZKLG"), IsEmpty());
    EXPECT_THAT(kinds(), ElementsAre(Kind::tornTail));
    EXPECT_THAT(read("#!/bin/bash\necho a text of some length\n"), IsEmpty());
    EXPECT_THAT(kinds(), ElementsAre(Kind::notALog));
    EXPECT_THAT(read(jute::Writer().int32(0x5A4B4C47).int32(3).int64(0).bytes()), IsEmpty());
    EXPECT_THAT(kinds(), ElementsAre(Kind::notALog));
    EXPECT_EQ(damage[0].offset, 4u);
    LogFile directory(folder.path());
    EXPECT_FALSE(directory.isLog());
    LogFile none(folder / "none");
    EXPECT_EQ(none.takeDamage().at(0).kind, Kind::unreadable);
}

// Larger than what is read at once.
TEST_F(LogFileTest, ALargeRecord)
{
    LogWriter log;
    log.open(1).create(1, "/" + std::string(3'000'000, 'x'), false).open(2);
    EXPECT_THAT(read(log.bytes()), ElementsAre(1, 2, 3));
    EXPECT_THAT(damage, IsEmpty());
}

TEST_F(LogFileTest, GoesOnAsTheFileGrows)
{
    std::size_t second = 0, third = 0;
    const std::string whole = threeRecords(&second, &third);
    tests::writeBytes(path, whole.substr(0, second + 20));
    LogFile file(path);
    EXPECT_THAT(rest(file), ElementsAre(1));
    append(whole.substr(second + 20, third + 3 - second - 20));
    EXPECT_THAT(rest(file), ElementsAre(2));
    EXPECT_THAT(rest(file), IsEmpty());
    append(whole.substr(third + 3));
    EXPECT_THAT(rest(file), ElementsAre(3));
    EXPECT_FALSE(file.isReplaced());
    EXPECT_THAT(file.takeDamage(), IsEmpty());
}

TEST_F(LogFileTest, AFileThatShrinksOrIsReplaced)
{
    std::size_t second = 0;
    const std::string whole = threeRecords(&second);
    tests::writeBytes(path, whole);
    LogFile file(path);
    EXPECT_THAT(rest(file), ElementsAre(1, 2, 3));
    std::filesystem::resize_file(path, second);
    EXPECT_THAT(rest(file), IsEmpty());
    EXPECT_EQ(file.takeDamage().at(0).kind, Kind::shrunk);
    tests::writeBytes(folder / "other", whole);
    std::filesystem::rename(folder / "other", path);
    EXPECT_TRUE(file.isReplaced());
}

} // namespace
} // namespace lockscope::history
