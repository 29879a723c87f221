// The verdicts' words by recipe: true beside what the picture shows.
#include "tests/support/trace_script.h"
#include "ui/models/rows/findings_model.h"

#include <QSignalSpy>

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui;
using replay::FindingKind;
using testing::HasSubstr;

struct FindingTextTest : testing::Test
{
    void open(const std::string& recipe, const std::string& script)
    {
        run.openTrace(traceScript("- lock right " + recipe + "; " + script));
        run.seekEvent(run.store()->count());
    }
    std::string of(FindingKind kind) const { return findingText(run.state(), kind).toStdString(); }
    std::string titleOf(FindingKind kind) const
    {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.sentence(row).toStdString() == of(kind))
                return model.title(row).toStdString();
        return {};
    }
    FindingStatus shown(FindingKind kind) const
    {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.sentence(row).toStdString() == of(kind))
                return model.verdict(row);
        return FindingStatus::open;
    }
    RunModel run;
    FindingsModel model{&run};
};

TEST_F(FindingTextTest, ReadersThatHoldTogetherAreNoSingleHolder)
{
    open("read-write", "ada@right holds w1; bo@right waits r2 w1; cyd@right waits r3 w1;"
                       "ada@right release w1; ada@right freed w1; bo@right fired w1; cyd@right fired w1;"
                       "bo@right takes r2; cyd@right takes r3");
    EXPECT_EQ(of(FindingKind::oneHolder), "3 grants checked: no other holder beside a writer.");
    EXPECT_EQ(titleOf(FindingKind::oneHolder), "Readers together, a writer alone");
    EXPECT_EQ(of(FindingKind::noHerd),
              "2 wake-ups checked: each deleted node woke at most one client, readers excepted.");
}

TEST_F(FindingTextTest, RowsAreRepaintedWhenTheKindOfTheLockIsKnown)
{
    run.openTrace(traceScript("- lock right read-write"));
    run.stepEvents(-1);
    EXPECT_EQ(model.title(0), "One holder at a time");
    const QSignalSpy changed(&model, &FindingsModel::dataChanged);
    run.stepEvents(1);
    EXPECT_EQ(model.title(0), "Readers together, a writer alone");
    EXPECT_GE(changed.size(), 1);
}

// What the server knows and what a client believes are two facts, and the row says both while they differ.
TEST_F(FindingTextTest, AHolderThatGoesOnAfterItsSessionDisputesTheRule)
{
    open("mutex", "ada@right holds n1; ada@right entered; bo@right waits n2 n1; ada gone; bo@right fired n1;"
                  "bo@right takes n2; bo@right entered; bo@right conflict n1");
    EXPECT_EQ(of(FindingKind::oneHolder), "2 grants checked: never two holders at a time. One holder at a "
                                          "time, but ada acts on a lock it lost");
    EXPECT_EQ(shown(FindingKind::oneHolder), FindingStatus::disputed);
    EXPECT_EQ(findingStatus(run.state(), FindingKind::oneHolder), FindingStatus::disputed);
    EXPECT_EQ(shown(FindingKind::orderKept), FindingStatus::kept);
    run.seekEvent(run.store()->count() / 2);
    EXPECT_EQ(shown(FindingKind::oneHolder), FindingStatus::kept) << "at the cursor, not in the end";
    EXPECT_EQ(of(FindingKind::oneHolder), "1 grant checked: never two holders at a time.");
}

TEST_F(FindingTextTest, TheDisputeLastsUntilTheClientHasLeftTheProtectedSection)
{
    const std::string staleHolder = "ada@right holds n1; ada@right entered; bo@right waits n2 n1; ada gone;"
                                    "ada lost; ada@right holdlost n1; bo@right fired n1; bo@right takes n2;"
                                    "bo@right entered; bo@right conflict n1";
    open("mutex", staleHolder);
    EXPECT_EQ(shown(FindingKind::oneHolder), FindingStatus::disputed) << "notified, and still inside";
    open("mutex", staleHolder + "; ada@right left");
    EXPECT_EQ(shown(FindingKind::oneHolder), FindingStatus::kept);
    open("mutex", staleHolder + "; ada@right refused");
    EXPECT_EQ(shown(FindingKind::oneHolder), FindingStatus::kept);
}

TEST_F(FindingTextTest, TwoRealHoldersAreAViolationAndNoDispute)
{
    open("mutex", "ada@right holds n1; bo@right joins n2; bo@right decided n2 0/1; bo@right acquired n2");
    EXPECT_EQ(shown(FindingKind::oneHolder), FindingStatus::violated);
}

TEST_F(FindingTextTest, OfAHerdTheOrderIsNotChecked)
{
    const auto store = std::make_shared<trace::TraceStore>();
    store->append(
        {{}, EventIndex::none(), ClientId::none(), LockId{0}, trace::LockAdded{"/locks/herd", "herd", ""}});
    store->append({{}, EventIndex::none(), ClientId{0}, LockId::none(), trace::ClientAdded{"ada", 0, {}}});
    store->append({{}, EventIndex::none(), ClientId{0}, LockId{0}, trace::AcquireCalled{OwnerId{0}}});
    store->append({{},
                   EventIndex::none(),
                   ClientId{0},
                   LockId{0},
                   trace::Reply{Operation::create, trace::Outcome::ok, "lock", Zxid{7}, 0}});
    store->append(
        {{}, EventIndex::none(), ClientId{0}, LockId{0}, trace::Acquired{"lock", Zxid{7}, OwnerId{0}}});
    run.openTrace(store);
    run.seekEvent(store->count());
    EXPECT_EQ(run.state().findings.of(FindingKind::orderKept).checked, 0U);
    EXPECT_EQ(of(FindingKind::orderKept), "Nothing was checked: this recipe has no order.")
        << "a client has acquired it";
}

} // namespace
} // namespace lockscope::tests
