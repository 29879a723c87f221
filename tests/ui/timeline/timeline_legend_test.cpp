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

TEST_F(TimelineLegendTest, NamesEveryToneBesideASampleOfIt)
{
    open(twoClients());
    const auto& legend = canvas->picture().legend;
    ASSERT_TRUE(legend);
    const QRect row = canvas->picture().layout.legend;
    EXPECT_GT(row.top(), canvas->picture().layout.axis.top());
    EXPECT_LT(row.bottom(), canvas->picture().layout.overview.top());
    const auto all = words();
    for (const char* word :
         {"holds", "entered again", "waits", "releasing", "handoff", "stale belief", "frozen"})
        EXPECT_NE(std::find(all.begin(), all.end(), word), all.end()) << word;
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

TEST_F(TimelineLegendTest, SaysLessInLessWidth)
{
    open(twoClients());
    const auto all = words();
    view.resize(420, 340);
    const auto few = words();
    ASSERT_FALSE(few.empty());
    EXPECT_LT(few.size(), all.size());
    EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin())) << "the first are the most important";
    view.resize(220, 340);
    for (const TimelineOverlayLabel& note : canvas->picture().legend->notes)
        EXPECT_LE(note.rect.right(), canvas->picture().layout.legend.right());
}

TEST_F(TimelineLegendTest, TakesNoRoomThatLanesNeedUnlessItIsAskedFor)
{
    open(twoClients());
    view.resize(900, 200);
    EXPECT_TRUE(canvas->picture().layout.legend.isEmpty());
    EXPECT_FALSE(canvas->picture().legend);
    QTest::keyClick(canvas, Qt::Key_E);
    EXPECT_FALSE(canvas->picture().layout.legend.isEmpty());
    EXPECT_TRUE(view.menu()->legend()->isChecked());
    view.menu()->legend()->trigger();
    EXPECT_TRUE(canvas->picture().layout.legend.isEmpty());
    view.resize(900, 800);
    EXPECT_TRUE(canvas->picture().layout.legend.isEmpty()) << "folded, whatever the room";
    canvas->setLegend(std::nullopt);
    EXPECT_FALSE(canvas->picture().layout.legend.isEmpty());
    open(TimelineScript::ofClients(50));
    view.resize(900, 300);
    EXPECT_TRUE(canvas->picture().layout.legend.isEmpty()) << "the lanes would be lower or fewer";
}

} // namespace
} // namespace lockscope::ui::test
