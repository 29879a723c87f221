// The algorithm view: lines of both handoff policies, who is at which line, whom it follows.
#include "tests/support/sample_run.h"
#include "ui/chain/algorithm_view.h"
#include "ui/models/run/breakpoints.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui;
using replay::Step;
using testing::HasSubstr;

TEST(AlgorithmLines, EveryStepHasALineUnderBothPolicies)
{
    for (const bool announced : {false, true}) {
        const auto& lines = chain::algorithmLines(Recipe::mutex, announced);
        for (int step = static_cast<int>(Step::reenter); step <= static_cast<int>(Step::remove); ++step)
            EXPECT_GE(chain::lineOf(lines, static_cast<Step>(step)), 0) << announced << " " << step;
        EXPECT_EQ(chain::lineOf(lines, Step::none), -1);
    }
}

// They showed the mutex.
TEST(AlgorithmLines, OfNoLockAndOfTheOldReadWriteLockAreTheirOwn)
{
    const auto codes = [](Recipe recipe) {
        std::string all;
        for (const chain::AlgorithmLine& line : chain::algorithmLines(recipe, false))
            all += std::string(line.code) + "\n";
        return all;
    };
    EXPECT_EQ(codes(Recipe::oldReadWrite), codes(Recipe::readWrite));
    EXPECT_THAT(codes(Recipe::oldReadWrite), HasSubstr("READ or WRIT"));
    EXPECT_EQ(codes(Recipe::none), "acquire():\nreturn\nrelease():\nreturn\n");
}

class AlgorithmViewTest : public testing::Test
{
protected:
    void open(SampleOptions options)
    {
        options.events = 4000;
        store = sampleRun(options);
        model.openTrace(store);
        view.resize(440, 310);
        view.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    }

    std::shared_ptr<trace::TraceStore> store;
    RunModel model;
    Selection selection;
    Theme theme{Theme::ColourScheme::light};
    Breakpoints breakpoints;
    AlgorithmView view{&model, &selection, &breakpoints, &theme};
};

TEST_F(AlgorithmViewTest, EveryClientAtTheLockIsADotOrCounted)
{
    SampleOptions options;
    options.clients = 40;
    open(options);
    std::size_t shown = 0, atTheLock = 0;
    for (const auto& row : view.rows()) {
        EXPECT_LE(row.dots.size(), static_cast<std::size_t>(AlgorithmView::kMaxDots));
        EXPECT_TRUE(row.more == 0 || row.dots.size() == AlgorithmView::kMaxDots - 1);
        shown += row.dots.size() + row.more;
    }
    for (const auto& client : model.state().clients)
        atTheLock += client.step != Step::none;
    EXPECT_GT(atTheLock, 20u);
    EXPECT_EQ(shown, atTheLock);
}

TEST_F(AlgorithmViewTest, TheSelectedClientsLineIsMarkedAndItsDotShown)
{
    SampleOptions options;
    options.clients = 40;
    open(options);
    const auto sleeper = std::find_if(model.state().clients.rbegin(), model.state().clients.rend(),
                                      [](const auto& client) { return client.step == Step::sleep; });
    ASSERT_NE(sleeper, model.state().clients.rend());
    int captionChanges = 0;
    view.onCaptionChange([&captionChanges] { ++captionChanges; });
    selection.selectClient(sleeper->id);
    EXPECT_EQ(view.caption().toStdString(), "following " + std::string(sleeper->name));
    EXPECT_EQ(captionChanges, 1);
    int marked = 0;
    for (const auto& row : view.rows()) {
        if (!row.marked)
            continue;
        ++marked;
        EXPECT_TRUE(row.line->is(Step::sleep));
        EXPECT_THAT(row.dots, testing::Contains(testing::Field(&AlgorithmView::Dot::client, sleeper->id)));
    }
    EXPECT_EQ(marked, 1);
}

TEST_F(AlgorithmViewTest, DotsHaveNamesAndCanBeClicked)
{
    open({});
    for (const auto& row : view.rows()) {
        if (row.dots.empty())
            continue;
        // The first dot stands at the right end of its line.
        const QPoint dot(view.width() - 18, static_cast<int>(row.rect.center().y()));
        ASSERT_EQ(row.more, 0u);
        EXPECT_EQ(view.tipAt(dot).toStdString(), model.state().client(row.dots[0].client)->name);
        QTest::mouseClick(&view, Qt::LeftButton, {}, dot);
        EXPECT_EQ(selection.client(), row.dots[0].client);
        return;
    }
    FAIL() << "no client is at the lock";
}

TEST_F(AlgorithmViewTest, AScreenReaderWalksTheLinesWithTheirClients)
{
    open({});
    breakpoints.setAvailable(true);
    const auto& rows = view.rows();
    const auto items = view.accessibleItems();
    ASSERT_EQ(items.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(items[i].rect, rows[i].rect.toAlignedRect());
        for (const AlgorithmView::Dot& dot : rows[i].dots) {
            const auto name = QString::fromStdString(std::string(model.state().client(dot.client)->name));
            EXPECT_TRUE(items[i].name.contains(name)) << items[i].name.toStdString();
        }
    }
    const auto line = std::find_if(items.begin(), items.end(),
                                   [](const AccessibleItem& item) { return item.choose != nullptr; });
    ASSERT_NE(line, items.end());
    line->choose();
    EXPECT_EQ(view.rows()[static_cast<std::size_t>(line - items.begin())].stop, AlgorithmView::Stop::here);
}

TEST_F(AlgorithmViewTest, AClickBesideALineSetsABreakpointAndAnotherClearsIt)
{
    open({});
    breakpoints.setAvailable(true);
    const auto rowOf = [this](Step step) {
        const auto& rows = view.rows();
        return std::find_if(rows.begin(), rows.end(), [step](const auto& row) { return row.line->is(step); });
    };
    const auto clickAt = [&](Step step) {
        QTest::mouseClick(&view, Qt::LeftButton, {},
                          QPoint(10, static_cast<int>(rowOf(step)->rect.center().y())));
    };
    using Stop = AlgorithmView::Stop;

    selection.selectClient(ClientId{1});
    QSignalSpy wanted(&breakpoints, &Breakpoints::changeRequested);
    clickAt(Step::list);
    EXPECT_TRUE(breakpoints.has(ClientId{1}, GateStep::list));
    EXPECT_EQ(breakpoints.at(GateStep::list).size(), 1U);
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(rowOf(Step::list)->stop, Stop::here);
    EXPECT_EQ(selection.client(), ClientId{1});
    selection.selectClient(ClientId{2});
    EXPECT_EQ(rowOf(Step::list)->stop, Stop::others);
    EXPECT_EQ(rowOf(Step::create)->stop, Stop::none);

    selection.clear(); // of all
    EXPECT_EQ(rowOf(Step::list)->stop, Stop::here);
    clickAt(Step::create);
    EXPECT_EQ(breakpoints.at(GateStep::create).size(), model.state().clients.size());
    EXPECT_TRUE(breakpoints.at(GateStep::created).empty());
    breakpoints.set(ClientId{0}, GateStep::created, true); // the menu has it, the line shows it
    clickAt(Step::create);
    clickAt(Step::list);
    EXPECT_FALSE(breakpoints.any()) << "those after the request too";

    breakpoints.setAvailable(false);
    clickAt(Step::list);
    EXPECT_FALSE(breakpoints.any()) << "the run is not live";
}

TEST_F(AlgorithmViewTest, KeysSetABreakpointToo)
{
    open({});
    breakpoints.setAvailable(true);
    selection.clear();
    QTest::keyClick(&view, Qt::Key_F9);
    EXPECT_FALSE(breakpoints.any()) << "no line is chosen";
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_F9);
    EXPECT_FALSE(breakpoints.at(GateStep::reenter).empty()) << "the first line that is a step";
    QTest::keyClick(&view, Qt::Key_F9);
    EXPECT_FALSE(breakpoints.any());
    for (int i = 0; i < 30; ++i)
        QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_F9);
    // The last line: a release that lowers the count stops there, and so does one that deletes the node.
    const std::size_t all = model.state().clients.size();
    EXPECT_EQ(breakpoints.at(GateStep::release).size(), all);
    EXPECT_EQ(breakpoints.at(GateStep::remove).size(), all);
    EXPECT_TRUE(breakpoints.at(GateStep::gone).empty());
    QTest::keyClick(&view, Qt::Key_F9);
    EXPECT_FALSE(breakpoints.any());
}

TEST_F(AlgorithmViewTest, AViewTooLowIsScrolledToEveryLineAndGoesToTheMarkedOne)
{
    open({});
    view.resize(280, 120);
    const auto inSight = [this](const AlgorithmView::Row& row) {
        return row.rect.top() >= 0 && row.rect.bottom() <= view.height();
    };
    EXPECT_TRUE(inSight(view.rows().front()));
    EXPECT_FALSE(inSight(view.rows().back()));
    for (int page = 0; page < 10; ++page)
        QTest::keyClick(&view, Qt::Key_PageDown);
    EXPECT_TRUE(inSight(view.rows().back()));
    EXPECT_FALSE(inSight(view.rows().front()));
    for (int page = 0; page < 10; ++page)
        QTest::keyClick(&view, Qt::Key_PageUp);
    EXPECT_TRUE(inSight(view.rows().front()));
    for (int i = 0; i < 20; ++i) {
        QWheelEvent down({50, 50}, view.mapToGlobal(QPointF(50, 50)), {}, {0, -120}, {}, {},
                         Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &down);
    }
    EXPECT_TRUE(inSight(view.rows().back()));
    int seen = 0;
    for (const auto& client : model.state().clients) {
        for (int page = 0; page < 10; ++page)
            QTest::keyClick(&view, Qt::Key_PageUp);
        selection.selectClient(client.id);
        for (const auto& row : view.rows()) {
            seen += row.marked ? 1 : 0;
            EXPECT_TRUE(!row.marked || inSight(row)) << row.line->code;
        }
    }
    EXPECT_GT(seen, 0);
}

TEST_F(AlgorithmViewTest, TheKeySaysWhyItDoesNothing)
{
    open({});
    QTest::keyClick(&view, Qt::Key_F9);
    EXPECT_TRUE(QToolTip::text().contains("while a run is live")) << QToolTip::text().toStdString();
    breakpoints.setAvailable(true);
    selection.clear();
    QTest::keyClick(&view, Qt::Key_F9);
    EXPECT_TRUE(QToolTip::text().contains("Choose a line")) << QToolTip::text().toStdString();
    EXPECT_FALSE(breakpoints.any());
    QToolTip::hideText();
}

} // namespace
} // namespace lockscope::tests
