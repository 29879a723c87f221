// How long a lock is safe: no other client holds it before that moment, whatever happens to the holder; and
// the holder is warned before.
#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/client.h"
#include "core/lock/internal/safe_time_core.h"
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

namespace lockscope::tests {
namespace {

using lock::BootClock;
using lock::BootTime;
using lock::SafeTime;
using lock::SafetyRule;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTimeout = seconds(4);

class SafeTimeTest : public LockTest
{
protected:
    bool waitUntilKnown(const SafeTime& safe)
    {
        return world->runUntil([&] { return safe.until().has_value(); }, "the first answer");
    }
    // It waits for a lock that another client holds; the moment at which it has it.
    BootTime granted(LockClient& client, const Acquiring& acquiring)
    {
        LockTest::granted(acquiring);
        const BootTime now = BootClock::now();
        EXPECT_TRUE(release(client));
        return now;
    }
};

// What the holder sends is lost, while it still receives: events of its watches, which are no answers. (The C
// client believes in them: it stays connected.)
TEST_F(SafeTimeTest, NoOtherClientHoldsBeforeTheMoment)
{
    LossyRelay relay(server().address());
    LockClient& muted = addClient(relay.address(), kTimeout);
    LockClient& next = addClient();
    const SafeTime safe(muted.session, SafetyRule::singleServer());
    acquireNow(muted);
    ASSERT_TRUE(waitUntilKnown(safe));
    int events = 0;
    std::vector<zk::WatchPtr> watches;
    for (int i = 0; i < 40; ++i) {
        const std::string node = path() + "-news" + std::to_string(i);
        world->create(world->observer(), node);
        watches.push_back(muted.session->getData(
            node, [&](zk::WatchKind) { ++events; }, [](const zk::Data&) {}));
    }
    world->settle(*muted.session);
    const Acquiring waiting = acquire(next);

    relay.muteConnection(relay.connections());
    const BootTime fault = BootClock::now();
    BootTime latest = *safe.until();
    int written = 0;
    world->runUntil(
        [&] {
            if (const auto until = safe.until())
                latest = std::max(latest, *until);
            if (BootClock::now() - fault > written * milliseconds(200) && written < 40)
                world->observer().setData(path() + "-news" + std::to_string(written++), "news",
                                          [](const zk::StatReply&) {});
            return waiting.arrived();
        },
        "the next one to have the lock");
    EXPECT_GE(granted(next, waiting), latest);
    EXPECT_GE(events, 5) << "it received something all the time";
    EXPECT_GT(latest, fault + muted.session->timeout() / 2) << "it promises something";
    relay.cut();
    relay.heal();
    world->runUntil([&] { return !safe.until(); }, "it to know of its loss");
}

// What a process shares with the test.
struct Claims
{
    std::atomic<bool> held{false};
    std::atomic<bool> lost{false};
    std::atomic<Duration::rep> latest{0}; // the last moment at which it said that its lock was safe
};

// Holds the lock, and says as often as it can that it is safe. Does not return.
[[noreturn]] void claim(const std::string& hosts, const std::string& path, Claims& claims)
{
    zk::ConnectOptions options;
    options.hosts = hosts;
    options.timeout = kTimeout;
    const auto client = lock::Client::connect(options).value();
    client->keepSafeTime(SafetyRule::singleServer());
    lock::BlockingMutex mutex(*client, path);
    mutex.onLost([&](const lock::LostHold&) { claims.lost = true; });
    mutex.lock();
    claims.held = true;
    for (;;) {
        const std::optional<BootTime> until = mutex.safeUntil();
        const BootTime now = BootClock::now();
        if (until && now < *until)
            claims.latest = now.time_since_epoch().count();
        std::this_thread::yield();
    }
}

// Stopped anywhere, for longer than its session lasts, it does not say that it is safe when another client
// has the lock; nor when it runs again and has not learned of its loss.
TEST_F(SafeTimeTest, AProcessThatWasStoppedClaimsNothingThatIsNotSo)
{
    void* const memory =
        ::mmap(nullptr, sizeof(Claims), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    Claims& claims = *new (memory) Claims;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        claim(server().address(), path(), claims);
    }
    EXPECT_TRUE(world->runUntil([&] { return claims.held && claims.latest > 0; }, "the child to hold"));
    LockClient& next = addClient();
    const Acquiring waiting = acquire(next);
    ::kill(child, SIGSTOP);
    const BootTime took = granted(next, waiting);
    EXPECT_FALSE(claims.lost) << "it does not know";
    ::kill(child, SIGCONT);
    EXPECT_TRUE(world->runUntil([&] { return claims.lost.load(); }, "the child to know"));
    EXPECT_LT(BootTime(Duration(claims.latest.load())), took);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::munmap(memory, sizeof(Claims));
}

// Moves this process, which has one thread, to a time namespace that is so far ahead: CLOCK_BOOTTIME has run
// on, and the other clocks have not, as after a suspension of the machine. False: not allowed here.
bool resumeAfter(seconds suspension)
{
    if (::unshare(CLONE_NEWTIME) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWTIME) != 0)
        return false;
    seconds::rep ahead = suspension.count(); // of the machine's clock, of which this one may be ahead already
    std::ifstream present("/proc/self/timens_offsets");
    seconds::rep offset = 0, nanoseconds = 0;
    for (std::string clock; present >> clock >> offset >> nanoseconds;)
        ahead += clock == "boottime" ? offset : 0;
    std::ofstream offsets("/proc/self/timens_offsets");
    offsets << "boottime " << ahead << " 0" << std::endl;
    const int clocks = ::open("/proc/self/ns/time_for_children", O_RDONLY | O_CLOEXEC);
    return offsets && clocks >= 0 && ::setns(clocks, CLONE_NEWTIME) == 0;
}

// In a process of its own. What was wrong, or 0.
enum Wrong { nothing, noAnswer, notSafe, stillSafe, disconnected, noAnswerAfter, safeForTooLong, notAllowed };

Wrong suspendedClient(const std::string& hosts)
{
    boost::asio::io_context io;
    const auto hub = zk::Hub::create(io).value();
    const auto session = hub->connect({hosts, kTimeout});
    const SafeTime safe(session, SafetyRule::singleServer());
    const auto isSafe = [&] { return safe.until().value_or(BootTime{}) > BootClock::now(); };
    const auto runUntil = [&](const auto& predicate) {
        for (const MonotonicTime end = monotonicNow() + seconds(30); !predicate() && monotonicNow() < end;)
            io.run_one_for(milliseconds(20));
        return predicate();
    };
    if (!runUntil([&] { return safe.until().has_value(); }))
        return noAnswer;
    if (!isSafe())
        return notSafe;
    if (!resumeAfter(hours(1)))
        return notAllowed;
    if (isSafe())
        return stillSafe;
    if (session->phase() != zk::SessionPhase::connected)
        return disconnected;
    if (!runUntil(isSafe))
        return noAnswerAfter;
    return *safe.until() > BootClock::now() + kTimeout ? safeForTooLong : nothing;
}

// What was safe before is not after it, though no timer of the process has fired; the next answer makes it
// safe again.
TEST_F(SafeTimeTest, OfASuspendedMachineNothingIsSafeUntilTheNextAnswer)
{
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::_exit(suspendedClient(server().address()));
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == notAllowed)
        GTEST_SKIP() << "time namespaces are not allowed here";
    EXPECT_EQ(WEXITSTATUS(status), nothing);
}

TEST_F(SafeTimeTest, WarnsBeforeTheMomentOncePerSilence)
{
    const HubSessionPtr session = world->connect(kTimeout);
    SafeTime safe(session, SafetyRule::singleServer());
    std::vector<BootTime> warned;
    safe.onAboutToLose(session->timeout() / 2, [&] { warned.push_back(BootClock::now()); });
    const ListenerId removed = safe.onAboutToLose(session->timeout() / 2, [] { ADD_FAILURE(); });
    safe.removeListener(removed);
    ASSERT_TRUE(waitUntilKnown(safe));
    for (std::size_t silence = 1; silence <= 2; ++silence) {
        session->freeze();
        const BootTime until = *safe.until();
        world->runUntil([&] { return warned.size() == silence; }, "the warning");
        EXPECT_LT(warned.back(), until);
        session->thaw();
        world->runUntil([&] { return safe.until() > until; }, "an answer");
    }
    EXPECT_EQ(warned.size(), 2U);
}

BootTime s_now{};

// The process, or the machine, stops anywhere: the moment is not moved by what was asked before.
TEST_F(SafeTimeTest, CountsFromTheMomentBeforeTheRequest)
{
    const HubSessionPtr session = world->connect();
    s_now = BootTime(hours(1000));
    const auto core = std::make_shared<lock::SafeTimeCore>(SafetyRule::singleServer(), [] { return s_now; });
    core->follow(session);
    int warned = 0;
    core->addListener(seconds(1), [&] { ++warned; });
    s_now += hours(1); // the clock was read, and the request is on its way
    world->runUntil([&] { return core->moment.get().has_value(); }, "the answer");
    EXPECT_EQ(*core->moment.get(), BootTime(hours(1000)) + session->timeout() - milliseconds(200));
    EXPECT_EQ(warned, 1);
    core->ask();
    world->settle(*session);
    EXPECT_EQ(*core->moment.get(), s_now + session->timeout() - milliseconds(200));
    s_now += hours(1); // suspended: this clock runs on
    EXPECT_LT(*core->moment.get(), s_now);
    session->close();
    world->runUntil([&] { return !core->moment.get(); }, "the end");
    core->end();
}

TEST_F(SafeTimeTest, AFollowerThatAnswersWithoutItsLeaderIsAllowedFor)
{
    const HubSessionPtr session = world->connect(seconds(30));
    const SafetyRule rule = SafetyRule::ensemble(seconds(2), 5);
    EXPECT_EQ(rule.silence, seconds(14));
    const SafeTime safe(session, rule);
    const BootTime before = BootClock::now();
    ASSERT_TRUE(waitUntilKnown(safe));
    EXPECT_LE(*safe.until(), BootClock::now() + session->timeout() - seconds(14));
    EXPECT_GE(*safe.until(), before + session->timeout() - seconds(15));
}

} // namespace
} // namespace lockscope::tests
