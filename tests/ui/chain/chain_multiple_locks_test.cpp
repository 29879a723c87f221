// The watch chain in the laboratory: several locks, circles, herds, both sides of a read/write lock, clients
// that are held before a step.
#include "tests/ui/chain/lock_state_builder.h"
#include "ui/chain/algorithm_lines.h"
#include "ui/chain/chain_layout.h"
#include "ui/texts/chain_text.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui::chain;
using testing::HasSubstr;

ChainScene sceneOf(const LockStateBuilder& builder, QSizeF size = {900, 400})
{
    ChainQuery query;
    query.state = &builder.state;
    query.now = builder.state.now;
    query.viewport = size;
    return layOutChain(query);
}

// ada holds /locks/well and wants /locks/mill, bo the other way round.
void makeDeadlock(LockStateBuilder& builder)
{
    replay::LockRow mill;
    mill.id = LockId{1};
    mill.path = "/locks/mill";
    mill.recipe = "mutex";
    builder.state.locks.push_back(mill);
    replay::LockUse wants;
    wants.lock = LockId{1};
    wants.phase = replay::ClientPhase::waiting;
    builder.client(0).otherUses.push_back(wants);
    replay::LockUse has;
    has.lock = LockId{1};
    has.phase = replay::ClientPhase::holding;
    builder.client(1).otherUses.push_back(has);
    builder.state.cycle = {ClientId{0}, ClientId{1}};
}

TEST(ChainLaboratory, ACircleIsDrawnWithWhatEachWaitsFor)
{
    LockStateBuilder builder(3);
    makeDeadlock(builder);
    for (const QSizeF size : {QSizeF(900, 400), QSizeF(520, 260)}) {
        const ChainScene scene = sceneOf(builder, size);
        ASSERT_EQ(scene.cycle.chips.size(), 3U) << "the first one stands at the end again";
        EXPECT_EQ(scene.cycle.chips[0].name, "ada");
        EXPECT_EQ(scene.cycle.chips[0].wants, "mill");
        EXPECT_EQ(scene.cycle.chips[1].wants, "well");
        EXPECT_EQ(scene.cycle.chips[2].name, "ada");
        for (const CycleChip& chip : scene.cycle.chips)
            EXPECT_TRUE(scene.cycle.rect.contains(chip.rect));
        EXPECT_FALSE(scene.cycle.rect.intersects(scene.queueArea));
        EXPECT_TRUE(scene.outside.isEmpty()) << "its place is taken";
        EXPECT_EQ(scene.cycleAt(scene.cycle.chips[1].rect.center()), ClientId{1});
        EXPECT_TRUE(scene.nodes[0].inCycle && scene.nodes[1].inCycle);
        EXPECT_FALSE(scene.nodes[2].inCycle);
    }
    EXPECT_THAT(ChainText::cycleWhy(builder.state).toStdString(), HasSubstr("ada → bo → ada"));
    builder.state.cycle.clear();
    EXPECT_TRUE(sceneOf(builder).cycle.rect.isNull());
}

TEST(ChainLaboratory, ACardSaysWhatElseItsOwnerHasToDo)
{
    LockStateBuilder builder(2);
    makeDeadlock(builder);
    const ChainScene scene = sceneOf(builder);
    EXPECT_EQ(scene.nodes[0].also, "waits for mill");
    EXPECT_EQ(scene.nodes[1].also, "also holds mill");
}

TEST(ChainLaboratory, BothSidesOfAReadWriteLockHaveTheirLetter)
{
    LockStateBuilder builder(2);
    EXPECT_TRUE(sceneOf(builder).nodes[0].kind.isEmpty()) << "a mutex has no sides";
    builder.lock().recipe = "read-write";
    builder.node(0).reads = true;
    const ChainScene scene = sceneOf(builder);
    EXPECT_EQ(scene.nodes[0].kind, "R");
    EXPECT_EQ(scene.nodes[1].kind, "W");
}

TEST(ChainLaboratory, AHeldClientSaysBeforeWhichStepItStands)
{
    LockStateBuilder builder(2);
    builder.client(1).heldAt = GateStep::list;
    const ChainScene scene = sceneOf(builder);
    EXPECT_TRUE(scene.nodes[1].standing);
    EXPECT_EQ(scene.nodes[1].detail, "stopped before list");
    EXPECT_FALSE(scene.nodes[0].standing);
    // Every step that can be held has its line.
    const auto& lines = algorithmLines(Recipe::mutex, false);
    for (int step = 0; step <= static_cast<int>(GateStep::gone); ++step)
        EXPECT_GE(lineOf(lines, stepOf(static_cast<GateStep>(step))), 0) << step;
}

} // namespace
} // namespace lockscope::tests
