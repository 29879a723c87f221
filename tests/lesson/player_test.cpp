// The player without a server: a run that the test itself writes.
#include "core/lesson/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockscope::lesson {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;
using trace::RunPhase;

constexpr std::string_view kLesson = R"(title = "A lesson"
scenario = "two"

[scenarios.two]
clients = ["ada", "bo"]

[[step]]
name = "bet"
text = "Look."
until = "when bo waits"
learned = "It is so."
after = "It was bo's turn."
after_when = "next holder is bo"

[step.bet]
question = "Who?"
who = "next holder"
then = "when bo holds"
within = "5s"

[[step.next]]
when = "wrong"
step = "task"

[[step]]
name = "read"
text = "Read."

[[step]]
name = "task"
text = "Do it."

[step.task]
text = "Make bo hold."
goal = "holder is bo"
hints = ["One.", "Two."]
)";

// What the player asked for.
struct Asked
{
    std::vector<sim::Trigger::Kind> until;
    int resumed = 0;
    int paused = 0;
};

class FakeRun final : public RunHandle
{
public:
    explicit FakeRun(std::shared_ptr<Asked> asked)
        : m_asked(std::move(asked))
    {}
    std::shared_ptr<const trace::TraceStore> trace() const override { return store; }
    void execute(const sim::Action&) override {}
    void runUntil(const sim::Trigger& when) override { m_asked->until.push_back(when.kind); }
    void resume() override { ++m_asked->resumed; }
    void pause() override { ++m_asked->paused; }
    std::optional<Error> failure() const override { return fault; }

    std::shared_ptr<trace::TraceStore> store = std::make_shared<trace::TraceStore>();
    std::optional<Error> fault;

private:
    std::shared_ptr<Asked> m_asked;
};

// Its bet is made before the run begins.
std::string lessonWithoutUntil()
{
    constexpr std::string_view kUntil = "until = \"when bo waits\"\n";
    std::string text(kLesson);
    return text.erase(text.find(kUntil), kUntil.size());
}

class PlayerTest : public testing::Test
{
protected:
    explicit PlayerTest(std::string_view lesson = kLesson)
        : m_lesson(parseLesson(lesson, "lesson.toml").value())
        , m_player(m_lesson, [this](const sim::Scenario&) {
            m_asked = std::make_shared<Asked>();
            auto run = std::make_unique<FakeRun>(m_asked);
            m_run = run.get();
            ++m_runs;
            return run;
        })
    {}

    void say(trace::Payload what, ClientId client = ClientId::none(), LockId lock = LockId::none())
    {
        m_run->store->append(
            {m_run->store->count() * 1ms, EventIndex::none(), client, lock, std::move(what)});
    }
    void say(RunPhase phase) { say(trace::RunPhaseChanged{phase, {}}); }
    void sayWhoIsThere()
    {
        say(RunPhase::paused);
        say(trace::LockAdded{"/locks/well", "mutex", "curator"}, ClientId::none(), LockId{0});
        say(trace::ClientAdded{"ada", 0}, ClientId{0});
        say(trace::ClientAdded{"bo", 1}, ClientId{1});
        say(RunPhase::running);
    }
    void sayAcquired(ClientId client)
    {
        say(trace::AcquireCalled{OwnerId{1}}, client, LockId{0});
        say(trace::Acquired{nodeOf(client), Zxid{7}, OwnerId{1}}, client, LockId{0});
    }
    static trace::Text nodeOf(ClientId client)
    {
        return client.value == 0 ? "_c_x-lock-0000000000" : "_c_y-lock-0000000001";
    }
    // Twice, with time for the last events to arrive in between.
    void settle()
    {
        m_player.refresh(m_now);
        m_now += 200ms;
        m_player.refresh(m_now);
    }
    void reachTheBet()
    {
        sayWhoIsThere();
        say(RunPhase::paused);
        settle();
    }
    void reachTheAnswer(ClientId holder)
    {
        say(RunPhase::running);
        sayAcquired(holder);
        say(RunPhase::paused);
        settle();
    }
    Stage stage() const { return m_player.record().stage; }

    FakeRun* m_run = nullptr;
    std::shared_ptr<Asked> m_asked;
    int m_runs = 0;
    MonotonicTime m_now{1h};
    Lesson m_lesson;
    Player m_player;
};

TEST_F(PlayerTest, ABetIsMadeWhereTheRunStopsAndJudgedWhereItStopsNext)
{
    EXPECT_EQ(stage(), Stage::preparing);
    EXPECT_THAT(m_asked->until, ElementsAre(sim::Trigger::Kind::waits));
    sayWhoIsThere();
    settle();
    EXPECT_EQ(stage(), Stage::preparing); // it runs
    say(RunPhase::paused);
    settle();
    ASSERT_EQ(stage(), Stage::asking);
    m_player.bet(Bet{0, 0, {"bo"}});
    EXPECT_EQ(stage(), Stage::revealing);
    EXPECT_THAT(m_asked->until, ElementsAre(sim::Trigger::Kind::waits, sim::Trigger::Kind::holds));
    settle(); // still paused, for it has not been heard
    EXPECT_EQ(stage(), Stage::revealing);
    reachTheAnswer(ClientId{1});
    ASSERT_EQ(stage(), Stage::done);
    const StepRecord& record = m_player.record();
    ASSERT_TRUE(record.answer && record.answer->is);
    EXPECT_THAT(record.answer->is->clients, ElementsAre("bo"));
    EXPECT_TRUE(std::holds_alternative<trace::Acquired>(m_run->store->at(record.answer->proof).what));
    EXPECT_TRUE(record.right(m_player.step()));
    EXPECT_EQ(record.answer->moment, record.answer->proof.value + 1U) << "the event itself";
    EXPECT_TRUE(record.afterHolds);
    EXPECT_THAT(m_player.learned(), SizeIs(1));
    EXPECT_TRUE(m_player.isDone(0));
    EXPECT_FALSE(m_player.isDone(1));
    m_player.next();
    EXPECT_EQ(m_player.step().name, "read");
}

TEST_F(PlayerTest, AnAnswerThatNeverComesIsNoClient)
{
    reachTheBet();
    m_player.bet(std::nullopt);
    say(RunPhase::running);
    settle();
    EXPECT_EQ(m_asked->paused, 0);
    m_now += 6s;
    settle();
    EXPECT_EQ(m_asked->paused, 1);
    EXPECT_EQ(stage(), Stage::revealing);
    say(RunPhase::paused);
    settle();
    ASSERT_EQ(stage(), Stage::done);
    EXPECT_THAT(m_player.record().answer->is->clients, SizeIs(0));
    EXPECT_EQ(m_player.record().answer->moment, m_run->store->count()) << "no client came until the end";
    EXPECT_FALSE(m_player.record().bet);
}

class EarlyBetTest : public PlayerTest
{
protected:
    EarlyBetTest()
        : PlayerTest(lessonWithoutUntil())
    {}
};

TEST_F(EarlyBetTest, DoesNotRunOutWhileTheServerStarts)
{
    ASSERT_EQ(stage(), Stage::asking);
    m_player.bet(Bet{0, 0, {"bo"}});
    say(RunPhase::starting);
    settle();
    m_now += 60s;
    settle();
    EXPECT_EQ(m_asked->paused, 0);
    sayWhoIsThere();
    m_now += 4s;
    settle();
    EXPECT_EQ(m_asked->paused, 0);
    sayAcquired(ClientId{1});
    say(RunPhase::paused);
    settle();
    ASSERT_EQ(stage(), Stage::done);
    EXPECT_TRUE(m_player.record().right(m_player.step()));
}

TEST_F(PlayerTest, AStepIsRedoneWithARunOfItsOwn)
{
    reachTheBet();
    m_player.bet(Bet{0, 0, {"ada"}});
    reachTheAnswer(ClientId{1});
    const auto before = m_player.record().run;
    m_player.redo();
    EXPECT_EQ(m_runs, 2);
    EXPECT_EQ(stage(), Stage::preparing);
    EXPECT_FALSE(m_player.record().bet);
    EXPECT_NE(m_player.record().run, before);
    EXPECT_GT(before->position(), 0u);
}

TEST_F(PlayerTest, ASkippedStepIsNotDoneAndBeginsAnewWhenOneGoesBack)
{
    reachTheBet();
    m_player.next();
    EXPECT_EQ(m_player.step().name, "read"); // not where a wrong bet leads
    EXPECT_FALSE(m_player.isDone(0));
    m_player.back();
    EXPECT_EQ(stage(), Stage::preparing);
    EXPECT_EQ(m_runs, 2);
}

TEST_F(PlayerTest, ATaskIsReachedByTheRunAlone)
{
    m_player.goTo(2);
    EXPECT_EQ(stage(), Stage::doing);
    EXPECT_EQ(m_asked->resumed, 1);
    sayWhoIsThere();
    sayAcquired(ClientId{0});
    settle();
    EXPECT_EQ(stage(), Stage::doing);
    EXPECT_EQ(m_player.hint()->english, "One.");
    EXPECT_EQ(m_player.hint()->english, "Two.");
    EXPECT_EQ(m_player.hint(), nullptr);
    say(trace::ReleaseCalled{nodeOf(ClientId{0}), 1, OwnerId{1}}, ClientId{0}, LockId{0});
    sayAcquired(ClientId{1});
    EXPECT_TRUE(m_player.refresh(m_now));
    ASSERT_EQ(stage(), Stage::done);
    EXPECT_EQ(m_run->store->at(*m_player.record().reached).client, ClientId{1});
    m_player.next();
    EXPECT_TRUE(m_player.atEnd());
    m_player.back();
    EXPECT_FALSE(m_player.atEnd());
    EXPECT_EQ(m_player.step().name, "task");
}

TEST_F(PlayerTest, ALessonWithSkippedStepsIsNotComplete)
{
    m_player.goTo(1);
    m_player.next();
    m_player.next(); // skips the task
    EXPECT_TRUE(m_player.atEnd());
    EXPECT_FALSE(m_player.isComplete());
    m_player.goTo(2);
    sayWhoIsThere();
    sayAcquired(ClientId{1});
    EXPECT_TRUE(m_player.refresh(m_now));
    m_player.next();
    EXPECT_TRUE(m_player.isComplete());
}

TEST_F(PlayerTest, ASkippedStepThatIsPlayedAtTheEndLeadsToTheEndAgain)
{
    m_player.goTo(1);
    m_player.next();
    m_player.next(); // skips the task
    ASSERT_TRUE(m_player.atEnd());
    ASSERT_EQ(m_player.skipped(), std::set<std::size_t>{2});
    m_player.playSkipped(2);
    EXPECT_FALSE(m_player.atEnd());
    m_player.back();
    EXPECT_TRUE(m_player.atEnd());
    EXPECT_EQ(m_player.skipped(), std::set<std::size_t>{2}) << "it was not done";
    m_player.playSkipped(2);
    sayWhoIsThere();
    sayAcquired(ClientId{1});
    EXPECT_TRUE(m_player.refresh(m_now));
    m_player.next();
    EXPECT_TRUE(m_player.isComplete());
}

// Its run may start later than a reader reads.
class ReadingTest : public PlayerTest
{
protected:
    ReadingTest()
        : PlayerTest(R"(title = "A lesson"
scenario = "two"
[scenarios.two]
clients = ["ada", "bo"]
[[step]]
text = "Read."
until = "when bo waits"
learned = "It is so."
[[step]]
text = "Bet."
[step.bet]
question = "Who?"
who = "next holder"
then = "when bo holds"
)")
    {}
};

TEST_F(ReadingTest, AStepThatIsOnlyReadIsDoneWhenTheReaderGoesOnEarly)
{
    ASSERT_EQ(stage(), Stage::preparing);
    m_player.next();
    EXPECT_EQ(m_player.position(), 1U);
    EXPECT_TRUE(m_player.isDone(0));
    EXPECT_TRUE(m_player.skipped().empty());
    EXPECT_THAT(m_player.learned(), SizeIs(1));
    m_player.next();
    EXPECT_EQ(m_player.skipped(), std::set<std::size_t>{1}) << "a bet is to be made";
}

class RemarkTest : public PlayerTest
{
protected:
    RemarkTest()
        : PlayerTest(R"(title = "A lesson"
scenario = "two"
[scenarios.two]
clients = ["ada", "bo"]
[[step]]
text = "Do it."
until = "when ada holds"
[[step.remark]]
when = "believers is more than 1"
text = "ada still believes."
[[step.remark]]
when = "believers is bo"
text = "ada knows."
[step.task]
text = "Make two believe."
goal = "believers is more than 1"
)")
    {}
};

// What is said afterwards follows what the run did.
TEST_F(RemarkTest, OnlyTheRemarksThatHoldAreMade)
{
    sayWhoIsThere();
    sayAcquired(ClientId{0});
    say(RunPhase::paused);
    settle();
    ASSERT_EQ(stage(), Stage::doing);
    say(RunPhase::running);
    sayAcquired(ClientId{1});
    EXPECT_TRUE(m_player.refresh(m_now));
    ASSERT_EQ(stage(), Stage::done);
    EXPECT_FALSE(m_player.record().goalAtStart);
    ASSERT_EQ(m_player.record().remarks.size(), 1U);
    EXPECT_EQ(m_player.record().remarks.front()->english, "ada still believes.");
    EXPECT_EQ(words(m_player.step().task->goal, *m_player.record().run), "believers is more than 1: ada, bo");
}

TEST_F(RemarkTest, AGoalThatHoldsFromTheStartIsAMistake)
{
    sayWhoIsThere();
    sayAcquired(ClientId{0});
    sayAcquired(ClientId{1});
    say(RunPhase::paused);
    settle();
    EXPECT_TRUE(m_player.record().goalAtStart);
}

TEST_F(PlayerTest, AMessageIsTheFirstOfItsKindSinceTheBet)
{
    const Pointer pointer{Pointer::Kind::message, "bo", Operation::create};
    say(RunPhase::paused);
    say(trace::ClientAdded{"ada", 0}, ClientId{0});
    say(trace::ClientAdded{"bo", 1}, ClientId{1});
    RunView run(m_run->store);
    run.advance();
    EXPECT_FALSE(messageOf(pointer, run).valid());
    run.mark();
    say(trace::Request{Operation::create, "a"}, ClientId{0});
    say(trace::Request{Operation::create, "b"}, ClientId{1}); // its reply is lost
    say(trace::Request{Operation::create, "c"}, ClientId{1});
    run.advance();
    EXPECT_EQ(messageOf(pointer, run), EventIndex{4});
    run.mark();
    EXPECT_EQ(messageOf(pointer, run), EventIndex{5}) << "none since: the last";
}

// The learner ended what the beginning of the step needs.
TEST_F(PlayerTest, ARunThatDoesNotComeToTheStepIsLate)
{
    sayWhoIsThere();
    settle();
    EXPECT_EQ(m_player.record().standstill, Standstill::none);
    m_now += 30s;
    EXPECT_TRUE(m_player.refresh(m_now));
    EXPECT_EQ(m_player.record().standstill, Standstill::late);
    EXPECT_FALSE(m_player.refresh(m_now));
    m_player.redo();
    EXPECT_EQ(m_player.record().standstill, Standstill::none);
}

TEST_F(PlayerTest, ARunThatEndsBeforeTheGoalIsOver)
{
    m_player.goTo(2);
    sayWhoIsThere();
    say(RunPhase::paused);
    settle();
    ASSERT_EQ(stage(), Stage::doing);
    EXPECT_EQ(m_player.record().standstill, Standstill::none);
    say(RunPhase::finished);
    EXPECT_TRUE(m_player.refresh(m_now));
    EXPECT_EQ(m_player.record().standstill, Standstill::over);
}

TEST_F(PlayerTest, ARunThatCannotBeMadeIsSaid)
{
    m_run->fault = Error{ErrorCode::noServer, "There is no Java.", ""};
    EXPECT_TRUE(m_player.refresh(m_now));
    EXPECT_EQ(stage(), Stage::failed);
    EXPECT_EQ(m_player.record().failure->code, ErrorCode::noServer);
}

// Since when ada holds is the proof; that ada holds is so now.
TEST(Evaluation, TheAnswerOfAMomentIsSeenAtThatMoment)
{
    const auto store = std::make_shared<trace::TraceStore>();
    const auto say = [&](trace::Payload what, ClientId client = ClientId::none(),
                         LockId lock = LockId::none()) {
        store->append({store->count() * 1ms, EventIndex::none(), client, lock, std::move(what)});
    };
    say(trace::LockAdded{"/locks/well", "mutex", "curator"}, ClientId::none(), LockId{0});
    say(trace::ClientAdded{"ada", 0}, ClientId{0});
    say(trace::AcquireCalled{OwnerId{1}}, ClientId{0}, LockId{0});
    say(trace::Acquired{"_c_x-lock-0000000000", Zxid{7}, OwnerId{1}}, ClientId{0}, LockId{0});
    say(trace::ClientAdded{"bo", 1}, ClientId{1});
    RunView run(store);
    run.advance();
    Question question;
    question.kind = Question::Kind::who;
    for (const auto& [metric, moment] : {std::pair{"holder", 5U}, std::pair{"next holder", 4U}}) {
        question.metric = parseMetric(metric);
        const Answer now = answer(question, run);
        EXPECT_EQ(now.proof, EventIndex{3}) << metric;
        EXPECT_EQ(now.moment, moment) << metric;
    }
}

// To hold the mutex before the leases is not to hold a lease.
TEST(Evaluation, TheEntranceOfASemaphoreIsNoLease)
{
    const auto store = std::make_shared<trace::TraceStore>();
    const auto say = [&](trace::Payload what, ClientId client = ClientId::none(),
                         LockId lock = LockId::none()) {
        store->append({store->count() * 1ms, EventIndex::none(), client, lock, std::move(what)});
    };
    const ClientId ada{0};
    say(trace::LockAdded{"/locks/well/leases", "semaphore", "curator"}, ClientId::none(), LockId{0});
    say(trace::LockAdded{"/locks/well/locks", "mutex", "curator"}, ClientId::none(), LockId{1});
    say(trace::ClientAdded{"ada", 0}, ada);
    RunView run(store);
    const auto clientsOf = [&run](std::string_view metric) {
        run.advance();
        return evaluate(*parseMetric(metric), run).clients;
    };
    say(trace::AcquireCalled{OwnerId{1}}, ada, LockId{1});
    say(trace::Acquired{"_c_x-lock-0000000000", Zxid{7}, OwnerId{1}}, ada, LockId{1});
    EXPECT_THAT(clientsOf("believers"), SizeIs(0));
    EXPECT_THAT(clientsOf("next holder"), SizeIs(0));
    say(trace::AcquireCalled{OwnerId{1}}, ada, LockId{0});
    say(trace::Acquired{"_c_x-lease-0000000000", Zxid{8}, OwnerId{1}}, ada, LockId{0});
    EXPECT_THAT(clientsOf("believers"), ElementsAre("ada"));
    EXPECT_THAT(clientsOf("next holder"), ElementsAre("ada"));
}

} // namespace
} // namespace lockscope::lesson
