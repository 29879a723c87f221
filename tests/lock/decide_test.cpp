// The rule of the lock, without a server: who holds, who waits for whom.
#include "core/lock/internal/decide.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lockscope::lock {
namespace {

Decision decideAmong(const std::vector<const char*>& children, std::string_view own,
                     const NodeNaming& naming = {})
{
    return decide(children, own, naming);
}

TEST(Decide, FirstInTheQueueHoldsTheLock)
{
    const Decision decision = decideAmong({"b-lock-0000000002", "a-lock-0000000001"}, "a-lock-0000000001");
    EXPECT_TRUE(decision.found);
    EXPECT_EQ(decision.position, 0U);
    EXPECT_EQ(decision.predecessor, "");
    EXPECT_EQ(decision.count, 2U);
    EXPECT_EQ(decision.own, "a-lock-0000000001");
}

TEST(Decide, SecondWatchesTheFirst)
{
    const Decision decision = decideAmong({"b-lock-0000000002", "a-lock-0000000001"}, "b-lock-0000000002");
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.predecessor, "a-lock-0000000001");
}

TEST(Decide, EveryWaiterWatchesTheOneDirectlyInFront)
{
    const std::vector<const char*> children{"z-lock-0000000004", "a-lock-0000000007", "m-lock-0000000001",
                                            "k-lock-0000000005", "b-lock-0000000002"};
    EXPECT_EQ(decideAmong(children, "b-lock-0000000002").predecessor, "m-lock-0000000001");
    EXPECT_EQ(decideAmong(children, "z-lock-0000000004").predecessor, "b-lock-0000000002");
    EXPECT_EQ(decideAmong(children, "k-lock-0000000005").predecessor, "z-lock-0000000004");
    EXPECT_EQ(decideAmong(children, "a-lock-0000000007").predecessor, "k-lock-0000000005");
    EXPECT_EQ(decideAmong(children, "a-lock-0000000007").position, 4U);
}

TEST(Decide, AloneHoldsTheLock)
{
    const Decision decision = decideAmong({"a-lock-0000000001"}, "a-lock-0000000001");
    EXPECT_TRUE(decision.found);
    EXPECT_EQ(decision.position, 0U);
    EXPECT_EQ(decision.count, 1U);
}

// For who asks after its own node is deleted.
TEST(Decide, NamesTheFirstOfTheQueueWhetherTheOwnNodeIsThereOrNot)
{
    const std::vector<const char*> others{"z-lock-0000000004", "m-lock-0000000001", "k-lock-0000000009"};
    std::vector<const char*> all = others;
    all.push_back("a-lock-0000000007");
    for (const auto& children : {others, all}) {
        const Decision decision = decideFirst(children, "a-lock-0000000007", {}, Rule::allAhead);
        EXPECT_EQ(decision.predecessor, "m-lock-0000000001");
        EXPECT_EQ(decision.position, 2U);
    }
    EXPECT_EQ(decideFirst(others, "a-lock-0000000000", {}, Rule::allAhead).position, 0U);
    EXPECT_EQ(decideFirst({}, "a-lock-0000000007", {}, Rule::allAhead).position, 0U);
}

TEST(Decide, AMissingOwnNodeIsNeverFirst)
{
    const Decision decision = decideAmong({"a-lock-0000000001"}, "b-lock-0000000002");
    EXPECT_FALSE(decision.found);
    EXPECT_EQ(decision.own, "");
    EXPECT_EQ(decision.count, 1U);
    EXPECT_FALSE(decideAmong({}, "b-lock-0000000002").found);
}

TEST(Decide, FindsTheOwnNodeByItsProtectionPrefix)
{
    const Decision decision = decideAmong({"_c_1111-lock-0000000001", "_c_2222-lock-0000000002"}, "_c_2222-");
    EXPECT_TRUE(decision.found);
    EXPECT_EQ(decision.own, "_c_2222-lock-0000000002");
    EXPECT_EQ(decision.predecessor, "_c_1111-lock-0000000001");
}

// Curator leaves no child out: a foreign name counts where it sorts.
TEST(Decide, AForeignChildThatSortsAfterDoesNotBlock)
{
    const Decision decision = decideAmong({"hello", "a-lock-0000000001"}, "a-lock-0000000001");
    EXPECT_EQ(decision.position, 0U);
    EXPECT_EQ(decision.count, 2U);
}

TEST(Decide, AForeignChildThatSortsBeforeBlocks)
{
    const Decision decision = decideAmong({"a-lock-0000000001", "!"}, "a-lock-0000000001");
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.predecessor, "!");
}

TEST(Decide, AForeignChildInBetweenIsTheOneToWatch)
{
    const Decision decision =
        decideAmong({"b-lock-0000000005", "0000000003", "a-lock-0000000001"}, "b-lock-0000000005");
    EXPECT_EQ(decision.position, 2U);
    EXPECT_EQ(decision.predecessor, "0000000003");
}

TEST(Decide, EqualKeysKeepTheOrderOfTheList)
{
    const std::vector<const char*> children{"b-lock-0000000001", "a-lock-0000000001", "c-lock-0000000001"};
    EXPECT_EQ(decideAmong(children, "b-lock-0000000001").position, 0U);
    EXPECT_EQ(decideAmong(children, "a-lock-0000000001").predecessor, "b-lock-0000000001");
    EXPECT_EQ(decideAmong(children, "c-lock-0000000001").predecessor, "a-lock-0000000001");
}

TEST(Decide, AnOverflowedSequenceSortsFirst)
{
    const Decision decision = decideAmong({"a-lock-2147483647", "b-lock--2147483648"}, "a-lock-2147483647");
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.predecessor, "b-lock--2147483648");
}

// ---- readers and writers ----

Decision readerAmong(const std::vector<const char*>& children, std::string_view own)
{
    return decide(children, own, NodeNaming::curatorRead(), Rule::writersAhead);
}
Decision writerAmong(const std::vector<const char*>& children, std::string_view own)
{
    return decide(children, own, NodeNaming::curatorWrite(), Rule::allAhead);
}

TEST(DecideReadWrite, AReaderWaitsForNoReader)
{
    const std::vector<const char*> children{"b-__READ__0000000002", "a-__READ__0000000001",
                                            "c-__WRIT__0000000003"};
    EXPECT_EQ(readerAmong(children, "b-__READ__0000000002").position, 0U);
}

// Curator's readLockPredicate: not the nearest writer, the first.
TEST(DecideReadWrite, AReaderWatchesTheFirstWriterInFrontOfIt)
{
    const std::vector<const char*> children{"a-__READ__0000000001", "w-__WRIT__0000000005",
                                            "v-__WRIT__0000000003", "r-__READ__0000000007",
                                            "x-__WRIT__0000000009"};
    const Decision decision = readerAmong(children, "r-__READ__0000000007");
    EXPECT_EQ(decision.position, 2U);
    EXPECT_EQ(decision.predecessor, "v-__WRIT__0000000003");
}

// kazoo 649: a reader that watched a later writer waited for ever.
TEST(DecideReadWrite, AReaderDoesNotWaitForAWriterBehindIt)
{
    const std::vector<const char*> children{"x-__WRIT__0000000009", "r-__READ__0000000007"};
    EXPECT_EQ(readerAmong(children, "r-__READ__0000000007").position, 0U);
}

TEST(DecideReadWrite, AWriterWaitsForAllAheadAndWatchesTheNearest)
{
    const std::vector<const char*> children{"a-__READ__0000000001", "b-__READ__0000000002",
                                            "c-__WRIT__0000000003"};
    const Decision decision = writerAmong(children, "c-__WRIT__0000000003");
    EXPECT_EQ(decision.position, 2U);
    EXPECT_EQ(decision.predecessor, "b-__READ__0000000002");
}

// CURATOR-621: equal keys, in either order of the list.
TEST(DecideReadWrite, AReaderWithTheDigitsOfItsWriterDoesNotWaitForIt)
{
    for (const std::vector<const char*>& children :
         {std::vector<const char*>{"a-__WRIT__0000000004", "b-__READ__0000000004", "c-__WRIT__0000000005"},
          std::vector<const char*>{"c-__WRIT__0000000005", "b-__READ__0000000004", "a-__WRIT__0000000004"}}) {
        EXPECT_EQ(readerAmong(children, "b-__READ__0000000004").position, 0U);
        EXPECT_EQ(writerAmong(children, "c-__WRIT__0000000005").position, 2U);
    }
}

TEST(DecideReadWrite, AWriterStaysBehindTheReaderThatWasAWriter)
{
    const Decision decision =
        writerAmong({"c-__WRIT__0000000005", "b-__READ__0000000004"}, "c-__WRIT__0000000005");
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.predecessor, "b-__READ__0000000004");
}

// ---- other clients on the path ----

TEST(DecideForeign, KazoosNodesCountInTheOrderOfTheirNumbersWhenTheyAreNamed)
{
    const std::vector<const char*> children{"00ff00ff00ff00ff00ff00ff00ff00ff__lock__0000000007",
                                            "a-lock-0000000008",
                                            "ff00ff00ff00ff00ff00ff00ff00ff00__lock__0000000009"};
    const Decision decision = decideAmong(children, "a-lock-0000000008", NodeNaming::withKazoo());
    EXPECT_EQ(decision.position, 1U);
    EXPECT_EQ(decision.predecessor, children[0]);
    // Without that Curator's order puts most of them behind by accident of their names.
    const std::vector<const char*> plain{"ff00ff00ff00ff00ff00ff00ff00ff00__lock__0000000007",
                                         "a-lock-0000000008"};
    EXPECT_EQ(decideAmong(plain, "a-lock-0000000008").position, 0U);
    EXPECT_EQ(decideAmong(plain, "a-lock-0000000008", NodeNaming::withKazoo()).position, 1U);
}

TEST(DecideForeign, KazoosReadersAndWritersCountAsSuchWhenTheyAreNamed)
{
    const std::vector<const char*> children{"00ff__rlock__0000000001", "11ff__lock__0000000002",
                                            "a-__READ__0000000003", "b-__WRIT__0000000004"};
    const Decision reader =
        decide(children, "a-__READ__0000000003", NodeNaming::readWithKazoo(), Rule::writersAhead);
    EXPECT_EQ(reader.position, 1U);
    EXPECT_EQ(reader.predecessor, children[1]);
    const Decision writer =
        decide(children, "b-__WRIT__0000000004", NodeNaming::writeWithKazoo(), Rule::allAhead);
    EXPECT_EQ(writer.position, 3U);
}

TEST(DecideForeign, GoClientsCountWithoutBeingNamed)
{
    const std::vector<const char*> children{"_c_0123456789abcdef0123456789abcdef-lock-0000000001",
                                            "a-lock-0000000002"};
    EXPECT_EQ(decideAmong(children, "a-lock-0000000002").position, 1U);
}

} // namespace
} // namespace lockscope::lock
