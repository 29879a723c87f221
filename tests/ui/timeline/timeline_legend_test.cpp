// The legend of the timeline: shown where there is room, or on request.
#include "tests/ui/timeline/timeline_test_fixture.h"
#include "ui/timeline/timeline_menu.h"

#include <QAction>

namespace lockscope::ui::test {
namespace {

struct TimelineLegendTest : TimelineFixture
{
    std::vector<std::string> words()
    {
        std::vector<std::string> all;
        if (const auto& legend = canvas->picture().legend) {
            for (const TimelineOverlayLabel& note : legend->notes)
                all.push_back(note.text.toStdString());
            for (const TimelineMark& mark : legend->marks)
                all.push_back(mark.text.toStdString());
        }
        return all;
    }
};

// One more client that freezes, and ada loses a second hold with its session.
TimelineScript twoClientsAndFaults()
{
    TimelineScript script = twoClients();
    script.waits(0, 400);
    script.acquires(0, 410);
    script.kills(0, 440);
    script.sessionGone(0, 440);
    script.noticesLoss(0, 500);
    script.waits(1, 420);
    script.freezes(1, 600);
    return script;
}

TEST_F(TimelineLegendTest, NamesEveryToneBesideASampleOfIt)
{
    open(twoClientsAndFaults());
    showRange(0ms, 1s);
    const auto& legend = canvas->picture().legend;
    ASSERT_TRUE(legend);
    const QRect row = canvas->picture().layout.legend;
    EXPECT_GT(row.top(), canvas->picture().layout.axis.top());
    EXPECT_LT(row.bottom(), canvas->picture().layout.overview.top());
    EXPECT_EQ(words(), (std::vector<std::string>{"holds", "waits", "handoff", "stale belief", "frozen",
                                                 "entered again", "releasing", "what-if or fault"}));
    const QImage image = drawn();
    const Palette& palette = theme.palette();
    for (const QColor& tone : {palette.holds, palette.holdsSoft, palette.waitsSoft, palette.releasing,
                               palette.wake, palette.stale, palette.frozen})
        EXPECT_GT(count(image, row, tone), 4) << tone.name().toStdString();
    int end = 0;
    for (const TimelineOverlayLabel& note : legend->notes) {
        EXPECT_GT(note.rect.left(), end) << note.text.toStdString();
        end = note.rect.right();
    }
    EXPECT_LE(end, row.right());
}

TEST_F(TimelineLegendTest, HasAnEntryForAnExceptionOnlyWhereOneIsDrawn)
{
    open(twoClients());
    const auto usual = words();
    EXPECT_EQ(usual.back(), "releasing") << "nothing is wrong in this run";
    open(twoClientsAndFaults());
    showRange(0ms, 350ms);
    EXPECT_EQ(words(), usual) << "it comes later";
    showRange(400ms, 1s);
    EXPECT_GT(words().size(), usual.size());
}

} // namespace
} // namespace lockscope::ui::test
