// A history of the files in a folder.
#pragma once

#include "core/history/history.h"
#include "tests/history/log_writer.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::history {

struct HistoryTest : ::testing::Test
{
    static constexpr std::int64_t kEpoch1 = 0x100000000;
    static constexpr std::int64_t kEpoch2 = 0x200000000;
    static inline const std::string kFirst = "/l/x-lock-0000000000", kSecond = "/l/x-lock-0000000001";

    void read(const std::vector<std::filesystem::path>& paths, History::Options options = {})
    {
        auto opened = History::open(paths, std::move(options));
        ASSERT_TRUE(opened) << opened.error().text();
        history = std::move(*opened);
        history->read(1U << 30);
        kinds.clear();
        for (const Damage& damage : history->takeDamage())
            kinds.push_back(damage.kind);
    }
    LockSummary lock() const
    {
        const auto all = history->locks();
        EXPECT_THAT(all, ::testing::SizeIs(1));
        return all.empty() ? LockSummary{} : all.front();
    }

    tests::TempFolder folder;
    std::unique_ptr<History> history;
    std::vector<Damage::Kind> kinds;
};

} // namespace lockscope::history
