// What the verdict says: of equal loads who is better, of different ones what differs.
#include "compare_test_runs.h"
#include "core/sim/scenario/workload.h"
#include "ui/compare/compare_bars.h"
#include "ui/compare/compare_table_model.h"
#include "ui/shell/window/language.h"
#include "ui/texts/compare_words.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace lockscope::ui;

using namespace std::chrono_literals;
using replay::Measure;
using testing::ElementsAre;

struct CompareLoadTest : testing::Test
{
    std::shared_ptr<trace::TraceStore> herd = traceScript(kHerd);
    ComparedRunPtr same = runUnder(holding(2ms, 2ms), *herd);
    ComparedRunPtr longer = runUnder(holding(0ms, 100ms, 50), *herd);
    Theme theme{Theme::ColourScheme::light};
};

TEST_F(CompareLoadTest, SaysWhatDiffers)
{
    const ComparedLoad load = compareWorkloads(*longer, *same);
    EXPECT_THAT(load.differences, ElementsAre("hold 0–100 ms against 2 ms", "cycles 50 against 10"));
    EXPECT_EQ(load.words, "Not the same load: hold 0–100 ms against 2 ms, cycles 50 against 10.");
}

TEST_F(CompareLoadTest, AnotherRecipeUnderTheSameLoadIsComparedInFull)
{
    sim::Scenario other = holding(2ms, 2ms);
    other.recipe = Recipe::herd;
    const ComparedLoad load = compareWorkloads(*same, *runUnder(other, *herd));
    EXPECT_TRUE(load.match.same);
    EXPECT_EQ(load.words, "");
    EXPECT_FALSE(load.match.affects(Measure::waitP50));
}

TEST_F(CompareLoadTest, AnOldTraceWithoutItsScenarioSaysSo)
{
    const ComparedLoad load = compareWorkloads(*same, *runOf("old", traceScript(kHerd)));
    EXPECT_FALSE(load.match.same);
    EXPECT_TRUE(load.match.affects(Measure::acquisitions));
    EXPECT_EQ(load.words, "A trace does not say what its load was: it may not be the same.");
}

TEST_F(CompareLoadTest, NoRunWinsByItsWorkload)
{
    replay::Comparison comparison;
    for (std::size_t i = 0; i < comparison.rows.size(); ++i)
        comparison.rows[i] = {static_cast<Measure>(i), 3.0, 1.0, 3.0, replay::Better::b};
    const CompareTableModel model(comparison, compareWorkloads(*longer, *same), "a", "b", &theme);
    const auto shown = [&](Measure measure, int column) {
        return model.index(static_cast<int>(measure), column).data().toString().toStdString();
    };
    for (const Measure measure : {Measure::waitP50, Measure::waitP99, Measure::acquisitions,
                                  Measure::fairness, Measure::handoffP50, Measure::duration}) {
        EXPECT_EQ(shown(measure, CompareTableModel::bColumn).find("✓"), std::string::npos);
        EXPECT_EQ(shown(measure, CompareTableModel::ratioColumn), "not compared");
    }
    EXPECT_EQ(shown(Measure::wakeUpsPerRelease, CompareTableModel::bColumn), "✓ 1.00")
        << "the recipe's doing";
}

TEST(CompareWords, TheRatioSaysItsDirection)
{
    const auto ratio = [](Measure measure, double value) {
        const double one = replay::measureUnit(measure) == replay::MeasureUnit::nanoseconds ? 1e6 : 1;
        return compare_words::ratio({measure, value, one, value / one, replay::Better::b}).toStdString();
    };
    EXPECT_EQ(ratio(Measure::waitP50, 14.6e6), "14.6 × longer");
    EXPECT_EQ(ratio(Measure::waitP50, 1e6 / 3.55), "3.55 × shorter");
    EXPECT_EQ(ratio(Measure::wakeUpsPerRelease, 49), "49.0 × more");
    EXPECT_EQ(ratio(Measure::requestsPerAcquisition, 0.5), "2.00 × fewer");
    EXPECT_EQ(ratio(Measure::requestsPerAcquisition, 1.001), "equal");
}

// Under "left compared with right", Chinese turned the two round where the left was shorter.
TEST(CompareWords, TheLeftStandsFirstInEveryLanguage)
{
    const Language chinese("zh_CN");
    for (const double value : {0.5, 2.0})
        for (const Measure measure : {Measure::requestsPerAcquisition, Measure::handoffP50}) {
            const double one = replay::measureUnit(measure) == replay::MeasureUnit::nanoseconds ? 1e6 : 1;
            const QString words = compare_words::ratio({measure, value * one, one, value, replay::Better::a});
            EXPECT_TRUE(words.startsWith(QStringLiteral("左侧是右侧的"))) << words.toStdString();
        }
}

// Cells of rows without a ratio were empty, beside others that said "equal".
TEST(CompareWords, EveryRowSaysHowTheRunsStand)
{
    const auto stands = [](Measure measure, std::optional<double> a, std::optional<double> b) {
        return compare_words::ratio({measure, a, b, std::nullopt, replay::Better::neither}).toStdString();
    };
    EXPECT_EQ(stands(Measure::fairness, 1.0, 1.0), "equal");
    EXPECT_EQ(stands(Measure::fairness, 0.23, 1.0), "0.77 lower");
    EXPECT_EQ(stands(Measure::longestOvertaking, 378.0, 0.0), "378 more");
    EXPECT_EQ(stands(Measure::timedOut, 0.0, 0.0), "equal");
    EXPECT_EQ(stands(Measure::acquisitions, 0.0, 1200.0), "1,200 fewer");
    EXPECT_EQ(stands(Measure::findings, 1.0, 1.0), "as many violated") << "they need not be the same";
    EXPECT_EQ(stands(Measure::handoffP50, std::nullopt, 1e6), "-");
    for (std::size_t i = 0; i < replay::kMeasures; ++i) {
        EXPECT_NE(stands(static_cast<Measure>(i), 0.0, 0.0), "");
    }
}

} // namespace
} // namespace lockscope::tests
