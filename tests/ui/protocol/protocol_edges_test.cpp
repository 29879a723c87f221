// The protocol's edges and small print: no cut words where the view begins, no fold in a request on its way.
#include "tests/support/sample_run.h"
#include "tests/ui/protocol/protocol_picture_builder.h"
#include "tests/ui/protocol/protocol_script.h"
#include "ui/models/style/format.h"
#include "ui/protocol/protocol_picture.h"
#include "ui/protocol/protocol_view.h"

#include <QTest>
#include <gmock/gmock.h>

namespace lockscope::ui::test {
namespace {

using testing::HasSubstr;

// The moment at the server is a guess: half a fold before it and half behind it would say more than is known.
TEST(ProtocolEdges, ARequestOnItsWayIsNoQuietStretch)
{
    ProtocolScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        2.0 ada < #1 1
        3.0 ada > getData 1 #2
        4.0 ada < #2 1
        5.0 ada > delete 1 #3
        15.0 ada < #3 1
    )";
    const ProtocolPictureBuilder shown(script.store());
    const ProtocolPicture picture = shown.picture(script.count(), 1, {900, 500});
    EXPECT_TRUE(picture.folds.empty()) << picture.folds.size();
    EXPECT_EQ(picture.arrows.size(), 6U);
}

TEST(ProtocolEdges, AHoldSaysTheDepthOfTheCursorsMoment)
{
    ProtocolScript script({"ada"});
    script << R"(
        1.0 ada > create #1
        2.0 ada < #1 1
        2.0 ada acquired @#1
        3.0 ada > getData 1 #2
        4.0 ada < #2 1
        5.0 ada reenters 2
        6.0 ada > getData 1 #3
        7.0 ada < #3 1
        8.0 ada reenters 3
        9.0 ada > getData 1 #4
        10.0 ada < #4 1
    )";
    const ProtocolPictureBuilder shown(script.store());
    const auto saidAt = [&](std::size_t limit) {
        const ProtocolPicture picture = shown.picture(limit, 1, {900, 500});
        for (const ProtocolBar& bar : picture.bars)
            if (bar.span.kind == replay::SpanKind::holding)
                return bar.text.toStdString();
        return std::string("no hold");
    };
    EXPECT_EQ(saidAt(7), "holds");
    EXPECT_EQ(saidAt(10), "holds ×2");
    EXPECT_EQ(saidAt(13), "holds ×3");
}

TEST(ProtocolEdges, BothClientsOfTheHandoffHaveLanesWhateverIsSelected)
{
    RunModel run;
    Selection selection;
    Theme theme{Theme::ColourScheme::dark};
    ProtocolView view{&run, &selection, &theme};
    view.resize(1000, 600);
    view.show();
    tests::SampleOptions options;
    options.clients = 200;
    options.events = 20'000;
    run.openTrace(tests::sampleRun(options));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run.opening(); }));
    int checkedLabels = 0;
    for (const std::size_t event : {6000U, 9000U, 12'000U, 15'000U, 18'000U}) {
        run.seekEvent(event);
        selection.selectClient(ClientId{199});
        const ProtocolPicture& picture = view.picture();
        if (!picture.bracket)
            continue;
        ++checkedLabels;
        EXPECT_THAT(view.lanes().shown,
                    testing::IsSupersetOf({picture.bracket->handoff.from, picture.bracket->handoff.to}));
    }
    EXPECT_GT(checkedLabels, 2);
}

TEST(ProtocolEdges, TheCaptionEndsAtTheCursorAndNotWhereAnArrowWillArrive)
{
    RunModel run;
    Selection selection;
    Theme theme(Theme::ColourScheme::light);
    ProtocolView view(&run, &selection, &theme);
    view.resize(1000, 600);
    view.show();
    run.openTrace(tests::sampleRun({}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run.opening(); }));
    std::size_t onTheWay = 0;
    for (std::size_t position = run.store()->count() / 2, tries = 0; onTheWay < 3 && tries < 60;
         ++position, ++tries) {
        run.seekEvent(position);
        view.grab();
        const auto& times = view.picture().times;
        if (times.empty() || times.back().first <= run.cursorTime())
            continue;
        ++onTheWay;
        const QString end = format::timestamp(run.cursorTime());
        EXPECT_TRUE(QTest::qWaitFor([&] { return view.caption().contains(end); }))
            << "event " << position << ": " << view.caption().toStdString();
    }
    EXPECT_EQ(onTheWay, 3U);
}

// A watch event's moment at the server is a guess.
TEST(ProtocolEdges, AFoldSaysAboutWhenItEndsAlsoWhereThatIsNotRecorded)
{
    ProtocolScript script({"ada"});
    script << R"(
        1.0 ada > getData 7 #1
        2.0 ada < #1 7
        5002.0 ada ! 7
    )";
    const ProtocolPictureBuilder shown(script.store());
    const ProtocolPicture picture = shown.picture(script.count(), 1, {900, 500});
    ASSERT_EQ(picture.folds.size(), 1u);
    EXPECT_THAT(picture.folds[0].text.toStdString(), HasSubstr("then about"));
}

} // namespace
} // namespace lockscope::ui::test
