// The scale of a handoff at the protocol's left: numbers that can be compared.
#include "tests/support/sample_run.h"
#include "tests/ui/protocol/protocol_picture_builder.h"
#include "tests/ui/protocol/protocol_script.h"
#include "ui/models/style/format.h"
#include "ui/texts/handoff_text.h"
#include "ui/texts/inspection_builder.h"
#include "ui/texts/protocol_text.h"

#include <gmock/gmock.h>

#include <cmath>

namespace lockscope::ui::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class ProtocolScaleParamTest : public testing::TestWithParam<tests::SampleHandoff>
{
protected:
    ProtocolPictureBuilder shown{[] {
        tests::SampleOptions options;
        options.handoff = GetParam();
        return tests::sampleRun(options);
    }()};
};
INSTANTIATE_TEST_SUITE_P(Policies, ProtocolScaleParamTest,
                         testing::Values(tests::SampleHandoff::curator, tests::SampleHandoff::announced));

// A waiter that is slow to list again: the quiet part of its handoff is folded, and the scale says so.
TEST(ProtocolScale, IsBrokenWhereAPartIsFolded)
{
    ProtocolScript script({"ada", "bo"});
    script << R"(
        1.0 ada > create #1
        2.0 ada < #1 1
        2.0 ada acquired @#1
        3.0 bo > create #2
        4.0 bo < #2 9
        5.0 ada releases 1
        5.1 ada > delete 1 #4
        6.1 ada < #4 1
        6.2 bo ! 1 @#4
        906.0 bo > getChildren #5 @#last
        907.0 bo < #5 1
        907.0 bo acquired @#5
    )";
    const ProtocolPictureBuilder shown(script.store());
    const ProtocolPicture picture = shown.picture(script.count(), 2, {900, 800});
    ASSERT_TRUE(picture.bracket);
    const ProtocolBracket& bracket = *picture.bracket;
    ASSERT_EQ(bracket.breaks.size(), 1U);
    EXPECT_THAT(picture.folds,
                testing::Contains(testing::Field(&ProtocolFold::band, testing::Truly([&](const QRectF& band) {
                    return std::abs(band.center().y() - bracket.breaks[0]) < 1;
                }))))
        << "where the fold is drawn";
    EXPECT_GT(bracket.breaks[0], bracket.ticks.front());
    EXPECT_LT(bracket.breaks[0], bracket.ticks.back());
    EXPECT_TRUE(ProtocolText::handoffTip(bracket.handoff, "ada", "bo").contains("Not to scale"));
}

TEST_P(ProtocolScaleParamTest, AgreesWithTheInspector)
{
    InspectorSources sources;
    const replay::RunState state;
    sources.state = &state;
    sources.timeline = &shown.timeline;
    sources.store = shown.store.get();
    sources.position = shown.store->count();
    sources.now = shown.store->at(sources.position - 1).at;
    ASSERT_GT(shown.timeline.handoffCount(), 10U);
    for (std::size_t i = 0; i < shown.timeline.handoffCount(); ++i) {
        const replay::Handoff& handoff = shown.timeline.handoff(i);
        Selected what;
        what.kind = Selected::Kind::handoff;
        what.event = handoff.acquiredEvent;
        std::vector<std::pair<std::string, Duration>> factDurations, drawn;
        for (const Fact& fact : InspectionBuilder(sources, what).make().facts)
            if (fact.duration)
                factDurations.emplace_back(fact.label.toStdString(), *fact.duration);
        for (const HandoffStep& step : knownHandoffSteps(handoff))
            drawn.emplace_back(step.name.toStdString(), step.length);
        EXPECT_EQ(drawn, factDurations) << "handoff " << i;
    }
}

} // namespace
} // namespace lockscope::ui::test
