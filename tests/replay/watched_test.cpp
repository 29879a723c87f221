// A lock that is only watched: its order and its holders by the names of the nodes alone, and nothing more
// than that.
#include "core/queue/scheme.h"
#include "tests/replay/replayed.h"
#include "tests/support/state_text.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace lockscope::tests {
namespace {

using replay::NodePhase;
using replay::NodeRow;

constexpr std::string_view kGuids[] = {"ffffffffffffffffffffffffffffffff", "00000000000000000000000000000000",
                                       "8888888888888888888888888888888a"};

// "k2" is kazoo's Lock with the number 2 and a GUID that sorts the other way round, "kr2" its ReadLock, "g2"
// go-zk's, "x2" ZooKeeper's own recipe, "hex" a lease of kazoo's; the others as in a trace script.
std::string nodeFor(const std::string& word)
{
    const auto number = [&](std::size_t letters) {
        std::string digits = word.substr(letters);
        return std::string(10 - digits.size(), '0') + digits;
    };
    const auto numbered = [&](std::size_t letters) {
        return word.size() > letters && word.find_first_not_of("0123456789", letters) == std::string::npos;
    };
    if (word == "hex")
        return std::string(kGuids[2]);
    if (word.starts_with("kr") && numbered(2))
        return std::string(kGuids[std::stoul(word.substr(2)) % 2]) + "__rlock__" + number(2);
    if (word.starts_with("k") && numbered(1))
        return std::string(kGuids[std::stoul(word.substr(1)) % 2]) + "__lock__" + number(1);
    if (word.starts_with("g") && numbered(1))
        return "_c_" + std::string(kGuids[0]) + "-lock-" + number(1);
    if (word.starts_with("x") && numbered(1))
        return "x-1000a2b3c4d0001-" + number(1);
    return scriptNode(word);
}

// One look after the other at the same path, 1 ms apart; each names all children that are there.
struct Watched
{
    explicit Watched(std::initializer_list<std::string_view> looks)
    {
        put(trace::LockAdded{"/locks/theirs", nameOf(Recipe::watched), {}});
        for (const std::string_view each : looks)
            look(std::string(each));
        state = folded(store);
    }
    void put(trace::Payload what)
    {
        store.append(trace::Event{at, EventIndex::none(), ClientId::none(), LockId{0}, what});
    }
    void look(const std::string& words)
    {
        at += std::chrono::milliseconds(1);
        std::istringstream in(words);
        std::set<std::string> now;
        for (std::string word; in >> word;) {
            now.insert(nodeFor(word));
            labels[nodeFor(word)] = word;
        }
        for (const std::string& gone : seen)
            if (!now.contains(gone))
                put(trace::NodeVanished{gone});
        for (const std::string& name : now)
            if (!seen.contains(name))
                put(trace::NodeSeen{name, SessionId{7}, Zxid{9}, true});
        seen = now;
        put(trace::Observed{static_cast<std::uint32_t>(now.size())});
    }
    // "n1 holds, n2 waits": in the order of the queue.
    std::string text() const
    {
        std::string all;
        for (const NodeRow& node : state.locks.at(0).queue)
            all += (all.empty() ? "" : ", ") + labels.at(std::string(node.name)) + " " +
                   (node.phase != NodePhase::foreign ? std::string(name(node.phase))
                    : node.kind == queue::Role::none ? "no lock node"
                                                     : "not known");
        return all;
    }
    const NodeRow& node(const std::string& word) const { return *state.node(LockId{0}, nodeFor(word)); }

    trace::TraceStore store{trace::Header{}};
    TraceTime at{};
    std::set<std::string> seen;
    std::map<std::string, std::string> labels;
    replay::RunState state;
};

TEST(Watched, TheFirstByItsNumberHolds)
{
    EXPECT_EQ(Watched({"n12 n7 n9"}).text(), "n7 holds, n9 waits, n12 waits");
    EXPECT_EQ(Watched({"n12 n7 n9", "n9 n12"}).text(), "n9 holds, n12 waits");
    EXPECT_EQ(Watched({"n12", "", "n13"}).text(), "n13 holds");
    EXPECT_EQ(Watched({"x5 x4"}).text(), "x4 holds, x5 waits");
}

TEST(Watched, KazoosQueueIsInTheOrderOfItsNumbers)
{
    EXPECT_EQ(Watched({"k4 k3 k2 k1"}).text(), "k1 holds, k2 waits, k3 waits, k4 waits");
    EXPECT_EQ(Watched({"k9 k10", "k10"}).text(), "k10 holds");
}

TEST(Watched, ReadersHoldTogetherUpToTheNextWriter)
{
    EXPECT_EQ(Watched({"r1 r2 w3 r4"}).text(), "r1 holds, r2 holds, w3 waits, r4 waits");
    EXPECT_EQ(Watched({"r1 r2 w3 r4", "w3 r4"}).text(), "w3 holds, r4 waits");
    EXPECT_EQ(Watched({"kr1 kr2 k3 kr4"}).text(), "kr1 holds, kr2 holds, k3 waits, kr4 waits");
}

TEST(Watched, WhoWritesAndGoesOnToReadHoldsWithBothNodes)
{
    EXPECT_EQ(Watched({"w3 r4", "w3 r3 r4"}).text(), "w3 holds, r3 holds, r4 waits");
    for (const char* text : {"w3 r3 r4", "r3 w3 r4"}) {
        const Watched both({text});
        EXPECT_EQ(both.node("w3").phase, NodePhase::holds);
        EXPECT_EQ(both.node("r3").phase, NodePhase::holds);
        EXPECT_EQ(both.node("r4").phase, NodePhase::waits);
    }
}

TEST(Watched, OfLeasesOnlyTheLastMayBeWaitedWith)
{
    EXPECT_EQ(Watched({"l1"}).text(), "l1 holds");
    EXPECT_EQ(Watched({"l1 l2 l3"}).text(), "l1 holds, l2 holds, l3 not known");
    EXPECT_EQ(Watched({"l1 l2 l3", "l1 l2 l3 l4"}).text(), "l1 holds, l2 holds, l3 holds, l4 not known");
    EXPECT_EQ(Watched({"hex"}).text(), "hex holds") << "kazoo makes a lease when there is one";
}

TEST(Watched, ANodeOfNoLibraryIsNoLockNode)
{
    EXPECT_EQ(Watched({"config n1 n2"}).text(), "n1 holds, n2 waits, config no lock node");
    EXPECT_EQ(Watched({"n1", "!first n1"}).text(), "!first no lock node, n1 holds") << "it held before";
    EXPECT_EQ(Watched({"", "!first", "!first n2"}).text(), "!first no lock node, n2 waits")
        << "Curator counts every child";
    EXPECT_EQ(Watched({"!first n1"}).text(), "!first no lock node, n1 not known")
        << "it may have held before";
    EXPECT_EQ(Watched({"!first k1"}).text(), "!first no lock node, k1 holds") << "kazoo counts its own alone";
}

TEST(Watched, LibrariesThatDoNotCountEachOtherHoldTogetherOrItIsUnknown)
{
    EXPECT_EQ(Watched({"n1 n2 k3"}).text(), "n1 holds, n2 waits, k3 not known") << "kazoo may have patterns";
    EXPECT_EQ(Watched({"k1 n2"}).text(), "k1 holds, n2 holds") << "kazoo's names sort behind Curator's";
    EXPECT_EQ(Watched({"k1 g2"}).text(), "k1 holds, g2 not known") << "go-zk may count both";
    EXPECT_EQ(Watched({"n1 g2 n3"}).text(), "n1 holds, g2 waits, n3 waits") << "of one order";
}

TEST(Watched, SinceWhenIsKnownOnlyOfWhatBeganMeanwhile)
{
    const Watched run({"n1 n2", "n1 n2 n3", "n2 n3", "n3"});
    EXPECT_FALSE(run.node("n3").before);
    EXPECT_FALSE(run.node("n3").heldBefore);
    EXPECT_EQ(run.node("n3").waitingSince, std::chrono::milliseconds(2));
    EXPECT_EQ(run.node("n3").heldSince, std::chrono::milliseconds(4));
    const Watched later({"n1 n2", "n2"});
    EXPECT_TRUE(later.node("n2").before) << "how long it waited is not known";
    EXPECT_FALSE(later.node("n2").heldBefore) << "that it got it was seen";
    const Watched first({"n1"});
    EXPECT_TRUE(first.node("n1").heldBefore);
}

TEST(Watched, NoFindingClaimsAnything)
{
    const Watched run({"n1 n2 n3", "n2 n3", "n3", "", "n4 config"});
    EXPECT_TRUE(replay::onlyWatches(run.state));
    for (const replay::Finding& finding : run.state.findings.all) {
        EXPECT_EQ(finding.checked, 0u) << trace::findingRule(finding.kind).name();
        EXPECT_TRUE(finding.ok()) << trace::findingRule(finding.kind).name();
        EXPECT_EQ(finding.detail(), "Nothing was checked: this run only watches.");
    }
    EXPECT_EQ(run.state.statistics.acquired, 0u);
}

TEST(Watched, ANameThatComesBackIsThereAgain)
{
    EXPECT_EQ(Watched({"config", "", "config"}).text(), "config no lock node");
    EXPECT_EQ(Watched({"n0", "", "n0"}).text(), "n0 holds")
        << "a container that was reaped counts from 0 again";
}

TEST(Watched, ARunOfOursKeepsCuratorsOrder)
{
    const Replayed first("ada holds n2; - seen 0000000000000000000000000000000f__lock__0000000001 foreign");
    EXPECT_EQ(first.state.locks[0].queue.front().phase, NodePhase::foreign) << "zeros sort before 0000000002";
    const Replayed other("ada holds n2; - seen ffffffffffffffffffffffffffffffff__lock__0000000001 foreign");
    EXPECT_EQ(other.state.locks[0].queue.back().phase, NodePhase::foreign) << "by its whole name";
}

TEST(Watched, AWaitBeginsWithTheNodeAlsoIfThatIsOlderThanTheWatching)
{
    const auto minutes = std::chrono::minutes(34);
    Watched run({});
    run.store.append(
        {TraceTime{}, EventIndex::none(), ClientId{0}, LockId{0}, trace::ClientAdded{"them", 0, {}}});
    const auto seen = [&](const std::string& word, SessionId session, Duration age) {
        run.store.append({TraceTime(std::chrono::seconds(1)), EventIndex::none(),
                          session.valid() ? ClientId{0} : ClientId::none(), LockId{0},
                          trace::NodeSeen{nodeFor(word), session, Zxid{9}, true, age}});
    };
    seen("n1", SessionId::none(), {});
    seen("n2", SessionId{7}, minutes);
    seen("n3", SessionId::none(), {});
    run.put(trace::Observed{3});
    run.state = folded(run.store);
    EXPECT_EQ(run.node("n2").waitingSince, std::chrono::seconds(1) - minutes);
    EXPECT_EQ(run.state.clients.at(0).waitingSince, run.node("n2").waitingSince) << "the client's, too";
    EXPECT_FALSE(run.node("n2").waitsLonger);
    EXPECT_TRUE(run.node("n3").waitsLonger) << "it was there, and nobody has said since when";
    seen("n4", SessionId::none(), {});
    run.state = folded(run.store);
    EXPECT_FALSE(run.node("n4").waitsLonger) << "it has come since";
}

TEST(Watched, SaysWhatIsAtThePath)
{
    Watched run({});
    EXPECT_FALSE(run.state.locks[0].place);
    run.put(trace::PathState{trace::PathKind::folder, 30, 31});
    EXPECT_EQ(folded(run.store).locks[0].place, (trace::PathState{trace::PathKind::folder, 30, 31}));
    run.put(trace::PathState{trace::PathKind::missing, 0, 0});
    EXPECT_EQ(folded(run.store).locks[0].place->kind, trace::PathKind::missing);
}

} // namespace
} // namespace lockscope::tests
