// The calmer news of a run: how often readers are told, that none is told late, and that a live run reads as
// its trace.
#include "tests/ui/growing_run.h"

#include "ui/models/findings_model.h"
#include "ui/models/queue_model.h"
#include "ui/models/reading.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

using namespace lockscope;
using namespace lockscope::ui;
using lockscope::tests::GrowingRun;

namespace {

constexpr int kTurns = static_cast<int>(ReadingTurns::kTurns);

// Counts what one reader is told.
struct Reader
{
    explicit Reader(const Reading* reading)
    {
        QObject::connect(reading, &Reading::stateChanged, &here, [this] { ++states; });
        QObject::connect(reading, &Reading::cursorMoved, &here, [this] { ++cursors; });
    }
    QObject here;
    int states = 0;
    int cursors = 0;
};

struct Readers
{
    explicit Readers(ReadingTurns& turns)
    {
        for (int i = 0; i < 2 * kTurns; ++i)
            all.push_back(std::make_unique<Reader>(turns.share()));
    }
    std::vector<int> states() const
    {
        std::vector<int> counts;
        for (const auto& reader : all)
            counts.push_back(reader->states);
        return counts;
    }
    std::vector<std::unique_ptr<Reader>> all;
};

TEST(ReadingTurns, ShareTheReadersOutAmongTheFrames)
{
    ReadingTurns turns;
    Readers readers(turns);
    for (int frame = 1; frame <= kTurns; ++frame) {
        turns.noteState();
        turns.tellInTurn(true);
        const std::vector<int> told = readers.states();
        EXPECT_EQ(std::accumulate(told.begin(), told.end(), 0), 2 * frame) << "two of eight in each frame";
    }
    EXPECT_EQ(readers.states(), std::vector<int>(2 * kTurns, 1)) << "and nobody is left out";
}

TEST(ReadingTurns, TellWhatIsOwedAndNothingTwice)
{
    ReadingTurns turns;
    Readers readers(turns);
    turns.tellAll();
    EXPECT_EQ(readers.states(), std::vector<int>(2 * kTurns, 0)) << "nothing has changed";
    turns.noteState();
    turns.noteCursor();
    turns.tellInTurn(true);
    turns.tellAll();
    turns.tellAll();
    EXPECT_EQ(readers.states(), std::vector<int>(2 * kTurns, 1));
    EXPECT_EQ(readers.all.front()->cursors, 1);
    turns.noteState();
    turns.forget();
    turns.tellAll();
    EXPECT_EQ(readers.states(), std::vector<int>(2 * kTurns, 1)) << "another run has begun";
}

TEST(ReadingTurns, TellAllOfARunAtRest)
{
    ReadingTurns turns;
    Readers readers(turns);
    turns.noteState();
    turns.tellInTurn(true);
    turns.tellInTurn(false);
    const std::vector<int> told = readers.states();
    EXPECT_EQ(std::accumulate(told.begin(), told.end(), 0), 4) << "one frame without events is no rest";
    turns.tellInTurn(false);
    EXPECT_EQ(readers.states(), std::vector<int>(2 * kTurns, 1));
}

TEST(ReadingTurns, ToldByAReaderItselfTellNobodyTwice)
{
    ReadingTurns turns;
    Readers readers(turns);
    const Reading* reading = turns.share();
    QObject::connect(reading, &Reading::stateChanged, reading, [&] { turns.tellAll(); });
    turns.noteState();
    turns.tellAll();
    EXPECT_EQ(readers.states(), std::vector<int>(2 * kTurns, 1));
}

TEST(RunModel, TellsReadersAtOnceWhereTheCursorWasMoved)
{
    RunModel run;
    run.openTrace(tests::sampleRun(), {});
    std::vector<std::unique_ptr<Reader>> readers;
    for (int i = 0; i < kTurns; ++i)
        readers.push_back(std::make_unique<Reader>(run.reading()));
    run.seekEvent(20);
    run.stepEvents(1);
    for (const auto& reader : readers) {
        EXPECT_EQ(reader->states, 2);
        EXPECT_EQ(reader->cursors, 2);
    }
}

// The next events come while a frame is being told of: no frame is quiet before the last.
TEST(RunModel, TellsReadersCalmlyWhileItGrowsAndOfTheLastEventSoon)
{
    GrowingRun growing;
    RunModel run;
    growing.showIn(run);
    int frames = 0;
    QObject::connect(&run, &RunModel::stateChanged, &run, [&] {
        ++frames;
        growing.publish(growing.total() / 40);
    });
    std::vector<std::unique_ptr<Reader>> readers;
    std::vector<std::size_t> seen(ReadingTurns::kTurns);
    for (std::size_t i = 0; i < ReadingTurns::kTurns; ++i) {
        const Reading* reading = run.reading();
        readers.push_back(std::make_unique<Reader>(reading));
        QObject::connect(reading, &Reading::stateChanged, &run,
                         [&run, &seen, i] { seen[i] = run.position(); });
    }
    growing.publish(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return run.position() == growing.total(); }));
    EXPECT_GE(frames, 40);
    for (const auto& reader : readers) {
        EXPECT_GE(reader->states, frames / kTurns - 1);
        EXPECT_LE(reader->states, frames / kTurns + 2) << "one in " << kTurns << " frames, and the end";
    }
    const auto allSeen = [&] {
        return seen == std::vector<std::size_t>(ReadingTurns::kTurns, growing.total());
    };
    EXPECT_TRUE(QTest::qWaitFor(allSeen)) << "the run is quiet, though it may still grow";
}

TEST(RunModel, TellsReadersOfTheEndInTheFrameThatTakesItIn)
{
    GrowingRun growing;
    RunModel run;
    growing.showIn(run);
    growing.publish(growing.total());
    run.setGrowing(false);
    Reader first(run.reading());
    Reader second(run.reading());
    int owed = 0;
    QObject::connect(&run, &RunModel::stateChanged, &run, [&] { ++owed; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return owed > 0; }));
    EXPECT_EQ(first.states, owed);
    EXPECT_EQ(second.states, owed);
}

TEST(RunModel, SettlesForWhoCannotWait)
{
    GrowingRun growing;
    RunModel run;
    Selection selection;
    QueueModel queue(&run, &selection);
    QueueModel other(&run, &selection);
    growing.showIn(run);
    growing.publish(200);
    bool asked = false;
    QObject::connect(&run, &RunModel::stateChanged, &run, [&] {
        run.settle(); // in the midst of a frame, before its readers are told
        asked = true;
        EXPECT_EQ(queue.rowCount(), static_cast<int>(run.state().locks.front().queue.size()));
        EXPECT_EQ(other.rowCount(), queue.rowCount());
    });
    EXPECT_TRUE(QTest::qWaitFor([&] { return asked; }));
    EXPECT_GT(queue.rowCount(), 0);
}

std::vector<QString> words(const FindingsModel& findings, const QueueModel& queue)
{
    std::vector<QString> words;
    for (int row = 0; row < findings.rowCount(); ++row)
        words.push_back(findings.title(row) + findings.sentence(row));
    for (int row = 0; row < queue.rowCount(); ++row)
        words.push_back(queue.text(row, QueueModel::Sequence) + queue.text(row, QueueModel::State));
    return words;
}

TEST(RunModel, ReadsLiveAsItsTraceDoes)
{
    GrowingRun growing;
    Selection selection;
    RunModel live;
    FindingsModel findings(&live, nullptr);
    QueueModel queue(&live, &selection);
    growing.showIn(live);
    RunModel opened;
    FindingsModel openedFindings(&opened, nullptr);
    QueueModel openedQueue(&opened, &selection);
    opened.openTrace(tests::sampleRun(), {});
    while (!growing.done()) {
        growing.publish(growing.total() / 7 + 1);
        opened.seekEvent(growing.published());
        ASSERT_TRUE(QTest::qWaitFor([&] {
            return words(findings, queue) == words(openedFindings, openedQueue);
        })) << "after "
            << growing.published() << " events";
    }
}

} // namespace
