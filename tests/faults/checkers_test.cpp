// The referees of the fault run can fail: each sees what it is there for, and excuses only what a fault
// explains.
#include "tests/faults/belief_checker.h"
#include "tests/faults/log_audit.h"
#include "tests/faults/members.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---- what clients believe
// --------------------------------------------------------------------------------------

class RefereeTest : public ::testing::Test
{
protected:
    RefereeTest()
    {
        beliefChecker.addClient(ann);
        beliefChecker.addClient(ben);
    }
    static MonotonicTime at(int ms) { return MonotonicTime{} + seconds(100) + milliseconds(ms); }
    void grant(std::uint32_t client, std::int64_t token, int ms)
    {
        beliefChecker.granted(ClientId{client}, 0, Zxid{token}, "node", at(ms));
    }
    void lose(std::uint32_t client, int ms) { beliefChecker.lost(ClientId{client}, 0, seconds(2), at(ms)); }
    void use(std::uint32_t client, std::int64_t token, int ms)
    {
        beliefChecker.used(ClientId{client}, 0, Zxid{token}, at(ms));
    }
    void release(std::uint32_t client, int ms) { beliefChecker.released(ClientId{client}, 0, at(ms)); }

    FaultExposure ann;
    FaultExposure ben;
    BeliefChecker beliefChecker{1, seconds(1)};
};

TEST_F(RefereeTest, IsContentWithOneAfterTheOther)
{
    grant(0, 1, 0);
    use(0, 1, 1);
    release(0, 2);
    grant(1, 2, 3);
    release(1, 4);
    beliefChecker.finish();
    EXPECT_THAT(beliefChecker.violations(), IsEmpty());
    EXPECT_EQ(beliefChecker.counts().overlaps, 0U);
}

TEST_F(RefereeTest, SeesTwoAtOnce)
{
    grant(0, 1, 0);
    grant(1, 2, 1);
    EXPECT_THAT(beliefChecker.violations(), ElementsAre(HasSubstr("while Client 0")));
}

TEST_F(RefereeTest, ExcusesAHolderWithAFaultAndMeasuresIt)
{
    grant(0, 1, 0);
    ann.begin(Cause::killed, at(10));
    grant(1, 2, 20);
    use(1, 2, 21);
    use(0, 1, 22);
    lose(0, 50);
    EXPECT_THAT(beliefChecker.violations(), IsEmpty());
    EXPECT_EQ(beliefChecker.counts().overlaps, 1U);
    EXPECT_EQ(beliefChecker.counts().refused, 1U);
    EXPECT_EQ(beliefChecker.counts().longestOverlap, milliseconds(30));
    EXPECT_EQ(beliefChecker.counts().longestWindow, milliseconds(40));
}

TEST_F(RefereeTest, TheFaultOfAnotherExcusesNoClient)
{
    grant(0, 1, 0);
    ben.begin(Cause::frozen, at(10));
    grant(1, 2, 20);
    EXPECT_EQ(beliefChecker.counts().violated, 1U);
}

TEST_F(RefereeTest, TheExcuseEndsWhenTheServerHasAnswered)
{
    grant(0, 1, 0);
    ann.end(ann.begin(Cause::connectionReset, at(10)), at(11));
    ann.confirmContact(ann.epoch());
    grant(1, 2, 20);
    EXPECT_EQ(beliefChecker.counts().violated, 1U);
}

TEST_F(RefereeTest, AnAnswerFromBeforeAFaultProvesNothing)
{
    const std::uint64_t before = ann.epoch();
    ann.end(ann.begin(Cause::connectionReset, at(10)), at(11));
    ann.confirmContact(before);
    EXPECT_TRUE(ann.excuse());
}

TEST_F(RefereeTest, AnAnswerDuringAFaultProvesNothing)
{
    ann.begin(Cause::linkCut, at(10));
    ann.confirmContact(ann.epoch());
    EXPECT_TRUE(ann.excuse());
}

TEST_F(RefereeTest, ANewSessionIsInnocentOfTheOldOnesFaults)
{
    ann.begin(Cause::killed, at(10));
    ann.newSession();
    EXPECT_FALSE(ann.excuse());
    ann.begin(Cause::serverDown, at(20));
    ann.newSession();
    EXPECT_TRUE(ann.excuse());
}

TEST_F(RefereeTest, SeesATokenThatDoesNotIncrease)
{
    grant(0, 2, 0);
    release(0, 1);
    grant(1, 1, 2);
    EXPECT_THAT(beliefChecker.violations(), ElementsAre(HasSubstr("after the token 0x2")));
}

TEST_F(RefereeTest, AGrantThatArrivesTooLateIsExcusedByTheFaultOfItsClient)
{
    ben.begin(Cause::frozen, at(0));
    grant(0, 2, 1);
    grant(1, 1, 2);
    EXPECT_THAT(beliefChecker.violations(), IsEmpty());
    EXPECT_EQ(beliefChecker.counts().staleGrants, 1U);
}

TEST_F(RefereeTest, SeesALossWithoutAFault)
{
    grant(0, 1, 0);
    lose(0, 10);
    EXPECT_THAT(beliefChecker.violations(), ElementsAre(HasSubstr("without a fault")));
}

TEST_F(RefereeTest, SeesALossThatIsReportedTooLate)
{
    grant(0, 1, 0);
    ann.end(ann.begin(Cause::frozen, at(10)), at(20));
    lose(0, 3021);
    EXPECT_THAT(beliefChecker.violations(), ElementsAre(HasSubstr("after the fault had ended")));
}

TEST_F(RefereeTest, SeesAHolderThatIsNeverNotified)
{
    grant(0, 1, 0);
    ann.begin(Cause::killed, at(10));
    beliefChecker.finish();
    EXPECT_THAT(beliefChecker.violations(), ElementsAre(HasSubstr("never learned")));
}

// The answers may arrive in another order; a fault excuses none.
TEST_F(RefereeTest, SeesAWriteThatIsNotInTheOrderOfTheTokens)
{
    ann.begin(Cause::killed, at(0));
    beliefChecker.wrote(0, Zxid{20}, Zxid{2});
    beliefChecker.wrote(0, Zxid{10}, Zxid{1});
    beliefChecker.wrote(0, Zxid{21}, Zxid{2});
    beliefChecker.wrote(0, Zxid{40}, Zxid{4});
    EXPECT_THAT(beliefChecker.violations(), IsEmpty());
    beliefChecker.wrote(0, Zxid{41}, Zxid{3});
    beliefChecker.wrote(0, Zxid{30}, Zxid{5});
    EXPECT_THAT(beliefChecker.violations(),
                ElementsAre(HasSubstr("the token 0x3"), HasSubstr("the token 0x5")));
}

TEST_F(RefereeTest, SeesARightfulHolderRefused)
{
    use(1, 2, 0);
    grant(0, 1, 1);
    use(0, 1, 2);
    EXPECT_THAT(beliefChecker.violations(), ElementsAre(HasSubstr("was refused")));
}

// ---- what the server says
// --------------------------------------------------------------------------------------

class LogAuditTest : public ::testing::Test
{
protected:
    void apply(Txn::Kind kind, std::int64_t session, const std::string& path = {},
               const std::string& data = {})
    {
        audit.apply(Txn{kind, Zxid{++zxid}, SessionId{session}, true, path, data});
    }
    // Returns the token.
    std::int64_t create(std::int64_t session, const std::string& node)
    {
        apply(Txn::Kind::created, session, "/locks/0/" + node);
        return zxid;
    }
    void hold(std::int64_t session, const std::string& node, std::int64_t token)
    {
        apply(Txn::Kind::dataSet, session, "/guards/0", node + " " + std::to_string(token));
    }
    void announce(std::int64_t session, const std::string& node)
    {
        apply(Txn::Kind::dataSet, session, "/locks/0/" + node, "__HOLDS__");
    }
    void remove(std::int64_t session, const std::string& node)
    {
        apply(Txn::Kind::deleted, session, "/locks/0/" + node);
    }
    void closeSession(std::int64_t session) { apply(Txn::Kind::sessionClosed, session); }

    std::int64_t zxid = 0;
    LogAudit audit{"/locks", "/guards"};
};

TEST_F(LogAuditTest, IsContentWithOneAfterTheOther)
{
    const auto a = create(1, "z-lock-0000000001");
    const auto b = create(2, "a-lock-0000000002");
    hold(1, "z-lock-0000000001", a);
    announce(1, "z-lock-0000000001");
    remove(1, "z-lock-0000000001");
    hold(2, "a-lock-0000000002", b);
    closeSession(2);
    EXPECT_THAT(audit.violations(), IsEmpty());
    EXPECT_THAT(audit.liveNodes(), IsEmpty());
    EXPECT_EQ(audit.counts().guardWrites, 2U);
    EXPECT_EQ(audit.counts().announcements, 1U);
    EXPECT_EQ(audit.counts().holdersGone, 2U);
}

TEST_F(LogAuditTest, SeesAHolderBehindAnother)
{
    create(1, "z-lock-0000000001");
    hold(2, "a-lock-0000000002", create(2, "a-lock-0000000002"));
    EXPECT_THAT(audit.violations(), ElementsAre(HasSubstr("z-lock-0000000001")));
}

TEST_F(LogAuditTest, SeesAHolderThatIsOvertaken)
{
    hold(2, "a-lock-0000000002", create(2, "a-lock-0000000002"));
    create(1, "z-lock-0000000001");
    remove(2, "a-lock-0000000002");
    EXPECT_THAT(audit.violations(), ElementsAre(HasSubstr("the node of a holder went")));
}

TEST_F(LogAuditTest, SeesAHolderWithoutANode)
{
    hold(1, "z-lock-0000000001", 7);
    EXPECT_THAT(audit.violations(), ElementsAre(HasSubstr("does not exist")));
}

TEST_F(LogAuditTest, SeesAHolderWithTheNodeOfAnotherSession)
{
    hold(2, "z-lock-0000000001", create(1, "z-lock-0000000001"));
    EXPECT_THAT(audit.violations(), ElementsAre(HasSubstr("which is of session 0x1")));
}

TEST_F(LogAuditTest, SeesAWrongToken)
{
    hold(1, "z-lock-0000000001", create(1, "z-lock-0000000001") + 1);
    EXPECT_EQ(audit.counts().violated, 1U);
}

TEST_F(LogAuditTest, SeesAnEarlyAnnouncement)
{
    create(1, "z-lock-0000000001");
    create(2, "a-lock-0000000002");
    announce(2, "a-lock-0000000002");
    EXPECT_THAT(audit.violations(), ElementsAre(HasSubstr("a holder announced itself")));
}

TEST_F(LogAuditTest, SeesAReleaseThatDidNotDelete)
{
    const auto a = create(1, "z-lock-0000000001");
    hold(1, "z-lock-0000000001", a);
    remove(1, "z-lock-0000000001");
    const auto b = create(2, "a-lock-0000000002");
    hold(2, "a-lock-0000000002", b);
    closeSession(2);
    audit.checkReleases({Zxid{a}});
    EXPECT_THAT(audit.violations(), IsEmpty());
    audit.checkReleases({Zxid{a}, Zxid{b}});
    EXPECT_THAT(audit.violations(), ElementsAre(HasSubstr("learned that it has released")));
}

TEST_F(LogAuditTest, NamesWhatIsLeft)
{
    create(1, "z-lock-0000000001");
    closeSession(2);
    EXPECT_THAT(audit.liveNodes(), ElementsAre(HasSubstr("/locks/0/z-lock-0000000001 of session 0x1")));
}

} // namespace
TEST(Members, OneThatHasLostAChangeIsFound)
{
    const auto membersOf = [](const std::vector<Divergence>& all) {
        std::vector<std::size_t> members;
        for (const Divergence& one : all)
            members.push_back(one.member);
        return members;
    };
    const std::set<std::string> queue{"/l/a", "/l/b"}, leftOver{"/l/a", "/l/b", "/l/gone"}, short_{"/l/b"};
    EXPECT_THAT(divergences({queue, queue, queue}, {queue, queue, queue}), IsEmpty());
    EXPECT_THAT(membersOf(divergences({queue, queue, leftOver}, {queue, queue, leftOver})), ElementsAre(2));
    EXPECT_THAT(membersOf(divergences({queue, short_, queue}, {queue, short_, queue})), ElementsAre(1));
    // A node that is deleted, and one that is created, while the members are looked at.
    EXPECT_THAT(divergences({leftOver, leftOver, queue}, {queue, queue, queue}), IsEmpty());
    EXPECT_THAT(divergences({short_, queue, queue}, {queue, queue, queue}), IsEmpty());
    EXPECT_THAT(divergences({queue, queue, queue}, {queue, short_, short_}), IsEmpty());
}

} // namespace lockscope::tests
