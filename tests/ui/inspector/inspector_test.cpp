// What the Inspector tells of each kind of thing, from moment to moment, and what is copied.
#include "tests/ui/inspector/inspector_test_fixture.h"
#include "ui/chain/chain_layout.h"
#include "ui/models/rows/queue_model.h"

#include <QAbstractItemModelTester>

using namespace lockscope;
using namespace lockscope::ui;
using namespace std::chrono_literals;
using lockscope::tests::GrowingRun;
using lockscope::tests::InspectorTest;
using lockscope::tests::SampleOptions;
using lockscope::tests::sampleRun;
using lockscope::tests::scriptNode;
using lockscope::tests::traceScript;

namespace {

QStringList idsOf(const Inspection& inspection)
{
    QStringList ids;
    for (const Fact& fact : inspection.facts)
        ids << fact.id;
    return ids;
}

TEST_F(InspectorTest, AClientWithEveryFactAndItsEvent)
{
    run.openTrace(traceScript(tests::kThree));
    selection.selectClient(client("bo"));
    EXPECT_EQ(value("client.name"), "bo");
    EXPECT_TRUE(isRecordedAs<trace::ClientAdded>("client.name"));
    EXPECT_EQ(value("client.state"), "frozen");
    EXPECT_EQ(value("client.session_state"), "connected");
    EXPECT_TRUE(isRecordedAs<trace::SessionState>("client.session"));
    EXPECT_EQ(value("client.frozen"), "yes");
    EXPECT_TRUE(isRecordedAs<trace::Command>("client.frozen"));
    EXPECT_EQ(value("lock.path"), "/locks/well");
    EXPECT_EQ(value("lock.node"), "…0002");
    EXPECT_EQ(value("lock.place"), "2 of 3");
    EXPECT_FALSE(fact("lock.place").event.valid()) << "its list said 2 of 2: cyd came after that";
    EXPECT_EQ(value("lock.watches"), "…0001");
    EXPECT_TRUE(isRecordedAs<trace::Reply>("lock.watches"));
    EXPECT_EQ(value("lock.waits_for"), "ada");
    EXPECT_TRUE(isRecordedAs<trace::AcquireCalled>("lock.asked_ns"));
    EXPECT_EQ(value("lock.acquired_ns"), "–");
    EXPECT_EQ(value("so_far.requests"), "3");
    EXPECT_EQ(value("so_far.faults"), "1");
    EXPECT_EQ(value("so_far.last_fault"), "freeze bo");
    selection.selectClient(client("ada"));
    EXPECT_EQ(value("client.state"), "holds ×2");
    EXPECT_EQ(value("lock.depth"), "×2");
    EXPECT_TRUE(isRecordedAs<trace::Reentered>("lock.depth"));
    EXPECT_EQ(value("lock.token"), "0x101");
    EXPECT_TRUE(isRecordedAs<trace::Acquired>("lock.token"));
    EXPECT_TRUE(isRecordedAs<trace::Acquired>("so_far.acquisitions"));
}

// A reader had stopped the run for a minute: the card said "waited 1 min" beside "held 190 ms".
TEST_F(InspectorTest, APauseOfTheRunIsNeitherWaitingNorHoldingWhereverItIsShown)
{
    run.openTrace(traceScript("10ms ada holds n1; 20ms bo waits n2 n1; 100ms - paused; 60100ms - running;"
                              "60200ms ada reentered 2"));
    run.seekEvent(run.store()->count());
    selection.selectClient(client("bo"));
    EXPECT_EQ(value("lock.waited_ns"), "180.00 ms");
    const QueueModel queue(&run, &selection);
    EXPECT_EQ(queue.text(1, QueueModel::Waited).toStdString(), "180.00 ms");
    chain::ChainQuery query;
    query.state = &run.state();
    query.now = run.cursorTime();
    query.viewport = {900, 400};
    const chain::ChainScene scene = chain::layOutChain(query);
    EXPECT_EQ(scene.nodes[1].detail.toStdString(), "waited 180 ms");
    EXPECT_EQ(scene.nodes[0].detailShort.toStdString(), "held 190 ms");
    selection.selectClient(client("ada"));
    EXPECT_EQ(value("lock.held_ns"), "190 ms");
}

TEST_F(InspectorTest, EveryLockOfAClientHasItsSection)
{
    run.openTrace(traceScript(
        "- lock left; - lock right; ada@left holds n1; bo@right holds n1; ada@right waits n2 n1"));
    selection.selectClient(client("ada"));
    QStringList paths;
    for (int row = 0; row < model().rowCount(); ++row)
        if (model().fact(row).id.endsWith(".path"))
            paths << model().fact(row).value;
    EXPECT_EQ(paths, QStringList({"/locks/right", "/locks/left"})) << "what it waits for comes first";
    EXPECT_EQ(value("lock.waits_for"), "bo");
}

TEST_F(InspectorTest, ANodeThatIsThereAndAnotherThatWent)
{
    run.openTrace(traceScript(tests::kHandedOver));
    selection.selectNode(client("bo"), node("n2"));
    EXPECT_EQ(view.caption(), "lock node · …0002");
    EXPECT_EQ(fact("node.name").value, node("n2"));
    EXPECT_EQ(value("node.kind"), "mutex");
    EXPECT_EQ(value("node.owner"), "bo");
    EXPECT_EQ(value("node.state"), "holds");
    EXPECT_EQ(value("node.place"), "1 of 2");
    EXPECT_TRUE(isRecordedAs<trace::Acquired>("node.acquired_ns"));
    EXPECT_TRUE(isRecordedAs<trace::Reply>("node.created_ns"));
    EXPECT_EQ(value("watched_by.count"), "1");
    EXPECT_EQ(fact(QStringLiteral("watched_by.client%1").arg(client("cyd").value)).value, "cyd");
    selection.selectNode(client("ada"), node("n1"));
    EXPECT_EQ(value("node.state"), "gone");
    EXPECT_EQ(value("node.owner"), "ada");
    EXPECT_EQ(value("node.woken"), "1");
    EXPECT_EQ(value("node.first_woken"), "bo");
    EXPECT_TRUE(fact("node.gone_ns").event.valid());
}

TEST_F(InspectorTest, AWokenClientIsSoSinceItsWatchFired)
{
    run.openTrace(traceScript("1ms ada holds n1; 2ms bo waits n2 n1; 30ms ada release n1; 31ms bo fired n1;"
                              "32ms ada freed n1; 35ms cyd joins n3"));
    selection.selectClient(client("bo"), node("n2"));
    EXPECT_EQ(value("client.state"), "woken");
    EXPECT_TRUE(isRecordedAs<trace::WatchFired>("client.state"));
    EXPECT_EQ(value("client.in_state_ns").substr(0, 2), "4.") << value("client.in_state_ns");
}

TEST_F(InspectorTest, AHandoffIsSplitIntoItsPartsWithTheirEvents)
{
    run.openTrace(traceScript(tests::kHandedOver));
    ASSERT_EQ(run.timeline().handoffCount(), 1U);
    const replay::Handoff handoff = run.timeline().handoff(0);
    selection.selectHandoff(handoff.acquiredEvent, handoff.to);
    EXPECT_EQ(view.caption(), "handoff · ada → bo");
    EXPECT_EQ(value("handoff.from"), "ada");
    EXPECT_EQ(value("handoff.to"), "bo");
    EXPECT_EQ(value("handoff.node_from"), "…0001");
    EXPECT_EQ(value("handoff.wake_ups"), "1");
    EXPECT_EQ(fact("handoff.latency_ns").exact.toInteger(), handoff.latency().count());
    EXPECT_TRUE(isRecordedAs<trace::ReleaseCalled>("parts.released_ns"));
    EXPECT_TRUE(isRecordedAs<trace::Request>("parts.requested_ns"));
    EXPECT_TRUE(fact("parts.committed_ns").event.valid());
    EXPECT_TRUE(isRecordedAs<trace::WatchFired>("parts.woken_ns"));
    EXPECT_TRUE(isRecordedAs<trace::Request>("parts.listed_ns"));
    EXPECT_TRUE(isRecordedAs<trace::Reply>("parts.answered_ns"));
    EXPECT_TRUE(isRecordedAs<trace::Acquired>("parts.acquired_ns"));
    EXPECT_EQ(value("parts.woken_ns").find("0.045 000 · +"), 0U) << value("parts.woken_ns");
}

TEST_F(InspectorTest, AnEventWithItsCauseAndAllItsFields)
{
    run.openTrace(sampleRun());
    const replay::Handoff handoff = run.timeline().handoff(0);
    selection.selectEvent(handoff.wokenEvent, handoff.to);
    EXPECT_EQ(value("event.kind"), "watch_fired");
    EXPECT_EQ(fact("event.index").event, handoff.wokenEvent);
    EXPECT_EQ(fact("event.cause").event, run.store()->at(handoff.wokenEvent).cause);
    EXPECT_EQ(value("fields.kind"), "NodeDeleted");
    EXPECT_FALSE(value("fields.node").empty());
    selection.selectEvent(handoff.acquiredEvent, handoff.to);
    EXPECT_EQ(fact("event.handoff").target.kind, Selected::Kind::handoff);
    EXPECT_FALSE(value("fields.token").empty());
    // Whatever the kind: nothing is missing and no row twice.
    for (std::size_t at = 0; at < run.store()->count(); ++at) {
        selection.selectEvent(EventIndex{static_cast<std::uint32_t>(at)}, run.store()->at(at).client);
        QStringList ids = idsOf(model().inspect());
        ASSERT_GE(ids.size(), 9) << at;
        ASSERT_EQ(ids.removeDuplicates(), 0) << at;
    }
}

TEST_F(InspectorTest, IsAProperModelWhileARunGrowsAndTheCursorMoves)
{
    const QAbstractItemModelTester tester(&model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    SampleOptions options;
    options.killHolderAtGrant = 6;
    options.freezeHolderAtGrant = 12;
    options.foreignAtGrant = 8;
    GrowingRun growing(options);
    growing.showIn(run);
    ASSERT_TRUE(growing.publishAndDrain(run, 60));
    selection.selectClient(ClientId{1});
    QSignalSpy resets(&model(), &QAbstractItemModel::modelReset);
    QSignalSpy removed(&model(), &QAbstractItemModel::rowsRemoved);
    const int rows = model().rowCount();
    while (!growing.done())
        ASSERT_TRUE(growing.publishAndDrain(run, 97));
    EXPECT_EQ(model().rowCount(), rows);
    EXPECT_EQ(removed.size(), 0) << "rows stay where they are, whatever happens to the client";
    for (std::size_t at = 0; at < growing.total(); at += 53) {
        run.seekEvent(at);
        selection.selectEvent(EventIndex{static_cast<std::uint32_t>(at)}, ClientId::none());
        selection.selectClient(ClientId{static_cast<std::uint32_t>(at % 5)});
        const replay::LockRow* lock = run.state().lock(LockId{0});
        if (lock && !lock->queue.empty())
            selection.selectNode(lock->queue.back().owner,
                                 QString::fromStdString(std::string(lock->queue.back().name)));
    }
    EXPECT_EQ(resets.size(), 0);
}

TEST_F(InspectorTest, TextFromOutsideIsPlainAndWholeInTheCopy)
{
    const std::string evil = "<b>x</b>\n\u202E\x01" + std::string(10'000, 'W') + "the end";
    trace::TraceStore* store = new trace::TraceStore;
    const std::shared_ptr<const trace::TraceStore> owned(store);
    store->append(
        {{}, EventIndex::none(), ClientId::none(), LockId{0}, trace::LockAdded{evil, "mutex", "curator"}});
    store->append({1ms, EventIndex::none(), ClientId{0}, LockId::none(), trace::ClientAdded{evil, 0}});
    store->append(
        {2ms, EventIndex::none(), ClientId{0}, LockId{0}, trace::Acquired{evil, Zxid{7}, OwnerId{0}}});
    run.openTrace(owned);
    for (const auto& choose : std::initializer_list<std::function<void()>>{
             [&] { selection.selectClient(ClientId{0}); },
             [&] { selection.selectEvent(EventIndex{2}, ClientId{0}); }}) {
        choose();
        for (int row = 0; row < model().rowCount(); ++row) {
            const QString shown = model().fact(row).value;
            EXPECT_LE(shown.size(), 220) << shown.left(60).toStdString();
            EXPECT_FALSE(shown.contains(QChar(0x202e)) || shown.contains(u'\n'));
        }
        const QString text = asText(model().inspect());
        EXPECT_TRUE(text.contains("<b>x</b>\\u000a\\u202E\\u0001WWW")) << text.left(300).toStdString();
        EXPECT_TRUE(text.contains("WWWthe end"));
        EXPECT_FALSE(text.contains(QChar(0x202e)));
        const QString json = asJson(model().inspect());
        EXPECT_FALSE(json.contains(QChar(0x202e)));
        QJsonParseError fault;
        const QJsonObject root = QJsonDocument::fromJson(json.toUtf8(), &fault).object();
        EXPECT_EQ(fault.error, QJsonParseError::NoError) << fault.errorString().toStdString();
        const QJsonValue back = root["client"].toObject().contains("name")
                                    ? root["client"].toObject()["name"]
                                    : root["fields"].toObject()["node"];
        EXPECT_EQ(back.toString().toStdString(), evil) << "a program gets it as it is";
    }
}

// The English of a message is put together for the inspection, and is no text of the trace.
TEST_F(InspectorTest, AMessageIsWholeInTheCopy)
{
    const std::string name = std::string(300, 'x') + "the end";
    const Message detail = message("The lock \"%1\" cannot be acquired.", name);
    auto store = std::make_shared<trace::TraceStore>();
    store->append({{}, EventIndex::none(), ClientId{0}, LockId::none(), trace::ClientAdded{"ada", 0}});
    store->append({1ms, EventIndex::none(), ClientId{0}, LockId{0},
                   trace::AcquireFailed{trace::FailReason::error, OwnerId{0}, detail}});
    run.openTrace(store);
    selection.selectEvent(EventIndex{1}, ClientId{0});
    const QString whole = QString::fromStdString(detail.english());
    EXPECT_TRUE(asText(model().inspect()).contains(whole));
    const QJsonObject root = QJsonDocument::fromJson(asJson(model().inspect()).toUtf8()).object();
    EXPECT_EQ(root["fields"].toObject()["detail"].toString(), whole);
}

} // namespace
