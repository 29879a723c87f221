// The protocol log as a person meets it: lines select events, the newest is followed, a filter is typed.
#include "tests/ui/tables/tables_test_fixture.h"

#include "ui/models/style/format.h"
#include "ui/widgets/log_filter_edit.h"

#include <QClipboard>
#include <QCompleter>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using lockscope::tests::GrowingRun;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::TablesTest;

namespace {

TEST_F(TablesTest, ALogLineSelectsItsEventAndBack)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(logSettled());
    const auto* model = qobject_cast<LogModel*>(lines().model());
    lines().scrollToTop();
    click(lines(), 2);
    EXPECT_EQ(selection.selectedEvent(), model->eventAt(2));
    EXPECT_EQ(selection.client(), model->client(2));
    const int far = model->rowCount() - 1;
    selection.selectEvent(model->eventAt(far), model->client(far));
    EXPECT_EQ(lines().currentIndex().row(), far);
    EXPECT_TRUE(lines().viewport()->rect().intersects(lines().visualRect(lines().currentIndex())));
}

// The table's first line is its current one, unseen, as soon as it has the focus.
TEST_F(TablesTest, TheFirstArrowKeyMarksTheLastLineInSight)
{
    run.openTrace(sampleRun());
    run.follow();
    ASSERT_TRUE(logSettled());
    log.activateWindow();
    lines().setFocus(Qt::ShortcutFocusReason);
    ASSERT_TRUE(QTest::qWaitFor([this] { return lines().hasFocus(); }));
    QGuiApplication::clipboard()->setText("nothing");
    QTest::keyClick(&lines(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "nothing") << "no line is marked";
    QTest::keyClick(&lines(), Qt::Key_Up);
    const QModelIndex current = lines().currentIndex();
    EXPECT_EQ(current.row(), lines().model()->rowCount() - 1);
    EXPECT_TRUE(lines().selectionModel()->isRowSelected(current.row()));
    EXPECT_TRUE(lines().viewport()->rect().intersects(lines().visualRect(current)));
    QTest::keyClick(&lines(), Qt::Key_Up);
    EXPECT_EQ(lines().currentIndex().row(), lines().model()->rowCount() - 2);
}

TEST_F(TablesTest, ARunThatGoesOnStandsWhereEnterTookItUntilItIsFollowed)
{
    GrowingRun growing;
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 300));
    ASSERT_TRUE(logSettled());
    EXPECT_TRUE(notice().isHidden());
    const auto* model = qobject_cast<LogModel*>(lines().model());
    const EventIndex last = model->eventAt(model->rowCount() - 1);
    for (const EventIndex event : {last, model->eventAt(3)}) {
        run.goToEvent(event);
        ASSERT_TRUE(growing.publishAndDrain(run, 50));
        EXPECT_EQ(run.position(), event.value + 1) << "also behind what was the last event";
        EXPECT_FALSE(run.following());
        EXPECT_TRUE(notice().isVisible());
        EXPECT_TRUE(log.rect().contains(notice().geometry()));
    }
    QTest::mouseClick(notice().findChild<QToolButton*>(), Qt::LeftButton);
    EXPECT_TRUE(run.following());
    EXPECT_TRUE(notice().isHidden());
    ASSERT_TRUE(growing.publishAndDrain(run, 50));
    ASSERT_TRUE(logSettled());
    EXPECT_EQ(lines().verticalScrollBar()->value(), lines().verticalScrollBar()->maximum());
}

TEST_F(TablesTest, TheLogCountsTheNewLinesThatItDoesNotShow)
{
    GrowingRun growing;
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 300));
    ASSERT_TRUE(logSettled());
    const int before = lines().model()->rowCount();
    lines().verticalScrollBar()->setValue(3);
    EXPECT_TRUE(notice().isHidden()) << "nothing new yet";
    ASSERT_TRUE(growing.publishAndDrain(run, 100));
    ASSERT_TRUE(logSettled());
    EXPECT_EQ(lines().newerLines(), lines().model()->rowCount() - before);
    EXPECT_TRUE(notice().isVisible());
    lines().scrollToBottom();
    EXPECT_EQ(lines().newerLines(), 0);
    EXPECT_TRUE(notice().isHidden()) << "scrolling to the end follows too";
    click(lines(), before);
    ASSERT_TRUE(growing.publishAndDrain(run, 100));
    ASSERT_TRUE(logSettled());
    ASSERT_TRUE(notice().isVisible()) << "a line is looked at";
    QTest::mouseClick(notice().findChild<QToolButton*>(), Qt::LeftButton);
    EXPECT_TRUE(notice().isHidden());
    EXPECT_EQ(lines().verticalScrollBar()->value(), lines().verticalScrollBar()->maximum());
}

TEST_F(TablesTest, TheLogCountsNoLineAsNewThatAnotherFilterLeaves)
{
    SampleOptions options;
    options.events = 2000;
    GrowingRun growing(options);
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 600));
    ASSERT_TRUE(logSettled());
    const auto* model = qobject_cast<LogModel*>(lines().model());
    int row = 0;
    while (model->client(row) != ClientId{1})
        ++row;
    lines().scrollTo(model->index(row, 0));
    click(lines(), row);
    for (const char* filter : {"client:bo", ""}) {
        log.setFilterText(filter);
        ASSERT_TRUE(logSettled());
        QCoreApplication::processEvents();
        ASSERT_LT(lines().verticalScrollBar()->value(), lines().verticalScrollBar()->maximum()) << filter;
        EXPECT_EQ(lines().newerLines(), 0) << filter;
        EXPECT_TRUE(notice().isHidden()) << filter;
    }
    const int before = model->rowCount();
    ASSERT_TRUE(growing.publishAndDrain(run, 100));
    ASSERT_TRUE(logSettled());
    EXPECT_EQ(lines().newerLines(), model->rowCount() - before) << "these are";
}

// As a search does: the event is selected before the cursor is there, and so before the log has its line.
TEST_F(TablesTest, TheLogShowsASelectedEventAsSoonAsItHasItsLine)
{
    SampleOptions options;
    options.events = 20'000;
    run.openTrace(sampleRun(options));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run.opening(); }));
    ASSERT_TRUE(logSettled());
    const auto* model = qobject_cast<LogModel*>(lines().model());
    const auto inSight = [&] {
        return lines().currentIndex().isValid() &&
               lines().viewport()->rect().intersects(lines().visualRect(lines().currentIndex()));
    };
    for (const int row : {200, model->rowCount() - 300, 400}) {
        const EventIndex event = model->eventAt(row);
        const ClientId client = model->client(row);
        run.seekEvent(100);
        ASSERT_TRUE(logSettled());
        lines().scrollToTop();
        selection.selectEvent(event, client);
        run.seekEvent(event.value + 200);
        ASSERT_TRUE(QTest::qWaitFor([&] { return model->rowOf(event) >= 0 && !model->building(); }));
        EXPECT_TRUE(inSight()) << row;
        EXPECT_EQ(lines().currentIndex().row(), row);
        run.follow();
        ASSERT_TRUE(logSettled());
    }
}

TEST_F(TablesTest, TheFilterOffersWhatMayFollowAndShowsWhatIsWrong)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(logSettled());
    log.openFilter();
    auto* edit = log.findChild<LogFilterEdit*>();
    const auto* fault = log.findChild<QLabel*>("filterFault");
    QTest::keyClicks(edit, "client:");
    EXPECT_TRUE(edit->completions().contains("client:bo"));
    EXPECT_TRUE(fault->isVisible());
    EXPECT_TRUE(fault->text().startsWith("Character 7: ")) << fault->text().toStdString();
    QTest::keyClicks(edit, "bo");
    EXPECT_FALSE(fault->isVisible());
    EXPECT_EQ(edit->text(), "client:bo") << "marking what is wrong leaves the text alone";
    ASSERT_TRUE(logSettled());
    ASSERT_GT(lines().model()->rowCount(), 0);
    EXPECT_LE(lines().geometry().bottom(), log.height());
}

TEST_F(TablesTest, ACompletionTakesThePlaceOfItsWordWhereverTheCursorIs)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(logSettled());
    log.openFilter();
    auto* edit = log.findChild<LogFilterEdit*>();
    QTest::keyClicks(edit, "lock client:b");
    ASSERT_TRUE(edit->completions().contains("client:bo"));
    edit->home(false); // the list stays open
    emit edit->findChild<QCompleter*>()->activated(QStringLiteral("client:bo"));
    EXPECT_EQ(edit->text(), "lock client:bo ");
}

TEST_F(TablesTest, TheLogSaysWhenItsFilterHidesWhatIsSelected)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(logSettled());
    const auto* model = qobject_cast<LogModel*>(lines().model());
    const EventIndex event = model->eventAt(3);
    const ClientId client = model->client(3);
    log.setFilterText("nobodysaysthis");
    ASSERT_TRUE(logSettled());
    EXPECT_FALSE(log.caption().contains("hidden")) << "nothing is selected";
    selection.selectEvent(event, client);
    EXPECT_TRUE(log.caption().contains("the selected event is hidden")) << log.caption().toStdString();
    log.setFilterText({});
    ASSERT_TRUE(logSettled());
    EXPECT_FALSE(log.caption().contains("hidden")) << log.caption().toStdString();
}

TEST_F(TablesTest, TheFilterIsTypedShownAndPutAway)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(logSettled());
    const int all = lines().model()->rowCount();
    log.openFilter();
    auto* field = log.findChild<QLineEdit*>();
    ASSERT_TRUE(field->isVisible());
    QTest::keyClicks(field, "who:bo op:getData");
    ASSERT_TRUE(logSettled());
    EXPECT_LT(lines().model()->rowCount(), all);
    EXPECT_TRUE(log.caption().startsWith("filter: who:bo op:getData · ")) << log.caption().toStdString();
    QTest::keyClick(field, Qt::Key_Escape);
    ASSERT_TRUE(logSettled());
    EXPECT_FALSE(field->isVisible());
    EXPECT_EQ(lines().model()->rowCount(), all);

    selection.selectClient(ClientId{1});
    for (QAction* action : log.findChildren<QAction*>())
        if (action->text() == "Only Selected Client")
            action->trigger();
    ASSERT_TRUE(logSettled());
    EXPECT_TRUE(log.caption().startsWith("only bo · ")) << log.caption().toStdString();
    const int bo = lines().model()->rowCount();
    EXPECT_LT(bo, all);
    selection.selectClient(ClientId{2});
    ASSERT_TRUE(logSettled());
    EXPECT_TRUE(log.caption().startsWith("only cyd")) << log.caption().toStdString();
}

TEST_F(TablesTest, TheLogTellsTimesByTheClockOnTheWallWhenAsked)
{
    const auto known = sampleRun();
    run.openTrace(known);
    ASSERT_TRUE(logSettled());
    const QModelIndex cell = lines().model()->index(3, LogModel::Time);
    const TraceTime at = known->at(qobject_cast<LogModel*>(lines().model())->eventAt(3)).at;
    EXPECT_EQ(cell.data().toString(), format::timestamp(at));
    EXPECT_TRUE(cell.data(Qt::ToolTipRole).toString().contains(format::wallTime(at, *run.wallZero())));
    const int before = lines().columnWidth(LogModel::Time);
    theme.setWallClock(true);
    EXPECT_EQ(cell.data().toString(), format::wallTime(at, *run.wallZero()));
    EXPECT_GT(lines().columnWidth(LogModel::Time), before);

    auto unknown = std::make_shared<trace::TraceStore>();
    for (std::size_t i = 0; i < known->count(); ++i)
        unknown->append(known->at(i));
    run.openTrace(unknown);
    ASSERT_TRUE(logSettled());
    EXPECT_FALSE(run.wallZero());
    EXPECT_EQ(lines().model()->index(3, LogModel::Time).data().toString(), format::timestamp(at));
    EXPECT_TRUE(log.caption().contains(format::wallMoment({}, {}))) << log.caption().toStdString();
}

TEST_F(TablesTest, TheColumnsOfTheLogAreChosenAndKept)
{
    run.openTrace(sampleRun());
    ASSERT_TRUE(logSettled());
    EXPECT_EQ(log.columns(), QStringList({"time", "client", "direction", "what", "latency"}));
    const int before = lines().columnWidth(LogModel::What);
    log.setColumns({"event", "client", "what", "titles"});
    EXPECT_TRUE(lines().isColumnHidden(LogModel::Time));
    EXPECT_FALSE(lines().isColumnHidden(LogModel::Number));
    EXPECT_EQ(lines().firstColumn(), LogModel::Number);
    EXPECT_GT(lines().columnWidth(LogModel::What), before) << "it gets the room";
    EXPECT_TRUE(lines().horizontalHeader()->isVisible());
    EXPECT_EQ(log.columns(), QStringList({"client", "what", "event", "titles"}));
    lines().scrollToTop();
    const auto* model = qobject_cast<LogModel*>(lines().model());
    const int far = model->rowCount() - 5;
    selection.selectEvent(model->eventAt(far), model->client(far));
    const QRect words = lines().visualRect(model->index(far, LogModel::What));
    EXPECT_TRUE(lines().viewport()->rect().intersects(words)) << "though its time is hidden";
    lines().setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return lines().hasFocus(); }));
    QTest::keySequence(&lines(), QKeySequence::Copy);
    EXPECT_EQ(QGuiApplication::clipboard()->text().count(u'\t'), 2) << "what is shown is copied";
    log.setColumns({"nonsense"});
    EXPECT_EQ(log.columns().size(), 4) << "as before";
    LogView other{&run, &selection, &theme};
    other.setColumns(log.columns());
    EXPECT_EQ(other.columns(), log.columns());
}

TEST_F(TablesTest, TheLinesOfTheLogAreColouredByRules)
{
    SampleOptions options;
    options.freezeHolderAtGrant = 5;
    run.openTrace(sampleRun(options));
    ASSERT_TRUE(logSettled());
    auto* model = qobject_cast<LogModel*>(lines().model());
    const auto picture = [this] { return lines().viewport()->grab().toImage(); };
    const auto creates = [&](int row) {
        return LogFilter::parse("op:create").passes(run.store()->at(model->eventAt(row)), run.state());
    };
    int first = 0;
    while (first < model->rowCount() && !creates(first))
        ++first;
    ASSERT_LT(first, model->rowCount());
    lines().scrollTo(model->index(first, LogModel::What));
    const QImage plain = picture();
    EXPECT_FALSE(model->matchAt(first));
    LogRules& rules = log.rules();
    EXPECT_FALSE(rules.add("")) << "all lines would be coloured";
    EXPECT_FALSE(rules.add("op:")) << "it cannot be understood";
    ASSERT_TRUE(rules.add("op:create"));
    EXPECT_FALSE(rules.add(" op:create ")) << "it is there";
    EXPECT_NE(picture(), plain);
    for (int row = 0; row < model->rowCount(); ++row) {
        const bool passes = creates(row);
        ASSERT_EQ(model->matchAt(row).has_value(), passes) << row;
        if (passes) { // not by colour alone
            EXPECT_TRUE(
                model->index(row, LogModel::What).data(Qt::ToolTipRole).toString().contains("op:create"));
        }
    }
    rules.setOn(LogRules::Builtin::client, true);
    rules.setOn(LogRules::Builtin::violations, true);
    const auto& proofs = run.state().findings.of(replay::FindingKind::beliefMatchesServer).violations;
    ASSERT_FALSE(proofs.empty());
    const int proof = model->rowOf(proofs.front().at);
    if (proof >= 0 && model->eventAt(proof) == proofs.front().at) {
        EXPECT_EQ(model->matchAt(proof)->colour, LogMatch::kViolation);
    }
    LogRules full;
    for (int i = 0; full.canAdd(QString::number(i)); ++i)
        ASSERT_TRUE(full.add(QString::number(i)));
    EXPECT_FALSE(full.add("one more"));
    LogRules again;
    again.restore(rules.saved());
    EXPECT_EQ(again.saved(), rules.saved());
    EXPECT_EQ(again.saved().size(), 3);
    rules.restore({"filter op:", "gone"});
    EXPECT_TRUE(rules.saved().isEmpty());
    EXPECT_EQ(picture(), plain);
}

} // namespace
