#include "core/queue/scheme.h"
#include "core/trace/event_codec.h"
#include "core/trace/pseudonymized_copy.h"
#include "tests/trace/trace_samples.h"

#include <rapidcheck/gtest.h>

#include <thread>

namespace lockscope::trace {
namespace {

Header sampleHeader()
{
    return {"five-clients",          "Five clients, \"one\" lock", "[scenario]\nname = \"x\"\n",
            18446744073709551615ULL, 1'700'000'000'123'456'789,    987'654'321};
}

std::shared_ptr<TraceStore> savedAndLoaded(const TraceStore& store)
{
    const Folder folder;
    EXPECT_TRUE(saveTrace(folder / "a.jsonl", store, store.count()));
    Result<LoadedTrace> loaded = loadTrace(folder / "a.jsonl");
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().text());
    EXPECT_EQ(loaded->truncation, "");
    return loaded->store;
}

TEST(TraceRoundTrip, EveryKindKeepsItsDefaults)
{
    TraceStore store;
    const auto defaults = []<std::size_t... I>(TraceStore & target, std::index_sequence<I...>)
    {
        (target.append({TraceTime(0), EventIndex::none(), ClientId::none(), LockId::none(),
                        Payload(std::in_place_index<I>)}),
         ...);
    };
    defaults(store, std::make_index_sequence<std::variant_size_v<Payload>>{});
    const auto loaded = savedAndLoaded(store);
    ASSERT_EQ(loaded->count(), store.count());
    for (std::size_t i = 0; i < store.count(); ++i)
        EXPECT_TRUE(sameEvent(store.at(i), loaded->at(i))) << "event " << i;
}

TEST(TraceRoundTrip, HeaderKeepsEveryField)
{
    TraceStore store(sampleHeader());
    const auto loaded = savedAndLoaded(store);
    const Header& header = loaded->header();
    EXPECT_EQ(header.scenario, "five-clients");
    EXPECT_EQ(header.title, "Five clients, \"one\" lock");
    EXPECT_EQ(header.scenarioToml, "[scenario]\nname = \"x\"\n");
    EXPECT_EQ(header.seed, 18446744073709551615ULL);
    EXPECT_EQ(header.wallNanoseconds, 1'700'000'000'123'456'789);
    EXPECT_EQ(header.monotonicNanoseconds, 987'654'321);
    EXPECT_EQ(loaded->count(), 0U);
}

// The engine sets the times of a run while the window reads its scenario.
TEST(TraceStore, WhoReadsTheHeaderKeepsItWhenAnotherIsSet)
{
    TraceStore store(sampleHeader());
    const Header& first = store.header();
    const std::string_view scenario = first.scenarioToml;
    Header later = sampleHeader();
    later.scenarioToml = "[scenario]\nname = \"y\"\n";
    std::thread([&] { store.setHeader(std::move(later)); }).join();
    EXPECT_EQ(first.scenarioToml, sampleHeader().scenarioToml);
    EXPECT_EQ(scenario.data(), first.scenarioToml.data());
    EXPECT_EQ(store.header().scenarioToml, "[scenario]\nname = \"y\"\n");
}

TEST(TraceRoundTrip, TheDocumentedLineIsWhatIsWritten)
{
    std::string line;
    appendEventLine(line, {TraceTime(1234), EventIndex{17}, ClientId{0}, LockId{0},
                           Acquired{"_c_a-lock-0000000001", Zxid{0x1f3}, OwnerId{0}}});
    EXPECT_EQ(line, R"({"t":1234,"e":"acquired","client":0,"lock":0,"cause":17,)"
                    R"("node":"_c_a-lock-0000000001","token":"0x1f3","owner":0})");
    line.clear();
    appendEventLine(line, {TraceTime(0), EventIndex::none(), ClientId::none(), LockId::none(),
                           Request{Operation::remove, "", false, false}});
    EXPECT_EQ(line, R"({"t":0,"e":"request","op":"delete"})");
    line.clear();
    appendEventLine(line, {TraceTime(7), EventIndex::none(), ClientId{2}, LockId::none(),
                           LinkState{.cut = true, .delay = Duration(5)}});
    EXPECT_EQ(line, R"({"t":7,"e":"link_state","client":2,"cut":true,"delay":5})");
    line.clear();
    appendEventLine(line, {TraceTime(7), EventIndex::none(), ClientId{2}, LockId::none(), LinkState{}});
    EXPECT_EQ(line, R"({"t":7,"e":"link_state","client":2})");
}

TEST(TraceRoundTrip, LargeNumbersAreKept)
{
    TraceStore store;
    store.append({TraceTime((std::int64_t{1} << 62)), EventIndex::none(), ClientId::none(), LockId::none(),
                  NodeSeen{"n", SessionId::none(), Zxid{-2}, false}});
    store.append({TraceTime((std::int64_t{1} << 62)), EventIndex::none(), ClientId::none(), LockId::none(),
                  Decided{"n", 4'294'967'295U, 4'294'967'295U, ""}});
    const auto loaded = savedAndLoaded(store);
    EXPECT_TRUE(sameEvent(store.at(0), loaded->at(0)));
    EXPECT_TRUE(sameEvent(store.at(1), loaded->at(1)));
}

// ---- text
// ------------------------------------------------------------------------------------------------------

std::string throughFile(std::string_view text)
{
    TraceStore store;
    store.append({TraceTime(0), EventIndex::none(), ClientId::none(), LockId::none(),
                  Notice{Severity::info, MessageView(text)}});
    const auto loaded = savedAndLoaded(store);
    return std::get<Notice>(loaded->at(0).what).text.english();
}

TEST(TraceText, HostileTextComesBackAsItWas)
{
    using namespace std::string_view_literals;
    const std::string_view texts[] = {
        "<img src=x onerror=alert(1)>&amp;"sv,
        "\"quoted\" \\ back / slash"sv,
        "nul\0inside"sv,
        "line\nbreak\r\n\ttab"sv,
        "\x01\x1b[31mred\x1b[0m\x7f"sv,
        "right\u202eto\u2066left\u2069\u200f"sv,
        "\u2028\u2029\ufeff"sv,
        "\u0085\u009b"sv,
        "\u9501 \U0001f512 \u00e9"sv,
        "{\"t\":1}"sv,
        "\\u0000 \\n"sv,
    };
    for (const std::string_view text : texts)
        EXPECT_EQ(throughFile(text), text);
    const std::string longName(10'000, 'n');
    EXPECT_EQ(throughFile(longName), longName);
}

TEST(TraceText, AMessageThatIsNestedDeeperThanIsReadComesBackInEnglish)
{
    for (const int depth : {1, 8, 9, 10, 30}) {
        Message nested("plain");
        for (int i = 0; i < depth; ++i)
            nested = message("%1 within", nested);
        EXPECT_EQ(throughFile(nested.encoded()), nested.english()) << depth;
    }
}

TEST(TraceText, WhatMisleadsAReaderOfTheFileIsEscaped)
{
    std::string json;
    appendJsonString(json, "a\u202eb\x1b\u2028\n\x7f\u0085");
    EXPECT_EQ(json, R"("a\u202eb\u001b\u2028\n\u007f\u0085")");
}

TEST(TraceText, BytesThatAreNotUtf8BecomeReplacementCharacters)
{
    EXPECT_EQ(throughFile("a\xff\xfe"
                          "b"),
              "a\ufffd\ufffd"
              "b");
    EXPECT_EQ(throughFile("\xc0\xaf"), "\ufffd\ufffd");           // overlong
    EXPECT_EQ(throughFile("\xed\xa0\x80"), "\ufffd\ufffd\ufffd"); // a surrogate
    EXPECT_EQ(throughFile("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");
    EXPECT_EQ(throughFile("end\xe2\x82"), "end\ufffd\ufffd"); // cut off
}

RC_GTEST_PROP(TraceText, AnyBytesMakeALineThatOpens, (const std::string& bytes))
{
    std::string json;
    appendJsonString(json, bytes);
    RC_ASSERT(json.find('\n') == std::string::npos);
    const std::string once = throughFile(bytes);
    RC_ASSERT(throughFile(once) == once); // what was read is UTF-8, and stays as it is
}

RC_GTEST_PROP(TraceRoundTrip, AnyEventsComeBack, (const std::vector<std::uint32_t>& seeds))
{
    TraceStore store;
    TraceTime at{};
    for (const std::uint32_t seed : seeds) {
        at += Duration(seed % 1000);
        const std::string text = "node-" + std::to_string(seed % 97);
        const auto cause = store.count() == 0 || seed % 3 == 0
                               ? EventIndex::none()
                               : EventIndex{static_cast<std::uint32_t>(seed % store.count())};
        store.append({at, cause, ClientId{seed % 900},
                      seed % 5 ? LockId{static_cast<std::uint16_t>(seed % 7)} : LockId::none(),
                      filledPayload(seed % std::variant_size_v<Payload>, seed % 50'000, text)});
    }
    const auto loaded = savedAndLoaded(store);
    RC_ASSERT(loaded->count() == store.count());
    for (std::size_t i = 0; i < store.count(); ++i)
        RC_ASSERT(sameEvent(store.at(i), loaded->at(i)));
}

// ---- session ids
// -----------------------------------------------------------------------------------------------

SessionId sessionAt(const TraceStore& store, std::size_t index)
{
    return std::get<SessionGone>(store.at(index).what).session;
}

class Renamed final : public SessionNames
{
public:
    SessionId of(SessionId real) const override { return SessionId{~real.value}; }
};

TEST(TraceSessions, AreWrittenAsTheEventsHaveThem)
{
    TraceStore store;
    for (const std::int64_t id : {std::int64_t{-0x1f00a7b3c9d10001}, std::int64_t{0x1000a7b3c9d10002}})
        store.append(
            {TraceTime(0), EventIndex::none(), ClientId::none(), LockId::none(), SessionGone{SessionId{id}}});
    const Folder folder;
    ASSERT_TRUE(saveTrace(folder / "a.jsonl", store, store.count()));
    const auto loaded = loadTrace(folder / "a.jsonl");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(sessionAt(*loaded->store, 0), SessionId{-0x1f00a7b3c9d10001});
    EXPECT_EQ(sessionAt(*loaded->store, 1), SessionId{0x1000a7b3c9d10002});
    EXPECT_EQ(loaded->store->header().sessionIds, SessionIds::pseudonyms);
    ASSERT_TRUE(saveTrace(folder / "b.jsonl", *loaded->store, 2));
    EXPECT_EQ(readFile(folder / "b.jsonl"), readFile(folder / "a.jsonl"))
        << "saving an opened trace changes nothing";
}

TEST(TraceSessions, RealOnesAreWrittenUnderOtherNames)
{
    Header header;
    header.sessionIds = SessionIds::real;
    TraceStore store(header);
    store.setWrittenSessionNames(std::make_shared<Renamed>());
    store.append({TraceTime(0), EventIndex::none(), ClientId::none(), LockId::none(),
                  SessionGone{SessionId{0x1000a7b3c9d10001}}});
    const Folder folder;
    ASSERT_TRUE(saveTrace(folder / "a.jsonl", store, store.count()));
    EXPECT_EQ(readFile(folder / "a.jsonl").find("1000a7b3c9d1"), std::string::npos);
    const auto loaded = loadTrace(folder / "a.jsonl");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(sessionAt(*loaded->store, 0), SessionId{~0x1000a7b3c9d10001});
    EXPECT_EQ(loaded->store->header().sessionIds, SessionIds::pseudonyms);
}

// ZooKeeper's own recipe has the session in the names of its nodes, in Java's digits or in those of C.
TEST(TraceSessions, NamesOfNodesHaveNoRealOnes)
{
    Header header;
    header.sessionIds = SessionIds::real;
    auto store = std::make_shared<TraceStore>(header);
    store->setWrittenSessionNames(std::make_shared<Renamed>());
    const auto see = [&](Text node) {
        store->append({TraceTime(0), EventIndex::none(), ClientId::none(), LockId{0},
                       NodeSeen{node, SessionId::none(), Zxid::none(), false}});
    };
    const std::int64_t real = 0x1000a7b3c9d10001;
    const std::string java = "x-" + std::to_string(real) + "-0000000007", c = "x-1000a7b3c9d10001-0000000008",
                      other = "max-1000a7b3c9d10001-x-12-lock-0000000009";
    for (const std::string& name : {java, c, other})
        see(name);
    const std::string javaNamed = "x-" + std::to_string(static_cast<std::uint64_t>(~real)) + "-0000000007",
                      cNamed = "x-efff584c362efffe-0000000008";
    const Folder folder;
    ASSERT_TRUE(saveTrace(folder / "a.jsonl", *store, store->count()));
    const auto loaded = loadTrace(folder / "a.jsonl");
    ASSERT_TRUE(loaded);
    PseudonymizedCopy copy(store);
    const std::vector<std::shared_ptr<const TraceStore>> all{loaded->store, copy.update()};
    for (const auto& written : all) {
        ASSERT_EQ(written->count(), 3U);
        const auto name = [&](std::size_t event) { return std::get<NodeSeen>(written->at(event).what).node; };
        EXPECT_EQ(name(0), javaNamed);
        EXPECT_EQ(name(1), cNamed);
        EXPECT_EQ(name(2), other) << "no node of that recipe";
        EXPECT_EQ(queue::parse(name(0)).library, queue::Library::zooKeeper);
        EXPECT_EQ(written->header().sessionIds, SessionIds::pseudonyms);
    }
    see(c);
    EXPECT_EQ(copy.update()->count(), 4U) << "it grows with the run";
}

TEST(TraceSessions, AFileWithRealOnesSaysSo)
{
    Header header;
    header.sessionIds = SessionIds::real;
    TraceStore store(header);
    store.append({TraceTime(0), EventIndex::none(), ClientId::none(), LockId::none(),
                  SessionGone{SessionId{0x1000a7b3c9d10001}}});
    const Folder folder;
    ASSERT_TRUE(saveTrace(folder / "a.jsonl", store, store.count()));
    const auto loaded = loadTrace(folder / "a.jsonl");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->store->header().sessionIds, SessionIds::real);
    EXPECT_EQ(sessionAt(*loaded->store, 0), SessionId{0x1000a7b3c9d10001});
}

} // namespace
} // namespace lockscope::trace
