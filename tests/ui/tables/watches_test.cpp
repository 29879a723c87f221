// The watch table as a person meets it: rows that follow the run, what differs first and in words, one
// selection.
#include <QTest>

#include "tests/support/trace_script.h"
#include "tests/ui/growing_run.h"
#include "ui/models/rows/watches_model.h"
#include "ui/models/run/selection.h"
#include "ui/tables/watches_view.h"

#include <gtest/gtest.h>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using lockscope::tests::scriptNode;
using lockscope::tests::traceScript;

namespace {

struct WatchesViewTest : testing::Test
{
    WatchesViewTest()
    {
        view.resize(560, 300);
        view.show();
    }
    void open(const std::string& script)
    {
        run.openTrace(traceScript(script));
        run.seekEvent(run.store()->count());
    }
    std::string cell(int row, int column) const { return view.rows().text(row, column).toStdString(); }

    RunModel run;
    Selection selection;
    Theme theme{Theme::ColourScheme::light};
    WatchesView view{&run, &selection, &theme};
};

TEST_F(WatchesViewTest, WhatDiffersComesFirstInWordsAndInColour)
{
    open("ada holds n1; bo joins n2; cyd waits n4 n2; dee waits n5 n4; ada release n1; ada freed n1; bo "
         "exists n1;"
         "bo notthere n1; bo takes n2; - table n1:bo n2:cyd; - table n1:bo n2:cyd");
    ASSERT_EQ(view.model()->rowCount(), 3);
    EXPECT_EQ(cell(0, WatchesModel::Verdict), "stray: of bo");
    EXPECT_EQ(cell(0, WatchesModel::Believed), "–");
    EXPECT_EQ(cell(0, WatchesModel::Served), "bo");
    EXPECT_EQ(view.rows().tone(0), Tone::stale);
    EXPECT_EQ(cell(1, WatchesModel::Verdict), "missing: of dee");
    EXPECT_EQ(cell(1, WatchesModel::Served), "–");
    EXPECT_EQ(cell(2, WatchesModel::Verdict), "agree");
    EXPECT_TRUE(view.caption().startsWith("2 of 3 differ")) << view.caption().toStdString();
    EXPECT_TRUE(view.rows().toolTip(0).contains("no client relies on"));
    EXPECT_TRUE(view.rows().toolTip(1).contains("the server does not have"));
}

TEST_F(WatchesViewTest, AreSortedByATitleAndHaveTheirOwnOrderAgain)
{
    open("ada holds n1; bo waits n2 n1; cyd waits n3 n2; dee waits n4 n3; - table n1:bo n3:dee");
    const auto nodes = [this] {
        std::string all;
        for (int row = 0; row < view.model()->rowCount(); ++row)
            all += cell(row, WatchesModel::Node) + ' ';
        return all;
    };
    const std::string own = nodes();
    view.sortByColumn(WatchesModel::Node, Qt::DescendingOrder);
    EXPECT_EQ(nodes(), "…0003 …0002 …0001 ");
    view.sortByColumn(-1, Qt::AscendingOrder);
    EXPECT_EQ(nodes(), own);
}

TEST_F(WatchesViewTest, TellWhatHasChangedSinceTheTable)
{
    open("ada holds n1; bo waits n2 n1; cyd waits n3 n2; - table n1:bo n2:cyd; dee waits n4 n3; "
         "ada release n1; ada freed n1; bo fired n1; bo takes n2");
    ASSERT_EQ(view.model()->rowCount(), 3);
    EXPECT_EQ(cell(0, WatchesModel::Node), "…0002");
    EXPECT_EQ(cell(0, WatchesModel::Verdict), "agree");
    EXPECT_EQ(cell(1, WatchesModel::Believed), "dee");
    EXPECT_EQ(cell(1, WatchesModel::Verdict), "not read yet");
    EXPECT_EQ(cell(2, WatchesModel::Node), "…0001") << "the last, because it is not needed any more";
    EXPECT_EQ(cell(2, WatchesModel::Verdict), "gone since");
    EXPECT_EQ(view.rows().tone(2), Tone::muted);
}

TEST_F(WatchesViewTest, AHoldersWatchIsOnItsOwnNodeAlsoWhenThatIsGone)
{
    const std::string read =
        "ada holds n1; ada watch n1; ada watching n1; bo waits n2 n1; - table n1:ada n1:bo";
    for (const std::string& then : {std::string(), std::string("; ada release n1; ada freed n1")}) {
        open(read + then);
        ASSERT_EQ(view.model()->rowCount(), 1);
        EXPECT_EQ(cell(0, WatchesModel::Believed), "ada (its own node), bo") << then;
        EXPECT_EQ(cell(0, WatchesModel::Served), "ada (its own node), bo") << then;
    }
}

TEST_F(WatchesViewTest, WithoutPollingTheyShowWhatClientsBelieve)
{
    open("ada holds n1; bo waits n2 n1");
    ASSERT_EQ(view.model()->rowCount(), 1);
    EXPECT_EQ(cell(0, WatchesModel::Served), "?");
    EXPECT_EQ(cell(0, WatchesModel::Verdict), "not asked");
    EXPECT_EQ(view.caption(), "the server's table was not read");
}

TEST_F(WatchesViewTest, AWatchOnTheListIsNotInTheTable)
{
    open("ada holds n1; bo joins n2; bo sleeps n2 1/2; - table; - table");
    ASSERT_EQ(view.model()->rowCount(), 1);
    EXPECT_EQ(cell(0, WatchesModel::Node), "children");
    EXPECT_EQ(cell(0, WatchesModel::Believed), "bo");
    EXPECT_EQ(cell(0, WatchesModel::Verdict), "not in the table");
    EXPECT_TRUE(view.rows().toolTip(0).contains("wchp"));
}

TEST_F(WatchesViewTest, ARefusalIsSaidInOneLine)
{
    const auto store = traceScript("ada holds n1");
    store->append({2s, EventIndex::none(), ClientId::none(), LockId::none(),
                   trace::WatchesRead{{}, 0, 0, 1, "The server at <b>x</b> does not answer \"wchp\"."}});
    run.openTrace(store);
    run.seekEvent(run.store()->count());
    EXPECT_TRUE(view.caption().contains("does not answer")) << view.caption().toStdString();
}

TEST_F(WatchesViewTest, ARowSelectsItsNodeAndWhoWatchesIt)
{
    open("ada holds n1; bo waits n2 n1; cyd waits n3 n2; - table n1:bo n2:cyd");
    const QModelIndex second = view.model()->index(1, 0);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, view.visualRect(second).center());
    EXPECT_EQ(selection.node().toStdString(), scriptNode("n2"));
    EXPECT_EQ(selection.client(), ClientId{2});
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_EQ(selection.node().toStdString(), scriptNode("n1"));
}

TEST_F(WatchesViewTest, TheRowOfASelectedClientIsTheOneItWatches)
{
    open("ada holds n1; bo waits n2 n1; cyd waits n3 n2; - table n1:bo n2:cyd");
    const auto marked = [this] { return cell(view.currentIndex().row(), WatchesModel::Node); };
    selection.selectClient(ClientId{1}, QString::fromStdString(scriptNode("n2")));
    EXPECT_EQ(marked(), "…0001") << "and not that of its own node, which another client watches";
    selection.selectClient(ClientId{2}, QString::fromStdString(scriptNode("n3")));
    EXPECT_EQ(marked(), "…0002");
    selection.selectClient(ClientId{0}, QString::fromStdString(scriptNode("n1")));
    EXPECT_EQ(marked(), "…0001") << "a holder watches no other node: its own";
}

} // namespace
