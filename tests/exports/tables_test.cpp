// The tables as a spreadsheet reads them: every row has all cells, whatever the names are, and the numbers
// are those of the run.
#include "core/exports/tables.h"
#include "core/exports/text_format.h"
#include "tests/exports/exported.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace lockscope::tests {
namespace {

using testing::Each;
using testing::SizeIs;

// Rows of cells by RFC 4180.
std::vector<std::vector<std::string>> cellsOf(const std::string& csv)
{
    std::vector<std::vector<std::string>> rows(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        std::string& cell = rows.back().back();
        if (csv[i] == '"' && quoted && i + 1 < csv.size() && csv[i + 1] == '"')
            cell += csv[i++];
        else if (csv[i] == '"')
            quoted = !quoted;
        else if (csv[i] == ',' && !quoted)
            rows.back().emplace_back();
        else if (csv[i] == '\n' && !quoted)
            rows.push_back({""});
        else
            cell += csv[i];
    }
    rows.pop_back(); // behind the last line's end
    return rows;
}

TEST(CsvCell, IsQuotedWhereItMustBe)
{
    EXPECT_EQ(exports::csvCell("plain"), "plain");
    EXPECT_EQ(exports::csvCell("a,b"), "\"a,b\"");
    EXPECT_EQ(exports::csvCell("say \"x\""), "\"say \"\"x\"\"\"");
    EXPECT_EQ(exports::csvCell(" edge"), "\" edge\"");
    EXPECT_EQ(exports::csvCell("=1+1"), "'=1+1") << "no formula";
    EXPECT_EQ(exports::csvCell("two\nlines"), "two\xef\xbf\xbdlines");
    EXPECT_LE(exports::csvCell(std::string(10'000, 'x')).size(), exports::kMaxTextBytes + 3);
}

TEST(HandoffTable, HasARowForEachHandoffWithItsStepsInOrder)
{
    const auto store = eventfulRun();
    const auto rows = cellsOf(exported(*store, exports::handoffsCsv));
    ASSERT_GT(rows.size(), 40u);
    EXPECT_THAT(rows, Each(SizeIs(14)));
    EXPECT_EQ(rows[0][10], "latency_us");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][0], std::to_string(i));
        EXPECT_NEAR(std::stod(rows[i][9]) - std::stod(rows[i][4]), std::stod(rows[i][10]), 0.002);
        const auto& acquired = store->at(std::stoul(rows[i][13]));
        EXPECT_TRUE(std::holds_alternative<trace::Acquired>(acquired.what));
        EXPECT_EQ(exports::microseconds(acquired.at), rows[i][9]);
    }
}

TEST(ClientTable, SaysHowOftenAndHowLong)
{
    SampleOptions options;
    options.clients = 3;
    options.cycles = 4;
    const auto rows = cellsOf(exported(*sampleRun(options), exports::clientsCsv));
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_THAT(rows, Each(SizeIs(10)));
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][4], "4");
        EXPECT_GT(std::stod(rows[i][8]), 4 * 1'000.0) << "four holds of two milliseconds on average";
    }
}

TEST(WaitTable, DividesEachWaitIntoPartsThatAddUp)
{
    const auto rows = cellsOf(exported(*eventfulRun(), exports::waitsCsv));
    ASSERT_GT(rows.size(), 40u);
    EXPECT_THAT(rows, Each(SizeIs(14)));
    ASSERT_EQ(rows[0][6], "no_server_us");
    ASSERT_EQ(rows[0][9], "held_us");
    ASSERT_EQ(rows[0][10], "handoff_us");
    ASSERT_EQ(rows[0][12], "not_known_us");
    bool held = false, handedOver = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        double sum = 0;
        for (std::size_t part = 6; part <= 12; ++part)
            sum += rows[i][part].empty() ? 0 : std::stod(rows[i][part]);
        EXPECT_NEAR(sum, std::stod(rows[i][5]), 0.01) << "row " << i;
        EXPECT_EQ(rows[i][7], "") << "a run of ours does not tell when the leader changed";
        held = held || (std::stod(rows[i][9]) > 0 && !rows[i][13].empty() && rows[i][13] != rows[i][1]);
        handedOver = handedOver || std::stod(rows[i][10]) > 0;
    }
    EXPECT_TRUE(held);
    EXPECT_TRUE(handedOver);
}

// Two locks, and owners 0 and 1 of one client.
class TableOfWaits : public ::testing::Test
{
protected:
    static constexpr LockId kA{0}, kB{1};
    TableOfWaits()
    {
        add(0, kA, trace::LockAdded{"/locks/a", "mutex", "curator"});
        add(0, kB, trace::LockAdded{"/locks/b", "mutex", "curator"});
        add(0, LockId::none(), trace::ClientAdded{"ada", 0});
    }
    void add(int second, LockId lock, trace::Payload what)
    {
        trace::Event event;
        event.at = std::chrono::seconds(second);
        event.client = ClientId{0};
        event.lock = lock;
        event.what = what;
        store.append(event);
    }
    std::vector<std::string> row() const { return cellsOf(exported(store, exports::clientsCsv)).at(1); }

    trace::TraceStore store;
};

TEST_F(TableOfWaits, LeavesThePausesOfTheRunOut)
{
    add(0, kA, trace::AcquireCalled{OwnerId{0}});
    add(1, LockId::none(), trace::RunPhaseChanged{trace::RunPhase::paused});
    add(61, LockId::none(), trace::RunPhaseChanged{trace::RunPhase::running});
    add(62, kA, trace::Acquired{"lock-0000000001", Zxid{1}, OwnerId{0}});
    add(64, kA, trace::ReleaseCalled{"lock-0000000001", 1, OwnerId{0}});
    EXPECT_EQ(std::stod(row()[7]), 2'000'000.0) << "waited";
    EXPECT_EQ(std::stod(row()[8]), 2'000'000.0) << "held";
}

TEST_F(TableOfWaits, HasAWaitDuringAHold)
{
    add(0, kA, trace::AcquireCalled{OwnerId{0}});
    add(0, kA, trace::Acquired{"lock-0000000001", Zxid{1}, OwnerId{0}});
    add(2, kB, trace::AcquireCalled{OwnerId{0}});
    add(8, kB, trace::AcquireFailed{trace::FailReason::timedOut, OwnerId{0}, {}});
    add(10, kA, trace::ReleaseCalled{"lock-0000000001", 1, OwnerId{0}});
    EXPECT_EQ(row()[6], "1");
    EXPECT_EQ(row()[7], "6000000.000");
    EXPECT_EQ(row()[8], "10000000.000");
}

TEST_F(TableOfWaits, HasAWaitOnceThatAHoldBeginsAndEndsIn)
{
    add(0, kB, trace::AcquireCalled{OwnerId{1}});
    add(3, kA, trace::AcquireCalled{OwnerId{0}});
    add(3, kA, trace::Acquired{"lock-0000000001", Zxid{1}, OwnerId{0}});
    add(5, kA, trace::ReleaseCalled{"lock-0000000001", 1, OwnerId{0}});
    add(8, kB, trace::AcquireFailed{trace::FailReason::timedOut, OwnerId{1}, {}});
    EXPECT_EQ(row()[6], "1");
    EXPECT_EQ(row()[7], "8000000.000");
    EXPECT_EQ(row()[8], "2000000.000");
}

TEST(Tables, AreWholeWithHostileNamesAndWithNothingInThem)
{
    const auto rows = cellsOf(exported(*hostileRun(), exports::clientsCsv));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_THAT(rows, Each(SizeIs(10)));
    EXPECT_TRUE(rows[1][1].starts_with("'=cmd|'/c'!A1,\"<script>"));
    EXPECT_THAT(cellsOf(exported(trace::TraceStore(), exports::handoffsCsv)), SizeIs(1));
}

TEST(Tables, AreTheSameBytesForTheSameTrace)
{
    EXPECT_EQ(exported(*eventfulRun(), exports::handoffsCsv), exported(*eventfulRun(), exports::handoffsCsv));
    EXPECT_EQ(exported(*eventfulRun(), exports::clientsCsv), exported(*eventfulRun(), exports::clientsCsv));
}

TEST(Tables, ReportTheirProgressForwards)
{
    trace::TraceStore store;
    for (std::uint32_t i = 0; i < 5'000; ++i) {
        trace::Event event;
        event.client = ClientId{i};
        event.what = trace::ClientAdded{};
        store.append(event);
    }
    std::vector<double> shares;
    const exports::ExportSink out{[](std::string_view) { return true; },
                                  [&](double share) {
                                      shares.push_back(share);
                                      return true;
                                  }};
    ASSERT_TRUE(exports::clientsCsv({store, store.count()}, out));
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.back(), 1.0);
}

TEST(Tables, StopOnRequest)
{
    const auto store = eventfulRun();
    std::size_t put = 0;
    const exports::ExportSink cancelled{[&](std::string_view text) {
                                            put += text.size();
                                            return true;
                                        },
                                        [](double) { return false; }};
    EXPECT_FALSE(exports::handoffsCsv({*store, store->count()}, cancelled));
    EXPECT_EQ(put, 0u);
    const exports::ExportSink full{[](std::string_view) { return false; }};
    EXPECT_FALSE(exports::clientsCsv({*store, store->count()}, full));
}

} // namespace
} // namespace lockscope::tests
