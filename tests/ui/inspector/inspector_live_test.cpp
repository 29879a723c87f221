// The Inspector on a live run, on a real ZooKeeper: it follows, leads back, and tells the same of the record.
#include "tests/ui/inspector/inspector_test_fixture.h"

#include "core/trace/trace_file.h"

#include <QRegularExpression>
#include <QTemporaryDir>

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::InspectorTest;

namespace {

constexpr int kLiveRunMs = 60'000;

engine::Options threeClients()
{
    engine::Options options;
    options.scenario.name = "three";
    options.scenario.clients = 3;
    options.scenario.work.cycles = 6;
    return options;
}

TEST_F(InspectorTest, FollowsALiveRunAndTellsTheSameOfItsRecord)
{
    run.startLive(threeClients());
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.state().statistics.acquired > 2; }, kLiveRunMs));
    selection.selectClient(ClientId{0});
    ASSERT_GT(model().rowCount(), 20);
    ASSERT_TRUE(QTest::qWaitFor([&] { return value("so_far.acquisitions") == "6"; }, kLiveRunMs));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !run.isLive() && run.drained() == run.store()->count(); }, kLiveRunMs));
    EXPECT_GE(fact("so_far.requests").exact.toInteger(), 12) << "a create and a delete each time, at least";
    click("so_far.acquisitions", InspectorModel::Event);
    EXPECT_EQ(value("event.kind"), "acquired");
    EXPECT_EQ(run.position(), selection.selectedEvent().value + std::size_t{1});

    const QTemporaryDir folder;
    const std::string path = folder.filePath("live.jsonl").toStdString();
    ASSERT_TRUE(trace::saveTrace(path, *run.store(), run.store()->count()).has_value());
    const auto loaded = trace::loadTrace(path);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().text();
    RunModel opened;
    opened.openTrace(loaded->store);
    Selection chosen;
    const InspectorModel replayed(&opened, &chosen);
    for (std::size_t at = 20; at < run.store()->count(); at += 29) {
        const std::uint32_t client = static_cast<std::uint32_t>(at % 3);
        for (const Selected& what :
             {Selected{Selected::Kind::client, ClientId{client}, {}, LockId{0}, EventIndex::none()},
              Selected{Selected::Kind::event,
                       ClientId{client},
                       {},
                       LockId{0},
                       EventIndex{static_cast<std::uint32_t>(at)}}}) {
            selection.select(what);
            chosen.select(what);
            run.seekEvent(at);
            opened.seekEvent(at);
            // Session ids are numbered anew in a file: the rest is the same to the letter.
            QString live = asText(model().inspect());
            QString record = asText(replayed.inspect());
            static const QRegularExpression session(QStringLiteral("0x…[0-9a-f]+"));
            EXPECT_EQ(live.remove(session), record.remove(session)) << at;
        }
    }
}

} // namespace
