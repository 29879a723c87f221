// What the box says in step mode: who takes the next step, which one it is, and why.
#include "tests/support/trace_script.h"
#include "tests/ui/chain/lock_state_builder.h"
#include "ui/chain/chain_view.h"
#include "ui/texts/next_step.h"

#include <gmock/gmock.h>

#include <set>

namespace lockscope::tests {
namespace {

using namespace ui;
using testing::HasSubstr;
using testing::Not;

struct NextStepTest : testing::Test
{
    NextStepTest() { view.resize(900, 400); }
    void append(ClientId client, const trace::Payload& what)
    {
        trace::Event event;
        event.at = store->count() > 0 ? store->at(store->count() - 1).at + Duration(1000) : TraceTime(0);
        event.client = client;
        event.what = what;
        store->append(event);
    }
    void show() { run.openTrace(store); }
    std::string what() { return view.boxTexts().what.toStdString(); }
    std::string why() { return view.boxTexts().why.toStdString(); }

    std::shared_ptr<trace::TraceStore> store = traceScript("ada holds n1; bo waits n2 n1; cyd waits n3 n2");
    RunModel run;
    Selection selection;
    Theme theme{Theme::ColourScheme::light};
    ChainView view{&run, &selection, &theme};
    const ClientId ada{0}, bo{1}, cyd{2};
};

TEST_F(NextStepTest, IsThatOfTheClientInTurn)
{
    append(bo, trace::StepHeld{GateStep::list});
    append(ada, trace::StepHeld{GateStep::remove});
    show();
    EXPECT_EQ(run.state().nextInTurn()->id, ada) << "before the first step: in the order of adding";
    EXPECT_THAT(what(),
                HasSubstr(stepClause(run.state(), *run.state().client(ada), GateStep::remove).toStdString()));
    append(ada, trace::StepTaken{GateStep::remove});
    append(ada, trace::StepHeld{GateStep::gone});
    show();
    EXPECT_EQ(run.state().nextInTurn()->id, bo) << "it took none";
    EXPECT_THAT(what(), HasSubstr("bo"));
    EXPECT_FALSE(why().empty());
    append(bo, trace::StepTaken{GateStep::list});
    append(bo, trace::StepHeld{GateStep::decide});
    show();
    EXPECT_EQ(run.state().nextInTurn()->id, ada);
    append(ada, trace::StepTaken{GateStep::gone});
    append(bo, trace::StepTaken{GateStep::decide});
    show();
    EXPECT_EQ(run.state().nextInTurn(), nullptr);
}

TEST_F(NextStepTest, OfASelectedClientNamesWhoIsInTurnToo)
{
    append(bo, trace::StepHeld{GateStep::watch});
    append(cyd, trace::StepHeld{GateStep::sleep});
    show();
    selection.selectClient(cyd);
    EXPECT_THAT(what(), HasSubstr("cyd"));
    EXPECT_THAT(why(), HasSubstr("bo")) << "it is in turn";
    selection.selectClient(bo);
    EXPECT_THAT(what(), HasSubstr("bo"));
    EXPECT_THAT(why(), Not(HasSubstr("Next in turn")));
}

TEST_F(NextStepTest, StaysWhileOtherThingsHappenToTheClient)
{
    append(bo, trace::StepHeld{GateStep::woken});
    show();
    const std::string before = what();
    append(bo, trace::LinkState{});
    show();
    EXPECT_EQ(what(), before);
}

TEST(NextStepWords, HaveASentenceAndAReasonForEveryStepOfEveryRecipe)
{
    for (const char* recipe : {"mutex", "read-write", "semaphore", "herd", "herd-read-write"}) {
        LockStateBuilder builder(2);
        builder.lock().recipe = recipe;
        std::set<std::string> clauses;
        for (int i = 0; i <= static_cast<int>(GateStep::gone); ++i) {
            const auto step = static_cast<GateStep>(i);
            const Explanation text = explainNextStep(builder.state, builder.client(1), step);
            const QString clause = stepClause(builder.state, builder.client(1), step);
            EXPECT_TRUE(text.what.contains(clause)) << recipe << i;
            EXPECT_FALSE(text.why.isEmpty()) << recipe << i;
            clauses.insert(clause.toStdString());
        }
        EXPECT_EQ(clauses.size(), static_cast<std::size_t>(GateStep::gone) + 1) << recipe;
    }
}

} // namespace
} // namespace lockscope::tests
