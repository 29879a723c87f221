// The built-in scenarios, headless on a real ZooKeeper: each to the verdict that it promises, and to what it
// is there to show.
#include "tests/integration/child.h"

#include "core/trace/trace_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

namespace lockscope::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// A run with its report and its trace.
struct Ran
{
    json::value report;
    std::shared_ptr<trace::TraceStore> trace;
    std::vector<std::string> names; // of the clients

    std::int64_t number(const char* field) const { return report.at(field).to_number<std::int64_t>(); }
    std::vector<std::string> violated() const
    {
        std::vector<std::string> all;
        for (const json::value& finding : report.at("findings").as_array())
            if (finding.at("verdict").as_string() == "violated")
                all.emplace_back(finding.at("name").as_string());
        return all;
    }
    std::string detail(const std::string& name) const
    {
        for (const json::value& finding : report.at("findings").as_array())
            if (finding.at("name").as_string() == name)
                return std::string(finding.at("detail").as_string());
        return {};
    }
    template <class E>
    std::vector<std::string> all(const std::function<std::string(const trace::Event&, const E&)>& text) const
    {
        std::vector<std::string> found;
        for (std::size_t i = 0; i < trace->count(); ++i)
            if (const auto* what = std::get_if<E>(&trace->at(i).what))
                if (const std::string line = text(trace->at(i), *what); !line.empty())
                    found.push_back(line);
        return found;
    }
    std::string who(const trace::Event& event) const
    {
        return event.client.value < names.size() ? names[event.client.value] : "-";
    }
    std::vector<std::string> grants() const
    {
        return all<trace::Acquired>(
            [this](const trace::Event& event, const trace::Acquired&) { return who(event); });
    }
    std::vector<std::string> refusals() const
    {
        return all<trace::CommandRefused>([](const trace::Event&, const trace::CommandRefused& refused) {
            return std::string(refused.verb) + ": " + refused.reason.english();
        });
    }
};

Ran runScenario(const std::string& scenario)
{
    const tests::TempFolder folder;
    const std::string file = folder / "run.jsonl";
    Ran ran;
    Child child(LOCKSCOPE_CLI, {"run", scenario, "--quiet", "--report", "-", "--trace", file});
    EXPECT_EQ(child.wait(), 0) << scenario << ": " << child.output() << child.errors();
    ran.report = json::parse(child.output());
    Result<trace::LoadedTrace> read = trace::loadTrace(file);
    EXPECT_TRUE(read) << read.error().text();
    if (read)
        ran.trace = read->store;
    ran.names = ran.all<trace::ClientAdded>(
        [](const trace::Event&, const trace::ClientAdded& added) { return std::string(added.name); });
    return ran;
}

TEST(Laboratory, AThousandWorkersCountAThousandItemsDownToNothing)
{
    const Ran ran = runScenario("inventory");
    EXPECT_EQ(ran.number("acquired"), 1000);
    EXPECT_EQ(ran.report.at("resource").at("last").as_string(), "0");
    EXPECT_EQ(ran.report.at("resource").at("faults").to_number<int>(), 0);
    EXPECT_GT(ran.report.at("duration_s").to_number<double>(), 0.0);
    EXPECT_THAT(ran.violated(), IsEmpty());
    std::set<std::int64_t> sessions;
    for (std::size_t i = 0; i < ran.trace->count(); ++i)
        if (const auto* state = std::get_if<trace::SessionState>(&ran.trace->at(i).what))
            if (state->phase == trace::SessionPhase::connected)
                sessions.insert(state->session.value);
    EXPECT_EQ(sessions.size(), 1U) << "they are workers of one process";
}

TEST(Laboratory, OrderNumbersAreInOrderUnderTheLockAndOnlyThere)
{
    const Ran locked = runScenario("order-numbers");
    EXPECT_EQ(locked.report.at("resource").at("faults").to_number<int>(), 0);
    EXPECT_THAT(locked.violated(), IsEmpty());
    const Ran unlocked = runScenario("order-numbers-unlocked");
    EXPECT_GT(unlocked.report.at("resource").at("faults").to_number<int>(), 0);
    EXPECT_THAT(unlocked.violated(), ElementsAre("one_holder"));
}

TEST(Laboratory, ASemaphoreLetsInAsManyAsItHasLeases)
{
    const Ran ran = runScenario("semaphore");
    EXPECT_THAT(ran.violated(), IsEmpty());
    const auto limits = ran.all<trace::LockLimit>(
        [](const trace::Event&, const trace::LockLimit& limit) { return std::to_string(limit.permits); });
    EXPECT_THAT(limits, ElementsAre("3", "2", "4"));
}

TEST(Laboratory, AHolderThatIsAskedGivesUpEarly)
{
    const Ran ran = runScenario("revoke");
    EXPECT_THAT(ran.grants(), ElementsAre("ada", "bo", "cyd"));
    EXPECT_THAT(ran.violated(), IsEmpty());
    EXPECT_THAT(ran.refusals(), IsEmpty());
    // ada would have held for three seconds.
    EXPECT_LT(ran.report.at("duration_s").to_number<double>(), 3.0);
}

TEST(Laboratory, TwoTriesAndThenBusy)
{
    const Ran ran = runScenario("try-again");
    EXPECT_EQ(ran.number("timed_out"), 2);
    EXPECT_EQ(ran.number("acquired"), 1);
    EXPECT_THAT(ran.violated(), IsEmpty());
    EXPECT_THAT(ran.all<trace::Notice>(
                    [](const trace::Event&, const trace::Notice& notice) { return notice.text.english(); }),
                ElementsAre(AllOf(HasSubstr("bo gave up after 2 tries"), HasSubstr("busy"))));
}

TEST(Laboratory, TheOldDowngradeLetsTheWriterIn)
{
    const Ran old = runScenario("old-downgrade");
    EXPECT_THAT(old.violated(), testing::Contains("one_holder"));
    EXPECT_THAT(old.detail("one_holder"), HasSubstr("bo was granted the lock while ada held it"));
}

TEST(Laboratory, ADeadlockOfTwoLocksNamesThem)
{
    const Ran two = runScenario("two-locks-deadlock");
    EXPECT_THAT(two.violated(), ElementsAre("no_deadlock"));
    EXPECT_THAT(two.detail("no_deadlock"),
                AllOf(HasSubstr("ada"), HasSubstr("bo"), HasSubstr("left"), HasSubstr("right")));
}

TEST(Laboratory, ANodeThatVanishesBetweenListAndWatchLeavesNoWatch)
{
    const Ran get = runScenario("vanishing-predecessor");
    EXPECT_THAT(get.grants(), ElementsAre("ada", "bo"));
    EXPECT_THAT(get.violated(), IsEmpty());
    const auto misses = get.all<trace::Reply>([&](const trace::Event& event, const trace::Reply& reply) {
        return reply.op == Operation::getData && reply.outcome == trace::Outcome::noNode ? get.who(event)
                                                                                         : "";
    });
    EXPECT_THAT(misses, ElementsAre("bo")) << "the moment was hit";
}

TEST(Laboratory, ALostReplyWithoutProtectionLeavesAGhost)
{
    const Ran ghost = runScenario("lost-reply-unprotected");
    EXPECT_THAT(ghost.violated(), ElementsAre("no_orphan_node"));
    EXPECT_THAT(ghost.detail("no_orphan_node"), HasSubstr("bo"));
    EXPECT_THAT(ghost.grants(), ElementsAre("ada", "cyd")) << "bo waited behind himself";
}

// bo and cyd wait for ada, however late ada starts.
Ran runWithALateStart(const std::string& scenario)
{
    const tests::TempFolder folder;
    const std::string file = folder / (scenario + ".toml").c_str();
    std::filesystem::copy_file(
        std::filesystem::path(LOCKSCOPE_SOURCE) / "resources/scenarios" / (scenario + ".toml"), file);
    std::ofstream(file, std::ios::app) << "\n[[client]]\nname = \"ada\"\nstart = \"900ms\"\n";
    return runScenario(file);
}

TEST(Laboratory, TheOrderOfArrivalIsTheScenariosOnASlowMachineToo)
{
    EXPECT_THAT(runWithALateStart("lost-reply").grants(), ElementsAre("ada", "bo", "cyd"));
    EXPECT_THAT(runWithALateStart("lost-reply-unprotected").grants(), ElementsAre("ada", "cyd"));
    EXPECT_THAT(runWithALateStart("revoke").grants(), ElementsAre("ada", "bo", "cyd"));
}

TEST(Laboratory, WithoutFencingTheDamageIsDone)
{
    const Ran ran = runScenario("freeze-holder-unfenced");
    EXPECT_THAT(ran.violated(), testing::Contains("belief_matches_server"));
    EXPECT_GT(ran.report.at("resource").at("faults").to_number<int>(), 0);
}

TEST(Laboratory, LinksThatAreCutLoseNothing)
{
    const Ran cut = runScenario("cut-link");
    EXPECT_EQ(cut.number("acquired"), 18);
    EXPECT_THAT(cut.refusals(), IsEmpty());
}

TEST(Laboratory, AnEnsembleThatLosesItsLeaderLosesNoAcquisition)
{
    const Ran ran = runScenario("leader-loss");
    EXPECT_EQ(ran.number("acquired"), 50);
    EXPECT_THAT(ran.violated(), IsEmpty());
    EXPECT_THAT(ran.refusals(), IsEmpty());
    std::set<std::string> leaders;
    for (const std::string& leader :
         ran.all<trace::MemberState>([](const trace::Event&, const trace::MemberState& one) {
             return one.mode == "leader" ? std::string(one.member) : std::string();
         }))
        leaders.insert(leader);
    EXPECT_GE(leaders.size(), 2U) << "another one was elected";
}

TEST(Laboratory, AContainerThatIsReapedIsMadeAgain)
{
    const Ran ran = runScenario("container-reaped");
    EXPECT_EQ(ran.number("acquired"), 6);
    EXPECT_THAT(ran.violated(), IsEmpty());
    EXPECT_THAT(ran.refusals(), IsEmpty());
}

// A fault of each kind on a hundred clients.
TEST(Laboratory, EveryFaultHappensAndNothingIsLeftBehind)
{
    const Ran ran = runScenario("every-fault");
    std::set<std::string> verbs;
    for (const std::string& verb : ran.all<trace::Command>(
             [](const trace::Event&, const trace::Command& command) { return std::string(command.verb); }))
        verbs.insert(verb);
    for (const char* verb :
         {"kill_holder", "close_session", "freeze",          "thaw",       "remove_client", "rejoin_client",
          "add_client",  "delete_node",   "write_node",      "slow_link",  "limit_link",    "cut_link",
          "mute_link",   "reset_link",    "half_open_link",  "lose_reply", "mend_link",     "hold",
          "let_go",      "stop_server",   "continue_server", "kill_server"})
        EXPECT_TRUE(verbs.contains(verb)) << verb;
    EXPECT_GE(ran.number("acquired"), 390)
        << "101 clients, four cycles each; some were cut short by what happened";
}

// The same load: what one release wakes.
TEST(Laboratory, AHerdWakesManyWhereAChainWakesOne)
{
    const Ran chain = runScenario("chain"), herd = runScenario("herd");
    const auto wakeUps = [](const Ran& ran) {
        return ran.report.at("wakeups_per_release").to_number<double>();
    };
    EXPECT_EQ(chain.number("acquired"), herd.number("acquired"));
    EXPECT_LE(wakeUps(chain), 1.0);
    EXPECT_GT(wakeUps(herd), 3.0);
    EXPECT_THAT(chain.violated(), IsEmpty());
    EXPECT_THAT(herd.violated(), ElementsAre("no_herd"));
}

TEST(Laboratory, TimeoutGivesUpAndLeavesNothing)
{
    const Ran ran = runScenario("timeout");
    EXPECT_GT(ran.number("timed_out"), 0);
    EXPECT_EQ(ran.number("timed_out") + ran.number("acquired"), 36);
    EXPECT_THAT(ran.violated(), IsEmpty());
}

TEST(Laboratory, AHolderWhoseNodeWasDeletedLearnsItAndTheNextIsIn)
{
    const Ran ran = runScenario("node-deleted-by-admin");
    EXPECT_EQ(ran.number("acquired"), 24);
    // On a slow machine the holder may be done before the administrator's request arrives; then that is said.
    const std::size_t late = ran.refusals().size();
    EXPECT_LE(late, 1U);
    EXPECT_EQ(ran.report.at("ops").at("delete").to_number<std::size_t>(), 23 + late)
        << "its own was gone already";
    EXPECT_THAT(ran.violated(), testing::AnyOf(IsEmpty(), ElementsAre("belief_matches_server")));
}

// The others, by what their reports and their traces say.
struct Promise
{
    const char* scenario;
    std::int64_t acquired;
    std::vector<std::string> violated = {};
    std::vector<std::string> grants = {}; // in their order; empty: any
};

class BuiltIn : public testing::TestWithParam<Promise>
{};

TEST_P(BuiltIn, RunsToItsVerdict)
{
    const Ran ran = runScenario(GetParam().scenario);
    EXPECT_EQ(ran.number("acquired"), GetParam().acquired);
    EXPECT_EQ(ran.violated(), GetParam().violated);
    if (!GetParam().grants.empty()) {
        EXPECT_EQ(ran.grants(), GetParam().grants);
    }
}

const std::vector<std::string> kStale{"belief_matches_server"};

INSTANTIATE_TEST_SUITE_P(Scenarios, BuiltIn,
                         testing::Values(Promise{"two-clients", 2}, Promise{"well", 25},
                                         Promise{"kill-holder", 30, kStale}, Promise{"kill-waiter", 15},
                                         Promise{"freeze-holder", 24, kStale}, Promise{"server-pause", 32},
                                         Promise{"server-restart", 40}, Promise{"read-write", 200},
                                         Promise{"shared-herd", 200, {"no_herd"}},
                                         Promise{"multi-lock", 4 * 6 * 3}, Promise{"slow-link", 32},
                                         Promise{"semaphore-mutex", 2 * 4 * 8},
                                         Promise{"upgrade-deadlock", 2, {"no_deadlock"}},
                                         Promise{"lost-reply", 3, {}, {"ada", "bo", "cyd"}},
                                         Promise{"downgrade", 3, {}, {"ada", "ada", "bo"}},
                                         Promise{"stray-watches", 2, {"no_stray_watch"}, {"ada", "bo"}}),
                         [](const auto& promise) {
                             std::string name = promise.param.scenario;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace lockscope::test
