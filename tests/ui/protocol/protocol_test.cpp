// What the protocol says, and where it puts it: messages in, rows and geometry out.
#include "tests/support/sample_run.h"
#include "tests/ui/protocol/protocol_picture_builder.h"
#include "tests/ui/protocol/protocol_script.h"
#include "tests/ui/timeline/timeline_script.h"
#include "ui/models/style/palette.h"
#include "ui/protocol/protocol_lanes.h"
#include "ui/protocol/protocol_painter.h"
#include "ui/protocol/protocol_picture.h"
#include "ui/protocol/protocol_row_layout.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace lockscope::ui::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Protocol, TellsRequestsRepliesAndWhatWasSentTogether)
{
    ProtocolScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        1.0 ada >+ getChildren #2
        3.0 ada < #1 186
        3.1 ada < #2 2
        3.2 ada behind 185 @#2
        3.2 ada > getData 185 #3 @#last
        5.2 ada < #3 185
    )";
    EXPECT_THAT(script.words(script.read()),
                ElementsAre("1 ada > create + getChildren, sent together (server 2)",
                            "3.1 ada < …0186 · 2 children (server 2)",
                            "3.2 ada > getData …0185 + watch (server 4.2)", "5.2 ada < ok (server 4.2)",
                            "3.2 ada: 2 of 2, behind …0185"));
}

// In either order: the server may report the deleted node after the end of the session.
TEST(Protocol, ASessionEndsBeforeTheWatchEventsItCaused)
{
    ProtocolScript script({"ada", "bo"});
    script << R"(
        10.0 ada command kill_holder
        12.0 bo ! 185 @#last
        12.5 bo > getChildren @#last
    )";
    const EventIndex command{static_cast<std::uint32_t>(script.count() - 3)};
    script.store()->append(
        {TraceTime(13ms), command, ClientId{0}, LockId{0}, trace::SessionGone{SessionId{1}}});
    const replay::Protocol protocol = script.read();
    ASSERT_EQ(protocol.notes.size(), 1U);
    EXPECT_TRUE(protocol.notes[0].atServer);
    EXPECT_LT(protocol.notes[0].at, protocol.messages[0].atServer);
    EXPECT_GT(protocol.notes[0].at, TraceTime(10ms)) << "not before it was asked for";
}

TEST(Protocol, AHandoffIsFollowedBackFromTheAcquisitionToTheDelete)
{
    ProtocolScript script({"ada", "bo"});
    script << R"(
        1.0 ada > setData 185 #0
        2.0 ada < #0 185
        10.0 ada > delete 185 #1
        11.0 bo ! 185 @#1
        11.1 bo > getChildren #2 @#last
        12.0 ada < #1 185
        13.1 bo < #2 1
        13.2 bo first 1 @#last
        13.3 bo acquired @#last
    )";
    EXPECT_THAT(script.words(script.read()),
                ElementsAre("1 ada > setData …0185 (server 1.5)", "2 ada < ok (server 1.5)",
                            "10 ada > delete …0185 (server 10.5) handoff",
                            "11 bo < NodeDeleted …0185 (server 10.5) handoff",
                            "11.1 bo > getChildren (server 12.1) handoff", "12 ada < ok (server 10.5)",
                            "13.1 bo < 1 children (server 12.1) handoff",
                            "13.2 bo: first of 1: acquired, token 0x1f2"));
}

// Before the woken client has the lock, too; a node that a waiter takes back hands nothing on.
TEST(Protocol, AHandoffUnderWayIsOneFromTheWatchEventOn)
{
    const std::string delay = R"(
        10.1 ada > delete 185 #1 @#last
        11.0 bo ! 185 @#1
        11.1 bo > getChildren #2 @#last
        12.0 ada < #1 185
    )";
    ProtocolScript released({"ada", "bo"});
    released << "10.0 ada releases 185" << delay;
    EXPECT_THAT(
        released.words(released.read()),
        ElementsAre(HasSubstr("delete …0185 (server 10.55) handoff"), HasSubstr("11 bo < NodeDeleted …0185"),
                    HasSubstr("getChildren (server 12.05) handoff open"), "12 ada < ok (server 10.55)"));
    ProtocolScript withdrawn({"ada", "bo"});
    withdrawn << "10.0 ada behind 184" << delay;
    for (const std::string& line : withdrawn.words(withdrawn.read()))
        EXPECT_THAT(line, testing::Not(HasSubstr("handoff")));
    const ProtocolPictureBuilder shown(released.store());
    const ProtocolPicture picture = shown.picture(released.count(), 2, {900, 500});
    ASSERT_EQ(picture.boxes.size(), 1U) << "the server's word stands beside it";
    EXPECT_EQ(picture.boxes[0].text.toStdString(), "…0185 deleted");
}

TEST(Protocol, ALostReplyAndOneThatNeverComesAreNotPassedOver)
{
    ProtocolScript script({"ada", "bo"});
    script << R"(
        1.0 ada > create #1
        1.0 bo > create #2
        1.1 bo > delete 7 #3
        900.0 ada x #1
        950.0 bo lost-session
        960.0 ada > sync #4
    )";
    const auto words = script.words(script.read());
    EXPECT_THAT(words, testing::Contains("900 ada < reply lost (server 1.5) lost"));
    EXPECT_THAT(words, testing::Contains("900 ada: create: outcome unknown"));
    EXPECT_THAT(words, testing::Contains("1 bo > create (server 1.5) open lost"));
    EXPECT_THAT(words, testing::Contains("950 bo: session lost"));
    EXPECT_THAT(words, testing::Contains("960 ada > sync (server 960.5) open"));
}

// What proves that a session has outlived its connection.
TEST(Protocol, AConnectionThatIsLostAndMadeAgainIsDrawn)
{
    ProtocolScript script({"ada"});
    script << R"(
        0.5 ada session connecting
        0.6 ada session connected
        1.0 ada > create #1
        2.0 ada < #1 185
        5.0 ada session suspended
        6.0 ada session connecting
        7.0 ada session connected
        8.0 ada session lost
        8.5 ada session connecting
        9.0 ada session connected
    )"; // the first connection, and that of a new session, need no row
    const auto words = script.words(script.read());
    EXPECT_THAT(words, testing::Contains("5 ada: session suspended"));
    EXPECT_THAT(words, testing::Contains("7 ada: session connected"));
    EXPECT_THAT(words, testing::Contains(HasSubstr("connected")).Times(1));
    EXPECT_THAT(words, testing::Not(testing::Contains(HasSubstr("connecting"))));
}

// The cursor may have gone back to the beginning since the protocol was scrolled.
TEST(Protocol, ANeighbourIsNeverBehindTheCursor)
{
    ProtocolScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        3.0 ada < #1 186
        3.2 ada > getData 185
    )";
    const std::size_t last = script.count() - 1;
    replay::ProtocolQuery query;
    query.clients = {ClientId{0}};
    query.limit = last;
    EXPECT_EQ(replay::findProtocolNeighbour(*script.store(), query, last + 1, -1).value, last - 1);
    EXPECT_FALSE(replay::findProtocolNeighbour(*script.store(), query, last - 1, 1).valid());
    query.limit = 0;
    EXPECT_FALSE(replay::findProtocolNeighbour(*script.store(), query, last, -1).valid());
    EXPECT_FALSE(replay::findProtocolNeighbour(*script.store(), query, last, 1).valid());
}

std::vector<ClientId> ids(std::initializer_list<std::uint32_t> values)
{
    std::vector<ClientId> result;
    for (const std::uint32_t value : values)
        result.push_back(ClientId{value});
    return result;
}

TEST(ProtocolLanes, TheSelectedTheHolderAndThoseThatTakePartComeFirst)
{
    ProtocolLaneRequest request;
    for (std::uint32_t i = 0; i < 100; ++i)
        request.all.push_back(ClientId{i});
    request.first = ids({70, 20});
    request.active = ids({55, 90, 3});
    request.room = 4;
    EXPECT_EQ(chooseProtocolLanes(request).shown, ids({20, 55, 70, 90}));
    request.shown = ids({3, 20, 70, 99});
    EXPECT_EQ(chooseProtocolLanes(request).shown, ids({3, 20, 55, 70}))
        << "one that still takes part keeps its lane";
    EXPECT_EQ(chooseProtocolLanes(request).hidden, 96u);
    request.skip = 2;
    EXPECT_EQ(chooseProtocolLanes(request).shown, ids({55, 70, 0, 1})) << "the others follow sideways";
    request.skip = 1000;
    EXPECT_EQ(chooseProtocolLanes(request).shown, ids({96, 97, 98, 99}));
    request.room = 100;
    EXPECT_EQ(chooseProtocolLanes(request).shown, request.all);
}

// Everything that is written, as the strips it is written on.
std::vector<ProtocolBand> labelledBands(const ProtocolPicture& picture)
{
    std::vector<ProtocolBand> bands;
    const double half = QFontMetricsF(Fonts::standard().monoSmall).height() / 2;
    for (const ProtocolArrow& arrow : picture.arrows)
        if (!arrow.label.isEmpty()) {
            const double rise = std::tan(arrow.angle * M_PI / 180) * arrow.labelWidth / 2;
            const double y = arrow.labelAt.y();
            bands.push_back({arrow.labelAt.x() - arrow.labelWidth / 2,
                             arrow.labelAt.x() + arrow.labelWidth / 2, y - rise, y + rise, half - 0.5});
        }
    for (const ProtocolBox& box : picture.boxes)
        bands.push_back(ProtocolBand::of(box.rect));
    for (const ProtocolFold& fold : picture.folds)
        bands.push_back(ProtocolBand::of(fold.pill));
    for (const ProtocolBar& bar : picture.bars)
        if (!bar.label.isEmpty())
            bands.push_back(ProtocolBand::of(bar.label));
    return bands;
}

TEST(ProtocolPicture, WritesNothingOverAnythingElseAndDrawsNothingTwice)
{
    tests::SampleOptions options;
    options.killHolderAtGrant = 8;
    options.suspendWaiterAtGrant = 12;
    const ProtocolPictureBuilder shown(tests::sampleRun(options));
    for (const QSize size : {QSize(1400, 900), QSize(900, 420)})
        for (const double zoom : {0.25, 1.0, 8.0})
            for (std::size_t limit = 60; limit < shown.store->count(); limit += 97) {
                const ProtocolPicture picture = shown.picture(limit, 5, size, zoom);
                const auto bands = labelledBands(picture);
                for (std::size_t a = 0; a < bands.size(); ++a)
                    for (std::size_t b = a + 1; b < bands.size(); ++b)
                        ASSERT_FALSE(bands[a].overlaps(bands[b]))
                            << "limit " << limit << " zoom " << zoom << " width " << size.width() << ": " << a
                            << " and " << b;
                EXPECT_EQ(picture.droppedLabels, 0u) << limit;
                std::set<std::uint32_t> seen;
                for (const ProtocolArrow& arrow : picture.arrows)
                    EXPECT_TRUE(seen.insert(arrow.event.value).second) << arrow.event.value;
                for (std::size_t i = 1; i < picture.times.size(); ++i) {
                    ASSERT_LE(picture.times[i - 1].first, picture.times[i].first);
                    ASSERT_LE(picture.times[i - 1].second, picture.times[i].second) << "time runs down";
                }
            }
}

TEST(ProtocolPicture, NoSteepArrowStrikesItsOwnWordsThrough)
{
    ProtocolScript script({"ada", "bo", "cyd"});
    script << R"(
        1.0 ada > create #1
        2.0 ada < #1 1
        3.0 bo > create #2
        4.0 bo < #2 2
    )";
    const ProtocolPictureBuilder shown(script.store());
    ProtocolPicture picture = shown.picture(script.count(), 3, {480, 420}, 8);
    const auto steep = [&](const ProtocolArrow& arrow) {
        return !arrow.label.isEmpty() && !arrow.lost && arrow.angle == 0 &&
               picture.plot.contains(arrow.labelAt);
    };
    const auto arrow = std::ranges::find_if(picture.arrows, steep);
    ASSERT_NE(arrow, picture.arrows.end());
    arrow->label = " "; // what is drawn below the words
    QImage page(480, 420, QImage::Format_RGB32);
    const Palette palette = Palette::light();
    page.fill(palette.card);
    QPainter painter(&page);
    ProtocolPainter(painter, palette, Fonts::standard()).draw(picture, {});
    const int half = static_cast<int>(arrow->labelWidth / 2) - 2;
    for (int x = -half; x <= half; ++x)
        for (int y = -4; y <= 4; ++y)
            ASSERT_EQ(page.pixelColor(arrow->labelAt.toPoint() + QPoint(x, y)), palette.card)
                << x << " " << y;
}

TEST(ProtocolPicture, FoldsAQuietStretchAndSaysHowLongItWas)
{
    ProtocolScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        2.0 ada < #1 1
        5002.0 ada > delete 1 #2
        5003.0 ada < #2 1
    )";
    const ProtocolPictureBuilder shown(script.store());
    const ProtocolPicture picture = shown.picture(script.count(), 1, {900, 500});
    ASSERT_EQ(picture.folds.size(), 1u);
    EXPECT_EQ(picture.folds[0].text.toStdString(), "5.0 s without a request here · then 5.002 000 s");
    EXPECT_LT(picture.arrows.back().to.y() - picture.arrows.front().from.y(), 300);
    ASSERT_EQ(picture.arrows.size(), 4u);
    for (const ProtocolArrow& arrow : picture.arrows)
        EXPECT_GE(arrow.to.y() - arrow.from.y(), 10) << "arrows slant: time passes on the way";
}

// It told the time that a reader had stopped the run for as time without a message.
TEST(ProtocolPicture, TellsAPauseOfTheRunFromAQuietStretch)
{
    TimelineScript script({"ada"});
    script.acquires(0, 100);
    script.pauses(300);
    script.resumes(4300);
    script.releases(0, 5000);
    const auto store = script.trace();
    const ProtocolPictureBuilder shown(store);
    const ProtocolPicture picture = shown.picture(store->count(), 1, {900, 500});
    ASSERT_EQ(picture.folds.size(), 1u);
    EXPECT_THAT(picture.folds[0].text.toStdString(),
                AllOf(HasSubstr("900 ms without a request"), HasSubstr("paused for 4.0 s")));
}

// "no requests for 0.02 ms · paused for 2.85 ms": the pause made a stretch long that was not quiet.
TEST(ProtocolPicture, APauseIsToldWhereItIsNotTheQuietThatIs)
{
    const auto folds = [](double pausedAt, double resumedAt, double releasedAt) {
        TimelineScript script({"ada"});
        script.acquires(0, 100);
        script.pauses(pausedAt);
        script.resumes(resumedAt);
        if (releasedAt > 0)
            script.releases(0, releasedAt);
        const auto store = script.trace();
        const ProtocolPictureBuilder shown(store);
        QStringList texts;
        for (const ProtocolFold& fold : shown.picture(store->count(), 1, {900, 500}).folds)
            texts << fold.text;
        return texts.join('\n').toStdString();
    };
    EXPECT_EQ(folds(100.02, 102.87, 0), "") << "up to now, paused";
    EXPECT_EQ(folds(100.02, 4100.02, 4100.03), "paused for 4.0 s · then 4.100 030 s");
    EXPECT_EQ(folds(300, 302.85, 5100), "5.0 s without a request here · then 5.100 000 s");
}

} // namespace
} // namespace lockscope::ui::test
