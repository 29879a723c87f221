// The words on the ladder's arrows and in its boxes: whole wherever there is room for them.
#include "tests/support/sample_run.h"
#include "tests/ui/ladder/ladder_picture_builder.h"
#include "tests/ui/ladder/ladder_script.h"
#include "ui/ladder/label_placer.h"
#include "ui/ladder/ladder_picture.h"
#include "ui/ladder/ladder_text.h"

#include <QFontMetricsF>
#include <gmock/gmock.h>

#include <cmath>

namespace lockscope::ui::test {
namespace {

using testing::Contains;

std::vector<std::string> labels(const LadderPicture& picture)
{
    std::vector<std::string> all;
    for (const LadderArrow& arrow : picture.arrows)
        all.push_back(arrow.label.toStdString());
    return all;
}

// Nine lanes of 136 pixels: too narrow for the words, but eight of them are empty.
TEST(LadderLabels, AreWholeOnALongArrowOverLanesWhereNothingIs)
{
    LadderScript script({"a", "b", "c", "d", "e", "f", "g", "h", "ida"});
    script << R"(
        1.0 ida > create #1
        1.0 ida >+ getChildren #2
        3.0 ida < #1 186
        3.1 ida < #2 2
        3.2 ida behind 185 @#2
        3.2 ida > getData 185 #3 @#last
        5.2 ida < #3 185
        9.0 ida ! 185 @#3
    )";
    const LadderPictureBuilder shown(script.store());
    const LadderPicture picture = shown.picture(script.count(), 9, {1500, 700});
    ASSERT_LT(picture.columns.step, 140);
    const auto all = labels(picture);
    EXPECT_THAT(all, Contains("create + getChildren, sent together"));
    EXPECT_THAT(all, Contains("getData …0185 + watch"));
    EXPECT_THAT(all, Contains("NodeDeleted …0185"));
    ASSERT_EQ(picture.boxes.size(), 1U);
    EXPECT_EQ(picture.boxes[0].text.toStdString(), "behind …0185")
        << "the last lane has only the edge beside it";
}

TEST(LadderLabels, ABoxTakesTheRoomOfEmptyLanes)
{
    LadderScript script({"a", "b", "c", "d", "e", "f", "g", "h", "i"});
    script << R"(
        1.0 d > getChildren #1
        3.0 d < #1 2
        3.2 d behind 185 @#1
    )";
    const LadderPictureBuilder shown(script.store());
    const LadderPicture picture = shown.picture(script.count(), 9, {1500, 700});
    ASSERT_EQ(picture.boxes.size(), 1U);
    EXPECT_EQ(picture.boxes[0].text.toStdString(), "2 of 2, behind …0185");
}

// Where every lane has a bar, too: as many lanes as the words leave room for.
TEST(LadderLabels, AreWholeBetweenTheBarsOfAContendedLock)
{
    for (const int width : {1190, 1260, 1660, 2540}) {
        tests::SampleOptions options;
        options.clients = 30;
        const LadderPictureBuilder shown(tests::sampleRun(options));
        const auto lanes = static_cast<std::uint32_t>(LadderColumns::room(width));
        EXPECT_GE(lanes, 4U) << width;
        std::size_t written = 0;
        for (std::size_t limit = 900; limit < shown.store->count(); limit += 301) {
            const LadderPicture picture = shown.picture(limit, lanes, {width, 900});
            for (const LadderArrow& arrow : picture.arrows) {
                const auto& message = picture.ladder.messages[arrow.message];
                const QStringList words = LadderText::label(*shown.store, message).variants;
                if (arrow.label.isEmpty() || message.lost)
                    continue;
                ++written;
                const QString said = arrow.latency.isEmpty()
                                         ? arrow.label
                                         : QString(arrow.label).remove(" · " + arrow.latency);
                // That two requests were sent together is drawn as well.
                EXPECT_TRUE(said == words[0] || (arrow.second && said == words[1]))
                    << width << ": " << arrow.label.toStdString() << " of " << words[0].toStdString();
            }
        }
        EXPECT_GT(written, 100U);
    }
}

// The lessons have four clients: on a screen of 1280 the ladder is so wide beside the panel.
TEST(LadderColumnsTest, FourClientsHaveRoomBesideALesson)
{
    EXPECT_EQ(LadderColumns::room(850), 4U);
    EXPECT_LT(LadderColumns::room(700), 4U);
}

// On the one lane of a narrow window what matters most stays.
TEST(LadderLabels, LoseTheirLeastImportantPartFirst)
{
    LadderScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        1.0 ada >+ getChildren #2
        3.0 ada < #1 186
        3.1 ada < #2 12
    )";
    const LadderPictureBuilder shown(script.store());
    const auto labelsAt = [&](int width) { return labels(shown.picture(script.count(), 1, {width, 500})); };
    EXPECT_THAT(labelsAt(900), Contains("create + getChildren, sent together"));
    EXPECT_THAT(labelsAt(900), Contains("…0186 · 12 children · 2.00 ms")) << "how long it took, too";
    EXPECT_THAT(labelsAt(560), Contains("create + getChildren"));
    EXPECT_THAT(labelsAt(700), Contains("…0186 · 12 children"));
    EXPECT_THAT(labelsAt(560), Contains("…0186")) << "more would cross the request's line";
    EXPECT_THAT(labelsAt(400), Contains("create + …"));
    EXPECT_THAT(labelsAt(400), Contains("…0186"));
}

TEST(LadderLabels, ALostReplySaysSoBesideItsOwnLane)
{
    LadderScript script({"a", "b", "c", "d", "e", "f", "g", "h", "i"});
    script << R"(
        1.0 a > create #1
        1.0 i > create #2
        1.0 d > create #3
        900.0 a x #1
        910.0 i x #2
        920.0 d x #3
    )";
    const LadderPictureBuilder shown(script.store());
    for (const int width : {1200, 2000}) {
        const LadderPicture picture = shown.picture(script.count(), 9, {width, 800});
        std::size_t lost = 0;
        for (const LadderArrow& arrow : picture.arrows) {
            if (!arrow.lost || !arrow.reply)
                continue;
            ++lost;
            const double lane = picture.columns.x[arrow.client.value];
            const double half = arrow.labelWidth / 2;
            EXPECT_LT(std::abs(arrow.labelAt.x() - lane) + half, picture.columns.step) << arrow.client.value;
            EXPECT_GT(std::abs(arrow.labelAt.x() - lane) - half, 5) << "not over its own bar";
            EXPECT_GT(std::abs(arrow.to.x() - lane), std::abs(arrow.labelAt.x() - lane))
                << "behind the cross";
            for (const double other : picture.columns.x)
                EXPECT_GT(std::abs(arrow.to.x() - other), 20) << "the cross is on no lane";
        }
        EXPECT_EQ(lost, 3U);
    }
}

TEST(LadderLabels, NeitherCoverABarNorLeaveTheirArrow)
{
    for (const std::uint32_t clients : {5U, 12U}) {
        tests::SampleOptions options;
        options.clients = clients;
        options.think = std::chrono::milliseconds(20);
        options.killHolderAtGrant = 8;
        const LadderPictureBuilder shown(tests::sampleRun(options));
        const QFont mono = Fonts::standard().monoSmall;
        std::size_t written = 0;
        for (std::size_t limit = 60; limit < shown.store->count(); limit += 53) {
            const LadderPicture picture = shown.picture(limit, clients, {1900, 900});
            for (const LadderArrow& arrow : picture.arrows) {
                if (arrow.label.isEmpty())
                    continue;
                ++written;
                const QRectF cover = labelBounds(arrow, mono);
                if (!arrow.lost) {
                    EXPECT_GE(cover.left(), std::min(arrow.from.x(), arrow.to.x()));
                    EXPECT_LE(cover.right(), std::max(arrow.from.x(), arrow.to.x()));
                }
                for (const LadderBar& bar : picture.bars)
                    EXPECT_FALSE(bar.rect.intersects(cover))
                        << limit << ": " << arrow.label.toStdString() << " over client " << bar.client.value;
            }
            for (const LadderBox& box : picture.boxes)
                for (const LadderBar& bar : picture.bars)
                    EXPECT_FALSE(bar.rect.intersects(box.rect)) << limit << ": " << box.text.toStdString();
        }
        EXPECT_GT(written, 100U);
    }
}

// The labels of a picture, and those that another arrow's line passes behind.
std::pair<std::size_t, std::size_t> writtenAndCrossed(const LadderPicture& picture)
{
    const double half = QFontMetricsF(Fonts::standard().monoSmall).height() / 2 - 2;
    std::size_t written = 0, crossed = 0;
    for (const LadderArrow& label : picture.arrows) {
        if (label.label.isEmpty())
            continue;
        const double turned = label.angle * M_PI / 180;
        const QPointF along(std::cos(turned) * label.labelWidth / 2, std::sin(turned) * label.labelWidth / 2);
        const LadderBand words = LadderBand::of(label.labelAt - along, label.labelAt + along, half);
        ++written;
        crossed += std::any_of(picture.arrows.begin(), picture.arrows.end(), [&](const LadderArrow& other) {
            const QPointF shift(0, other.second ? LadderPicture::kPairShift : 0);
            return &other != &label &&
                   (words.overlaps(LadderBand::of(other.from, other.to, 0.5)) ||
                    words.overlaps(LadderBand::of(other.from + shift, other.to + shift, 0.5)));
        });
    }
    return {written, crossed};
}

// Its first request comes with the beginning of the run, and the reply goes out where the request came in.
TEST(LadderLabels, LeaveTheLineOfTheirOwnRequestWhole)
{
    LadderScript script({"ada", "bo"});
    script << R"(
        1.0 ada > create #1
        1.0 ada >+ getChildren #2
        64.0 ada < #1 0
        64.3 ada < #2 1
        64.3 ada acquired @#2
        70.0 bo > create #3
        70.0 bo >+ getChildren #4
        133.0 bo < #3 1
        133.3 bo < #4 2
    )";
    const LadderPictureBuilder shown(script.store());
    for (const int width : {700, 760, 820, 880, 940}) {
        const auto [written, crossed] = writtenAndCrossed(shown.picture(script.count(), 2, {width, 230}));
        EXPECT_GE(written, 2U) << width;
        EXPECT_EQ(crossed, 0U) << width;
    }
}

// Many arrows at once leave no way around each other: then a line passes behind the words.
TEST(LadderLabels, LeaveTheLinesOfOtherArrowsWhole)
{
    tests::SampleOptions options;
    options.clients = 12;
    const LadderPictureBuilder shown(tests::sampleRun(options));
    std::size_t written = 0, crossed = 0;
    for (std::size_t limit = 60; limit < shown.store->count(); limit += 53) {
        const auto [labels, over] = writtenAndCrossed(shown.picture(limit, 4, {1200, 900}));
        written += labels;
        crossed += over;
    }
    EXPECT_GT(written, 200U);
    EXPECT_LT(crossed * 50, written) << crossed << " of " << written;
}

TEST(LadderLabels, SayThatAHolderWatchesItsOwnNode)
{
    LadderScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        2.0 ada < #1 1
        2.0 ada acquired @#1
        3.0 ada > getData 1 #2
        4.0 ada < #2 1
    )";
    const LadderPictureBuilder shown(script.store());
    EXPECT_THAT(labels(shown.picture(script.count(), 1, {1200, 500})),
                Contains("getData …0001 + watch (its own node)"));
    EXPECT_THAT(labels(shown.picture(script.count(), 1, {660, 500})), Contains("getData + watch: own"));
}

} // namespace
} // namespace lockscope::ui::test
