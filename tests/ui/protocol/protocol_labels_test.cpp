// The words on the protocol's arrows and in its boxes: whole wherever there is room for them.
#include "tests/support/sample_run.h"
#include "tests/ui/protocol/protocol_picture_builder.h"
#include "tests/ui/protocol/protocol_script.h"
#include "ui/protocol/label_placer.h"
#include "ui/protocol/protocol_picture.h"
#include "ui/texts/protocol_text.h"

#include <QFontMetricsF>
#include <gmock/gmock.h>

#include <cmath>

namespace lockscope::ui::test {
namespace {

using testing::Contains;

std::vector<std::string> labels(const ProtocolPicture& picture)
{
    std::vector<std::string> all;
    for (const ProtocolArrow& arrow : picture.arrows)
        all.push_back(arrow.label.toStdString());
    return all;
}

TEST(ProtocolLabels, NeitherCoverABarNorLeaveTheirArrow)
{
    for (const std::uint32_t clients : {5U, 12U}) {
        tests::SampleOptions options;
        options.clients = clients;
        options.think = std::chrono::milliseconds(20);
        options.killHolderAtGrant = 8;
        const ProtocolPictureBuilder shown(tests::sampleRun(options));
        const QFont mono = Fonts::standard().monoSmall;
        std::size_t written = 0;
        for (std::size_t limit = 60; limit < shown.store->count(); limit += 53) {
            const ProtocolPicture picture = shown.picture(limit, clients, {1900, 900});
            for (const ProtocolArrow& arrow : picture.arrows) {
                if (arrow.label.isEmpty())
                    continue;
                ++written;
                const QRectF cover = labelBounds(arrow, mono);
                if (!arrow.lost) {
                    EXPECT_GE(cover.left(), std::min(arrow.from.x(), arrow.to.x()));
                    EXPECT_LE(cover.right(), std::max(arrow.from.x(), arrow.to.x()));
                }
                for (const ProtocolBar& bar : picture.bars)
                    EXPECT_FALSE(bar.rect.intersects(cover))
                        << limit << ": " << arrow.label.toStdString() << " over client " << bar.client.value;
            }
            for (const ProtocolBox& box : picture.boxes)
                for (const ProtocolBar& bar : picture.bars)
                    EXPECT_FALSE(bar.rect.intersects(box.rect)) << limit << ": " << box.text.toStdString();
        }
        EXPECT_GT(written, 100U);
    }
}

TEST(ProtocolLabels, SayThatAHolderWatchesItsOwnNode)
{
    ProtocolScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        2.0 ada < #1 1
        2.0 ada acquired @#1
        3.0 ada > getData 1 #2
        4.0 ada < #2 1
    )";
    const ProtocolPictureBuilder shown(script.store());
    EXPECT_THAT(labels(shown.picture(script.count(), 1, {1200, 500})),
                Contains("getData …0001 + watch (its own node)"));
    EXPECT_THAT(labels(shown.picture(script.count(), 1, {660, 500})), Contains("getData + watch: own"));
}

} // namespace
} // namespace lockscope::ui::test
