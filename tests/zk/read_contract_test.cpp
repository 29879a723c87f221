// What every session that reads promises, whichever it is: the C client's and the observer's own, against a
// real server.
#include "core/zk/hosts.h"
#include "core/zk/wire/observer_session.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using zk::Code;
using zk::CreateMode;
using zk::SessionPhase;
using zk::WatchKind;

enum class Client { cLibrary, wire };

class ReadContract : public ZkTest, public ::testing::WithParamInterface<Client>
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        writer = world->connect();
        world->create(*writer, path().substr(0, path().rfind('/')),
                      ""); // the test's name; its parameter is below
    }
    void TearDown() override
    {
        reader.reset();
        writer.reset();
        drain();
        ZkTest::TearDown();
    }
    void drain()
    {
        io.restart();
        io.run_for(std::chrono::seconds(5));
    }
    zk::ReadSessionPtr connecting(const std::string& hosts, Duration timeout = std::chrono::seconds(20),
                                  Duration limit = std::chrono::seconds(25))
    {
        if (GetParam() == Client::wire)
            return zk::wire::ObserverSession::connect(scheduler, {hosts, timeout, limit});
        return zk::ReadHub(world->hub()).connect({hosts, timeout, limit});
    }
    void connect(Duration timeout = std::chrono::seconds(20))
    {
        reader = connecting(server().address(), timeout);
        until([&] { return reader->phase() == SessionPhase::connected; }, "the reader to connect");
    }
    bool until(const std::function<bool()>& reached, std::string_view what)
    {
        return world->runUntil(
            [&] {
                io.restart();
                io.run_one_for(std::chrono::milliseconds(1));
                io.poll();
                return reached();
            },
            what);
    }
    zk::Data get(const std::string& node)
    {
        Later<zk::Data> reply;
        reader->getData(node, reply.handler());
        until([&] { return reply.arrived(); }, "the data");
        return reply.arrived() ? *reply : zk::Data{};
    }
    Children list(const std::string& node)
    {
        Later<Children> reply;
        reader->getChildren(node,
                            [handler = reply.handler()](Code code, zk::ChildNames names, const zk::Stat&) {
                                handler(Children{code, {names.begin(), names.end()}});
                            });
        until([&] { return reply.arrived(); }, "the list");
        return reply.arrived() ? *reply : Children{};
    }
    Code sync()
    {
        Later<Code> reply;
        reader->sync("/", reply.handler());
        until([&] { return reply.arrived(); }, "the sync");
        return reply.arrived() ? *reply : Code::closed;
    }
    // What the writer did has come to the reader.
    void meet()
    {
        world->settle(*writer);
        sync();
    }
    zk::WatchHandler note()
    {
        return [this](WatchKind kind) { fired.push_back(kind); };
    }
    zk::WatchPtr watchData(const std::string& node, Code expected = Code::ok)
    {
        Later<zk::Data> reply;
        zk::WatchPtr handle = reader->getData(node, note(), reply.handler());
        until([&] { return reply.arrived(); }, "the watch to be set");
        EXPECT_EQ(reply->code, expected);
        return handle;
    }

    boost::asio::io_context io{1};
    zk::wire::IoScheduler scheduler{io};
    HubSessionPtr writer;
    zk::ReadSessionPtr reader;
    std::vector<WatchKind> fired;
};

TEST_P(ReadContract, ConnectsAndSaysWhatTheServerGranted)
{
    std::vector<SessionPhase> phases;
    reader = connecting(server().address(), std::chrono::hours(1));
    EXPECT_EQ(reader->phase(), SessionPhase::connecting);
    EXPECT_FALSE(reader->id().valid());
    reader->addListener([&](SessionPhase phase) { phases.push_back(phase); });
    until([&] { return reader->phase() == SessionPhase::connected && !phases.empty(); },
          "the reader to connect");
    EXPECT_TRUE(reader->id().valid());
    EXPECT_EQ(reader->timeout(), std::chrono::seconds(60)) << "the most that the server allows";
    EXPECT_EQ(reader->server(), server().address());
    reader->close();
    until([&] { return phases.size() == 2; }, "the end");
    EXPECT_THAT(phases, ElementsAre(SessionPhase::connected, SessionPhase::closed));
}

TEST_P(ReadContract, ReadsDataThatIsNotTextAndItsStat)
{
    connect();
    const std::string bytes("\0\xff text\n\0", 9);
    const zk::Created made = world->create(*writer, path(), bytes, CreateMode::ephemeral);
    const zk::Data data = get(path());
    EXPECT_EQ(data.code, Code::ok);
    EXPECT_EQ(data.bytes, bytes);
    EXPECT_EQ(data.stat.czxid, made.stat.czxid);
    EXPECT_EQ(data.stat.ephemeralOwner, writer->id());
    EXPECT_EQ(get(path() + "/none").code, Code::noNode);
    EXPECT_EQ(get("no path").code, Code::badArguments);
}

TEST_P(ReadContract, AContainerHasNoOwner)
{
    connect();
    world->create(*writer, path(), "", CreateMode::container);
    const zk::Data data = get(path());
    EXPECT_EQ(data.code, Code::ok);
    EXPECT_FALSE(data.stat.ephemeralOwner.valid());
}

TEST_P(ReadContract, ListsChildrenManyAndNone)
{
    connect();
    world->create(*writer, path(), "");
    EXPECT_THAT(list(path()).names, IsEmpty());
    world->create(*writer, path() + "/b", "");
    world->create(*writer, path() + "/a", "");
    EXPECT_THAT(list(path()).names, UnorderedElementsAre("a", "b"));
    EXPECT_EQ(list(path() + "/none").code, Code::noNode);
    constexpr int kMany = 3000;
    int made = 0;
    for (int i = 0; i < kMany; ++i)
        writer->create(path() + "/" + std::string(60, 'x') + std::to_string(i), "", CreateMode::ephemeral,
                       [&](const zk::Created&) { ++made; });
    world->runUntil([&] { return made == kMany; }, "all");
    EXPECT_EQ(list(path()).names.size(), static_cast<std::size_t>(kMany) + 2);
}

TEST_P(ReadContract, AnswersInOrderAndNeverInsideTheCall)
{
    connect();
    world->create(*writer, path(), "");
    std::vector<int> order;
    reader->getData(path(), [&](const zk::Data&) { order.push_back(1); });
    reader->getChildren(path(), [&](Code, zk::ChildNames, const zk::Stat&) { order.push_back(2); });
    reader->sync(path(), [&](Code) { order.push_back(3); });
    const auto watch = reader->exists(path(), note(), [&](const zk::StatReply&) { order.push_back(4); });
    EXPECT_THAT(order, IsEmpty());
    until([&] { return order.size() == 4; }, "the answers");
    EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST_P(ReadContract, BeforeTheFirstConnectTheOutcomeIsUnknown)
{
    reader = connecting("127.0.0.1:1");
    EXPECT_EQ(sync(), Code::unknown);
}

TEST_P(ReadContract, WatchesFireOnce)
{
    connect();
    world->create(*writer, path(), "");
    const zk::WatchPtr data = watchData(path());
    world->set(*writer, path(), "one");
    world->set(*writer, path(), "two");
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::changed));
    fired.clear();
    Later<Code> listed;
    const zk::WatchPtr children = reader->getChildren(
        path(), note(),
        [handler = listed.handler()](Code code, zk::ChildNames, const zk::Stat&) { handler(code); });
    until([&] { return listed.arrived(); }, "the list");
    world->create(*writer, path() + "/child", "");
    world->remove(*writer, path() + "/child");
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::childrenChanged));
    fired.clear();
    const zk::WatchPtr again = watchData(path());
    world->remove(*writer, path());
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
}

TEST_P(ReadContract, ExistsWatchesWhatIsNotThereAndGetDataDoesNot)
{
    connect();
    const zk::WatchPtr none = watchData(path(), Code::noNode);
    Later<zk::StatReply> reply;
    const zk::WatchPtr handle = reader->exists(path(), note(), reply.handler());
    until([&] { return reply.arrived(); }, "the answer");
    EXPECT_EQ(reply->code, Code::noNode);
    world->create(*writer, path(), "");
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::created));
}

TEST_P(ReadContract, AWatchIsSilentOnceItsHandleIsGone)
{
    connect();
    world->create(*writer, path(), "");
    watchData(path()).reset();
    world->remove(*writer, path());
    meet();
    EXPECT_THAT(fired, IsEmpty());
}

TEST_P(ReadContract, AWatchMayBeSetAgainInsideItsHandler)
{
    connect();
    world->create(*writer, path(), "0");
    zk::WatchPtr handle;
    int changes = 0;
    std::function<void(WatchKind)> again = [&](WatchKind) {
        ++changes;
        handle = reader->getData(path(), again, [](zk::Data) {});
    };
    handle = reader->getData(path(), again, [](zk::Data) {});
    sync();
    for (int i = 1; i <= 5; ++i) {
        world->set(*writer, path(), std::to_string(i));
        meet();
        ASSERT_EQ(changes, i);
        sync(); // the handler's watch was set behind the last sync, perhaps
    }
}

TEST_P(ReadContract, CloseAnswersEverythingUnderWay)
{
    connect();
    std::vector<Code> answers;
    const auto count = [&](Code code) { answers.push_back(code); };
    reader->getChildren(path(), [count](Code code, zk::ChildNames, const zk::Stat&) { count(code); });
    reader->getData(path(), [count](const zk::Data& reply) { count(reply.code); });
    reader->sync(path(), count);
    const auto watch =
        reader->exists(path(), note(), [count](const zk::StatReply& reply) { count(reply.code); });
    reader->close();
    reader->close();
    EXPECT_EQ(reader->phase(), SessionPhase::closed);
    EXPECT_THAT(answers, IsEmpty()) << "never inside the call";
    until([&] { return answers.size() == 4; }, "the answers");
    EXPECT_THAT(answers, ::testing::Each(Code::closed));
    EXPECT_EQ(sync(), Code::closed);
    EXPECT_THAT(fired, IsEmpty());
}

TEST_P(ReadContract, AHandlerMayLetGoOfTheSession)
{
    connect();
    Later<Code> behind;
    reader->getData("/", [this](const zk::Data&) { reader.reset(); });
    reader->sync("/", behind.handler());
    until([&] { return behind.arrived(); }, "the answer");
    EXPECT_EQ(reader, nullptr);
}

TEST_P(ReadContract, ItsWatchesSurviveTheServersEnd)
{
    connect();
    world->create(*writer, path(), "");
    const zk::WatchPtr kept = watchData(path());
    const SessionId before = reader->id();
    std::vector<SessionPhase> phases;
    reader->addListener([&](SessionPhase phase) { phases.push_back(phase); });
    ASSERT_TRUE(server().killNow());
    until(
        [&] {
            return !phases.empty() && reader->phase() == SessionPhase::suspended &&
                   writer->phase() == SessionPhase::suspended;
        },
        "the loss to be seen by both");
    Later<zk::Data> waiting;
    reader->getData(path(), waiting.handler());
    ASSERT_TRUE(server().restart());
    until([&] { return reader->phase() == SessionPhase::connected && waiting.arrived(); },
          "the session to go on");
    EXPECT_EQ(reader->id(), before);
    EXPECT_THAT(fired, IsEmpty());
    until([&] { return writer->phase() == SessionPhase::connected; }, "the writer");
    world->remove(*writer, path());
    meet();
    EXPECT_THAT(fired, ElementsAre(WatchKind::deleted));
}

TEST_P(ReadContract, OurOwnClockEndsASessionWhoseServerStaysAway)
{
    connect(std::chrono::seconds(2));
    const Duration granted = reader->timeout();
    ASSERT_TRUE(server().killNow());
    until([&] { return reader->phase() == SessionPhase::lost; }, "the session to be given up");
    EXPECT_EQ(reader->lossReason(), zk::LossReason::timedOut);
    EXPECT_LE(granted, std::chrono::seconds(6));
    EXPECT_EQ(sync(), Code::sessionLost);
    ASSERT_TRUE(server().restart());
}

TEST_P(ReadContract, ANeverReachedServerEndsTheConnecting)
{
    reader = connecting("127.0.0.1:1", std::chrono::seconds(10), std::chrono::milliseconds(300));
    until([&] { return reader->phase() == SessionPhase::lost; }, "the end");
    EXPECT_EQ(reader->lossReason(), zk::LossReason::connectTimedOut);
}

TEST_P(ReadContract, ASecondServerOfTheListIsTried)
{
    reader = connecting("127.0.0.1:1," + server().address());
    until([&] { return reader->phase() == SessionPhase::connected; }, "the reader to connect");
    EXPECT_EQ(reader->server(), server().address());
}

INSTANTIATE_TEST_SUITE_P(Of, ReadContract, ::testing::Values(Client::cLibrary, Client::wire),
                         [](const auto& client) {
                             return client.param == Client::wire ? "Wire" : "CLibrary";
                         });

// ---- what only the observer's session has --------------------------------------------------------------

class Observer : public ReadContract
{
protected:
    void open(zk::wire::ObserverOptions options = {})
    {
        if (options.hosts.empty())
            options.hosts = server().address();
        options.timeout = std::chrono::seconds(20);
        observer = zk::wire::ObserverSession::connect(scheduler, std::move(options));
        reader = observer;
        observer->onEvent([this](const zk::wire::NodeEvent& event) {
            events.push_back((event.type == WatchKind::created   ? "+"
                              : event.type == WatchKind::deleted ? "-"
                                                                 : "*") +
                             std::string(event.path));
        });
        until([&] { return observer->phase() == SessionPhase::connected; }, "the observer to connect");
    }
    Code watch(const std::string& place)
    {
        Later<Code> code;
        observer->addWatch(place, zk::wire::WatchMode::persistentRecursive, code.handler());
        until([&] { return code.arrived(); }, "the watch");
        return code.arrived() ? *code : Code::closed;
    }
    void TearDown() override
    {
        observer.reset();
        ReadContract::TearDown();
    }
    std::shared_ptr<zk::wire::ObserverSession> observer;
    std::vector<std::string> events;
};

TEST_P(Observer, IsNotifiedOfEveryNodeBelowAPathThatNeedNotBeThere)
{
    open();
    ASSERT_EQ(watch(path()), Code::ok);
    world->create(*writer, path(), "");
    world->create(*writer, path() + "/a", "");
    world->create(*writer, path() + "/a/b", "");
    world->set(*writer, path() + "/a/b", "x");
    world->remove(*writer, path() + "/a/b");
    world->create(*writer, path() + "Sibling", "");
    meet();
    EXPECT_THAT(events, ElementsAre("+" + path(), "+" + path() + "/a", "+" + path() + "/a/b",
                                    "*" + path() + "/a/b", "-" + path() + "/a/b"));
    world->remove(*writer, path() + "Sibling");
}

TEST_P(Observer, AListenerMayReplaceItself)
{
    open();
    ASSERT_EQ(watch(path()), Code::ok);
    std::vector<std::string> first;
    std::vector<std::string> second;
    observer->onEvent([&](const zk::wire::NodeEvent& event) {
        first.emplace_back(event.path);
        observer->onEvent([&](const zk::wire::NodeEvent& later) { second.emplace_back(later.path); });
    });
    world->create(*writer, path(), "");
    world->create(*writer, path() + "/a", "");
    meet();
    EXPECT_THAT(first, ElementsAre(path()));
    EXPECT_THAT(second, ElementsAre(path() + "/a"));
}

TEST_P(Observer, MissesNothingOfABurst)
{
    open();
    world->create(*writer, path(), "");
    ASSERT_EQ(watch(path()), Code::ok);
    constexpr std::size_t kNodes = 500;
    std::size_t done = 0;
    for (std::size_t i = 0; i < kNodes; ++i) {
        const std::string node = path() + "/n" + std::to_string(i);
        writer->create(node, "", CreateMode::ephemeral, [](const zk::Created&) {});
        writer->remove(node, [&](Code) { ++done; });
    }
    world->runUntil([&] { return done == kNodes; }, "the burst");
    meet();
    ASSERT_EQ(events.size(), 2 * kNodes);
    for (std::size_t i = 0; i < kNodes; ++i) {
        EXPECT_EQ(events[2 * i], "+" + path() + "/n" + std::to_string(i));
        EXPECT_EQ(events[2 * i + 1], "-" + path() + "/n" + std::to_string(i));
    }
}

TEST_P(Observer, ItsPersistentWatchIsSetAgainAfterTheServersEnd)
{
    open();
    world->create(*writer, path(), "");
    ASSERT_EQ(watch(path()), Code::ok);
    ASSERT_TRUE(server().killNow());
    until(
        [&] {
            return observer->phase() == SessionPhase::suspended && writer->phase() == SessionPhase::suspended;
        },
        "the loss to be seen by both");
    ASSERT_TRUE(server().restart());
    until(
        [&] {
            return observer->phase() == SessionPhase::connected && writer->phase() == SessionPhase::connected;
        },
        "both to go on");
    EXPECT_EQ(sync(), Code::ok); // behind the watches: before that the server may not have them yet
    EXPECT_EQ(world->create(*writer, path() + "/after", "").code, Code::ok);
    meet();
    EXPECT_THAT(events, ElementsAre("+" + path() + "/after"));
}

// Its hosts are those of every session: a name, and a chroot behind it.
TEST_P(Observer, PathsAreBelowItsChroot)
{
    world->create(*writer, path(), "");
    const std::string address = server().address();
    open({"localhost" + address.substr(address.rfind(':')) + path()});
    ASSERT_EQ(watch("/"), Code::ok);
    world->create(*writer, path() + "/x", "data");
    meet();
    EXPECT_EQ(get("/x").bytes, "data");
    EXPECT_THAT(list("/").names, ElementsAre("x"));
    EXPECT_THAT(events, ElementsAre("+/x"));
}

TEST_P(Observer, IsAuthenticatedByDigest)
{
    open({{}, {}, std::chrono::seconds(15), {{"digest", "watcher:secret"}}});
    EXPECT_EQ(get("/").code, Code::ok);
    observer->close();
    observer = zk::wire::ObserverSession::connect(
        scheduler,
        {server().address(), std::chrono::seconds(20), std::chrono::seconds(15), {{"nosuchscheme", "x"}}});
    until([&] { return observer->phase() == SessionPhase::lost; }, "the refusal");
    EXPECT_EQ(observer->lossReason(), zk::LossReason::authFailed);
}

TEST_P(Observer, AFrameBeyondTheCapEndsTheConnectionAndNotTheSession)
{
    world->create(*writer, path(), std::string(300'000, 'x'));
    zk::wire::ObserverOptions options;
    options.maxFrameSize = 100'000;
    open(options);
    EXPECT_EQ(get(path()).code, Code::unknown);
    until([&] { return observer->phase() == SessionPhase::connected; }, "the session to go on");
    EXPECT_EQ(get("/").code, Code::ok);
}

TEST(ConnectString, IsAddressesAndAChroot)
{
    using Parts = std::pair<std::string, std::string>;
    const auto parts = [](const char* text) {
        const zk::ConnectString split = zk::splitAndTrimChroot(text);
        return Parts(split.servers, split.chroot);
    };
    EXPECT_EQ(parts("a:1,b:2"), Parts("a:1,b:2", ""));
    EXPECT_EQ(parts("a:1,b:2/x/y"), Parts("a:1,b:2", "/x/y"));
    EXPECT_EQ(parts("a:1/"), Parts("a:1", ""));
}

INSTANTIATE_TEST_SUITE_P(Of, Observer, ::testing::Values(Client::wire), [](const auto&) { return "Wire"; });

} // namespace
} // namespace lockscope::tests
