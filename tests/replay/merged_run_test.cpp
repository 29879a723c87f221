// A run that is taken apart into a trace for each machine, with clocks of their own, and merged again is the
// run that it was: the same grants in the same order, the same findings, no effect before its cause.
#include "core/trace/trace_merger.h"
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"
#include "tests/support/split_run.h"
#include "tests/support/temp_folder.h"

#include "core/base/random.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <set>

namespace lockscope::tests {
namespace {

using trace::Event;
using trace::TraceMerger;
using trace::TraceStore;

constexpr std::int64_t kHour = 3'600'000'000'000;

class MergedRun : public testing::Test
{
protected:
    TraceMerger::Input save(const TraceStore& store, const std::string& name)
    {
        const std::filesystem::path path = m_folder.path() / (name + ".jsonl");
        EXPECT_TRUE(trace::saveTrace(path, store, store.count()));
        return {path};
    }
    std::vector<TraceMerger::Input> split(const TraceStore& whole, std::size_t parts, Random& random)
    {
        std::vector<TraceMerger::Input> inputs;
        for (std::size_t part = 0; part < parts; ++part)
            inputs.push_back(save(*partOf(whole, part, parts, TraceTime{random.uniform(0, kHour)}),
                                  fmt::format("m{}", part)));
        return inputs;
    }

    TempFolder m_folder;
};

std::shared_ptr<TraceStore> merged(TraceMerger& merger)
{
    auto store = std::make_shared<TraceStore>(merger.header());
    while (true) {
        const Result<const Event*> event = merger.next();
        if (!event || !*event) {
            EXPECT_TRUE(event) << event.error().text();
            return store;
        }
        store->append(**event);
    }
}

std::shared_ptr<TraceStore> merged(const std::vector<TraceMerger::Input>& inputs)
{
    const auto merger = TraceMerger::create(inputs);
    EXPECT_TRUE(merger) << merger.error().text();
    return merger ? merged(**merger) : std::make_shared<TraceStore>();
}

std::string refusalOf(const std::vector<TraceMerger::Input>& inputs)
{
    const auto merger = TraceMerger::create(inputs);
    EXPECT_FALSE(merger);
    return merger ? std::string() : merger.error().text();
}

std::string findingsOf(const TraceStore& store)
{
    const replay::RunState state = folded(store);
    std::string text;
    for (const replay::Finding& finding : state.findings.all)
        fmt::format_to(std::back_inserter(text), "{} {} of {}, {} woken: {}\n",
                       trace::findingRule(finding.kind).name(), finding.violated, finding.checked,
                       finding.maxWoken, finding.violated > 0 ? finding.lastViolation.english() : "");
    return text;
}

// What a run did, without times: every grant and every hold that ended, the findings, and the handoffs by a
// watch that fired. One without rests on whether its client asked before the other released: of two machines,
// that is not certain.
std::string factsOf(const TraceStore& store)
{
    replay::RunState state;
    std::string text;
    const auto nameOf = [&](ClientId id) {
        return state.client(id) ? state.client(id)->name : trace::Text("?");
    };
    for (std::size_t i = 0; i < store.count(); ++i) {
        const replay::Facts facts = replay::apply(state, store, i);
        for (const replay::Facts::Ended& ended : facts.ended)
            fmt::format_to(std::back_inserter(text), "{} ends {}\n", nameOf(ended.client), ended.node);
        if (facts.granted)
            fmt::format_to(std::back_inserter(text), "{} gets {}\n", nameOf(store.at(i).client),
                           facts.grantedNode);
        if (facts.handedOver && facts.handedOver->wokenEvent.valid())
            fmt::format_to(std::back_inserter(text), "handed from {} to {}\n", nameOf(facts.handedOver->from),
                           nameOf(facts.handedOver->to));
    }
    text += findingsOf(store);
    const replay::Statistics& s = state.statistics;
    fmt::format_to(std::back_inserter(text),
                   "{} acquired, {} released, {} woken, {} reentered, {} requests\n", s.acquired, s.releases,
                   s.wakeUps, s.reentered, s.ops.sum());
    return text;
}

// Where the events of each client stand in the merged run, in their order.
std::map<std::string, std::vector<std::size_t>, std::less<>> placesOf(const TraceStore& store)
{
    std::map<std::string, std::vector<std::size_t>, std::less<>> places;
    std::map<ClientId, std::string> names;
    for (std::size_t i = 0; i < store.count(); ++i) {
        const Event& event = store.at(i);
        if (const auto* added = std::get_if<trace::ClientAdded>(&event.what))
            names[event.client] = added->name;
        if (event.client.valid() && !std::holds_alternative<trace::Command>(event.what))
            places[names[event.client]].push_back(i);
    }
    return places;
}

// Each cause of the whole run, of the same client or of another, comes before its effect in the merged one.
void expectCausesFirst(const TraceStore& whole, const TraceStore& merged)
{
    const auto wholePlaces = placesOf(whole), mergedPlaces = placesOf(merged);
    std::map<std::size_t, std::size_t> place;
    for (const auto& [name, places] : wholePlaces) {
        const auto found = mergedPlaces.find(name);
        ASSERT_TRUE(found != mergedPlaces.end() && found->second.size() == places.size()) << name;
        for (std::size_t i = 0; i < places.size(); ++i)
            place[places[i]] = found->second[i];
    }
    for (const auto& [index, where] : place) {
        const EventIndex cause = whole.at(index).cause;
        if (!cause.valid() || !place.contains(cause.value))
            continue;
        ASSERT_LT(place[cause.value], where) << "event " << index;
        ASSERT_LT(merged.at(place[cause.value]).at, merged.at(where).at + TraceTime{1}) << "event " << index;
    }
}

// ---- the property --------------------------------------------------------------------------------------

TEST_F(MergedRun, OfClocksAnHourApartIsTheRunThatWasSplit)
{
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Random random(seed);
        SampleOptions options;
        options.seed = seed;
        options.clients = static_cast<std::uint32_t>(random.uniform(2, 8));
        options.cycles = static_cast<std::uint32_t>(random.uniform(3, 12));
        options.handoff = random.unit() < 0.5 ? SampleHandoff::curator : SampleHandoff::announced;
        options.think = std::chrono::microseconds(random.uniform(0, 500));
        const auto whole = sampleRun(options);
        const auto parts = static_cast<std::size_t>(random.uniform(2, options.clients));
        const auto again = merged(split(*whole, parts, random));
        ASSERT_EQ(factsOf(*again), factsOf(*whole)) << "seed " << seed;
        expectCausesFirst(*whole, *again);
        ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    }
}

TEST_F(MergedRun, WithFaultsHasTheFindingsOfTheRunThatWasSplit)
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Random random(seed);
        SampleOptions options;
        options.seed = seed;
        options.killHolderAtGrant = 7;
        options.suspendWaiterAtGrant = 15;
        const auto whole = sampleRun(options);
        const auto again = merged(split(*whole, 5, random));
        ASSERT_EQ(findingsOf(*again), findingsOf(*whole)) << "seed " << seed;
        expectCausesFirst(*whole, *again);
        ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    }
}

// ---- the servers' logs ---------------------------------------------------------------------------------

// What the log of the server has: each node's creation and end, half way between request and reply, in
// milliseconds.
std::shared_ptr<TraceStore> logOf(const TraceStore& whole)
{
    std::multimap<std::int64_t, Event> changes;
    std::map<ClientId, SessionId> sessions;
    for (std::size_t i = 0; i < whole.count(); ++i) {
        const Event& event = whole.at(i);
        if (const auto* state = std::get_if<trace::SessionState>(&event.what);
            state && state->session.valid())
            sessions[event.client] = state->session;
        const auto* reply = std::get_if<trace::Reply>(&event.what);
        if (!reply || reply->outcome != trace::Outcome::ok)
            continue;
        const std::int64_t at = ((whole.at(event.cause).at + event.at) / 2).count();
        if (reply->op == Operation::create)
            changes.emplace(at,
                            Event{event.at,
                                  {},
                                  event.client,
                                  event.lock,
                                  trace::NodeSeen{reply->node, sessions[event.client], reply->zxid, true}});
        else if (reply->op == Operation::remove)
            changes.emplace(at,
                            Event{event.at, {}, event.client, event.lock, trace::NodeVanished{reply->node}});
    }
    trace::Header header;
    header.scenario = "history";
    auto store = std::make_shared<TraceStore>(header);
    const std::int64_t first = changes.begin()->first / 1'000'000;
    TraceTime now{};
    const auto append = [&](ClientId client, LockId lock, trace::Payload what, EventIndex cause = {}) {
        return store->append({now, cause, client, lock, std::move(what)});
    };
    append({}, {}, trace::RunPhaseChanged{trace::RunPhase::running, {}});
    append({}, LockId{0}, trace::LockAdded{"/locks/well", "watched", {}});
    std::uint32_t nodes = 0;
    std::set<ClientId> known;
    for (const auto& [at, change] : changes) {
        now = std::chrono::milliseconds(at / 1'000'000 - first);
        const auto* made = std::get_if<trace::NodeSeen>(&change.what);
        if (known.insert(change.client).second)
            append(change.client, {}, trace::ClientAdded{"10.1.2.3", 0});
        const std::string zxid = made ? fmt::format("zxid=0x{:x} cxid=1", made->czxid.value) : "cxid=2";
        const EventIndex command =
            append(change.client, LockId{0}, trace::Command{made ? "create" : "delete", zxid});
        append(change.client, LockId{0}, change.what, command);
        append({}, LockId{0}, trace::Observed{made ? ++nodes : --nodes});
    }
    append({}, {}, trace::RunPhaseChanged{trace::RunPhase::finished, {}});
    return store;
}

TEST_F(MergedRun, TheServersWordStandsBesideTheSameClients)
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Random random(seed);
        SampleOptions options;
        options.seed = seed;
        const auto whole = sampleRun(options);
        std::vector<TraceMerger::Input> inputs = split(*whole, 2, random);
        inputs.insert(inputs.begin(), save(*logOf(*whole), "log"));
        const auto merger = TraceMerger::create(inputs);
        ASSERT_TRUE(merger) << merger.error().text();
        EXPECT_EQ((*merger)->sources()[0].name, "m0") << "a run is the reference";
        EXPECT_TRUE((*merger)->sources()[2].isLog);
        EXPECT_EQ((*merger)->sources()[2].joined, options.clients)
            << "each of the log's sessions is a client's";
        const auto again = merged(**merger);
        EXPECT_EQ(folded(*again).clients.size(), options.clients);
        EXPECT_EQ(folded(*again).locks.size(), 1U);
        EXPECT_EQ(findingsOf(*again), findingsOf(*whole)) << "seed " << seed;
        expectCausesFirst(*whole, *again);
    }
}

// ---- what is not known ---------------------------------------------------------------------------------

TEST_F(MergedRun, OrdersNothingThatShowsNoOrder)
{
    SampleOptions options;
    const auto whole = sampleRun(options);
    options.seed = 2;
    const auto other = partOf(*sampleRun(options), 0, 1, TraceTime{1});
    EXPECT_THAT(
        refusalOf({save(*whole, "a"), save(*other, "b")}),
        testing::HasSubstr("b.jsonl name no node with the same zxid: it is unknown whether they are of one "
                           "ensemble"));

    // A machine that only watches learns of everything late, by an unknown time.
    TraceStore watching(other->header());
    std::map<std::string, Zxid, std::less<>> zxids;
    for (std::size_t i = 0; i < whole->count(); ++i) {
        const Event& event = whole->at(i);
        if (const auto* reply = std::get_if<trace::Reply>(&event.what))
            zxids.emplace(reply->node, reply->zxid);
        if (event.client.valid())
            continue;
        trace::Payload what = event.what;
        if (auto* seen = std::get_if<trace::NodeSeen>(&what))
            seen->czxid = zxids.at(std::string(seen->node));
        watching.append({event.at, {}, {}, event.lock, what});
    }
    EXPECT_THAT(refusalOf({save(*whole, "a"), save(watching, "w")}),
                testing::HasSubstr("Nothing bounds the clock of " + (m_folder / "w.jsonl").string() +
                                   " on both sides"));
}

TEST_F(MergedRun, AClockThatWasSetContradictsItself)
{
    const auto whole = sampleRun();
    const auto one = partOf(*whole, 0, 2, {});
    const auto other = partOf(*whole, 1, 2, {});
    TraceStore set(other->header());
    for (std::size_t i = 0; i < other->count(); ++i) {
        Event event = other->at(i);
        event.at += i > other->count() / 2 ? std::chrono::seconds(1) : std::chrono::seconds(0);
        set.append(event);
    }
    EXPECT_THAT(refusalOf({save(*one, "a"), save(set, "b")}), testing::HasSubstr("contradict each other by"));
}

TEST_F(MergedRun, RefusesTheSameTraceTwiceAndNamesThePlaceOfAMistake)
{
    const auto whole = sampleRun();
    const auto a = save(*partOf(*whole, 0, 2, {}), "a");
    EXPECT_THAT(refusalOf({a, save(*partOf(*whole, 0, 2, {}), "copy")}),
                testing::HasSubstr("are the same trace"));
    std::ofstream(m_folder / "bad.jsonl")
        << trace::headerLine(whole->header()) << "\n{\"t\":1,\"e\":\"nothing\"}\n";
    EXPECT_THAT(refusalOf({a, {m_folder / "bad.jsonl"}}),
                testing::HasSubstr("bad.jsonl:2:12: found \"nothing\""));
}

TEST_F(MergedRun, ShowsAPieceThatIsMissingAsMissing)
{
    Random random(3);
    const auto whole = sampleRun();
    std::vector<TraceMerger::Input> inputs = split(*whole, 2, random);
    std::filesystem::resize_file(inputs[1].path, std::filesystem::file_size(inputs[1].path) / 2);
    const auto merger = TraceMerger::create(inputs);
    ASSERT_TRUE(merger) << merger.error().text();
    EXPECT_THAT((*merger)->sources()[1].gap.english(), testing::HasSubstr("ends in the middle of line"));
    const auto again = merged(**merger);
    const replay::RunState state = folded(*again);
    EXPECT_EQ(state.phase, trace::RunPhase::running) << "nobody knows how it ended";
    for (const replay::ClientRow& row : state.clients) {
        const bool known = row.name == "ada" || row.name == "cyd" || row.name == "eli";
        EXPECT_EQ(row.phase, known ? replay::ClientPhase::finished : replay::ClientPhase::removed)
            << row.name;
    }
    EXPECT_EQ(violatedFindings(state), 0U) << "what is not known breaks no rule";
    std::size_t gaps = 0;
    for (std::size_t i = 0; i < again->count(); ++i)
        if (const auto* command = std::get_if<trace::Command>(&again->at(i).what))
            gaps += command->verb == "gap" && command->argument == "unknown source=m1" ? 1 : 0;
    EXPECT_EQ(gaps, 1U);
}

// ---- what is written -----------------------------------------------------------------------------------

TEST_F(MergedRun, SaysHowFarTheClocksMayBeWrong)
{
    Random random(4);
    const auto whole = sampleRun();
    const auto merger = TraceMerger::create(split(*whole, 3, random));
    ASSERT_TRUE(merger) << merger.error().text();
    const auto again = merged(**merger);
    std::vector<std::string> codes;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& notice = std::get<trace::Notice>(again->at(i).what);
        codes.emplace_back(notice.code);
        if (i == 2) {
            EXPECT_THAT(notice.text.english(),
                        testing::HasSubstr(std::to_string((*merger)->certainAfter().count())));
        }
    }
    EXPECT_THAT(codes, testing::ElementsAre("clock_aligned", "clock_aligned", "clock_certain"));
    for (const trace::MergedSource& source : (*merger)->sources()) // a way to the server takes 40 to 120 us
        EXPECT_LE(source.clock.within, std::chrono::microseconds(240)) << source.name;

    // The uncertainty is true: the machines' clocks were as far apart as it says.
    Random same(4);
    std::vector<std::int64_t> shifts;
    for (int part = 0; part < 3; ++part)
        shifts.push_back(same.uniform(0, kHour));
    for (std::size_t part = 0; part < 3; ++part) {
        const trace::AlignedClock& clock = (*merger)->sources()[part].clock;
        EXPECT_LE(std::abs(shifts[0] - shifts[part] - clock.offset->count()), clock.within.count());
    }
}

TEST_F(MergedRun, ClientsWithOneNameAreNamedByTheirTraces)
{
    const auto whole = sampleRun();
    std::vector<TraceMerger::Input> inputs;
    for (std::size_t part = 0; part < 2; ++part) {
        const auto own = partOf(*whole, part, 2, {});
        TraceStore renamed(own->header());
        for (std::size_t i = 0; i < own->count(); ++i) {
            Event event = own->at(i);
            const std::string name = fmt::format("client {}", event.client.value + 1);
            if (auto* added = std::get_if<trace::ClientAdded>(&event.what))
                added->name = name;
            renamed.append(event);
        }
        inputs.push_back(save(renamed, fmt::format("m{}", part)));
    }
    std::vector<std::string> names;
    const auto again = merged(inputs);
    const replay::RunState state = folded(*again);
    for (const replay::ClientRow& row : state.clients)
        names.emplace_back(row.name);
    EXPECT_THAT(names, testing::ElementsAre("m0/client 1", "m0/client 2", "m0/client 3", "m1/client 1",
                                            "m1/client 2"))
        << "the clients of a machine stand together";
}

TEST_F(MergedRun, ClientsAreNamedByTheirTracesWhenThatIsWanted)
{
    Random random(4);
    const auto merger =
        TraceMerger::create(split(*sampleRun(), 2, random), {}, nullptr, TraceMerger::Names::withTraces);
    ASSERT_TRUE(merger) << merger.error().text();
    const auto again = merged(**merger);
    const replay::RunState state = folded(*again);
    ASSERT_EQ(state.clients.size(), 5U);
    EXPECT_TRUE(state.clients.front().name.starts_with("m0/")) << state.clients.front().name;
    EXPECT_TRUE(state.clients.back().name.starts_with("m1/")) << state.clients.back().name;
}

TEST_F(MergedRun, EachClientHasTheTraceThatItIsFrom)
{
    Random random(4);
    const auto whole = sampleRun();
    const auto again = merged(split(*whole, 2, random));
    ASSERT_TRUE(trace::saveTrace(m_folder / "merged.jsonl", *again, again->count()));
    const auto read = trace::loadTrace(m_folder / "merged.jsonl");
    ASSERT_TRUE(read);
    std::map<std::string, std::string> traceOf, nameless;
    for (const replay::ClientRow& row : folded(*read->store).clients)
        traceOf.emplace(row.name, row.trace);
    for (const replay::ClientRow& row : folded(*whole).clients)
        nameless.emplace(row.name, row.trace);
    EXPECT_THAT(traceOf, testing::UnorderedElementsAre(testing::Pair("ada", "m0"), testing::Pair("cyd", "m0"),
                                                       testing::Pair("eli", "m0"), testing::Pair("bo", "m1"),
                                                       testing::Pair("dee", "m1")));
    EXPECT_THAT(nameless, testing::Each(testing::Pair(testing::_, ""))) << "of a run of one machine";
}

TEST_F(MergedRun, TracesOfTheSameNameAreToldApartByTheirFolders)
{
    std::vector<TraceMerger::Input> inputs;
    for (std::size_t part = 0; part < 2; ++part) {
        const std::string host = fmt::format("host{}", part + 1);
        std::filesystem::create_directory(m_folder.path() / host);
        inputs.push_back(save(*partOf(*sampleRun(), part, 2, TraceTime{}), host + "/trace"));
    }
    const auto merger = TraceMerger::create(inputs);
    ASSERT_TRUE(merger) << merger.error().text();
    EXPECT_EQ((*merger)->sources()[0].name, "host1-trace");
    EXPECT_EQ((*merger)->sources()[1].name, "host2-trace");
    EXPECT_THAT(TraceMerger::namesOf({"x/host/a.jsonl", "y/host/a.jsonl"}),
                testing::ElementsAre("host-a", "host-a-2"));
}

} // namespace
} // namespace lockscope::tests
